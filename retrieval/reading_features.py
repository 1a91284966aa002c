"""What reading a hit's text adds to what search knows of it: figures for a learned ranker, none of them weighed here.

Measured one by one (evals/TUNING.md), none of them improves the ranking by a fixed weight beyond chance; search
leaves them out and saves the reading.
"""

from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from corpus.index_store import IndexReader
from corpus.lexicon import split_tokens
from corpus.stored import StoredPassage
from retrieval.hits import Hit, SearchOutcome
from retrieval.model import Query
from retrieval.search_legs import item_vectors
from retrieval.weights import TokenWeights

_NEAR_SHARE = 0.85
_SAME_COSINE = 0.97
_LONGEST_PASSAGE = 1600


@dataclass(frozen=True, slots=True)
class ReadingFeatures:
    """Figures of one hit, 0 to 1 each, where nothing else is said."""

    heading: float
    """Share of the question's weight (its rare words weigh most) in the heading path."""
    coverage: float
    """Share of it in the passage with its heading path, product and release."""
    best_item: float
    """Share of it in the best single item."""
    items_hit: float
    """How many items are nearly as near to the question as the nearest one; at least 1 for a passage with items."""
    symbol: float
    """Share of the question's symbols that stand in the text as written; 0 for a question without any."""
    recency: float
    """Place of the release among its product's: 1 for the newest, near 0 for the oldest, 0.5 for no release."""
    length: float
    """Characters over the 1,600 that a passage may have."""
    opens_release: float
    """1 for the first passage of its release."""
    copies: float
    """How many other hits say the same: their nearest items have nearly the same vector."""
    earlier_copy: float
    """1 where one of them is of an earlier release of the product."""


def read_features(query: Query, outcome: SearchOutcome, index: IndexReader) -> tuple[ReadingFeatures, ...]:
    """Read every hit of a search; one value a hit, in order."""
    weights = TokenWeights.of(outcome.tokens, index.lexical, passages=index.manifest.passages)
    matrices = item_vectors(index, [hit.passage for hit in outcome.hits])
    cosines = [matrix @ outcome.vector for matrix in matrices]
    copies = _copies(matrices, cosines)
    return tuple(
        _read(query, hit, cosines[rank], [outcome.hits[other] for other in copies[rank]], index, weights)
        for rank, hit in enumerate(outcome.hits)
    )


def _read(
    query: Query,
    hit: Hit,
    cosines: NDArray[np.float32],
    copies: Sequence[Hit],
    index: IndexReader,
    weights: TokenWeights,
) -> ReadingFeatures:
    passage = hit.passage
    document = index.text_of(passage)
    text = passage.span.slice(document)
    heading = frozenset(split_tokens(" ".join(passage.heading)))
    named = frozenset(split_tokens(f"{passage.document.product} {passage.release or ''}"))
    items = (frozenset(split_tokens(item.span.slice(document))) for item in passage.items)
    earlier = [copy for copy in copies if _is_earlier(copy.passage, passage, index)]
    return ReadingFeatures(
        heading=weights.coverage(heading),
        coverage=weights.coverage(heading | named | frozenset(split_tokens(text))),
        best_item=max(map(weights.coverage, items), default=0.0),
        items_hit=float((cosines >= _NEAR_SHARE * cosines.max()).sum()) if len(cosines) else 0.0,
        symbol=sum(symbol in text for symbol in query.symbols) / max(len(query.symbols), 1),
        recency=_recency(passage, index),
        length=len(text) / _LONGEST_PASSAGE,
        opens_release=float(_opens_release(passage, index)),
        copies=float(len(copies)),
        earlier_copy=float(bool(earlier)),
    )


def _copies(
    matrices: Sequence[NDArray[np.float32]], cosines: Sequence[NDArray[np.float32]]
) -> tuple[tuple[int, ...], ...]:
    """For each hit the ranks of the others whose nearest item is nearly the same."""
    ranks = [rank for rank, matrix in enumerate(matrices) if len(matrix)]
    if not ranks:
        return ((),) * len(matrices)
    nearest = np.array([matrices[rank][int(cosines[rank].argmax())] for rank in ranks])
    same = nearest @ nearest.T >= _SAME_COSINE
    found = {
        rank: tuple(other for column, other in enumerate(ranks) if same[row, column] and other != rank)
        for row, rank in enumerate(ranks)
    }
    return tuple(found.get(rank, ()) for rank in range(len(matrices)))


def _is_earlier(one: StoredPassage, other: StoredPassage, index: IndexReader) -> bool:
    first, second = index.passages.versions[one.position], index.passages.versions[other.position]
    same_product = index.passages.products[one.position] == index.passages.products[other.position]
    return bool(same_product) and first is not None and second is not None and first < second


def _recency(passage: StoredPassage, index: IndexReader) -> float:
    version = index.passages.versions[passage.position]
    releases = index.products[int(index.passages.products[passage.position])].releases
    if version is None or not releases:
        return 0.5
    oldest_first = [release.version for release in reversed(releases)]
    return min(1.0, (bisect_left(oldest_first, version) + 1) / len(oldest_first))


def _opens_release(passage: StoredPassage, index: IndexReader) -> bool:
    table, position = index.passages, passage.position
    if not position:
        return True
    return (table.products[position], table.versions[position]) != (
        table.products[position - 1],
        table.versions[position - 1],
    )
