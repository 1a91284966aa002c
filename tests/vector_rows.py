"""Rows of vectors made by chance, and some of them allowed."""

import numpy as np
from numpy.typing import NDArray

from corpus.stores.protocol import AllowedRows

DIMENSIONS = 16


def unit_rows(count: int, *, seed: int = 7) -> NDArray[np.float32]:
    """Vectors of length 1 in any direction: shape (count, DIMENSIONS)."""
    rows = np.random.default_rng(seed).standard_normal((count, DIMENSIONS)).astype(np.float32)
    normalised: NDArray[np.float32] = rows / np.linalg.norm(rows, axis=1, keepdims=True)
    return normalised


def rows_marked(allowed: NDArray[np.bool_]) -> AllowedRows:
    """Those that are marked in an array of all rows."""
    rows = np.flatnonzero(allowed)
    return AllowedRows.of_ranges(rows, rows + 1, total=len(allowed))
