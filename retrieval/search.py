"""Search: a parsed query to ranked hits.

Two legs see every passage: BM25 over symbol-aware tokens, and FAISS over item vectors, where a passage scores as its
best item. Both are min-max scaled over the candidates and added (a convex combination; Bruch et al., "An Analysis of
Fusion Functions for Hybrid Retrieval", 2023), then the release, the references and the kind that the question asks for
add to it. A product the question names is a filter; a version is not: what the wrong version says still matters to an
answer that must say "not in this version".
"""

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace

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

_WAS = re.compile(r"\b(?:was|were|did|had|used to)\b", re.IGNORECASE)
_CANDIDATES = 400
_OVERVIEW_CANDIDATES = 500
_WORDS_IN_OVERVIEW = 0.05
_SAME_RELEASE_PENALTY = 0.06
"""For each better passage of the same release in an overview: a little more than words count there."""
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
        hits = _rank_overview(query, tokens, index, lexical, dense, allowed, limit=limit, weights=weights)
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
    matches = release_matches(query.constraint, table, candidates)
    scores += _priors(query, table, candidates, matches, weights)
    order = np.argsort(-scores, kind="stable")
    ranked = order[: max(limit * 3, 30)].tolist()
    is_indexed = bool(query.constraint and query.constraint.versions) and any(matches[i] for i in ranked)
    hits = []
    for i, passage in zip(ranked, index.load_passages([int(candidates[i]) for i in ranked]), strict=True):
        match = VersionMatch(int(matches[i]))
        features = gather_features(
            query,
            passage,
            match,
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
                match=VersionMatch.SERIES if features.mention or _tells_what_was(query, passage) else match,
                features=features,
            )
        )
    hits.sort(key=lambda hit: (-hit.score, hit.passage.position))
    return tuple(hits)


def _tells_what_was(query: Query, passage: StoredPassage) -> bool:
    """Whether a passage belongs to the release before which something "was" so: its notes tell what they changed."""
    constraint = query.constraint
    if constraint is None or constraint.high is None or constraint.includes_high or not passage.release:
        return False
    is_limit = VersionConstraint.exactly(constraint.high).match(Version.parse(passage.release)) is VersionMatch.EXACT
    return is_limit and bool(_WAS.search(query.text))


def _rank_overview(
    query: Query,
    tokens: Sequence[str],
    index: IndexReader,
    lexical: NDArray[np.float32],
    dense: NDArray[np.float32],
    allowed: NDArray[np.bool_],
    *,
    limit: int,
    weights: SearchWeights,
) -> tuple[Hit, ...]:
    """The passages of the asked releases by kind, authority and order of reading; words break ties."""
    positions = np.flatnonzero(allowed)
    matches = release_matches(query.constraint, index.passages, positions)
    # The best matches first, each in order of place; those outside the asked releases come last, and are cut off.
    order = np.argsort(-matches, kind="stable")[: min(_OVERVIEW_CANDIDATES, int(np.count_nonzero(matches)))]
    asked, matches = positions[order], matches[order]
    priors = _priors(query, index.passages, asked, matches, weights)
    words = _scaled(lexical[asked])
    hits = [
        Hit(
            passage=passage,
            score=overview_priority(query, tokens, passage) + float(prior) + _WORDS_IN_OVERVIEW * float(word),
            cosine=float(max(dense[passage.position], 0.0)),
            bm25=float(lexical[passage.position]),
            match=VersionMatch(int(match)),
            features=gather_features(
                query,
                passage,
                VersionMatch(int(match)),
                version=index.passages.versions[passage.position],
                lexical=float(word),
                dense=0.0,
                fits_kind=_fits_kind(query, passage.kind),
                overview=overview_priority(query, tokens, passage),
            ),
        )
        for passage, prior, word, match in zip(index.load_passages(asked.tolist()), priors, words, matches, strict=True)
    ]
    ranked = sorted(hits, key=lambda hit: (-hit.score, hit.passage.position))
    return _spread_over_releases(ranked)[:limit]


def _spread_over_releases(ranked: Sequence[Hit]) -> tuple[Hit, ...]:
    """The hits with each further one of a release a little lower, so that a range isn't told by one release alone."""
    seen: Counter[tuple[str, str | None]] = Counter()
    spread = []
    for hit in ranked:
        release = (hit.passage.document.product, hit.passage.release)
        spread.append(replace(hit, score=hit.score - _SAME_RELEASE_PENALTY * seen[release]))
        seen[release] += 1
    return tuple(sorted(spread, key=lambda hit: (-hit.score, hit.passage.position)))


def match_release(constraint: VersionConstraint | None, version: Version | None) -> VersionMatch:
    """How a release fits what the question says about versions."""
    if constraint is None:
        return VersionMatch.EXACT
    return VersionMatch.OUTSIDE if version is None else constraint.match(version)


def release_matches(
    constraint: VersionConstraint | None, table: PassageTable, positions: NDArray[np.int64]
) -> NDArray[np.int8]:
    """How the releases of some passages fit, as `VersionMatch`es; each distinct release is compared once."""
    if constraint is None:
        return np.full(len(positions), VersionMatch.EXACT, dtype=np.int8)
    codes, places = np.unique(table.version_codes[positions], return_inverse=True)
    matches = (match_release(constraint, table.distinct_versions[code]) for code in codes)
    return np.fromiter(matches, dtype=np.int8, count=len(codes))[places]


def _allowed(query: Query, index: IndexReader) -> NDArray[np.bool_]:
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


def _dense_scores(index: IndexReader, vector: NDArray[np.float32], allowed: NDArray[np.bool_]) -> NDArray[np.float32]:
    """Cosine of each passage's best item, -1 where none of its items is among the nearest."""
    passages_of_rows = index.passages.item_passages
    scores = np.full(len(allowed), -1.0, dtype=np.float32)
    rows, cosines = index.item_search.nearest(vector, allowed[passages_of_rows], limit=_ITEM_CANDIDATES)
    np.maximum.at(scores, passages_of_rows[rows], cosines)
    return scores


def _candidates(lexical: NDArray[np.float32], dense: NDArray[np.float32]) -> NDArray[np.int64]:
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


def _priors(
    query: Query,
    table: PassageTable,
    positions: NDArray[np.int64],
    matches: NDArray[np.int8],
    weights: SearchWeights,
) -> NDArray[np.float64]:
    """What authority, release and kind add to the scores of some passages."""
    bonus = weights.authority * table.authority_weights[positions].astype(np.float64)
    if query.constraint is not None:
        bonus[matches == VersionMatch.EXACT] += weights.exact_release
        bonus[matches == VersionMatch.SERIES] += weights.series_release
    is_wanted = np.fromiter((_fits_kind(query, kind) for kind in Kind), dtype=np.bool_)
    bonus[is_wanted[table.kind_codes[positions]]] += weights.kind
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
