"""What ranks the passages of an index (`PassageStore`), and the one in its own folder (`EmbeddedStore`).

The nearest items of a question are found by a scan or, in a large index (`vector_index`), in the nearest cells.
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
    """Which passages may be found; boilerplate never is."""

    products: tuple[int, ...] | None = None  # Positions in `IndexReader.products`; None for all.
    versions: tuple[int, ...] | None = None  # Positions in `PassageTable.distinct_versions`; None for all.

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

    positions: NDArray[np.int64]  # Of passages, ascending, each once.
    scores: NDArray[np.float32]  # One for each position.

    def at(self, positions: NDArray[np.int64], *, missing: float) -> NDArray[np.float32]:
        """Return the scores of some passages: shape of `positions`, `missing` where one wasn't found."""
        found = np.full(len(positions), missing, np.float32)
        if len(self.positions):
            places = np.minimum(np.searchsorted(self.positions, positions), len(self.positions) - 1)
            is_found = self.positions[places] == positions
            found[is_found] = self.scores[places[is_found]]
        return found


def nearest_rows(known: ItemVectors, vector: NDArray[np.float32], allowed: NDArray[np.bool_], *, limit: int) -> Nearest:
    """Return the `limit` rows among the `allowed` ones nearest to `vector`, best first, and their inner products.

    `vector` has the shape (dimensions,), `allowed` says of each row whether it may be found. Fewer are given where
    fewer are allowed.
    """
    count = int(np.count_nonzero(allowed))
    wanted = min(limit if known.rows is None else max(limit, RESCORED), count)
    if not wanted or not limit:
        return np.zeros(0, np.int64), np.zeros(0, np.float32)
    # One question is one thread's work: a second thread would only spin, on a core that another question needs.
    faiss.omp_set_num_threads(1)
    index, selector = known.searched, faiss.IDSelectorBitmap(np.packbits(allowed, bitorder="little"))
    if known.rows is None:
        options = [faiss.SearchParameters(sel=selector)]
    else:
        # A product's rows lie together: the nearest cells may hold none of them. So a filter that takes away half
        # has every cell visited; passing by a forbidden row costs little.
        is_narrow = 2 * count < index.ntotal
        visits = [index.nlist] if is_narrow else [index.nprobe * index.ntotal // count, index.nlist]
        options = [faiss.SearchParametersIVF(sel=selector, nprobe=min(visited, index.nlist)) for visited in visits]
    for parameters in options:
        scores, rows = index.search(vector[np.newaxis, :], wanted, params=parameters)
        is_row = rows[0] >= 0
        if np.count_nonzero(is_row) >= wanted:
            break
    found, products = rows[0, is_row], scores[0, is_row]
    if known.rows is None:
        return found, products
    first = found[:RESCORED]
    products[: len(first)] = known.rows[first].astype(np.float32) @ (vector * ROW_STEP)
    best = np.lexsort((found, -products))[:limit]
    return found[best], products[best]


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
        allowed = wanted.lets_through(self._table, slice(None))[self._table.item_passages]
        return nearest_rows(self.vectors, vector, allowed, limit=limit)
