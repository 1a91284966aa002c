"""The vectors of the last few texts, in memory: a question is read and searched for by the same one."""

from collections.abc import Callable, Sequence
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from corpus.embedding.protocol import Embedder

_REMEMBERED = 16


class RememberingEmbedder:
    """An embedder that computes a text asked for again, by itself, once; safe to share between threads."""

    def __init__(self, embedder: Embedder) -> None:
        self._embedder = embedder
        self.model_id, self.digest = embedder.model_id, embedder.digest
        self.dimensions, self.max_tokens = embedder.dimensions, embedder.max_tokens
        self._embed_one = lru_cache(maxsize=_REMEMBERED)(lambda text: embedder.embed([text]))

    def embed(self, texts: Sequence[str], *, progress: Callable[[int], None] | None = None) -> NDArray[np.float32]:
        """See `Embedder.embed`; the result isn't to be written to."""
        return self._embed_one(texts[0]) if len(texts) == 1 else self._embedder.embed(texts, progress=progress)
