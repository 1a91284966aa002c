"""Ranking the passages of an index: the interface of its stores, and the store in its own folder.

The items nearest to a question are found by scanning all or, in a large index (`vector_index`), the nearest cells.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Protocol

import faiss
import numpy as np
from numpy.typing import NDArray

from corpus.stores.lexical_index import LexicalIndex
from corpus.stores.passage_table import PassageTable
from corpus.stores.vector_index import RESCORED, ROW_STEP, ItemVectors

Nearest = tuple[NDArray[np.int64], NDArray[np.float32]]  # Rows, best first, and their inner products.


@dataclass(frozen=True, slots=True)
class PassageFilter:
    """Which passages a search may return; boilerplate never."""

    products: tuple[int, ...] | None = None  # Positions in `IndexReader.products`; None for all.
    versions: tuple[int, ...] | None = None  # Positions in `PassageTable.distinct_versions`; None for all.

    def positions(self, table: PassageTable) -> NDArray[np.int64]:
        """Return the positions of the passages that it lets through, ascending."""
        return np.flatnonzero(self.lets_through(table, slice(None)))

    def lets_through(self, table: PassageTable, positions: NDArray[np.int64] | slice) -> NDArray[np.bool_]:
        """Return for each of the passages at `positions` whether it is let through."""
        allowed: NDArray[np.bool_] = ~table.boilerplate[positions]
        if self.products is not None:
            allowed &= np.isin(table.products[positions], self.products)
        if self.versions is not None:
            allowed &= np.isin(table.version_codes[positions], self.versions)
        return allowed


@dataclass(frozen=True, slots=True, eq=False)
class PassageScores:
    """The hits of one search, by words or by meaning."""

    positions: NDArray[np.int64]  # Positions of passages, ascending, each once.
    scores: NDArray[np.float32]  # One for each position.

    def at(self, positions: NDArray[np.int64], *, missing: float) -> NDArray[np.float32]:
        """Return the scores at `positions`, in their shape; `missing` for passages that aren't hits."""
        scores = np.full(len(positions), missing, np.float32)
        if len(self.positions):
            rows = np.minimum(np.searchsorted(self.positions, positions), len(self.positions) - 1)
            is_found = self.positions[rows] == positions
            scores[is_found] = self.scores[rows[is_found]]
        return scores


def nearest_rows(items: ItemVectors, vector: NDArray[np.float32], allowed: NDArray[np.bool_], *, limit: int) -> Nearest:
    """Return the `limit` rows among the `allowed` ones nearest to `vector`, best first, and their inner products.

    `vector` has the shape (dimensions,), `allowed` is True for each row that may be returned. Fewer rows are returned
    if fewer are allowed. An index of cells is searched approximately.
    """
    count = int(np.count_nonzero(allowed))
    searched = min(limit if items.rows is None else max(limit, RESCORED), count)
    if not searched or not limit:
        return np.zeros(0, np.int64), np.zeros(0, np.float32)
    # One thread for one question: a second one would only spin, on a core that another question needs.
    faiss.omp_set_num_threads(1)
    index, selector = items.searched, faiss.IDSelectorBitmap(np.packbits(allowed, bitorder="little"))
    if items.rows is None:
        options = [faiss.SearchParameters(sel=selector)]
    else:
        # A product's rows are close together, and the nearest cells may contain none of them. So if a filter excludes
        # half the rows, every cell is visited; skipping an excluded row costs little.
        is_narrow = 2 * count < index.ntotal
        visits = [index.nlist] if is_narrow else [index.nprobe * index.ntotal // count, index.nlist]
        options = [faiss.SearchParametersIVF(sel=selector, nprobe=min(visited, index.nlist)) for visited in visits]
    for parameters in options:
        scores, rows = index.search(vector[np.newaxis, :], searched, params=parameters)
        is_row = rows[0] >= 0
        if np.count_nonzero(is_row) >= searched:
            break
    nearest, products = rows[0, is_row], scores[0, is_row]
    if items.rows is None:
        return nearest, products
    rescored = nearest[:RESCORED]
    products[: len(rescored)] = items.rows[rescored].astype(np.float32) @ (vector * ROW_STEP)
    best = np.lexsort((nearest, -products))[:limit]
    return nearest[best], products[best]


class PassageStore(Protocol):
    """Ranks the passages of an index; safe to share between threads."""

    lexical: LexicalIndex

    def lexical_scores(self, tokens: Mapping[str, float], wanted: PassageFilter) -> PassageScores:
        """Return the passages that `wanted` lets through and that contain one of `tokens`, scored by the sum of each
        token's BM25 times its weight."""

    def nearest_items(self, vector: NDArray[np.float32], wanted: PassageFilter, *, limit: int) -> Nearest:
        """Return at most `limit` items in passages that `wanted` lets through, nearest to `vector` (dimensions,) first.

        Items are rows: those of passage i are item_offsets[i] … item_offsets[i + 1] - 1 of the passage table.
        """

    def close(self) -> None:
        """Close all open files or connections; the store can't be used afterwards."""


class EmbeddedStore:
    """The store in the index's own folder: mapped vectors and postings."""

    def __init__(self, vectors: ItemVectors, lexical: LexicalIndex, table: PassageTable) -> None:
        self.vectors = vectors
        self.lexical = lexical
        self._table = table

    def lexical_scores(self, tokens: Mapping[str, float], wanted: PassageFilter) -> PassageScores:
        """See `PassageStore`."""
        scores = self.lexical.scores(tokens)
        matching = np.flatnonzero(scores)
        hits = matching[wanted.lets_through(self._table, matching)]
        return PassageScores(hits, scores[hits])

    def close(self) -> None:
        """Release the mapped files."""
        vars(self).clear()

    def nearest_items(self, vector: NDArray[np.float32], wanted: PassageFilter, *, limit: int) -> Nearest:
        """See `PassageStore`."""
        allowed = wanted.lets_through(self._table, slice(None))[self._table.item_passages]
        return nearest_rows(self.vectors, vector, allowed, limit=limit)
