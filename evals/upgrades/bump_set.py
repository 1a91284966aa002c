"""Labelled bumps: JSON lines in, checked values out.

What counts as an item is in docs/upgrade-truth.md. This module doesn't look at the documents that the labels point to:
that is `evals.upgrades.places`.
"""

import json
from dataclasses import dataclass
from pathlib import Path

from pydantic import BaseModel, Field, ValidationError, model_validator

from corpus.errors import UsageError
from corpus.model import Kind
from retrieval.upgrades.model import Change

KINDS_OF = {
    Change.REMOVED: (Kind.REMOVAL,),
    Change.BREAKS: (Kind.BREAKING,),
    Change.REQUIREMENT: (Kind.BREAKING, Kind.REMOVAL),
    Change.DEFAULT: (Kind.BREAKING,),
    Change.ACTION: (Kind.BREAKING,),
    Change.DEPRECATED: (Kind.DEPRECATION,),
}
"""The contract's words for a change. Notes drop a platform or raise a minimum: both words are right."""


@dataclass(frozen=True, slots=True)
class Place:
    """A range of a source file as it is, markup included; `sha` is the first 12 hex digits of the SHA-256 of it."""

    path: str
    start: int
    end: int
    sha: str


@dataclass(frozen=True, slots=True)
class ListedChange:
    """One change that the notes list; `also` are other places that tell it.

    An `optional` one may be listed or left out: readers would disagree about it.
    """

    change: Change
    release: str
    place: Place
    also: tuple[Place, ...]
    optional: bool

    @property
    def kinds(self) -> tuple[Kind, ...]:
        """The kinds that an engine may call it by."""
        return KINDS_OF[self.change]


@dataclass(frozen=True, slots=True)
class ChangedLine:
    """The line of a dependency file that makes the bump."""

    file: str
    before: str
    after: str


@dataclass(frozen=True, slots=True)
class LabelledBump:
    """A bump of one product from a release to another, with everything in (`start`, `end`] that the notes list."""

    id: str
    project: str
    product: str
    start: str
    end: str
    split: str
    changes: tuple[ListedChange, ...]
    diff: ChangedLine | None
    note: str


def load_bumps(path: Path) -> tuple[LabelledBump, ...]:
    """Read a file of labelled bumps, one JSON object a line.

    Raises:
        UsageError: the file can't be read, or has faults; all of them are listed by line.
    """
    bumps: list[LabelledBump] = []
    faults: list[str] = []
    try:
        lines = path.read_text(encoding="utf-8").split("\n")
    except (OSError, UnicodeDecodeError) as error:
        raise UsageError(f"Cannot read the labelled bumps {str(path)!r}: {error}. Give a UTF-8 JSONL file.") from error
    for number, line in enumerate(lines, start=1):
        try:
            bumps.extend([parse_bump(line)] if line.strip() else [])
        except ValidationError as error:
            faults.extend(f"{path.name}:{number}: {fault['loc']}: {fault['msg']}" for fault in error.errors())
        except ValueError as error:
            faults.append(f"{path.name}:{number}: not JSON ({error})")
    if faults:
        raise UsageError(f"Labelled bumps have {len(faults)} faults, correct them: {'; '.join(faults)}")
    return tuple(bumps)


def parse_bump(line: str) -> LabelledBump:
    """Parse one line.

    Raises:
        ValueError: not JSON, or not a labelled bump (pydantic's ValidationError and JSONDecodeError are both).
    """
    entry = _BumpLine.model_validate(json.loads(line))
    return LabelledBump(
        id=entry.id,
        project=entry.project,
        product=entry.product,
        start=entry.start,
        end=entry.end,
        split=entry.split,
        changes=tuple(
            ListedChange(
                item.change,
                item.release,
                Place(item.path, item.start, item.end, item.sha),
                tuple(Place(place.path, place.start, place.end, place.sha) for place in item.also),
                item.optional,
            )
            for item in entry.items
        ),
        diff=None if entry.diff is None else ChangedLine(entry.diff.file, entry.diff.before, entry.diff.after),
        note=entry.note,
    )


class _PlaceLine(BaseModel):
    path: str = Field(min_length=1)
    start: int = Field(ge=0)
    end: int
    sha: str = Field(pattern="^[0-9a-f]{12}$")

    @model_validator(mode="after")
    def _ends_after_its_start(self) -> "_PlaceLine":
        if self.start >= self.end:
            raise ValueError(f"must end after it starts, got {self.start} to {self.end}")
        return self


class _ItemLine(_PlaceLine):
    kind: Kind
    change: Change
    release: str = Field(min_length=1)
    also: list[_PlaceLine] = []
    optional: bool = False

    @model_validator(mode="after")
    def _kind_fits_change(self) -> "_ItemLine":
        if self.kind not in KINDS_OF.get(self.change, ()):
            raise ValueError(f"change {self.change.value!r} isn't of kind {self.kind.value!r}")
        return self


class _DiffLine(BaseModel):
    file: str = Field(min_length=1)
    before: str
    after: str


class _BumpLine(BaseModel):
    id: str = Field(min_length=1)
    project: str = Field(min_length=1)
    product: str = Field(min_length=1)
    start: str = Field(alias="from", min_length=1)
    end: str = Field(alias="to", min_length=1)
    split: str = Field(pattern="^(dev|test)$")
    items: list[_ItemLine] = Field(min_length=1)
    diff: _DiffLine | None = None
    note: str = ""
