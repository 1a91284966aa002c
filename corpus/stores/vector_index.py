"""The vectors of items on disk: how they are stored and written, and how well a search finds them.

Few rows are stored as they are (float32), in one FAISS file, and scanned. Many rows are stored in two files in a
folder. In one they are bytes in cells around centres (an inverted file; Jégou et al., "Product Quantization for Nearest
Neighbor Search", 2011); the number of visited cells is chosen by the recall measured when the file is written. In the
other they are in order, in 16 bits a number: there a product's rows are adjacent, and hits are scored again.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import faiss
import numpy as np
from numpy.typing import NDArray

from corpus.stores.mapped_arrays import map_array, write_rows

FLAT_ROWS = 250_000  # Up to here a scan of float32 is quick (some 20 ms) and exact, and fits into memory easily.
RESCORED = 64  # This many best rows from a search of bytes are scored again in 16 bits.
ROW_STEP = np.float32(1 / 32_767)
"""The step between 16-bit numbers, which range from -1 to 1 like the components of a vector of length 1."""
NEAREST = 10  # Recall is measured on so many nearest rows.
ENOUGH = 0.995  # The recall that decides the number of visited cells.
_MARGIN = 2
"""Factor on the visited cells: people's questions are somewhat farther from the rows than those of the measurement."""

_SAMPLE_QUESTIONS = 100
_ROWS_PER_CELL = 700
_LEARNT_ROWS_PER_CELL = 40
_ROUNDS = 8
_LARGEST_SHARE = 4  # If this fraction of the cells (a quarter) isn't enough, all are visited.
_ROWS_AT_ONCE = 65_536
_SEED = 9
_FLAT, _CELLS = b"IxFI", b"IwSq"
"""The first bytes of the kinds of FAISS files written here; other kinds are refused unread."""
_CODES_NAME, _ROWS_NAME = "codes.faiss", "rows.npy"

Matrices = Callable[[], Iterator[NDArray[np.float32]]]
"""All rows in order, float32 of length 1, in matrices of any number of rows; each call begins anew."""


@dataclass(frozen=True, slots=True)
class ItemVectors:
    """The vectors of items, mapped into memory: their pages are read when they are touched."""

    searched: faiss.Index  # By inner product: flat, or as bytes in cells.
    rows: NDArray[np.int16] | None
    """Shape (rows, dimensions), in steps of `ROW_STEP`; None if `searched` is flat, because it contains the rows."""


def is_one_file(count: int) -> bool:
    """Return whether `count` rows are stored in one file, not in a folder."""
    return count <= FLAT_ROWS


def write_item_vectors(path: Path, matrices: Matrices, *, count: int, dimensions: int) -> tuple[str, float]:
    """Write the `count` rows of `matrices` to the file `path`, or into the folder `path`, as `is_one_file` says.

    Returns the method of search in words ("flat, float32"), and its recall: the share of the `NEAREST` true nearest
    rows among the rows to rescore, over midpoints of sampled rows; 1 for a scan of float32.

    Raises:
        OSError: it can't be written.
    """
    if is_one_file(count):
        rows = faiss.IndexFlatIP(dimensions)
        # Reserve the memory first; growing while filling would take up to three times as much.
        rows.codes.resize(4 * dimensions * count)
        rows.codes.resize(0)
        for matrix in _blocks(matrices):
            rows.add(matrix)
        _write_faiss(rows, path)
        return "flat, float32", 1.0
    sample_size = _LEARNT_ROWS_PER_CELL * _cell_count(count)
    is_sampled = np.random.default_rng(_SEED).random(count) < sample_size / count
    sample = np.concatenate([block[is_sampled[first : first + len(block)]] for first, block in _numbered(matrices)])
    steps = (np.rint(block / ROW_STEP).astype(np.int16) for block in _blocks(matrices))
    write_rows(path / _ROWS_NAME, steps, shape=(count, dimensions), dtype=np.dtype(np.int16))
    cells = faiss.IndexIVFScalarQuantizer(
        faiss.IndexFlatIP(dimensions),
        dimensions,
        _cell_count(count),
        faiss.ScalarQuantizer.QT_8bit,
        faiss.METRIC_INNER_PRODUCT,
        False,
    )
    cells.cp.niter = _ROUNDS
    cells.cp.seed = _SEED
    cells.train(sample)
    for block in _blocks(matrices):
        cells.add(block)
    questions = _midpoint_questions(sample)
    true_nearest = _true_nearest(matrices, questions)
    visited = 8
    while visited <= cells.nlist // _LARGEST_SHARE:
        cells.nprobe = visited
        if _recall(cells, questions, true_nearest) >= ENOUGH:
            break
        visited = visited * 3 // 2
    else:
        visited = cells.nlist
    cells.nprobe = min(_MARGIN * visited, cells.nlist)
    _write_faiss(cells, path / _CODES_NAME)
    return f"{cells.nlist} cells, {cells.nprobe} visited, 8 bits", _recall(cells, questions, true_nearest)


def open_item_vectors(path: Path) -> ItemVectors:
    """Map the files that `write_item_vectors` wrote.

    Raises:
        OSError, ValueError: a file is missing, or doesn't contain what it should.
        RuntimeError: FAISS can't read its file.
    """
    if not path.is_dir():
        return ItemVectors(_open_faiss(path, kind=_FLAT), None)
    codes, rows = _open_faiss(path / _CODES_NAME, kind=_CELLS), map_array(path / _ROWS_NAME)
    if rows.dtype != np.int16 or rows.shape != (codes.ntotal, codes.d):
        raise ValueError(f"rows of shape {rows.shape} and type {rows.dtype}")
    return ItemVectors(codes, rows)


def _open_faiss(path: Path, *, kind: bytes) -> faiss.Index:
    with path.open("rb") as file:
        begins = file.read(len(kind))
    if begins != kind:
        raise RuntimeError(f"an index of kind {begins!r}")
    if kind == _FLAT:
        return faiss.read_index(str(path), faiss.IO_FLAG_MMAP_IFC)
    index = faiss.read_index(str(path), faiss.IO_FLAG_MMAP)
    lists = faiss.downcast_InvertedLists(index.invlists)
    # The file could refer to lists in another file, which has no digest.
    if lists.filename not in ("", str(path)):
        raise RuntimeError(f"lists in another file, {lists.filename!r}")
    # Threads that read lists ahead cost more than they save: each question uses one thread.
    lists.prefetch_nthread = 0
    return index


def _cell_count(count: int) -> int:
    return int(2 ** round(np.log2(max(count / _ROWS_PER_CELL, 16))))


def _blocks(matrices: Matrices) -> Iterator[NDArray[np.float32]]:
    """Yield the same rows in matrices of at least 65,536 rows, but for the last."""
    pending: list[NDArray[np.float32]] = []
    size = 0
    for matrix in matrices():
        pending.append(matrix)
        size += len(matrix)
        if size >= _ROWS_AT_ONCE:
            yield np.concatenate(pending)
            pending, size = [], 0
    if pending:
        yield np.concatenate(pending)


def _numbered(matrices: Matrices) -> Iterator[tuple[int, NDArray[np.float32]]]:
    """Yield each block with the number of its first row."""
    first = 0
    for block in _blocks(matrices):
        yield first, block
        first += len(block)


def _midpoint_questions(rows: NDArray[np.float32]) -> NDArray[np.float32]:
    """Return midpoints between random pairs of rows as questions, which are near several statements and equal to none.

    Rows with noise, even noise of twice their length, would be no test: they stay in their row's own cell.
    """
    chosen = np.random.default_rng(_SEED).choice(len(rows), (2, _SAMPLE_QUESTIONS))
    questions = rows[chosen[0]] + rows[chosen[1]]
    normalised: NDArray[np.float32] = questions / np.maximum(np.linalg.norm(questions, axis=1, keepdims=True), 1e-6)
    return normalised


def _true_nearest(matrices: Matrices, questions: NDArray[np.float32]) -> NDArray[np.int64]:
    """Return each question's nearest rows, best first, by full search: shape (questions, NEAREST), padded with -1."""
    products = np.full((len(questions), NEAREST), -2.0, np.float32)
    rows = np.full((len(questions), NEAREST), -1, np.int64)
    for first, block in _numbered(matrices):
        block_index = faiss.IndexFlatIP(block.shape[1])
        block_index.add(block)
        part_products, block_rows = block_index.search(questions, NEAREST)
        products = np.concatenate([products, part_products], axis=1)
        rows = np.concatenate([rows, np.where(block_rows < 0, -1, block_rows + first)], axis=1)
        best = np.argsort(-products, axis=1, kind="stable")[:, :NEAREST]
        products, rows = np.take_along_axis(products, best, axis=1), np.take_along_axis(rows, best, axis=1)
    return rows


def _recall(index: faiss.Index, questions: NDArray[np.float32], truth: NDArray[np.int64]) -> float:
    _, hits = index.search(questions, RESCORED)
    return float(np.mean([np.isin(true_rows, rows).mean() for true_rows, rows in zip(truth, hits, strict=True)]))


def _write_faiss(index: faiss.Index, path: Path) -> None:
    try:
        faiss.write_index(index, str(path))
    except RuntimeError as error:
        # FAISS's message ends with the system's, in brackets, after its own source lines.
        _, _, reason = str(error).strip().rpartition("(")
        raise OSError(f"its vectors can't be written ({reason.rstrip(')') or 'unknown reason'})") from error
