"""Where a long run of sentences changes its subject: segments as coherent as they can be, by dynamic programming.

Coherence of a segment is the length of the sum of its unit sentence vectors, less a price a segment (after Alemi and
Ginsparg, "Text Segmentation based on Semantic Word Embeddings", 2015); an author's own paragraphs make it cheaper.
"""

from collections.abc import Sequence
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from corpus.model import Span

_PRICE = 0.8
"""What one more segment costs, in units of a sentence's full agreement with its segment."""
_PARAGRAPH_DISCOUNT = 0.2
"""What a segment costs less where a paragraph begins; not more, for lines may be wrapped at a fixed width."""


def segment_topics(
    sentences: Sequence[Span],
    vectors: NDArray[np.float32],
    *,
    begins_paragraph: Sequence[bool],
    max_characters: int,
) -> tuple[tuple[Span, ...], ...]:
    """Group consecutive sentences into segments of at most `max_characters` (a longer sentence stands alone).

    `vectors`: (len(sentences), d), L2-normalised; `begins_paragraph`: one for each sentence. Quadratic only within a
    segment's length. No sentences give none.
    """
    count = len(sentences)
    prices = np.array([_PRICE - (_PARAGRAPH_DISCOUNT if begins else 0.0) for begins in begins_paragraph])
    sums = np.concatenate([np.zeros((1, vectors.shape[1]), dtype=np.float64), np.cumsum(vectors, axis=0)])
    best = np.zeros(count + 1)
    came_from = np.zeros(count + 1, dtype=np.int64)
    first = 0
    for end in range(1, count + 1):
        while first < end - 1 and sentences[end - 1].end - sentences[first].start > max_characters:
            first += 1
        coherence = np.linalg.norm(sums[end] - sums[first:end], axis=1)
        scores = best[first:end] + coherence - prices[first:end]
        # Of equals the shortest last segment.
        came_from[end] = end - 1 - int(np.argmax(scores[::-1]))
        best[end] = scores[came_from[end] - first]
    cuts: list[int] = []
    end = count
    while end > 0:
        cuts.append(end)
        end = int(came_from[end])
    starts = [0, *reversed(cuts)]
    return tuple(tuple(sentences[first:last]) for first, last in pairwise(starts))
