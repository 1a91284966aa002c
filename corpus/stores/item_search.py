"""The nearest items of a question, by a scan or, in a large index (`vector_index`), in the nearest cells."""

from functools import cached_property

import faiss
import numpy as np
from numpy.typing import NDArray

from corpus.stores.vector_index import RESCORED, ROW_STEP, ItemVectors

_ROW_COST, _RANGE_COST = 25, 500
"""Scoring a row by itself, and beginning a range of them, takes as long as passing by so many forbidden ones (9 ns)."""
_ROWS_AT_ONCE = 16_384
"""Scored at once: few enough for memory."""


Nearest = tuple[NDArray[np.int64], NDArray[np.float32]]
"""Rows, best first, and their inner products."""


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


class ItemSearch:
    """Inner-product search over the rows of a vector index; safe to share between threads."""

    def __init__(self, vectors: ItemVectors) -> None:
        self._index = vectors.searched
        self._rows = vectors.rows

    def nearest(self, vector: NDArray[np.float32], allowed: AllowedRows, *, limit: int) -> Nearest:
        """The `limit` rows among the `allowed` ones nearest to `vector`, best first, and their inner products.

        `vector` has the shape (dimensions,). Fewer are given where fewer are allowed.
        """
        if allowed.count == 0 or limit == 0:
            return np.zeros(0, np.int64), np.zeros(0, np.float32)
        if self._rows is None:
            return self._search(vector, allowed, limit=min(limit, allowed.count))
        if allowed.count * _ROW_COST + len(allowed.bounds) * _RANGE_COST < allowed.total:
            found, products = _score_each(self._rows, vector, allowed, limit=limit)
        else:
            found, products = self._search(vector, allowed, limit=max(limit, RESCORED))
            first = found[:RESCORED]
            products[: len(first)] = _products(self._rows[first], vector)
        best = np.lexsort((found, -products))[:limit]
        return found[best], products[best]

    def _search(self, vector: NDArray[np.float32], allowed: AllowedRows, *, limit: int) -> Nearest:
        # One question is one thread's work: a second thread would only spin, on a core that another question needs.
        faiss.omp_set_num_threads(1)
        index, selector = self._index, allowed.selector
        if self._rows is None:
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
    """The inner products of rows in 16 bits: shape (rows,)."""
    products: NDArray[np.float32] = rows.astype(np.float32) @ (vector * ROW_STEP)
    return products
