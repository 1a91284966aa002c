"""The two legs of a search over all passages, and the passages that they see: what may be shown, and what scores best.

A leg gives one score a passage, as an array of shape (passages,).
"""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from corpus.index_store import IndexReader
from corpus.stored import StoredPassage
from corpus.versions import VersionMatch
from retrieval.model import Query
from retrieval.release_matching import release_matches

_CANDIDATES = 400
_ITEM_CANDIDATES = 1000


def allowed_passages(query: Query, index: IndexReader) -> NDArray[np.bool_]:
    """Passages that may be shown: no boilerplate, of the named products, of the releases that a filter leaves."""
    table = index.passages
    allowed: NDArray[np.bool_] = ~table.boilerplate
    if query.products and query.product_stated:
        is_wanted = np.fromiter((product.name in query.products for product in index.products), dtype=np.bool_)
        allowed &= is_wanted[table.products]
    if query.version_filtered:
        positions = np.flatnonzero(allowed)
        allowed[positions] = release_matches(query.constraint, table, positions) != VersionMatch.OUTSIDE
    return allowed


def dense_scores(index: IndexReader, vector: NDArray[np.float32], allowed: NDArray[np.bool_]) -> NDArray[np.float32]:
    """Cosine of each passage's best item, -1 where none of its items is among the nearest."""
    passages_of_rows = index.passages.item_passages
    scores = np.full(len(allowed), -1.0, dtype=np.float32)
    rows, cosines = index.item_search.nearest(vector, allowed[passages_of_rows], limit=_ITEM_CANDIDATES)
    np.maximum.at(scores, passages_of_rows[rows], cosines)
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


def item_vectors(index: IndexReader, passages: Sequence[StoredPassage]) -> list[NDArray[np.float32]]:
    """The vectors of each passage's items: one (items, dimensions) matrix a passage."""
    offsets = index.passages.item_offsets
    return [
        index.vectors.reconstruct_n(int(offsets[p.position]), int(offsets[p.position + 1] - offsets[p.position]))
        if p.items
        else np.zeros((0, index.manifest.dimensions), dtype=np.float32)
        for p in passages
    ]
