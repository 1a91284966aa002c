"""The changes in the notes of some releases that matter to those who upgrade, read from the stored passages."""

from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence, Set
from dataclasses import dataclass, replace

from corpus.catalogue import CatalogueProduct
from corpus.deadline import waited_for
from corpus.index.stored import StoredPassage
from corpus.index.tables import TableReader
from corpus.model import Change, Entry, Kind, Section
from corpus.versions import Version
from retrieval.upgrades.entries import NotedEntry, read_entries
from retrieval.upgrades.repeats import FoundChange, details_of, reverted, tell_once

# What the contract calls a change, where that isn't breaking.
KINDS = {Change.REMOVED: Kind.REMOVAL, Change.DEPRECATED: Kind.DEPRECATION, Change.SECURITY: Kind.SECURITY}
KINDS |= {Change.FIX: Kind.FIX, Change.FEATURE: Kind.FEATURE, Change.HOUSEKEEPING: Kind.OTHER}
FOLDED = (Change.FIX, Change.FEATURE, Change.HOUSEKEEPING)
"""Groups that ask nothing of those who upgrade."""
_GROUP_OF_KIND = {Kind.FIX: Change.FIX, Kind.PERFORMANCE: Change.FEATURE, Kind.FEATURE: Change.FEATURE}
_TELLS_NONE = (Section.INTRODUCTION, Section.POINTER)
_GUIDE_PASSAGES = 3000  # Of the passages about no release, so many are looked at for guides.


@dataclass(frozen=True, slots=True)
class NotesReading:
    """The contents of some releases' notes that matter to those who upgrade."""

    changes: tuple[FoundChange, ...]  # Each that no later release reverts, once, in index order.
    taken_back: tuple[FoundChange, ...]  # Those that one reverts, of what an upgrade lists.
    security: tuple[FoundChange, ...]  # All entries on vulnerabilities: several series may have a fix.
    entries: tuple[NotedEntry, ...]  # All of those releases, in index order.
    noted: frozenset[Version]  # The releases of which something is told.
    passages: tuple[StoredPassage, ...]  # Those that are about a release.

    @property
    def kept(self) -> list[FoundChange]:
        """The changes that break, remove, deprecate or require something."""
        return [finding for finding in self.changes if finding.change not in (None, Change.SECURITY)]

    def counted(self) -> Iterator[tuple[NotedEntry, Kind]]:
        """Yield the entry of each change that isn't an introduction, with the kind that it counts as: the one under
        which an upgrade lists it, or else its own."""
        for finding in self.changes:
            stored = finding.entry.stored
            if finding.change is not None:
                yield finding.entry, KINDS.get(finding.change, Kind.BREAKING)
            elif stored.section is not Section.INTRODUCTION:
                is_open = stored.kind not in (Kind.BREAKING, Kind.REMOVAL, Kind.DEPRECATION, Kind.SECURITY)
                yield finding.entry, stored.kind if is_open else Kind.OTHER

    def others(self) -> list[FoundChange]:
        """Return all other entries, each with its group; if the project's own notes have any, theirs alone."""
        unlisted = (finding for finding in self.changes if finding.change is None)
        others = [replace(finding, change=_group_of(finding.entry.stored)) for finding in unlisted]
        return [finding for finding in others if finding.entry.passage.is_own] or others


def _group_of(stored: Entry) -> Change:
    """Return the group of an entry that makes no change of those that an upgrade lists first."""
    if stored.section in _TELLS_NONE:
        return Change.HOUSEKEEPING
    return Change.BEHAVIOUR if stored.shifts else _GROUP_OF_KIND.get(stored.kind, Change.HOUSEKEEPING)


def read_changes(
    index: TableReader, product: CatalogueProduct, holds: Callable[[Version], bool], only: Change | None = None
) -> NotesReading:
    """Return the changes in the notes of those releases of `product` for which `holds` is true, in guides to them and
    on pages that name them, each once, in the order of the index; `only` those of one kind, comparing no others."""
    entries, passages = _noted(index, product, holds)
    return _read(entries, [passage for passage in passages if passage.release], only)


def read_releases(index: TableReader, product: CatalogueProduct) -> Iterator[tuple[Version, NotesReading]]:
    """Yield each release of `product` with the result of `read_changes` for it and its pre-releases."""
    entries_of: defaultdict[Version, list[NotedEntry]] = defaultdict(list)
    for entry in _noted(index, product, lambda _: True)[0]:
        for version in filter(None, {entry.version, entry.version and entry.version.base}):
            entries_of[version].append(entry)
    yield from ((version, _read(entries, ())) for version, entries in entries_of.items())


def _noted(
    index: TableReader, product: CatalogueProduct, holds: Callable[[Version], bool]
) -> tuple[list[NotedEntry], list[StoredPassage]]:
    guides = index.release_positions(product.name, lambda release: release is None)[:_GUIDE_PASSAGES]
    notes = index.release_positions(product.name, lambda release: release is not None and holds(release))
    positions = sorted((*guides, *notes))
    passages = [passage for passage in index.load_passages(positions) if not passage.is_foreign]
    entries = waited_for(read_entries(passages, index))
    return [entry for entry in entries if entry.version and holds(entry.version)], passages


def _read(entries: Sequence[NotedEntry], passages: Sequence[StoredPassage], only: Change | None = None) -> NotesReading:
    listing = {entry.version for entry in entries if entry.stored.section is Section.BREAKS and entry.stored.is_listed}
    every = (FoundChange(entry, entry.stored.change if _counts(entry, listing) else None) for entry in entries)
    findings = [finding for finding in every if only in (None, finding.change)]
    gone = reverted(findings, entries)
    kept = [change for number, change in enumerate(findings) if number not in gone]
    details = details_of([change for change in kept if change.change not in (None, Change.SECURITY)])
    return NotesReading(
        tell_once([replace(change, change=None) if change in details else change for change in kept]),
        tuple(findings[number] for number in sorted(gone) if findings[number].change),
        tuple(change for change in kept if change.change is Change.SECURITY),
        tuple(entries),
        frozenset(entry.version for entry in entries if entry.version),
        tuple(passages),
    )


def _counts(entry: NotedEntry, listing: Set[Version | None]) -> bool:
    """Return whether an upgrade lists an entry, if it reports a change: of releases that list those, from the lists."""
    return entry.stored.change is Change.SECURITY or entry.stored.is_plain or entry.version not in listing
