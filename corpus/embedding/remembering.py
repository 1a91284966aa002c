"""Vectors of the last few questions, in memory."""

from collections.abc import Callable, Sequence
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from corpus.embedding.protocol import Embedder, embed_distinct

_REMEMBERED = 16


class RememberingEmbedder:
    """An embedder with the vectors of the last few texts in memory, because a question is parsed and searched with the
    same vector. Safe to share between threads."""

    def __init__(self, embedder: Embedder) -> None:
        self._embedder = embedder
        self.model_id, self.digest, self.dimensions = embedder.model_id, embedder.digest, embedder.dimensions
        self._embed_one = lru_cache(maxsize=_REMEMBERED)(lambda text: embedder.embed([text]))

    def embed(self, texts: Sequence[str], *, progress: Callable[[int], None] | None = None) -> NDArray[np.float32]:
        """See `Embedder.embed`."""
        if len(texts) != 1:
            return self._embedder.embed(texts, progress=progress)
        remembered = [([0], self._embed_one(texts[0]))]
        return embed_distinct(texts, lambda _: remembered, dimensions=self.dimensions, progress=progress)
