"""Labelled bumps: JSON lines in, checked values out.

What counts as an item is in docs/upgrade-truth.md. This module doesn't look at the documents that the labels point to:
that is `evals.upgrades.places`.
"""

import json
from dataclasses import dataclass
from pathlib import Path

from pydantic import BaseModel, Field, model_validator

from corpus.model import Kind
from evals.labelled_places import Place, RangeLine, load_labels
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
    product: str
    start: str
    end: str
    split: str
    changes: tuple[ListedChange, ...]
    diff: ChangedLine | None


def load_bumps(path: Path) -> tuple[LabelledBump, ...]:
    """Read a file of labelled bumps, one JSON object a line.

    Raises:
        UsageError: the file can't be read, or has faults; all of them are listed by line.
    """
    return load_labels(path, parse_bump, name="labelled bumps")


def parse_bump(line: str) -> LabelledBump:
    """Parse one line.

    Raises:
        ValueError: not JSON, or not a labelled bump (pydantic's ValidationError and JSONDecodeError are both).
    """
    entry = _BumpLine.model_validate(json.loads(line))
    return LabelledBump(
        id=entry.id,
        product=entry.product,
        start=entry.start,
        end=entry.end,
        split=entry.split,
        changes=tuple(
            ListedChange(
                item.change,
                item.release,
                item.place(item.path),
                tuple(place.place(place.path) for place in item.also),
                item.optional,
            )
            for item in entry.items
        ),
        diff=None if entry.diff is None else ChangedLine(entry.diff.file, entry.diff.before, entry.diff.after),
    )


class _PlaceLine(RangeLine):
    path: str = Field(min_length=1)


class _ItemLine(_PlaceLine):
    kind: Kind
    change: Change
    release: str = Field(min_length=1)
    also: tuple[_PlaceLine, ...] = ()
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
