"""The tables of docs/reliability.md from the trials that are kept: `python -m evals.lab.reliability.report [--check]`.

All else of that page is written by its authors; each trial's raw counts stay in `evals/lab/reliability/results`.
"""

import argparse
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from evals.command import run_command
from evals.lab.reliability.trials import Trial, load_trials
from evals.tables import render_table

PAGE = Path(__file__).parents[3] / "docs" / "reliability.md"
_RESULTS = "../evals/lab/reliability/results"
_BEGIN = "<!-- begin of what `python -m evals.lab.reliability.report` writes -->"
_END = "<!-- end of what it writes -->"
_ORDER = (
    "faults",
    "flips",
    "held",
    "disk",
    "concurrency",
    "load",
    "soak",
    "cold-requests",
    "fuzz",
    "growth",
    "mutations",
    "line-growth",
    "secrets",
)
"""What is read first; others follow by name."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Write the page's tables, or say with status 1 that they aren't what the trials say."""
    parser = argparse.ArgumentParser(prog="python -m evals.lab.reliability.report", description=__doc__)
    parser.add_argument("--check", action="store_true", help="write nothing; status 1 where the tables are others")
    found = PAGE.read_text("utf-8")
    page = with_tables(found, load_trials())
    if parser.parse_args(arguments).check:
        return int(page != found)
    PAGE.write_text(page, "utf-8")
    return 0


def with_tables(page: str, trials: Mapping[str, Trial]) -> str:
    """The page with its tables made anew."""
    before, _, rest = page.partition(_BEGIN)
    after = rest.partition(_END)[2]
    return f"{before}{_BEGIN}\n\n{render_tables(trials)}\n\n{_END}{after}"


def render_tables(trials: Mapping[str, Trial]) -> str:
    """One table of what must hold in each trial, in bold what doesn't, and below it what a server did at each load."""
    ordered = sorted(trials, key=lambda name: (_ORDER.index(name) if name in _ORDER else len(_ORDER), name))
    rows = [row for name in ordered for row in _summary_rows(name, trials[name])]
    parts = [render_table(("trial", "counted", "must be", "was"), rows)]
    if "load" in trials:
        by_rate = trials["load"].tables[0]
        parts += [f"{trials['load'].title}, on {trials['load'].machine}:", render_table(by_rate.header, by_rate.rows)]
    return "\n\n".join(parts)


def _summary_rows(name: str, trial: Trial) -> Iterator[tuple[str, ...]]:
    title = f"[{trial.title}]({_RESULTS}/{name}.json), {trial.began[:10]}"
    for counted, must, was, holds in trial.summary:
        yield title, counted, must, was if holds else f"**{was}**"
        title = ""


if __name__ == "__main__":
    run_command(main)
