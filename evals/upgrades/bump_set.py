"""Reads labelled bumps from JSON lines, and validates them."""

from pathlib import Path
from typing import Annotated

from pydantic import Field, model_validator
from pydantic.dataclasses import dataclass

from corpus.model import Change, Kind
from evals.labelled_places import Filled, Half, Place, line_parser, load_labels

KINDS_OF = {
    Change.REMOVED: (Kind.REMOVAL,),
    Change.BREAKS: (Kind.BREAKING,),
    Change.REQUIREMENT: (Kind.BREAKING, Kind.REMOVAL),
    Change.DEFAULT: (Kind.BREAKING,),
    Change.ACTION: (Kind.BREAKING,),
    Change.DEPRECATED: (Kind.DEPRECATION,),
}
"""The contract's kinds that are right for a change; a new requirement may drop a platform or raise a minimum."""


@dataclass(frozen=True, slots=True)
class ListedChange(Place):
    """The place of one change that the notes list; `also` has other places that report it.

    An `optional` change may be listed or left out, because readers would disagree about it.
    """

    kind: Kind
    change: Change
    release: Filled
    also: tuple[Place, ...] = ()
    optional: bool = False

    @model_validator(mode="after")
    def _kind_fits_change(self) -> "ListedChange":
        if self.kind not in self.kinds:
            raise ValueError(f"change {self.change.value!r} isn't of kind {self.kind.value!r}")
        return self

    @property
    def kinds(self) -> tuple[Kind, ...]:
        """Return the kinds that are right for an item on this change."""
        return KINDS_OF.get(self.change, ())


@dataclass(frozen=True, slots=True)
class ChangedLine:
    """The line of a dependency file that bumps the version, before and after."""

    file: Filled
    before: str
    after: str


@dataclass(frozen=True, slots=True)
class LabelledBump:
    """A bump of one product from a release to another, with all changes in (`start`, `end`] that the notes list."""

    id: Filled
    product: Filled
    start: Annotated[Filled, Field(alias="from")]
    end: Annotated[Filled, Field(alias="to")]
    split: Half
    changes: Annotated[tuple[ListedChange, ...], Field(alias="items", min_length=1)]
    diff: ChangedLine | None = None


def load_bumps(path: Path) -> tuple[LabelledBump, ...]:
    """Read a file of labelled bumps, one JSON object a line.

    Raises:
        UsageError: the file can't be read, or has faults; all of them are listed by line.
    """
    return load_labels(path, line_parser(LabelledBump), name="labelled bumps")
