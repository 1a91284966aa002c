"""The nearest items of a question, however their vectors are kept.

Of float32 vectors: an exhaustive search's very result, at half its cost where there are many. A scan of them waits for
memory, not for the processor. So a large index keeps a sketch beside them, in a quarter of their memory: every number
rounded to a signed byte. The sketch gives more candidates than are asked for, these are scored exactly, and a bound on
what rounding can have changed proves that no other row belongs among them; where it doesn't (a crowd of rows that are
all but equally near), all rows are scanned. Nothing is approximate in the result; only which of several rows of the
very same product comes last may differ.

Of an index too large for that (`vector_index`): the cells nearest to the question are searched, all of them where a
filter takes away half of the rows or more, so that it loses nothing; the first rows found are scored again in 16 bits.
Where a filter leaves few rows, as a product does, each of them is scored so, and no cell is visited.
"""

import threading
from functools import cached_property
from typing import Protocol

import faiss
import numpy as np
from numpy.typing import NDArray

from corpus.stores.vector_index import RESCORED, ROW_STEP, ItemVectors

_MIN_ROWS = 50_000
"""Below, a scan takes about as long as the sketch would save."""
_WIDENING = 3
"""Candidates for each row asked for. Over 188,000 rows the bound needed 1.5 in the median and 2.4 at most."""
_LARGEST_BYTE = 127
_ROW_COST, _RANGE_COST = 25, 500
"""Scoring a row by itself, and beginning a range of them, takes as long as passing by so many forbidden ones (9 ns)."""
_ROUNDING = 1e-5
"""More than float32 sums of a few hundred products differ by, whatever their order."""
_ROWS_AT_ONCE = 16_384
"""Sketched at once, or scored: few enough for memory, enough that the sketch is seldom moved as it grows."""


Nearest = tuple[NDArray[np.int64], NDArray[np.float32]]
"""Rows, best first, and their inner products."""


class ItemSearch(Protocol):
    """Inner-product search over the rows of a vector index; safe to share between threads."""

    def nearest(self, vector: NDArray[np.float32], allowed: "AllowedRows", *, limit: int) -> Nearest:
        """The `limit` rows among the `allowed` ones nearest to `vector`, best first, and their inner products.

        `vector` has the shape (dimensions,). Fewer are given where fewer are allowed.
        """
        ...


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


def open_item_search(vectors: ItemVectors) -> ItemSearch:
    """The search that fits how `vectors` are kept."""
    return FlatSearch(vectors.searched) if vectors.rows is None else CodedSearch(vectors.searched, vectors.rows)


class FlatSearch:
    """Exact search over a flat index."""

    def __init__(self, vectors: faiss.IndexFlatIP) -> None:
        self._vectors = vectors
        self._lock = threading.Lock()
        self._wide_searches = 0
        self._sketch: _Sketch | None = None

    def nearest(self, vector: NDArray[np.float32], allowed: AllowedRows, *, limit: int) -> Nearest:
        """See `ItemSearch.nearest`."""
        limit = min(limit, allowed.count)
        if limit == 0:
            return _NONE
        _use_one_thread()
        sketch = self._sketch_for(allowed.count) if allowed.count > _WIDENING * limit else None
        if sketch is not None:
            found = sketch.nearest(vector, allowed.selector, limit=limit)
            if found is not None:
                return found
        parameters = faiss.SearchParameters(sel=allowed.selector)
        products, rows = self._vectors.search(vector[np.newaxis, :], limit, params=parameters)
        return rows[0], products[0]

    def _sketch_for(self, count: int) -> "_Sketch | None":
        """The sketch, where a search over `count` rows is worth it: a process that asks once is done sooner without."""
        if count < _MIN_ROWS:
            return None
        with self._lock:
            self._wide_searches += 1
            if self._sketch is None and self._wide_searches > 1:
                self._sketch = _Sketch(self._vectors)
            return self._sketch


class _Sketch:
    """The rows of a flat index as signed bytes, with a bound on how far a product of bytes is from the true one."""

    def __init__(self, vectors: faiss.IndexFlatIP) -> None:
        self._vectors = vectors
        rows = faiss.rev_swig_ptr(vectors.get_xb(), vectors.ntotal * vectors.d).reshape(vectors.ntotal, vectors.d)
        self._step = _step(rows)
        # Of this type FAISS multiplies bytes with bytes: it rounds the question's numbers too.
        self._codes = faiss.IndexScalarQuantizer(
            vectors.d, faiss.ScalarQuantizer.QT_8bit_direct_signed, faiss.METRIC_INNER_PRODUCT
        )
        self._error = 0.0
        """The length of the longest difference between a row and its sketch."""
        self._length = 0.0
        """Of the longest sketched row."""
        for first in range(0, len(rows), _ROWS_AT_ONCE):
            part = rows[first : first + _ROWS_AT_ONCE]
            codes = np.rint(part / self._step)
            self._codes.add(codes)
            codes *= self._step
            self._length = max(self._length, _longest(codes))
            codes -= part
            self._error = max(self._error, _longest(codes))

    def nearest(self, vector: NDArray[np.float32], selector: faiss.IDSelector, *, limit: int) -> Nearest | None:
        """The `limit` rows nearest to `vector` among the selected ones; None where that can't be proven.

        More than `_WIDENING` times `limit` rows must be selected.
        """
        wanted = _WIDENING * limit
        step = _step(vector)
        codes = np.rint(vector / step)
        sketched, rows = self._codes.search(codes[np.newaxis, :], wanted, params=faiss.SearchParameters(sel=selector))
        products = np.empty((1, wanted), np.float32)
        exact = np.ascontiguousarray(vector)
        self._vectors.compute_distance_subset(
            1, faiss.swig_ptr(exact), wanted, faiss.swig_ptr(products), faiss.swig_ptr(rows)
        )
        best = np.lexsort((rows[0], -products[0]))[:limit]
        # By Cauchy and Schwarz: <q, x> - <q', x'> = <q, x - x'> + <q - q', x'>.
        rounded_off = float(np.linalg.norm(vector - codes * step))
        bound = float(np.linalg.norm(vector)) * self._error + rounded_off * self._length + _ROUNDING
        # Told this way round, a vector that isn't made of numbers proves nothing.
        if not float(sketched[0, -1]) * float(step) * float(self._step) + bound < float(products[0, best[-1]]):
            return None
        return rows[0, best], products[0, best]


class CodedSearch:
    """Search over an index that keeps its rows as bytes, in cells or in one piece, and once more in order."""

    def __init__(self, codes: faiss.Index, rows: NDArray[np.int16]) -> None:
        self._codes = codes
        self._rows = rows

    def nearest(self, vector: NDArray[np.float32], allowed: AllowedRows, *, limit: int) -> Nearest:
        """See `ItemSearch.nearest`."""
        if allowed.count == 0 or limit == 0:
            return _NONE
        if allowed.count * _ROW_COST + len(allowed.bounds) * _RANGE_COST < allowed.total:
            found, products = self._score_each(vector, allowed, limit=limit)
        else:
            found, products = self._search(vector, allowed, limit=max(limit, RESCORED))
            first = found[:RESCORED]
            products[: len(first)] = _products(self._rows[first], vector)
        best = np.lexsort((found, -products))[:limit]
        return found[best], products[best]

    def _search(self, vector: NDArray[np.float32], allowed: AllowedRows, *, limit: int) -> Nearest:
        _use_one_thread()
        options, count = {"sel": allowed.selector}, allowed.count
        if isinstance(self._codes, faiss.IndexIVF):
            # A product's rows lie together: the nearest cells may hold none of them. So a filter that takes away half
            # has every cell visited; passing by a forbidden row costs little.
            index = self._codes
            visits = [index.nlist] if 2 * count < index.ntotal else [index.nprobe * index.ntotal // count, index.nlist]
            options_of = [faiss.SearchParametersIVF(**options, nprobe=min(one, index.nlist)) for one in visits]
        else:
            options_of = [faiss.SearchParameters(**options)]
        for parameters in options_of:
            products, rows = self._codes.search(vector[np.newaxis, :], limit, params=parameters)
            is_row = rows[0] >= 0
            if np.count_nonzero(is_row) >= min(limit, count):
                break
        return rows[0, is_row], products[0, is_row]

    def _score_each(self, vector: NDArray[np.float32], allowed: AllowedRows, *, limit: int) -> Nearest:
        """More than `limit` where several of the very same product come last."""
        found, products = [], []
        for first, end in allowed.bounds.tolist():
            for start in range(first, end, _ROWS_AT_ONCE):
                part = np.arange(start, min(start + _ROWS_AT_ONCE, end))
                found.append(part)
                products.append(_products(self._rows[part[0] : part[-1] + 1], vector))
        rows, scores = np.concatenate(found), np.concatenate(products)
        if len(rows) > limit:
            # Sorting all of a product's rows costs more than scoring them.
            kept = scores >= np.partition(scores, -limit)[-limit]
            rows, scores = rows[kept], scores[kept]
        return rows, scores


_NONE: Nearest = (np.zeros(0, np.int64), np.zeros(0, np.float32))


def _products(rows: NDArray[np.int16], vector: NDArray[np.float32]) -> NDArray[np.float32]:
    """The inner products of rows in 16 bits: shape (rows,)."""
    products: NDArray[np.float32] = rows.astype(np.float32) @ (vector * ROW_STEP)
    return products


def _use_one_thread() -> None:
    # One question is one thread's work: a second thread would only spin, on a core that another question needs.
    faiss.omp_set_num_threads(1)


def _step(numbers: NDArray[np.float32]) -> np.float32:
    """The step between two bytes' values, so that the largest of `numbers` is the largest byte."""
    largest = max(float(numbers.max()), -float(numbers.min())) or 1.0
    return np.float32(largest / _LARGEST_BYTE)


def _longest(rows: NDArray[np.float32]) -> float:
    return float(np.sqrt(np.einsum("ij,ij->i", rows, rows).max()))
