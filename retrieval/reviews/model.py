"""What a diff changes of a project's dependencies and symbols, and what release notes say of it."""

from dataclasses import dataclass

from corpus.dependencies.model import Ecosystem
from retrieval.model import Citation
from retrieval.upgrades.model import UpgradeItem


@dataclass(frozen=True, slots=True)
class Bump:
    """A dependency whose version a diff changes."""

    name: str  # As the file names it.
    ecosystem: Ecosystem
    start: str | None  # The bare version before; None where the diff adds the dependency, or the line stated none.
    end: str | None  # The bare version after; None where the diff removes the dependency, or the line states none.
    file: str
    line: int  # Of the new version in the file after the change, from 1; of the old one where it is removed.


@dataclass(frozen=True, slots=True)
class ReviewedBump:
    """A bump of a product that the index has notes of."""

    bump: Bump
    product: str  # The catalogue's name.
    start: str
    end: str
    items: tuple[UpgradeItem, ...] = ()
    """What the range breaks, removes, deprecates or asks for; what the repository uses first, then by severity."""
    security: tuple[UpgradeItem, ...] = ()
    missing_releases: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    same_as: int | None = None
    """The place in the review, from 0, of the first bump of the product between these versions, which alone has what
    the range brings; None for that one itself."""


@dataclass(frozen=True, slots=True)
class ReviewedSymbol:
    """A symbol, flag or environment variable on an added or removed line, with what the notes say of it."""

    symbol: str
    product: str
    file: str
    line: int
    citations: tuple[Citation, ...]


@dataclass(frozen=True, slots=True)
class Unknown:
    """What the diff touches and the index can't speak of, and why."""

    name: str
    reason: str


@dataclass(frozen=True, slots=True)
class Review:
    """All that release notes have to say of a diff, in the diff's order."""

    bumps: tuple[ReviewedBump, ...]
    symbols: tuple[ReviewedSymbol, ...]
    unknown: tuple[Unknown, ...]
    elapsed_ms: float
