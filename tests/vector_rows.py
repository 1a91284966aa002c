"""Rows of vectors made by chance."""

import numpy as np
from numpy.typing import NDArray

DIMENSIONS = 16


def unit_rows(count: int, *, seed: int = 7) -> NDArray[np.float32]:
    """Vectors of length 1 in any direction: shape (count, DIMENSIONS)."""
    rows = np.random.default_rng(seed).standard_normal((count, DIMENSIONS)).astype(np.float32)
    normalised: NDArray[np.float32] = rows / np.linalg.norm(rows, axis=1, keepdims=True)
    return normalised
