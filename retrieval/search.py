"""Search: a parsed query to ranked hits.

Two legs see every passage: BM25 over symbol-aware tokens, and FAISS over item vectors, where a passage scores as its
best item. Both are min-max scaled over the candidates and added (a convex combination; Bruch et al., "An Analysis of
Fusion Functions for Hybrid Retrieval", 2023), then the release, the references and the kind that the question asks for
add to it. A product the question names is a filter; a version is not: what the wrong version says still matters to an
answer that must say "not in this version".
"""

from collections.abc import Sequence
from dataclasses import dataclass

import faiss
import numpy as np
from numpy.typing import NDArray

from corpus.embedding import Embedder
from corpus.index_store import IndexReader
from corpus.lexicon import question_tokens
from corpus.model import Authority, Kind
from corpus.stored import PassageTable, StoredPassage
from corpus.versions import Version, VersionConstraint, VersionMatch
from retrieval.model import Intent, Query
from retrieval.overview import asks_overview, overview_priority
from retrieval.rank_features import NO_FEATURES, RankFeatures, gather_features, weigh
from retrieval.search_weights import SearchWeights
from retrieval.thesaurus import expand

DEFAULT_WEIGHTS = SearchWeights()
OTHER_PAGE_PENALTY = 0.3
"""For a page of documentation of another release than the one asked for: it says nearly the same words as the right
one, and they may be wrong."""

_CANDIDATES = 400
_OVERVIEW_CANDIDATES = 500
_WORDS_IN_OVERVIEW = 0.05
_ITEM_CANDIDATES = 1000
_ELSEWHERE = 6

_KINDS_OF_INTENT: dict[Intent, frozenset[Kind]] = {
    Intent.UPGRADE: frozenset({Kind.BREAKING, Kind.REMOVAL, Kind.DEPRECATION}),
    Intent.STATUS: frozenset({Kind.REMOVAL, Kind.DEPRECATION, Kind.BREAKING}),
    Intent.SECURITY: frozenset({Kind.SECURITY}),
    Intent.WHATS_NEW: frozenset({Kind.FEATURE, Kind.PERFORMANCE}),
}


@dataclass(frozen=True, slots=True)
class Hit:
    """A passage found for a query."""

    passage: StoredPassage
    score: float
    cosine: float
    """Of its best item with the query, -1 to 1; 0 where no item was among the nearest."""
    bm25: float
    match: VersionMatch
    """How its release fits the query's constraint; EXACT where there is none, SERIES where only its words do."""
    features: RankFeatures = NO_FEATURES
    """What the score is made of."""


@dataclass(frozen=True, slots=True)
class SearchOutcome:
    """Hits, best first, with what the search knows of the question: for evidence and quotes."""

    hits: tuple[Hit, ...]
    tokens: tuple[str, ...]
    """Distinct lexical tokens of the question that were searched."""
    vector: NDArray[np.float32]
    """The question's, shape (dimensions,)."""
    elsewhere: tuple[Hit, ...] = ()
    """The best hits of other releases than the asked one, whatever their rank: what isn't said here may be there."""
    is_overview: bool = False
    """The question names no subject; hits are ranked by what a release puts first."""


def search(
    query: Query, index: IndexReader, embedder: Embedder, *, limit: int, weights: SearchWeights = DEFAULT_WEIGHTS
) -> SearchOutcome:
    """The best `limit` passages for a query, ranked by (-score, passage id); fewer where fewer match at all."""
    tokens = question_tokens(query.search_text)
    vector = embedder.embed([query.search_text])[0]
    allowed = _allowed(query, index)
    if not allowed.any():
        return SearchOutcome((), tokens, vector)
    related = weights.related * index.lexical.scores(expand(tokens))
    lexical = np.where(allowed, index.lexical.scores(tokens) + related, 0.0).astype(np.float32)
    dense = _dense_scores(index, vector, allowed)
    if asks_overview(query, index.products):
        hits = _rank_overview(query, index, lexical, dense, allowed, limit=limit, weights=weights)
        return SearchOutcome(hits, tokens, vector, is_overview=True)
    ranked = _rank_by_words(query, index, lexical, dense, limit=limit, weights=weights)
    elsewhere = tuple(hit for hit in ranked if hit.match is VersionMatch.OUTSIDE)
    return SearchOutcome(ranked[:limit], tokens, vector, elsewhere=elsewhere[:_ELSEWHERE])


def _rank_by_words(
    query: Query,
    index: IndexReader,
    lexical: NDArray[np.float32],
    dense: NDArray[np.float32],
    *,
    limit: int,
    weights: SearchWeights,
) -> tuple[Hit, ...]:
    """The passages of both legs' candidates by fused score, with what the question asks of release and kind.

    More than `limit`, for what comes after them may be of another release.
    """
    table = index.passages
    candidates = _candidates(lexical, dense)
    lexical_scaled, dense_scaled = _scaled(lexical[candidates]), _scaled(dense[candidates])
    scores = weights.dense * dense_scaled + (1 - weights.dense) * lexical_scaled
    matches = [match_release(query.constraint, table.versions[position]) for position in candidates]
    scores += np.array([_prior(query, table, int(p), m, weights) for p, m in zip(candidates, matches, strict=True)])
    order = sorted(range(len(candidates)), key=lambda i: (-float(scores[i]), int(candidates[i])))
    ranked = order[: max(limit * 3, 30)]
    is_indexed = bool(query.constraint and query.constraint.versions) and any(matches[i] for i in ranked)
    hits = []
    for i, passage in zip(ranked, index.load_passages([int(candidates[i]) for i in ranked]), strict=True):
        features = gather_features(
            query,
            passage,
            matches[i],
            version=table.versions[passage.position],
            lexical=float(lexical_scaled[i]),
            dense=float(dense_scaled[i]),
            fits_kind=_fits_kind(query, passage.kind),
        )
        hits.append(
            Hit(
                passage=passage,
                score=weigh(features, weights)
                - (OTHER_PAGE_PENALTY if is_indexed and not matches[i] and is_page(passage) else 0.0),
                cosine=float(max(dense[candidates[i]], 0.0)),
                bm25=float(lexical[candidates[i]]),
                match=VersionMatch.SERIES if features.mention else matches[i],
                features=features,
            )
        )
    hits.sort(key=lambda hit: (-hit.score, hit.passage.position))
    return tuple(hits)


def _rank_overview(
    query: Query,
    index: IndexReader,
    lexical: NDArray[np.float32],
    dense: NDArray[np.float32],
    allowed: NDArray[np.bool_],
    *,
    limit: int,
    weights: SearchWeights,
) -> tuple[Hit, ...]:
    """The passages of the asked releases by kind, authority and order of reading; words break ties."""
    table = index.passages
    matches = {int(p): match_release(query.constraint, table.versions[p]) for p in np.flatnonzero(allowed)}
    fitting = [p for p, match in matches.items() if match is not VersionMatch.OUTSIDE]
    asked = sorted(fitting, key=lambda p: (-matches[p], p))[:_OVERVIEW_CANDIDATES]
    words = dict(zip(asked, _scaled(lexical[asked]), strict=True)) if asked else {}
    hits = [
        Hit(
            passage=passage,
            score=overview_priority(query, passage)
            + _prior(query, table, passage.position, matches[passage.position], weights)
            + _WORDS_IN_OVERVIEW * float(words[passage.position]),
            cosine=float(max(dense[passage.position], 0.0)),
            bm25=float(lexical[passage.position]),
            match=matches[passage.position],
            features=gather_features(
                query,
                passage,
                matches[passage.position],
                version=table.versions[passage.position],
                lexical=float(words[passage.position]),
                dense=0.0,
                fits_kind=_fits_kind(query, passage.kind),
                overview=overview_priority(query, passage),
            ),
        )
        for passage in index.load_passages(asked)
    ]
    return tuple(sorted(hits, key=lambda hit: (-hit.score, hit.passage.position))[:limit])


def match_release(constraint: VersionConstraint | None, version: Version | None) -> VersionMatch:
    """How a release fits what the question says about versions."""
    if constraint is None:
        return VersionMatch.EXACT
    return VersionMatch.OUTSIDE if version is None else constraint.match(version)


def _allowed(query: Query, index: IndexReader) -> NDArray[np.bool_]:
    """Passages that may be shown: no boilerplate, of the named products, of the releases that a filter leaves."""
    allowed: NDArray[np.bool_] = ~index.passages.boilerplate
    if query.products and query.product_stated:
        wanted = [i for i, product in enumerate(index.products) if product.name in query.products]
        allowed = allowed & np.isin(index.passages.products, wanted)
    if query.version_filtered:
        fits = (match_release(query.constraint, version) for version in index.passages.versions)
        allowed = allowed & np.fromiter((match is not VersionMatch.OUTSIDE for match in fits), dtype=np.bool_)
    return allowed


def _dense_scores(index: IndexReader, vector: NDArray[np.float32], allowed: NDArray[np.bool_]) -> NDArray[np.float32]:
    """Cosine of each passage's best item, -1 where none of its items is among the nearest."""
    table = index.passages
    scores = np.full(len(table.ids), -1.0, dtype=np.float32)
    rows_allowed = np.repeat(allowed, np.diff(table.item_offsets))
    count = min(_ITEM_CANDIDATES, int(rows_allowed.sum()))
    if count == 0:
        return scores
    selector = faiss.IDSelectorBitmap(np.packbits(rows_allowed, bitorder="little"))
    parameters = faiss.SearchParameters(sel=selector)
    cosines, rows = index.vectors.search(vector[np.newaxis, :], count, params=parameters)
    found = rows[0] >= 0
    positions = np.searchsorted(table.item_offsets, rows[0][found], side="right") - 1
    np.maximum.at(scores, positions, cosines[0][found])
    return scores


def _candidates(lexical: NDArray[np.float32], dense: NDArray[np.float32]) -> NDArray[np.int64]:
    """Positions of the best passages of either leg, ascending."""
    best_lexical = np.argsort(-lexical, kind="stable")[:_CANDIDATES]
    best_lexical = best_lexical[lexical[best_lexical] > 0]
    best_dense = np.argsort(-dense, kind="stable")[:_CANDIDATES]
    best_dense = best_dense[dense[best_dense] > -1.0]
    return np.union1d(best_lexical, best_dense).astype(np.int64)


def _scaled(scores: NDArray[np.float32]) -> NDArray[np.float64]:
    """Min-max to 0..1 over those that the leg found; what it didn't find scores 0."""
    found = scores > (-1.0 if (scores < 0).any() else 0.0)
    if not found.any():
        return np.zeros(len(scores))
    low, high = float(scores[found].min()), float(scores.max())
    if high <= low:
        return found.astype(np.float64)
    return np.clip((scores.astype(np.float64) - low) / (high - low), 0.0, 1.0)


def is_page(passage: StoredPassage) -> bool:
    """Whether a passage is of a page of the project's documentation that is about one release."""
    document = passage.document
    return passage.release is not None and document.releases <= 1 and document.authority is Authority.PROJECT


def _prior(query: Query, table: PassageTable, position: int, match: VersionMatch, weights: SearchWeights) -> float:
    bonus = weights.authority * table.authorities[position].weight
    if query.constraint is not None:
        by_match = {VersionMatch.EXACT: weights.exact_release, VersionMatch.SERIES: weights.series_release}
        bonus += by_match.get(match, 0.0)
    if _fits_kind(query, table.kinds[position]):
        bonus += weights.kind
    return bonus


def _fits_kind(query: Query, kind: Kind) -> bool:
    return kind in _KINDS_OF_INTENT.get(query.intent, frozenset())


def item_vectors(index: IndexReader, passages: Sequence[StoredPassage]) -> list[NDArray[np.float32]]:
    """The vectors of each passage's items: one (items, dimensions) matrix a passage."""
    offsets = index.passages.item_offsets
    return [
        index.vectors.reconstruct_n(int(offsets[p.position]), int(offsets[p.position + 1] - offsets[p.position]))
        if p.items
        else np.zeros((0, index.manifest.dimensions), dtype=np.float32)
        for p in passages
    ]
