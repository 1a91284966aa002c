"""The history of runs: their figures, oldest first, one JSON line a run, appended and never rewritten."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from datetime import datetime
from pathlib import Path

from pydantic import TypeAdapter

from corpus.errors import UsageError
from evals.command import RESULTS
from evals.comparison import LOGGED
from evals.labelled_places import line_faults
from evals.runner import EvalReport, Group

HISTORY_FILE = RESULTS / "history.jsonl"
_DIGITS = 3
"""As in the reports, so that a difference that they don't show is no change."""


@dataclass(frozen=True, slots=True)
class SuiteFigures:
    """The averages over a suite's questions, or over those of one split; `split` is empty for all of them."""

    suite: str
    split: str
    questions: int
    metrics: Mapping[str, float]
    """The measured metrics only."""


@dataclass(frozen=True, slots=True)
class RecordedRun:
    """One run: its time, its name (`gate` or `full`), and its suites with their splits."""

    at: datetime
    run: str
    suites: tuple[SuiteFigures, ...]


_RUN = TypeAdapter(RecordedRun)


def summarise_run(reports: Sequence[EvalReport], run: str, *, at: datetime) -> RecordedRun:
    """Convert the reports of one run to the history's form."""
    suites = (
        SuiteFigures(report.name, split, group.questions, _rounded(group))
        for report in reports
        for split, group in (("", report.overall), *((group.name, group) for group in report.by_split))
    )
    return RecordedRun(at, run, tuple(suites))


def record_run(path: Path, run: RecordedRun) -> bool:
    """Append the run, unless the last one of its name has the same figures; return whether it was appended.

    Raises:
        UsageError: as for `load_history`.
    """
    before = [earlier for earlier in load_history(path) if earlier.run == run.run]
    if before and before[-1].suites == run.suites:
        return False
    path.parent.mkdir(exist_ok=True)
    with path.open("a", encoding="utf-8") as file:
        file.write(json.dumps(asdict(run) | {"at": run.at.isoformat(timespec="seconds")}) + "\n")
    return True


def load_history(path: Path = HISTORY_FILE) -> tuple[RecordedRun, ...]:
    """Return all recorded runs, oldest first; empty if there is no file.

    Raises:
        UsageError: a line isn't of the form that `record_run` writes.
    """
    if not path.is_file():
        return ()
    try:
        return tuple(_RUN.validate_json(line) for line in path.read_text(encoding="utf-8").splitlines() if line.strip())
    except ValueError as error:
        raise UsageError(
            f"Cannot read the history of runs {str(path)!r}: {'; '.join(line_faults(error))}. Restore the file, or "
            "delete it to begin anew."
        ) from None


def _rounded(group: Group) -> dict[str, float]:
    return {metric: round(group.figures[metric], _DIGITS) for metric in LOGGED if metric in group.figures}
