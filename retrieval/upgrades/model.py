"""The list of what an upgrade brings, grouped by release."""

from dataclasses import dataclass
from datetime import date

from corpus.model import Change, Kind
from retrieval.blocks import Words
from retrieval.model import Citation

SEVERITY = {change: place for place, change in enumerate(Change)}


@dataclass(frozen=True, slots=True)
class Usage:
    """One line of the user's code that uses a symbol."""

    symbol: str  # As the release notes write it.
    file: str  # Relative to the scanned directory.
    line: int


@dataclass(frozen=True, slots=True)
class UpgradeItem:
    """One change that matters to those who upgrade, listed once however many releases repeat it."""

    kind: Kind | Change  # The contract's word; `change` is finer.
    change: Change
    summary: Words  # One line in the words of the source.
    symbols: tuple[str, ...]  # Code that the item names, as `Passage.symbols` writes it.
    citation: Citation
    repeated_in: tuple[str, ...] = ()  # Other releases of the range whose notes tell it again.
    usages: tuple[Usage, ...] = ()  # Where the given code uses one of `symbols`; empty where no code was given.


@dataclass(frozen=True, slots=True)
class UpgradeRelease:
    """A release of the range with its items, most severe first."""

    version: str
    date: date | None
    items: tuple[UpgradeItem, ...]


@dataclass(frozen=True, slots=True)
class Upgrade:
    """All changes in (`start`, `end`] that matter to those who upgrade; releases in version order."""

    product: str
    start: str
    end: str
    releases: tuple[UpgradeRelease, ...]
    security: tuple[UpgradeItem, ...]  # Vulnerabilities that the range fixes, in version order.
    missing_releases: tuple[str, ...]  # Releases in the range that are known of but have no notes in the index.
    notes: tuple[str, ...]
    other: tuple[UpgradeItem, ...] = ()  # Fixes, features and housekeeping in version order, where they are asked for.
