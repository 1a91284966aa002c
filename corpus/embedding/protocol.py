"""The interface of all embedding models, and the computation of each distinct text once."""

from collections.abc import Callable, Iterable, Sequence
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

Computed = tuple[NDArray[np.intp] | Sequence[int], NDArray[np.float32]]  # Positions of texts, and their vectors.


class Embedder(Protocol):
    """A sentence-embedding model, ready to use; one instance may serve several threads."""

    model_id: str  # The user's name for the model: "all-MiniLM-L6-v2", or the name or folder given.
    digest: str  # SHA-256 (hex) of everything that determines the vectors: weights, pooling, maximum length.
    dimensions: int  # Length of a vector.

    def embed(self, texts: Sequence[str], *, progress: Callable[[int], None] | None = None) -> NDArray[np.float32]:
        """Embed `texts`.

        `progress(k)` is called with the number of texts finished since the last call; the calls add up to
        `len(texts)`. Identical texts are computed once.

        Returns:
            float32 of shape (len(texts), dimensions), rows of length 1 (L2), in the order of `texts`;
            no texts give shape (0, dimensions).
        """
        ...


def embed_distinct(
    texts: Sequence[str],
    compute: Callable[[Sequence[str]], Iterable[Computed]],
    *,
    dimensions: int,
    progress: Callable[[int], None] | None,
) -> NDArray[np.float32]:
    """See `Embedder.embed`: `compute` yields rows of distinct texts, in parts of any size, with their vectors."""
    positions = {text: row for row, text in enumerate(dict.fromkeys(texts))}
    distinct = tuple(positions)
    distinct_rows = np.fromiter((positions[text] for text in texts), np.intp, len(texts))
    repeats = np.bincount(distinct_rows, minlength=len(distinct))
    vectors = np.empty((len(distinct), dimensions), np.float32)
    for rows, computed in compute(distinct):
        vectors[rows] = computed
        if progress:
            progress(int(repeats[rows].sum()))
    return vectors if len(distinct) == len(texts) else vectors[distinct_rows]
