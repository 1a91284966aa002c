"""What ranks the passages of an index (`PassageStore`), and the one in its own folder (`EmbeddedStore`).

The nearest items of a question are found by a scan or, in a large index (`vector_index`), in the nearest cells.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Protocol

import faiss
import numpy as np
from numpy.typing import NDArray

from corpus.stores.lexical_index import LexicalIndex
from corpus.stores.passage_table import PassageTable
from corpus.stores.vector_index import RESCORED, ROW_STEP, ItemVectors

_WIDE_FILTERS = 4
"""Of all products, asked for lately; what one lets through takes some megabytes at most, and time to look up."""
_ROW_COST, _RANGE_COST = 25, 500
"""Scoring a row by itself, and beginning a range of them, takes as long as passing by so many forbidden ones (9 ns)."""
_ROWS_AT_ONCE = 16_384
"""Scored at once: few enough for memory."""


Nearest = tuple[NDArray[np.int64], NDArray[np.float32]]
"""Rows, best first, and their inner products."""


@dataclass(frozen=True, slots=True)
class PassageFilter:
    """Which passages may be found; boilerplate never is."""

    products: tuple[int, ...] | None = None
    """Positions in `IndexReader.products`; None for all."""
    versions: tuple[int, ...] | None = None
    """Positions in `PassageTable.distinct_versions`; None for all."""

    def positions(self, table: PassageTable) -> NDArray[np.int64]:
        """Return the passages that it lets through, ascending."""
        return np.flatnonzero(self.lets_through(table, slice(None)))

    def lets_through(self, table: PassageTable, positions: NDArray[np.int64] | slice) -> NDArray[np.bool_]:
        """Return which of the passages at some positions it lets through."""
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
        """Return the scores of some passages: shape of `positions`, `missing` where one wasn't found."""
        found = np.full(len(positions), missing, np.float32)
        if len(self.positions):
            places = np.minimum(np.searchsorted(self.positions, positions), len(self.positions) - 1)
            is_found = self.positions[places] == positions
            found[is_found] = self.scores[places[is_found]]
        return found


class AllowedRows:
    """The rows of an index that may be found, of `total`; safe to share between threads."""

    def __init__(self, bounds: NDArray[np.int64], total: int) -> None:
        self.bounds = bounds
        """Of each range the first row and the one after its last: shape (ranges, 2), ascending."""
        self.total = total
        self.count = int((bounds[:, 1] - bounds[:, 0]).sum())

    @classmethod
    def of_ranges(cls, firsts: NDArray[np.int64], ends: NDArray[np.int64], *, total: int) -> "AllowedRows":
        """Those of some ranges, each from its first row to the one before its end; ascending, and none in two."""
        # Mostly one begins where another ends: a product's rows are few ranges, however many passages it has.
        begins = np.ones(len(firsts), np.bool_)
        begins[1:] = firsts[1:] != ends[:-1]
        return cls(np.stack([firsts[begins], ends[np.roll(begins, -1)]], axis=1), total)

    @cached_property
    def selector(self) -> faiss.IDSelector:
        """For FAISS; it takes a bit a row."""
        lengths = np.diff(self.bounds.ravel(), prepend=0, append=self.total)
        allowed = np.repeat(np.arange(len(lengths)) % 2 == 1, lengths)
        return faiss.IDSelectorBitmap(np.packbits(allowed, bitorder="little"))


def nearest_rows(known: ItemVectors, vector: NDArray[np.float32], allowed: AllowedRows, *, limit: int) -> Nearest:
    """Return the `limit` rows among the `allowed` ones nearest to `vector`, best first, and their inner products.

    `vector` has the shape (dimensions,). Fewer are given where fewer are allowed.
    """
    if allowed.count == 0 or limit == 0:
        return np.zeros(0, np.int64), np.zeros(0, np.float32)
    if known.rows is None:
        return _search(known, vector, allowed, limit=min(limit, allowed.count))
    if allowed.count * _ROW_COST + len(allowed.bounds) * _RANGE_COST < allowed.total:
        found, products = _score_each(known.rows, vector, allowed, limit=limit)
    else:
        found, products = _search(known, vector, allowed, limit=max(limit, RESCORED))
        first = found[:RESCORED]
        products[: len(first)] = _products(known.rows[first], vector)
    best = np.lexsort((found, -products))[:limit]
    return found[best], products[best]


def _search(known: ItemVectors, vector: NDArray[np.float32], allowed: AllowedRows, *, limit: int) -> Nearest:
    # One question is one thread's work: a second thread would only spin, on a core that another question needs.
    faiss.omp_set_num_threads(1)
    index, selector = known.searched, allowed.selector
    if known.rows is None:
        options = [faiss.SearchParameters(sel=selector)]
    else:
        # A product's rows lie together: the nearest cells may hold none of them. So a filter that takes away half
        # has every cell visited; passing by a forbidden row costs little.
        is_narrow = 2 * allowed.count < index.ntotal
        visits = [index.nlist] if is_narrow else [index.nprobe * index.ntotal // allowed.count, index.nlist]
        options = [faiss.SearchParametersIVF(sel=selector, nprobe=min(visited, index.nlist)) for visited in visits]
    for parameters in options:
        products, rows = index.search(vector[np.newaxis, :], limit, params=parameters)
        is_row = rows[0] >= 0
        if np.count_nonzero(is_row) >= min(limit, allowed.count):
            break
    return rows[0, is_row], products[0, is_row]


def _score_each(known: NDArray[np.int16], vector: NDArray[np.float32], allowed: AllowedRows, *, limit: int) -> Nearest:
    """More than `limit` where several of the very same product come last."""
    found, products = [], []
    for first, end in allowed.bounds.tolist():
        for start in range(first, end, _ROWS_AT_ONCE):
            part = np.arange(start, min(start + _ROWS_AT_ONCE, end))
            found.append(part)
            products.append(_products(known[part[0] : part[-1] + 1], vector))
    rows, scores = np.concatenate(found), np.concatenate(products)
    if len(rows) > limit:
        # Sorting all of a product's rows costs more than scoring them.
        kept = scores >= np.partition(scores, -limit)[-limit]
        rows, scores = rows[kept], scores[kept]
    return rows, scores


def _products(rows: NDArray[np.int16], vector: NDArray[np.float32]) -> NDArray[np.float32]:
    """Return the inner products of rows in 16 bits: shape (rows,)."""
    products: NDArray[np.float32] = rows.astype(np.float32) @ (vector * ROW_STEP)
    return products


class PassageStore(Protocol):
    """Ranks the passages of an index; safe to share between threads."""

    lexical: LexicalIndex

    def lexical_scores(self, tokens: Mapping[str, float], wanted: PassageFilter) -> PassageScores:
        """Return the passages that `wanted` lets through and that hold one of `tokens`: the sum of BM25 for each token,
        times how much it counts."""

    def nearest_items(self, vector: NDArray[np.float32], wanted: PassageFilter, *, limit: int) -> Nearest:
        """Return the `limit` items nearest to `vector` (dimensions,) of passages that `wanted` lets through.

        Items are rows: those of passage i are item_offsets[i] … item_offsets[i + 1] - 1 of the passage table.
        """

    def close(self) -> None:
        """Release what is open; the store can't be used afterwards."""


class EmbeddedStore:
    """The store in the index's own folder: mapped vectors and postings."""

    def __init__(self, vectors: ItemVectors, lexical: LexicalIndex, table: PassageTable) -> None:
        self.vectors = vectors
        self.lexical = lexical
        self._table = table
        self._remembered_items = lru_cache(_WIDE_FILTERS)(self._allowed_items)

    def lexical_scores(self, tokens: Mapping[str, float], wanted: PassageFilter) -> PassageScores:
        """See `PassageStore`."""
        scores = self.lexical.scores(tokens)
        found = np.flatnonzero(scores)
        kept = found[wanted.lets_through(self._table, found)]
        return PassageScores(kept, scores[kept])

    def close(self) -> None:
        """Release the mapped files."""
        vars(self).clear()

    def nearest_items(self, vector: NDArray[np.float32], wanted: PassageFilter, *, limit: int) -> Nearest:
        """See `PassageStore`."""
        allowed = self._remembered_items if wanted.products is None else self._allowed_items
        return nearest_rows(self.vectors, vector, allowed(wanted), limit=limit)

    def _allowed_items(self, wanted: PassageFilter) -> AllowedRows:
        offsets, positions = self._table.item_offsets, wanted.positions(self._table)
        return AllowedRows.of_ranges(offsets[positions], offsets[positions + 1], total=int(offsets[-1]))
