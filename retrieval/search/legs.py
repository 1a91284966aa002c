"""The two legs of a search, and the passages that they see: what may be shown, and what scores best."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from corpus.index.reader import IndexReader
from corpus.stores.protocol import PassageFilter, PassageScores
from corpus.versions import VersionMatch
from retrieval.model import Query
from retrieval.question.thesaurus import expand
from retrieval.releases.matching import match_release
from retrieval.search.weights import CANDIDATES, ITEM_CANDIDATES


def passage_filter(query: Query, index: IndexReader) -> PassageFilter:
    """Passages that may be shown: of the named products, of the releases that a filter leaves."""
    table = index.passages
    products = versions = None
    if query.products and query.product_stated:
        products = index.product_places(query.products)
    if query.version_filtered:
        codes = np.unique(table.version_codes[PassageFilter(products).positions(table)])
        matches = (match_release(query.constraint, table.distinct_versions[code]) for code in codes)
        versions = tuple(
            int(code) for code, match in zip(codes, matches, strict=True) if match is not VersionMatch.OUTSIDE
        )
    return PassageFilter(products, versions)


def lexical_scores(
    index: IndexReader, tokens: Sequence[str], wanted: PassageFilter, *, related: float
) -> PassageScores:
    """BM25 of a question's distinct tokens; what notes may say instead counts `related` times as much."""
    weights = dict.fromkeys(tokens, 1.0) | dict.fromkeys(expand(tokens), related)
    return index.store.lexical_scores(weights, wanted)


def dense_scores(index: IndexReader, vector: NDArray[np.float32], wanted: PassageFilter) -> PassageScores:
    """Cosine of each passage's best item, of those whose items are among the nearest."""
    rows, cosines = index.store.nearest_items(vector, wanted, limit=ITEM_CANDIDATES)
    positions, places = np.unique(index.passages.item_passages[rows].astype(np.int64), return_inverse=True)
    best = np.full(len(positions), -1.0, np.float32)
    np.maximum.at(best, places, cosines)
    return PassageScores(positions, best)


def best_candidates(lexical: PassageScores, dense: PassageScores) -> NDArray[np.int64]:
    """Positions of the best passages of either leg, ascending."""
    return np.union1d(_best(lexical), _best(dense))


def _best(found: PassageScores) -> NDArray[np.int64]:
    """Positions of the highest scores, at most `CANDIDATES`; among equal ones the first."""
    if len(found.positions) <= CANDIDATES:
        return found.positions
    least = np.partition(found.scores, -CANDIDATES)[-CANDIDATES]
    higher = found.positions[found.scores > least]
    return np.concatenate([higher, found.positions[found.scores == least][: CANDIDATES - len(higher)]])


def min_max(scores: NDArray[np.float32]) -> NDArray[np.float64]:
    """Min-max to 0..1 over those that the leg found; what it didn't find scores 0."""
    found = scores > (-1.0 if (scores < 0).any() else 0.0)
    if not found.any():
        return np.zeros(len(scores))
    low, high = float(scores[found].min()), float(scores.max())
    if high <= low:
        return found.astype(np.float64)
    return np.clip((scores.astype(np.float64) - low) / (high - low), 0.0, 1.0)
