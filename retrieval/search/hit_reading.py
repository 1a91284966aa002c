"""Hits as they are read: the words of each item and how near it is to the question, worked out once for a question.

Ranking, quoting and the decision to answer all look at the same items; splitting their words is what reading costs.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from corpus.index.reader import IndexReader
from corpus.lexicon import split_tokens
from retrieval.search.hits import Hit


# Arrays have no one truth, so readings aren't compared by value; what is worked out later needs a place to be kept.
@dataclass(frozen=True, eq=False)
class HitReading:
    """A hit with the words of its items; `text` is its document's."""

    hit: Hit
    text: str
    heading: frozenset[str]
    """The tokens of its release and headings."""
    items: tuple[tuple[str, ...], ...]
    """The lexical tokens of each item, in order, with repeats."""
    vectors: NDArray[np.float32]
    """Of the items, shape (items, dimensions)."""
    cosines: NDArray[np.float32]
    """Of the items with the question, shape (items,)."""

    @property
    def told(self) -> str:
        """The passage's own text."""
        return self.hit.passage.span.slice(self.text)

    @property
    def named(self) -> tuple[str, ...]:
        """The tokens of its product and document's title."""
        document = self.hit.passage.document
        return split_tokens(f"{document.product} {document.title}")

    @cached_property
    def words(self) -> frozenset[str]:
        """The tokens of its items, headings, release, product and document's title."""
        return self.heading.union(self.named, *self.items)


def read_hits(hits: Sequence[Hit], vector: NDArray[np.float32], index: IndexReader) -> tuple[HitReading, ...]:
    """Read hits, in their order; `vector` is the question's, shape (dimensions,)."""
    matrices = index.load_vectors([hit.passage.position for hit in hits])
    readings = []
    for hit, matrix in zip(hits, matrices, strict=True):
        text = index.text_of(hit.passage)
        items = tuple(split_tokens(item.span.slice(text)) for item in hit.passage.items)
        cosines = matrix @ vector if len(matrix) else np.zeros(0, dtype=np.float32)
        heading = frozenset(split_tokens(" ".join((hit.passage.release or "", *hit.passage.heading))))
        readings.append(HitReading(hit, text, heading, items, matrix, cosines))
    return tuple(readings)
