"""The two legs of a search over all passages, and the passages that they see: what may be shown, and what scores best.

A leg gives one score a passage, as an array of shape (passages,).
"""

import numpy as np
from numpy.typing import NDArray

from corpus.index_store import IndexReader
from corpus.search_store import PassageFilter
from corpus.versions import VersionMatch
from retrieval.model import Query
from retrieval.release_matching import match_release

_CANDIDATES = 400
_ITEM_CANDIDATES = 1000


def passage_filter(query: Query, index: IndexReader) -> PassageFilter:
    """Passages that may be shown: of the named products, of the releases that a filter leaves."""
    table = index.passages
    products = versions = None
    if query.products and query.product_stated:
        products = index.product_places(query.products)
    if query.version_filtered:
        ours = slice(None) if products is None else np.isin(table.products, products)
        codes = np.unique(table.version_codes[ours])
        matches = (match_release(query.constraint, table.distinct_versions[code]) for code in codes)
        versions = tuple(
            int(code) for code, match in zip(codes, matches, strict=True) if match is not VersionMatch.OUTSIDE
        )
    return PassageFilter(products, versions)


def dense_scores(index: IndexReader, vector: NDArray[np.float32], wanted: PassageFilter) -> NDArray[np.float32]:
    """Cosine of each passage's best item, -1 where none of its items is among the nearest."""
    scores = np.full(len(index.passages.ids), -1.0, dtype=np.float32)
    rows, cosines = index.store.nearest_items(vector, wanted, limit=_ITEM_CANDIDATES)
    np.maximum.at(scores, index.passages.item_passages[rows], cosines)
    return scores


def best_candidates(lexical: NDArray[np.float32], dense: NDArray[np.float32]) -> NDArray[np.int64]:
    """Positions of the best passages of either leg, ascending."""
    return np.union1d(_best(lexical, above=0.0), _best(dense, above=-1.0))


def _best(scores: NDArray[np.float32], *, above: float) -> NDArray[np.int64]:
    """Positions of the highest scores, at most `_CANDIDATES`; among equal ones the first."""
    found = np.flatnonzero(scores > above)
    if len(found) <= _CANDIDATES:
        return found
    values = scores[found]
    least = np.partition(values, -_CANDIDATES)[-_CANDIDATES]
    higher = found[values > least]
    return np.concatenate([higher, found[values == least][: _CANDIDATES - len(higher)]])


def min_max(scores: NDArray[np.float32]) -> NDArray[np.float64]:
    """Min-max to 0..1 over those that the leg found; what it didn't find scores 0."""
    found = scores > (-1.0 if (scores < 0).any() else 0.0)
    if not found.any():
        return np.zeros(len(scores))
    low, high = float(scores[found].min()), float(scores.max())
    if high <= low:
        return found.astype(np.float64)
    return np.clip((scores.astype(np.float64) - low) / (high - low), 0.0, 1.0)
