"""The result of a search: hits, best first, and readings of the first ones: the tokens of each item and its cosine with
the question, computed once, because splitting text into tokens is the main cost."""

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
from retrieval.search.exact import Places

SEARCHED_HITS = 20
"""Least number of hits searched, because the scores of unlisted hits show how distinct the listed ones are."""


@dataclass(frozen=True, slots=True)
class Hit:
    """A passage found for a query."""

    passage: StoredPassage
    score: float
    cosine: float  # Between its best item and the query, -1 to 1; 0 if no item was among the nearest.
    match: VersionMatch
    """How its release fits the query's constraint; EXACT without a constraint, SERIES if only its words fit."""


@dataclass(frozen=True, slots=True)
class SearchOutcome:
    """Hits, best first, with the question's tokens and vector, for evidence and quotes."""

    hits: tuple[Hit, ...]
    tokens: tuple[str, ...]  # Distinct lexical tokens of the question that were searched.
    vector: NDArray[np.float32]  # The question's embedding, shape (dimensions,).
    elsewhere: tuple[Hit, ...] = ()
    """The best hits from releases not asked about, whatever their rank: the answer may be there."""
    named: Places = frozenset()  # Where the question's names of code stand as written.


# No `eq`, because arrays have no single truth value; no `slots`, because `cached_property` needs a `__dict__`.
@dataclass(frozen=True, eq=False)
class HitReading:
    """A hit with the tokens of its items; `text` is its document's."""

    hit: Hit
    text: str
    heading: frozenset[str]  # The tokens of its release and headings.
    items: tuple[tuple[str, ...], ...]  # The lexical tokens of each item, in order, with repeats.
    cosines: NDArray[np.float32]  # Between each item and the question, shape (items,).

    @cached_property
    def words(self) -> frozenset[str]:
        """The tokens of its items, headings, release, product and document title."""
        document = self.hit.passage.document
        return self.heading.union(split_tokens(f"{document.product} {document.title}"), *self.items)


def read_hits(hits: Sequence[Hit], vector: NDArray[np.float32], index: IndexReader) -> tuple[HitReading, ...]:
    """Return each hit's text, tokens and cosines to `vector`, the question's embedding of shape (dimensions,)."""
    matrices = index.load_vectors([hit.passage.position for hit in hits])
    readings = []
    for hit, matrix in zip(hits, matrices, strict=True):
        text = index.text_of(hit.passage)
        parts = [item.span.slice(text) for item in hit.passage.items]
        # Expand substitutions that the document defines; in Markdown they are only link addresses.
        if (media_type := hit.passage.document.media_type) != "text/markdown":
            parts = [source_words(part, text, media_type) if "|" in part or "{" in part else part for part in parts]
        items = tuple(map(split_tokens, parts))
        cosines = matrix @ vector if len(matrix) else np.zeros(0, dtype=np.float32)
        heading = frozenset(split_tokens(" ".join((str(hit.passage.release or ""), *hit.passage.heading))))
        readings.append(HitReading(hit, text, heading, items, cosines))
    return tuple(readings)


@dataclass(frozen=True, slots=True)
class RankedHits:
    """A search's outcome with its first hits read, in the same order; `searched` are all hits, before any cut."""

    outcome: SearchOutcome
    readings: tuple[HitReading, ...]
    weights: TokenWeights
    focus: Focus
    searched: tuple[Hit, ...]


def rank_hits(query: Query, outcome: SearchOutcome, index: IndexReader, *, read: int, limit: int) -> RankedHits:
    """Weigh the query's tokens, keep the first `limit` hits of a search, and read the first `read` of all its hits."""
    lexical, passages = index.lexical, index.manifest.passages
    weights = TokenWeights.of(outcome.tokens, lexical, passages=passages)
    focus = Focus.of(query, lexical, catalogue=index.products, passages=passages)
    readings = read_hits(outcome.hits[:read], outcome.vector, index)
    return RankedHits(replace(outcome, hits=outcome.hits[:limit]), readings, weights, focus, outcome.hits)
