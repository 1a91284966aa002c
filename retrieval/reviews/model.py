"""The changes of a diff to a project's dependencies and symbols, and what release notes say about them."""

from dataclasses import dataclass

from corpus.dependencies.model import Ecosystem
from retrieval.model import Citation
from retrieval.upgrades.model import UpgradeItem


@dataclass(frozen=True, slots=True)
class Bump:
    """A dependency whose version a diff changes."""

    name: str  # As the file names it.
    ecosystem: Ecosystem
    start: str | None  # The bare version before; None if the diff adds the dependency, or the line stated none.
    end: str | None  # The bare version after; None if the diff removes the dependency, or the line states none.
    file: str
    line: int  # The new version's line in the file after the change, from 1; the old one's if it is removed.


@dataclass(frozen=True, slots=True)
class ReviewedBump:
    """A bump of a product with notes in the index."""

    bump: Bump
    product: str  # The catalogue's name.
    start: str
    end: str
    items: tuple[UpgradeItem, ...] = ()
    """Breaking changes, removals, deprecations and requirements in the range; used ones first, then by severity."""
    security: tuple[UpgradeItem, ...] = ()
    missing_releases: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    same_as: int | None = None
    """The review's index, from 0, of the same bump that lists the range's changes; None for that one itself."""


@dataclass(frozen=True, slots=True)
class ReviewedSymbol:
    """A symbol, flag or environment variable on an added or removed line, with what the notes say about it."""

    symbol: str
    product: str
    file: str
    line: int
    citations: tuple[Citation, ...]


@dataclass(frozen=True, slots=True)
class Unknown:
    """A dependency or file changed by the diff that isn't covered, and the reason."""

    name: str
    reason: str


@dataclass(frozen=True, slots=True)
class Review:
    """All findings about a diff, in the diff's order."""

    bumps: tuple[ReviewedBump, ...]
    symbols: tuple[ReviewedSymbol, ...]
    unknown: tuple[Unknown, ...]
    elapsed_ms: float
