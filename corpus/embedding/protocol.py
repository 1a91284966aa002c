"""What every embedding model offers, whatever computes it."""

from collections.abc import Callable, Sequence
from typing import Protocol

import numpy as np
from numpy.typing import NDArray


class Embedder(Protocol):
    """A sentence-embedding model, ready to use; one instance may serve several threads."""

    @property
    def model_id(self) -> str:
        """The model as the user names it: "all-MiniLM-L6-v2", or the name or folder given."""
        ...

    @property
    def digest(self) -> str:
        """SHA-256 (hex) of what decides the vectors: weights, pooling, maximum length."""
        ...

    @property
    def dimensions(self) -> int:
        """Length of a vector."""
        ...

    @property
    def max_tokens(self) -> int:
        """How many tokens of a text are read, special tokens included; the rest is cut off."""
        ...

    def embed(self, texts: Sequence[str], *, progress: Callable[[int], None] | None = None) -> NDArray[np.float32]:
        """Embed `texts`.

        `progress(k)` is called with the number of texts finished since the last call; the calls add up to
        `len(texts)`. Identical texts are computed once.

        Returns:
            float32 of shape (len(texts), dimensions), rows of length 1 (L2), in the order of `texts`;
            no texts give shape (0, dimensions).
        """
        ...
