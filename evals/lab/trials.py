"""The findings of trials, stored as JSON in `evals/lab/results`, and the page there that shows all of them."""

import json
import os
import platform
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from pathlib import Path

from pydantic import TypeAdapter

from evals.command import current_commit, render_table
from evals.lab.processes import proc_lines, proc_mib

RESULTS = Path(__file__).parent / "results"
PAGE = "RESULTS.md"

SummaryRow = tuple[str, str, str, bool]
"""The name of a measure, its required value, its value, and whether the requirement is met."""


@dataclass(frozen=True, slots=True)
class CountTable:
    """A table of raw counts."""

    header: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    caption: str = ""


@dataclass(frozen=True)
class TrialFindings:
    """The findings of a trial; `notes` are paragraphs on the method and on open points."""

    title: str
    summary: tuple[SummaryRow, ...]
    tables: tuple[CountTable, ...] = ()
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, kw_only=True)
class Trial(TrialFindings):
    """One run of one trial."""

    command: str
    """The command that repeats the trial from the repository's root, at `commit`."""
    commit: str
    """The short hash of the checkout's commit; "" if git fails."""
    seed: int | None
    """The seed of all random choices; None without any."""
    began: str
    """ISO 8601, UTC, to the minute. This and the fields below are empty or None if unknown."""
    seconds: float | None
    load: float | None
    """The load average of the minute before."""
    machine: str


_TRIAL = TypeAdapter(Trial)


@dataclass(frozen=True, slots=True)
class TrialClock:
    """The time and the load at the start of a trial."""

    began: datetime
    load: float

    @classmethod
    def start(cls) -> "TrialClock":
        """Return a clock that starts now; call it before any work."""
        return cls(datetime.now(UTC), os.getloadavg()[0] if hasattr(os, "getloadavg") else 0.0)

    def finish(self, findings: TrialFindings, *, command: str, seed: int | None) -> Trial:
        """Return the trial with `findings`, which ends now."""
        return Trial(
            **vars(findings),
            command=command,
            commit=current_commit(),
            seed=seed,
            began=self.began.isoformat(timespec="minutes"),
            seconds=round((datetime.now(UTC) - self.began).total_seconds(), 1),
            load=round(self.load, 2),
            machine=describe_machine(),
        )


def keep_trial(name: str, trial: Trial, folder: Path = RESULTS) -> None:
    """Store the trial as `NAME.json`, replacing an earlier one, and rewrite the page."""
    folder.mkdir(parents=True, exist_ok=True)
    draft = folder / f"{name}.draft"
    draft.write_text(json.dumps(asdict(trial), indent=1, ensure_ascii=False) + "\n", "utf-8")
    draft.replace(folder / f"{name}.json")
    (folder / PAGE).write_text(render_page(load_trials(folder)), "utf-8")


def load_trials(folder: Path = RESULTS) -> dict[str, Trial]:
    """Return the stored trials by name."""
    return {path.stem: _TRIAL.validate_json(path.read_bytes()) for path in sorted(folder.glob("*.json"))}


def render_page(trials: Mapping[str, Trial]) -> str:
    """Return the whole page: a table of all requirements, then each trial with its raw counts, by name."""
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
    """Yield the lines of a trial's section, without the table of requirements."""
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
    """Return this machine's cores, memory and operating system."""
    names = [line.partition(":")[2].strip() for line in proc_lines("cpuinfo") if line.startswith("model name")]
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    gib = f", {proc_mib('MemTotal', 'meminfo') / 1024:.0f} GiB" if names else ""
    return f"{cores} cores ({names[0] if names else platform.machine()}){gib}, {platform.system()}"
