"""The changes that the notes of some releases tell to who upgrades, read off the stored passages."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from corpus.catalogue import CatalogueProduct
from corpus.deadline import waited_for
from corpus.entry_words import is_commit, without_authors
from corpus.index.stored import StoredPassage
from corpus.index.tables import TableReader
from corpus.model import Change, Section
from corpus.plain_words import SEARCHED_NAME
from corpus.symbols import find_symbols
from corpus.versions import Version
from retrieval.upgrades.entries import NotedEntry, read_entries
from retrieval.upgrades.repeats import (
    FoundChange,
    fold_repeats,
    numbers_of,
    reverted,
    significant_words,
    without_details,
)
from retrieval.upgrades.usages import subjects_of

_SYMBOLS = 20
_GUIDE_PASSAGES = 3000  # Of the passages about no release, so many are looked at for guides.


@dataclass(frozen=True, slots=True)
class NotesReading:
    """What the notes of some releases tell to who upgrades."""

    kept: tuple[FoundChange, ...]
    """Each entry that breaks, removes, deprecates or asks and that no later release takes back, in index order."""
    taken_back: int  # How many those are.
    entries: tuple[NotedEntry, ...]  # All of those releases, in index order.
    security: tuple[FoundChange, ...]  # Those on vulnerabilities.
    noted: frozenset[Version]  # The releases that the notes tell of.
    passages: tuple[StoredPassage, ...]  # Those that are about a release.

    def distinct(self) -> Iterator[tuple[NotedEntry, Change | None]]:
        """Yield each entry that no other one repeats, with the change that an upgrade lists it as; None where none."""
        folded = {id(change.finding.entry): change.finding.change for change in fold_repeats(self.kept)}
        repeated = {id(found.entry) for found in self.kept} - folded.keys()
        told = folded | {id(found.entry): found.change for found in self.security}
        for entry in self.entries:
            is_taken_back = entry.stored.change is Change.SECURITY and id(entry) not in told
            if not is_taken_back and id(entry) not in repeated:
                yield entry, told.get(id(entry))


def read_changes(index: TableReader, product: CatalogueProduct, holds: Callable[[Version], bool]) -> NotesReading:
    """Return the changes in the notes of those releases of `product` that `holds` says belong, in the guides that lead
    to them and on pages that name them, in the order of the index; repeats aren't folded yet."""

    positions = [*positions_in(index, product, None)[:_GUIDE_PASSAGES], *positions_in(index, product, holds)]
    passages = [passage for passage in index.load_passages(sorted(positions)) if not passage.is_foreign]
    entries = [entry for entry in waited_for(read_entries(passages, index)) if entry.version and holds(entry.version)]
    listing = {entry.version for entry in entries if entry.stored.section is Section.BREAKS and entry.stored.is_listed}
    counted = [
        (entry, change)
        for entry in entries
        if (change := entry.stored.change)
        and (change is Change.SECURITY or entry.stored.is_plain or entry.version not in listing)
    ]
    vectors = index.load_vectors([entry.passage.position for entry, _ in counted])
    found = [_finding(*one, vectors) for one, vectors in waited_for(zip(counted, vectors, strict=True))]
    gone = reverted(found, entries)
    kept = [finding for number, finding in enumerate(found) if number not in gone]
    return NotesReading(
        tuple(without_details([finding for finding in kept if finding.change is not Change.SECURITY])),
        len(gone),
        tuple(entries),
        tuple(finding for finding in kept if finding.change is Change.SECURITY),
        frozenset(entry.version for entry in entries if entry.version).union(
            passage.release for passage in passages if passage.release and passage.items
        ),
        tuple(passage for passage in passages if passage.release),
    )


def positions_in(index: TableReader, product: CatalogueProduct, holds: Callable[[Version], bool] | None) -> list[int]:
    """Return the passages of `product`'s releases that pass `holds`, without it those of no release; no boilerplate."""
    table = index.passages
    versions = table.distinct_versions
    wanted = np.array([one is None if holds is None else one is not None and holds(one) for one in versions], bool)
    ours = (table.products == index.products.index(product)) & ~table.boilerplate
    return [int(position) for position in np.flatnonzero(ours & wanted[table.version_codes])]


def _finding(entry: NotedEntry, change: Change, vectors: NDArray[np.float32]) -> FoundChange:
    """`vectors` are those of the items of the entry's passage."""
    words = without_authors(" ".join((entry.title, *(atom.words for atom in entry.atoms[:3]))))
    # The dot of a reference is no part of the name.
    words = SEARCHED_NAME.sub(r"\g<marks>", words)
    names = [name for name in find_symbols(words) if not is_commit(name)]
    return FoundChange(
        entry,
        change,
        symbols=subjects_of(words, names)[:_SYMBOLS],
        words=significant_words(entry.lead),
        numbers=numbers_of(entry.lead),
        vector=vectors[next((n for n, item in enumerate(entry.passage.items) if item == entry.first), 0)],
    )
