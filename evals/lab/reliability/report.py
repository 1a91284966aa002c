"""docs/reliability.md from the trials that are kept: `python -m evals.lab.reliability.report [--check]`."""

import argparse
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from evals.command import run_command
from evals.lab.reliability.trials import CountTable, Trial, load_trials
from evals.tables import render_table

PAGE = Path(__file__).parents[3] / "docs" / "reliability.md"
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
    """Write the page, or say with status 1 that it isn't what the trials say."""
    parser = argparse.ArgumentParser(prog="python -m evals.lab.reliability.report", description=__doc__)
    parser.add_argument("--check", action="store_true", help="write nothing; status 1 where the page is another")
    page = render_page(load_trials())
    if parser.parse_args(arguments).check:
        return int(page != PAGE.read_text("utf-8"))
    PAGE.write_text(page, "utf-8")
    return 0


def render_page(trials: Mapping[str, Trial]) -> str:
    """The whole page: one table of what must hold, then each trial with its raw counts."""
    ordered = sorted(trials, key=lambda name: (_ORDER.index(name) if name in _ORDER else len(_ORDER), name))
    lines = [
        "# Reliability",
        "",
        "Written by `python -m evals.lab.reliability.report` from the raw counts in `evals/lab/reliability/results`;",
        "each trial tells the command that repeats it, its seed, when it ran and for how long.",
        "",
    ]
    rows = [
        (f"[{trials[name].title}](#{_anchor(trials[name].title)})", *row[:3], "yes" if row[3] else "**no**")
        for name in ordered
        for row in trials[name].summary
    ]
    lines.append(render_table(("trial", "counted", "must be", "was", "holds"), rows))
    for name in ordered:
        lines += ["", *_trial_lines(trials[name])]
    return "\n".join(lines).rstrip() + "\n"


def _trial_lines(trial: Trial) -> Iterator[str]:
    yield f"## {trial.title}"
    yield ""
    seed = "no choice by chance" if trial.seed is None else f"seed {trial.seed}"
    yield f"`{trial.command}`, {seed}, {trial.began}, {trial.seconds:,.0f} s, load {trial.load:.1f} before, on"
    yield f"{trial.machine}."
    for note in trial.notes:
        yield ""
        yield note
    for table in trial.tables:
        yield ""
        yield from _count_lines(table)


def _count_lines(table: CountTable) -> Iterator[str]:
    if table.caption:
        yield table.caption
        yield ""
    yield render_table(table.header, table.rows)


def _anchor(title: str) -> str:
    kept = "".join(letter for letter in title.lower() if letter.isalnum() or letter in " -_")
    return kept.replace(" ", "-")


if __name__ == "__main__":
    run_command(main)
