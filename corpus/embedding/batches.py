"""How texts are grouped for a model: each distinct text once, those of like length together."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray


def distinct_texts(texts: Sequence[str]) -> tuple[tuple[str, ...], NDArray[np.intp]]:
    """The distinct texts in order of first appearance, and for each of `texts` its position among them."""
    positions: dict[str, int] = {}
    places = np.fromiter((positions.setdefault(text, len(positions)) for text in texts), np.intp, len(texts))
    return tuple(positions), places


def token_batches(lengths: Sequence[int], *, max_padded_tokens: int) -> tuple[NDArray[np.intp], ...]:
    """Group texts of like length so that a batch, padded to its longest, has at most `max_padded_tokens` tokens.

    Returns positions in `lengths`, each once, longest first (equal lengths in order); a text longer than the
    budget is a batch of its own. No lengths give no batches.
    """
    order = np.argsort(-np.asarray(lengths, np.intp), kind="stable")
    batches = []
    first = 0
    while first < len(order):
        longest = max(1, lengths[order[first]])
        size = max(1, max_padded_tokens // longest)
        batches.append(order[first : first + size])
        first += size
    return tuple(batches)
