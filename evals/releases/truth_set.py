"""Releases and passages as language models read them in the raw files: JSON lines in, checked values out.

What counts as an entry is in docs/releases.md. This module doesn't look at the documents that the lines point to: that
is `evals.releases.reading`.
"""

import json
from dataclasses import dataclass
from datetime import date
from enum import StrEnum
from pathlib import Path

from pydantic import BaseModel, ConfigDict, Field

from corpus.versions import Version
from evals.labelled_places import Place, RangeLine, load_labels


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
class TrueRelease:
    """A release as a careful reader finds it: its heading, and the first and the last of its entries."""

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


def load_releases(path: Path) -> tuple[TrueRelease, ...]:
    """Read a file of releases, one JSON object a line.

    Raises:
        UsageError: the file can't be read, or has faults; all of them are listed by line.
    """
    return load_labels(path, parse_release, name="labelled releases")


def load_passages(path: Path) -> tuple[TruePassage, ...]:
    """Read a file of passages, one JSON object a line.

    Raises:
        UsageError: as for `load_releases`.
    """
    return load_labels(path, parse_passage, name="labelled passages")


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
        heading=None if entry.heading is None else entry.heading.place(entry.path),
        first=entry.first.place(entry.path),
        last=entry.last.place(entry.path),
    )


def parse_passage(line: str) -> TruePassage:
    """Parse one line.

    Raises:
        ValueError: as for `parse_release`.
    """
    entry = _PassageLine.model_validate(json.loads(line))
    return TruePassage(entry.place(entry.path), _version(entry.version))


def _version(text: str | None) -> Version | None:
    return None if text is None else Version.parse(text)


class _PassageLine(RangeLine):
    path: str = Field(min_length=1)
    version: str | None


class _ReleaseLine(BaseModel):
    model_config = ConfigDict(extra="forbid")

    path: str = Field(min_length=1)
    version: str | None
    date: date | None
    kind: ReleaseKind
    heading: RangeLine | None
    first: RangeLine
    last: RangeLine
