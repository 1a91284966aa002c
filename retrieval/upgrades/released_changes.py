"""The changes in the notes of some releases that matter to those who upgrade, read from the stored passages."""

from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from corpus.catalogue import CatalogueProduct
from corpus.deadline import waited_for
from corpus.entry_words import COMMIT, is_record, without_records
from corpus.index.stored import StoredPassage
from corpus.index.tables import TableReader
from corpus.model import Act, Change, Kind, Section
from corpus.plain_words import SEARCHED_NAME
from corpus.sections import grade_of_tag
from corpus.symbols import find_symbols
from corpus.versions import Version
from retrieval.upgrades import repeats
from retrieval.upgrades.entries import NotedEntry, read_entries
from retrieval.upgrades.usages import subjects_of

# What the contract calls a change, where that isn't breaking.
KINDS = {Change.REMOVED: Kind.REMOVAL, Change.DEPRECATED: Kind.DEPRECATION, Change.SECURITY: Kind.SECURITY}
KINDS |= {Change.OTHER: Kind.OTHER}
_TELLS_NONE = (Section.HOUSEKEEPING, Section.INTRODUCTION, Section.SUMMARY, Section.POINTER, Section.GUIDE)
_SYMBOLS = 20
_GUIDE_PASSAGES = 3000  # Of the passages about no release, so many are looked at for guides.


@dataclass(frozen=True, slots=True)
class NotesReading:
    """The contents of some releases' notes that matter to those who upgrade."""

    kept: tuple[repeats.FoundChange, ...]
    """Entries that break, remove, deprecate or require something and that no later release reverts, in index order."""
    taken_back: tuple[repeats.FoundChange, ...]  # Those.
    entries: tuple[NotedEntry, ...]  # All of those releases, in index order.
    security: tuple[repeats.FoundChange, ...]  # Those on vulnerabilities.
    noted: frozenset[Version]  # The releases of which something is told.
    passages: tuple[StoredPassage, ...]  # Those that are about a release.

    def counted(self) -> Iterator[tuple[NotedEntry, Kind]]:
        """Yield each entry that is neither a repeat nor an introduction, with the kind that it counts as: the one under
        which an upgrade lists it, or else its own."""
        for entry, change in self.distinct():
            if change is not None:
                yield entry, KINDS.get(change, Kind.BREAKING)
            elif entry.stored.section is not Section.INTRODUCTION:
                is_open = entry.stored.kind not in (Kind.BREAKING, *KINDS.values())
                yield entry, entry.stored.kind if is_open else Kind.OTHER

    def distinct(self) -> Iterator[tuple[NotedEntry, Change | None]]:
        """Yield each entry that repeats no other, with the change under which an upgrade lists it; None for none."""
        folded = {id(change.finding.entry): change.finding.change for change in repeats.fold_repeats(self.kept)}
        repeated = {id(finding.entry) for finding in self.kept} - folded.keys()
        listed_as = folded | {id(finding.entry): finding.change for finding in self.security}
        repeated |= {id(finding.entry) for finding in self.taken_back}
        told_in: dict[tuple[Version | None, str], int] = {}  # One changelog may lie in two files.
        is_one = len({entry.passage.document.id for entry in self.entries}) < 2
        for entry in self.entries:
            is_first = is_one or told_in.setdefault((entry.version, entry.lead), at := entry.passage.document.id) == at
            if (is_first or id(entry) in folded) and id(entry) not in repeated:
                yield entry, listed_as.get(id(entry))

    def others(self) -> list[NotedEntry]:
        """Return the entries of done things that an upgrade doesn't list, without housekeeping; own notes first."""
        listed = {id(finding.entry) for finding in (*self.kept, *self.security, *self.taken_back)}
        distinct = {
            (entry.version, entry.lead): entry
            for entry in self.entries
            if id(entry) not in listed and entry.stored.section not in _TELLS_NONE
            if entry.first.act is not Act.KNOWN_ISSUE and grade_of_tag(entry.lead) < 2
        }
        return [entry for entry in distinct.values() if entry.passage.is_own] or [*distinct.values()]


def read_changes(index: TableReader, product: CatalogueProduct, holds: Callable[[Version], bool]) -> NotesReading:
    """Return the changes in the notes of those releases of `product` for which `holds` is true, in guides to them and
    on pages that name them, in the order of the index; repeats aren't folded yet."""
    entries, passages = _noted(index, product, holds)
    return _read(index, entries, [passage for passage in passages if passage.release])


def read_releases(index: TableReader, product: CatalogueProduct) -> Iterator[tuple[Version, NotesReading]]:
    """Yield each release of `product` with the result of `read_changes` for it and its pre-releases."""
    entries_of: defaultdict[Version, list[NotedEntry]] = defaultdict(list)
    for entry in _noted(index, product, lambda _: True)[0]:
        for version in filter(None, {entry.version, entry.version and entry.version.base}):
            entries_of[version].append(entry)
    yield from ((version, _read(index, entries, ())) for version, entries in entries_of.items())


def _noted(
    index: TableReader, product: CatalogueProduct, holds: Callable[[Version], bool]
) -> tuple[list[NotedEntry], list[StoredPassage]]:
    guides = index.release_positions(product.name, lambda release: release is None)[:_GUIDE_PASSAGES]
    notes = index.release_positions(product.name, lambda release: release is not None and holds(release))
    positions = sorted((*guides, *notes))
    passages = [passage for passage in index.load_passages(positions) if not passage.is_foreign]
    entries = waited_for(read_entries(passages, index))
    return [entry for entry in entries if entry.version and holds(entry.version)], passages


def _read(index: TableReader, entries: Sequence[NotedEntry], passages: Sequence[StoredPassage]) -> NotesReading:
    listing = {entry.version for entry in entries if entry.stored.section is Section.BREAKS and entry.stored.is_listed}
    counted = [
        (entry, change)
        for entry in entries
        if (change := entry.stored.change)
        and (change is Change.SECURITY or entry.stored.is_plain or entry.version not in listing)
    ]
    findings = find_changes(index, counted)
    gone = repeats.reverted(findings, entries)
    kept = [finding for number, finding in enumerate(findings) if number not in gone]
    return NotesReading(
        tuple(repeats.without_details([finding for finding in kept if finding.change is not Change.SECURITY])),
        tuple(findings[number] for number in sorted(gone)),
        tuple(entries),
        tuple(finding for finding in kept if finding.change is Change.SECURITY),
        frozenset(entry.version for entry in entries if entry.version),
        tuple(passages),
    )


def find_changes(index: TableReader, counted: Sequence[tuple[NotedEntry, Change]]) -> list[repeats.FoundChange]:
    """Return entries with the changes that they count as, each with its features for comparison."""
    changes = []
    vectors_of = index.load_vectors([entry.passage.position for entry, _ in counted])
    for (entry, change), vectors in waited_for(zip(counted, vectors_of, strict=True)):
        said = (without_records(atom.words) for atom in entry.atoms[:3] if not is_record(atom.words))
        # The dot of a reference is no part of the name.
        words = SEARCHED_NAME.sub(r"\g<marks>", " ".join((entry.title, *said)))
        symbols = subjects_of(words, [name for name in find_symbols(words) if not COMMIT.fullmatch(name)])[:_SYMBOLS]
        features, first = (repeats.significant_words(entry.lead), repeats.numbers_of(entry.lead)), entry.first
        vector = vectors[next((n for n, item in enumerate(entry.passage.items) if item == first), 0)]
        changes.append(repeats.FoundChange(entry, change, symbols, *features, vector))
    return changes
