"""What a search found beside an exact one: the product of float32 with every vector."""

from collections.abc import Iterable, Sequence

import numpy as np
from numpy.typing import NDArray

LISTED = 10
_SAME = 1e-5
"""Products that differ by less are equal: sums of float32 in another order do."""


def exact_recalls(
    blocks: Iterable[NDArray[np.float32]],
    vectors: NDArray[np.float32],
    found: Sequence[NDArray[np.int64]],
    allowed: Sequence[NDArray[np.bool_]],
) -> tuple[float, ...]:
    """The mean recall@10 of each array of found rows, among the rows that the array `allowed` beside it allows.

    `blocks` are all rows in order; `vectors` has the shape (questions, dimensions), each of `found` (questions, 10).
    """
    best = [np.full((len(vectors), LISTED), -np.inf, np.float32) for _ in found]
    reached = [np.full(rows.shape, -np.inf, np.float32) for rows in found]
    first = 0
    for block in blocks:
        products = vectors @ block.T
        for number, rows in enumerate(found):
            seen = products[:, allowed[number][first : first + len(block)]]
            best[number] = np.partition(np.hstack([best[number], seen]), -LISTED, axis=1)[:, -LISTED:]
            asked, places = np.nonzero((rows >= first) & (rows < first + len(block)))
            reached[number][asked, places] = products[asked, rows[asked, places] - first]
        first += len(block)
    return tuple(_recall(own, top) for own, top in zip(reached, best, strict=True))


def _recall(reached: NDArray[np.float32], best: NDArray[np.float32]) -> float:
    """The mean share of the best that was found; -inf stands for none in either."""
    is_found = np.isfinite(reached) & (reached >= best.min(axis=1, keepdims=True) - _SAME)
    return float(np.mean(is_found.sum(axis=1) / np.isfinite(best).sum(axis=1)))
