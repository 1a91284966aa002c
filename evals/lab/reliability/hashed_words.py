"""An embedder of a few lines, for trials of what keeps vectors: a run of a command costs no model."""

import hashlib
from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray

_DIMENSIONS = 32


class HashedWords:
    """Each word has a fixed direction, a text is their normalised sum: the same texts always lie at the same place."""

    model_id = "hashed-words"
    digest = "a" * 64
    dimensions = _DIMENSIONS
    max_tokens = 1_000_000

    def embed(self, texts: Sequence[str], *, progress: Callable[[int], None] | None = None) -> NDArray[np.float32]:
        """See `corpus.embedding.Embedder`."""
        if progress:
            progress(len(texts))
        rows = [_direction(text.casefold().split()) for text in texts]
        return np.array(rows, dtype=np.float32).reshape(len(texts), _DIMENSIONS)


def _direction(words: Sequence[str]) -> NDArray[np.float32]:
    total = np.full(_DIMENSIONS, 1e-3)
    for word in words:
        total += np.frombuffer(hashlib.sha256(word.encode()).digest(), dtype=np.uint8) / 127.5 - 1
    direction: NDArray[np.float32] = (total / np.linalg.norm(total)).astype(np.float32)
    return direction
