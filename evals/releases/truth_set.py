"""Hand-checked releases and passages: JSON lines in, checked values out.

What counts as an entry is in docs/releases.md. This module doesn't look at the documents that the lines point to: that
is `evals.releases.places`.
"""

import json
from collections.abc import Callable
from dataclasses import dataclass
from datetime import date
from enum import StrEnum
from pathlib import Path
from typing import TypeVar

from pydantic import BaseModel, ConfigDict, Field, ValidationError, model_validator

from corpus.errors import UsageError
from corpus.versions import Version


class ReleaseKind(StrEnum):
    """What sort of release the notes call it."""

    FINAL = "final"
    CANDIDATE = "candidate"
    BETA = "beta"
    ALPHA = "alpha"
    DEV = "dev"
    UNRELEASED = "unreleased"
    YANKED = "yanked"


@dataclass(frozen=True, slots=True)
class Place:
    """A range of a source file as it is, markup included; `sha` is the first 12 hex digits of the SHA-256 of it."""

    path: str
    start: int
    end: int
    sha: str


@dataclass(frozen=True, slots=True)
class TrueRelease:
    """A release as a person reads it: its heading, and the first and the last of its entries."""

    version: Version | None
    """None for changes that aren't released under any version yet."""
    date: date | None
    kind: ReleaseKind
    heading: Place | None
    """None where only the file's name says which release it is."""
    first: Place
    last: Place


@dataclass(frozen=True, slots=True)
class TruePassage:
    """A passage, and the version whose notes it belongs to; None where it belongs to none."""

    place: Place
    version: Version | None


_Line = TypeVar("_Line")


def load_releases(path: Path) -> tuple[TrueRelease, ...]:
    """Read a file of releases, one JSON object a line.

    Raises:
        UsageError: the file can't be read, or has faults; all of them are listed by line.
    """
    return _load(path, parse_release)


def load_passages(path: Path) -> tuple[TruePassage, ...]:
    """Read a file of passages, one JSON object a line.

    Raises:
        UsageError: as for `load_releases`.
    """
    return _load(path, parse_passage)


def parse_release(line: str) -> TrueRelease:
    """Parse one line.

    Raises:
        ValueError: not JSON, or not a release (pydantic's ValidationError and JSONDecodeError are both).
    """
    entry = _ReleaseLine.model_validate(json.loads(line))
    return TrueRelease(
        version=_version(entry.version),
        date=entry.date,
        kind=entry.kind,
        heading=None if entry.heading is None else _place(entry.path, entry.heading),
        first=_place(entry.path, entry.first),
        last=_place(entry.path, entry.last),
    )


def parse_passage(line: str) -> TruePassage:
    """Parse one line.

    Raises:
        ValueError: as for `parse_release`.
    """
    entry = _PassageLine.model_validate(json.loads(line))
    return TruePassage(_place(entry.path, entry), _version(entry.version))


def _load(path: Path, parse: Callable[[str], _Line]) -> tuple[_Line, ...]:
    entries: list[_Line] = []
    faults: list[str] = []
    try:
        lines = path.read_text(encoding="utf-8").split("\n")
    except (OSError, UnicodeDecodeError) as error:
        raise UsageError(f"Cannot read the truth {str(path)!r}: {error}. Give a UTF-8 JSONL file.") from error
    for number, line in enumerate(lines, start=1):
        try:
            entries.extend([parse(line)] if line.strip() else [])
        except ValidationError as error:
            faults.extend(f"{path.name}:{number}: {fault['loc']}: {fault['msg']}" for fault in error.errors())
        except ValueError as error:
            faults.append(f"{path.name}:{number}: {error}")
    if faults:
        raise UsageError(f"The truth has {len(faults)} faults, correct them: {'; '.join(faults)}")
    return tuple(entries)


def _place(path: str, entry: "_RangeLine") -> Place:
    return Place(path, entry.start, entry.end, entry.sha)


def _version(text: str | None) -> Version | None:
    return None if text is None else Version.parse(text)


class _RangeLine(BaseModel):
    start: int = Field(ge=0)
    end: int
    sha: str = Field(pattern="^[0-9a-f]{12}$")

    @model_validator(mode="after")
    def _ends_after_its_start(self) -> "_RangeLine":
        if self.start >= self.end:
            raise ValueError(f"must end after it starts, got {self.start} to {self.end}")
        return self


class _PassageLine(_RangeLine):
    path: str = Field(min_length=1)
    version: str | None


class _ReleaseLine(BaseModel):
    model_config = ConfigDict(extra="forbid")

    path: str = Field(min_length=1)
    version: str | None
    date: date | None
    kind: ReleaseKind
    heading: _RangeLine | None
    first: _RangeLine
    last: _RangeLine
