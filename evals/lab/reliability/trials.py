"""What a trial found, kept as JSON in the repository, from which docs/reliability.md is written."""

import json
import os
from collections.abc import Iterable
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from evals.machine import describe_machine

RESULTS = Path(__file__).parent / "results"


@dataclass(frozen=True, slots=True)
class CountTable:
    """Raw counts by what they were counted of."""

    header: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    caption: str = ""


@dataclass(frozen=True, slots=True)
class Trial:
    """One run of one harness."""

    title: str
    """What was tried, as a heading."""
    command: str
    """Repeats it from the repository's root."""
    seed: int | None
    """Of every random choice; None where nothing is chosen by chance."""
    began: str
    """ISO 8601, UTC, to the minute."""
    seconds: float
    load: float
    """Processes that ran or waited to run in the minute before."""
    machine: str
    summary: tuple[tuple[str, str, str, bool], ...]
    """Rows of the page's first table: what was counted, what it must be, what it was, whether that holds."""
    tables: tuple[CountTable, ...] = ()
    notes: tuple[str, ...] = ()
    """Sentences on how it was tried and what is left open, a paragraph each."""


@dataclass(frozen=True, slots=True)
class TrialClock:
    """When and on what a trial began."""

    began: datetime
    load: float

    @classmethod
    def start(cls) -> "TrialClock":
        """Now; call it before any work."""
        return cls(datetime.now(UTC), os.getloadavg()[0] if hasattr(os, "getloadavg") else 0.0)

    def finish(
        self,
        title: str,
        *,
        command: str,
        seed: int | None,
        summary: Iterable[tuple[str, str, str, bool]],
        tables: Iterable[CountTable] = (),
        notes: Iterable[str] = (),
    ) -> Trial:
        """The trial that ends now."""
        return Trial(
            title=title,
            command=command,
            seed=seed,
            began=self.began.isoformat(timespec="minutes"),
            seconds=round((datetime.now(UTC) - self.began).total_seconds(), 1),
            load=round(self.load, 2),
            machine=describe_machine(),
            summary=tuple(summary),
            tables=tuple(tables),
            notes=tuple(notes),
        )


def keep_trial(name: str, trial: Trial, folder: Path = RESULTS) -> None:
    """Keep it as `NAME.json` in place of the one before."""
    folder.mkdir(parents=True, exist_ok=True)
    draft = folder / f"{name}.draft"
    draft.write_text(json.dumps(asdict(trial), indent=1, ensure_ascii=False) + "\n", "utf-8")
    draft.replace(folder / f"{name}.json")


def load_trials(folder: Path = RESULTS) -> dict[str, Trial]:
    """Those that are kept, by name."""
    return {path.stem: _trial(json.loads(path.read_text("utf-8"))) for path in sorted(folder.glob("*.json"))}


def _trial(told: dict[str, Any]) -> Trial:
    tables = tuple(
        CountTable(tuple(one["header"]), tuple(tuple(row) for row in one["rows"]), one["caption"])
        for one in told["tables"]
    )
    summary = tuple((row[0], row[1], row[2], bool(row[3])) for row in told["summary"])
    return Trial(**{**told, "tables": tables, "summary": summary, "notes": tuple(told["notes"])})
