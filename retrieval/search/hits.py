"""What a search finds: hits, best first, with what it knows of the question, the first of them read: the words of each
item and how near it is to the question, worked out once, for splitting them is what reading costs.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from corpus.index.reader import IndexReader
from corpus.index.stored import StoredPassage
from corpus.lexicon import split_tokens
from corpus.source_words import source_words
from corpus.versions import VersionMatch
from retrieval.model import Query
from retrieval.question.token_weights import TokenWeights
from retrieval.question.words import Focus

SEARCHED_HITS = 20
"""How many hits are found at least, for what comes behind the listed ones tells how much these stand out."""


@dataclass(frozen=True, slots=True)
class Hit:
    """A passage found for a query."""

    passage: StoredPassage
    score: float
    cosine: float  # Of its best item with the query, -1 to 1; 0 where no item was among the nearest.
    match: VersionMatch
    """How its release fits the query's constraint; EXACT where there is none, SERIES where only its words do."""


@dataclass(frozen=True, slots=True)
class SearchOutcome:
    """Hits, best first, with what the search knows of the question: for evidence and quotes."""

    hits: tuple[Hit, ...]
    tokens: tuple[str, ...]  # Distinct lexical tokens of the question that were searched.
    vector: NDArray[np.float32]  # The question's, shape (dimensions,).
    elsewhere: tuple[Hit, ...] = ()
    """The best hits of other releases than the asked one, whatever their rank: what isn't said here may be there."""


# Arrays have no one truth, so readings aren't compared by value; what is worked out later needs a place to be kept.
@dataclass(frozen=True, eq=False)
class HitReading:
    """A hit with the words of its items; `text` is its document's."""

    hit: Hit
    text: str
    heading: frozenset[str]  # The tokens of its release and headings.
    items: tuple[tuple[str, ...], ...]  # The lexical tokens of each item, in order, with repeats.
    cosines: NDArray[np.float32]  # Of the items with the question, shape (items,).

    @cached_property
    def words(self) -> frozenset[str]:
        """The tokens of its items, headings, release, product and document's title."""
        document = self.hit.passage.document
        return self.heading.union(split_tokens(f"{document.product} {document.title}"), *self.items)


def read_hits(hits: Sequence[Hit], vector: NDArray[np.float32], index: IndexReader) -> tuple[HitReading, ...]:
    """Read hits, in their order; `vector` is the question's, shape (dimensions,)."""
    matrices = index.load_vectors([hit.passage.position for hit in hits])
    readings = []
    for hit, matrix in zip(hits, matrices, strict=True):
        text = index.text_of(hit.passage)
        parts = [item.span.slice(text) for item in hit.passage.items]
        # With what a document defines names for; in Markdown those are addresses.
        if (media_type := hit.passage.document.media_type) != "text/markdown":
            parts = [source_words(one, text, media_type) if "|" in one or "{" in one else one for one in parts]
        items = tuple(map(split_tokens, parts))
        cosines = matrix @ vector if len(matrix) else np.zeros(0, dtype=np.float32)
        heading = frozenset(split_tokens(" ".join((str(hit.passage.release or ""), *hit.passage.heading))))
        readings.append(HitReading(hit, text, heading, items, cosines))
    return tuple(readings)


@dataclass(frozen=True, slots=True)
class RankedHits:
    """A search's outcome with its first hits read, in the outcome's order; `searched` are all that were found, also
    those that were cut."""

    outcome: SearchOutcome
    readings: tuple[HitReading, ...]
    weights: TokenWeights
    focus: Focus
    searched: tuple[Hit, ...]


def rank_hits(query: Query, outcome: SearchOutcome, index: IndexReader, *, read: int, limit: int) -> RankedHits:
    """Keep the first `limit` hits of a search, and read the first `read` of them."""
    lexical, passages = index.lexical, index.manifest.passages
    weights = TokenWeights.of(outcome.tokens, lexical, passages=passages)
    focus = Focus.of(query, lexical, catalogue=index.products, passages=passages)
    readings = read_hits(outcome.hits[:read], outcome.vector, index)
    return RankedHits(replace(outcome, hits=outcome.hits[:limit]), readings, weights, focus, outcome.hits)
