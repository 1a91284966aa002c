"""What a trial found, kept as JSON in `evals/lab/results`, and the page there that shows all of them."""

import json
import os
import platform
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from pathlib import Path

from pydantic import TypeAdapter

from evals.command import current_commit, render_table
from evals.lab.processes import proc_lines, told_mib

RESULTS = Path(__file__).parent / "results"
PAGE = "RESULTS.md"

SummaryRow = tuple[str, str, str, bool]
"""What was counted, what it must be, what it was, whether that holds."""


@dataclass(frozen=True, slots=True)
class CountTable:
    """Raw counts by what they were counted of."""

    header: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    caption: str = ""


@dataclass(frozen=True)
class TrialFindings:
    """What a trial gives; `notes` are sentences on how it was tried and what is left open, a paragraph each."""

    title: str
    summary: tuple[SummaryRow, ...]
    tables: tuple[CountTable, ...] = ()
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, kw_only=True)
class Trial(TrialFindings):
    """One run of one trial."""

    command: str
    """Repeats it from the repository's root, at `commit`."""
    commit: str
    """Of the tree that it ran in, shortened; empty where git doesn't tell."""
    seed: int | None
    """Of every random choice; None where nothing is chosen by chance."""
    began: str
    """ISO 8601, UTC, to the minute. Here and below: empty or None where it wasn't told."""
    seconds: float | None
    load: float | None
    """Processes that ran or waited to run in the minute before."""
    machine: str


_TRIAL = TypeAdapter(Trial)


@dataclass(frozen=True, slots=True)
class TrialClock:
    """When and on what a trial began."""

    began: datetime
    load: float

    @classmethod
    def start(cls) -> "TrialClock":
        """Now; call it before any work."""
        return cls(datetime.now(UTC), os.getloadavg()[0] if hasattr(os, "getloadavg") else 0.0)

    def finish(self, found: TrialFindings, *, command: str, seed: int | None) -> Trial:
        """Return the trial that ends now."""
        return Trial(
            **vars(found),
            command=command,
            commit=current_commit(),
            seed=seed,
            began=self.began.isoformat(timespec="minutes"),
            seconds=round((datetime.now(UTC) - self.began).total_seconds(), 1),
            load=round(self.load, 2),
            machine=describe_machine(),
        )


def keep_trial(name: str, trial: Trial, folder: Path = RESULTS) -> None:
    """Keep it as `NAME.json` in place of the one before, and write the page anew."""
    folder.mkdir(parents=True, exist_ok=True)
    draft = folder / f"{name}.draft"
    draft.write_text(json.dumps(asdict(trial), indent=1, ensure_ascii=False) + "\n", "utf-8")
    draft.replace(folder / f"{name}.json")
    (folder / PAGE).write_text(render_page(load_trials(folder)), "utf-8")


def load_trials(folder: Path = RESULTS) -> dict[str, Trial]:
    """Those that are kept, by name."""
    return {path.stem: _TRIAL.validate_json(path.read_bytes()) for path in sorted(folder.glob("*.json"))}


def render_page(trials: Mapping[str, Trial]) -> str:
    """Return the whole page: one table of what must hold, then each trial with its raw counts, by name."""
    lines = [
        "# Results of the trials",
        "",
        "Written by `python -m evals.lab TRIAL --keep` from the JSON beside it; each trial tells its command, its",
        "commit, at which that command is, its seed, when it ran and for how long.",
        "",
    ]
    rows = [
        (f"[{trial.title}](#{_anchor(trial.title)})", *row[:3], "yes" if row[3] else "**no**")
        for trial in trials.values()
        for row in trial.summary
    ]
    lines.append(render_table(("trial", "counted", "must be", "was", "holds"), rows))
    for trial in trials.values():
        lines += ["", *trial_lines(trial)]
    return "\n".join(lines).rstrip() + "\n"


def trial_lines(trial: Trial) -> Iterator[str]:
    """A trial's section, without the table of what holds."""
    yield f"## {trial.title}"
    yield ""
    seed = "no choice by chance" if trial.seed is None else f"seed {trial.seed}"
    circumstances = (
        f"`{trial.command}`" + (f" at {trial.commit}" if trial.commit else ""),
        seed,
        trial.began,
        "" if trial.seconds is None else f"{trial.seconds:,.0f} s",
        "" if trial.load is None else f"load {trial.load:.1f} before",
        trial.machine and f"on {trial.machine}",
    )
    yield f"{', '.join(filter(None, circumstances))}."
    for note in trial.notes:
        yield ""
        yield note
    for table in trial.tables:
        yield ""
        if table.caption:
            yield table.caption
            yield ""
        yield render_table(table.header, table.rows)


def _anchor(title: str) -> str:
    kept = "".join(letter for letter in title.lower() if letter.isalnum() or letter in " -_")
    return kept.replace(" ", "-")


def describe_machine() -> str:
    """Its cores, memory and system."""
    names = [line.partition(":")[2].strip() for line in proc_lines("cpuinfo") if line.startswith("model name")]
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    gib = f", {told_mib('MemTotal', 'meminfo') / 1024:.0f} GiB" if names else ""
    return f"{cores} cores ({names[0] if names else platform.machine()}){gib}, {platform.system()}"
