"""How texts are grouped for a model: each distinct text once, those of like length together."""

from collections.abc import Callable, Iterable, Sequence

import numpy as np
from numpy.typing import NDArray


def distinct_texts(texts: Sequence[str]) -> tuple[tuple[str, ...], NDArray[np.intp]]:
    """The distinct texts in order of first appearance, and for each of `texts` its position among them."""
    positions: dict[str, int] = {}
    places = np.fromiter((positions.setdefault(text, len(positions)) for text in texts), np.intp, len(texts))
    return tuple(positions), places


def embed_distinct(
    texts: Sequence[str],
    compute: Callable[[Sequence[str]], Iterable[tuple[NDArray[np.intp] | Sequence[int], NDArray[np.float32]]]],
    *,
    dimensions: int,
    progress: Callable[[int], None] | None,
) -> NDArray[np.float32]:
    """See `Embedder.embed`: `compute` gives the rows of distinct texts, in any parts, with their vectors."""
    distinct, places = distinct_texts(texts)
    repeats = np.bincount(places, minlength=len(distinct))
    vectors = np.empty((len(distinct), dimensions), np.float32)
    for rows, computed in compute(distinct):
        vectors[rows] = computed
        if progress:
            progress(int(repeats[rows].sum()))
    return vectors if len(distinct) == len(texts) else vectors[places]


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
