"""What ranks the passages of an index in its own folder; `MilvusStore` has the same methods."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from corpus.index.stored import PassageTable
from corpus.stores.item_search import AllowedRows, ItemSearch, Nearest
from corpus.stores.lexical_index import LexicalIndex
from corpus.stores.vector_index import ItemVectors

_WIDE_FILTERS = 4
"""Of all products, asked for lately; what one lets through takes some megabytes at most, and time to look up."""


@dataclass(frozen=True, slots=True)
class PassageFilter:
    """Which passages may be found; boilerplate never is."""

    products: tuple[int, ...] | None = None
    """Positions in `IndexReader.products`; None for all."""
    versions: tuple[int, ...] | None = None
    """Positions in `PassageTable.distinct_versions`; None for all."""

    def positions(self, table: PassageTable) -> NDArray[np.int64]:
        """The passages that it lets through, ascending."""
        if self.products is None:
            return np.flatnonzero(self.lets_through(table, slice(None)))
        runs = [np.arange(first, end) for first, end in table.product_runs(self.products).tolist()]
        among = np.concatenate([np.zeros(0, np.int64), *runs])
        return among[self.lets_through(table, among)]

    def bounds(self, table: PassageTable) -> tuple[int, int]:
        """A passage that none that it lets through comes before, and one that all of them come before."""
        if self.products is None:
            return 0, len(table.products)
        runs = table.product_runs(self.products)
        return (int(runs[0, 0]), int(runs[-1, 1])) if len(runs) else (0, 0)

    def lets_through(self, table: PassageTable, positions: NDArray[np.int64] | slice) -> NDArray[np.bool_]:
        """Which of the passages at some positions it lets through."""
        allowed: NDArray[np.bool_] = ~table.boilerplate[positions]
        if self.products is not None:
            allowed &= np.isin(table.products[positions], self.products)
        if self.versions is not None:
            allowed &= np.isin(table.version_codes[positions], self.versions)
        return allowed


@dataclass(frozen=True, slots=True, eq=False)
class PassageScores:
    """What one leg of a search found."""

    positions: NDArray[np.int64]
    """Of passages, ascending, each once."""
    scores: NDArray[np.float32]
    """One for each position."""

    def at(self, positions: NDArray[np.int64], *, missing: float) -> NDArray[np.float32]:
        """The scores of some passages: shape of `positions`, `missing` where one wasn't found."""
        found = np.full(len(positions), missing, np.float32)
        if len(self.positions):
            places = np.minimum(np.searchsorted(self.positions, positions), len(self.positions) - 1)
            is_found = self.positions[places] == positions
            found[is_found] = self.scores[places[is_found]]
        return found


class EmbeddedStore:
    """The store in the index's own folder, mapped vectors and postings; safe to share between threads."""

    def __init__(self, vectors: ItemVectors, lexical: LexicalIndex, table: PassageTable) -> None:
        self.vectors = vectors
        self.lexical = lexical
        self._table = table
        self._items = ItemSearch(vectors)
        self._remembered_items = lru_cache(_WIDE_FILTERS)(self._allowed_items)

    def lexical_scores(self, tokens: Mapping[str, float], wanted: PassageFilter) -> PassageScores:
        """The passages that `wanted` lets through and that hold one of `tokens`: the sum of BM25 for each token,
        times how much it counts."""
        first, end = wanted.bounds(self._table)
        scores = self.lexical.scores(tokens, within=(first, end))
        found = np.flatnonzero(scores)
        positions = found + first
        kept = wanted.lets_through(self._table, positions)
        return PassageScores(positions[kept], scores[found[kept]])

    def close(self) -> None:
        """Release the mapped files; the store can't be used afterwards."""
        vars(self).clear()

    def nearest_items(self, vector: NDArray[np.float32], wanted: PassageFilter, *, limit: int) -> Nearest:
        """The `limit` items nearest to `vector` (dimensions,) of passages that `wanted` lets through.

        Items are rows: those of passage i are item_offsets[i] … item_offsets[i + 1] - 1 of the passage table.
        """
        allowed = self._remembered_items if wanted.products is None else self._allowed_items
        return self._items.nearest(vector, allowed(wanted), limit=limit)

    def _allowed_items(self, wanted: PassageFilter) -> AllowedRows:
        offsets, positions = self._table.item_offsets, wanted.positions(self._table)
        return AllowedRows.of_ranges(offsets[positions], offsets[positions + 1], total=int(offsets[-1]))
