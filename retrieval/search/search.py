"""Search: a parsed query to ranked hits.

Two legs see every passage: BM25 over symbol-aware tokens, and FAISS over item vectors, where a passage scores as its
best item. Both are min-max scaled over the candidates and added (a convex combination; Bruch et al., "An Analysis of
Fusion Functions for Hybrid Retrieval", 2023), then the release, the references and the kind that the question asks for
add to it. A product the question names is a filter; a version is not: what the wrong version says still matters to an
answer that must say "not in this version".
"""

import re

import numpy as np

from corpus.embedding import Embedder
from corpus.index.reader import IndexReader
from corpus.index.stored import StoredPassage
from corpus.lexicon import question_tokens
from corpus.stores.protocol import PassageScores
from corpus.versions import Version, VersionConstraint, VersionMatch
from retrieval.model import Query
from retrieval.releases.matching import is_page, release_matches
from retrieval.search.hits import Hit, SearchOutcome
from retrieval.search.legs import best_candidates, dense_scores, lexical_scores, min_max, passage_filter
from retrieval.search.rank_features import gather_features, rank_priors, weigh
from retrieval.search.weights import DEFAULT_WEIGHTS, ELSEWHERE, OTHER_PAGE_PENALTY, SearchWeights

_WAS = re.compile(r"\b(?:was|were|did|had|used to)\b", re.IGNORECASE)


def search(
    query: Query, index: IndexReader, embedder: Embedder, *, limit: int, weights: SearchWeights = DEFAULT_WEIGHTS
) -> SearchOutcome:
    """The best `limit` passages for a query, ranked by (-score, passage id); fewer where fewer match at all."""
    tokens = question_tokens(query.search_text)
    vector = embedder.embed([query.search_text])[0]
    wanted = passage_filter(query, index)
    if () in (wanted.products, wanted.versions):
        return SearchOutcome((), tokens, vector)
    lexical = lexical_scores(index, tokens, wanted, related=weights.related)
    dense = dense_scores(index, vector, wanted)
    ranked = _rank_by_words(query, index, lexical, dense, limit=limit, weights=weights)
    elsewhere = tuple(hit for hit in ranked if hit.match is VersionMatch.OUTSIDE)
    return SearchOutcome(ranked[:limit], tokens, vector, elsewhere=elsewhere[:ELSEWHERE])


def _rank_by_words(
    query: Query,
    index: IndexReader,
    lexical: PassageScores,
    dense: PassageScores,
    *,
    limit: int,
    weights: SearchWeights,
) -> tuple[Hit, ...]:
    """The passages of both legs' candidates by fused score, with what the question asks of release and kind.

    More than `limit` where a release is asked for: what comes after them may be of another one.
    """
    table = index.passages
    candidates = best_candidates(lexical, dense)
    words, cosines = lexical.at(candidates, missing=0.0), dense.at(candidates, missing=-1.0)
    lexical_scaled, dense_scaled = min_max(words), min_max(cosines)
    scores = weights.dense * dense_scaled + (1 - weights.dense) * lexical_scaled
    matches = release_matches(query.constraint, table, candidates, bearing=query.bearing)
    scores += rank_priors(query, table, candidates, matches, weights)
    order = np.argsort(-scores, kind="stable")
    # Passages are looked into for the releases and references that they speak of, which may raise them.
    depth = max(limit * 3, 30) if query.constraint is not None or query.references else limit
    ranked = order[:depth].tolist()
    is_named = bool(query.constraint and query.constraint.versions)
    is_indexed = is_named and any(matches[i] > VersionMatch.BEARING for i in ranked)
    hits = []
    for i, passage in zip(ranked, index.load_passages([int(candidates[i]) for i in ranked]), strict=True):
        match = VersionMatch(int(matches[i]))
        features = gather_features(
            query,
            passage,
            match,
            version=table.version_of(passage.position),
            lexical=float(lexical_scaled[i]),
            dense=float(dense_scaled[i]),
        )
        is_other_page = is_indexed and match <= VersionMatch.BEARING and is_page(passage)
        hits.append(
            Hit(
                passage=passage,
                score=weigh(features, weights) - OTHER_PAGE_PENALTY * is_other_page,
                cosine=float(max(cosines[i], 0.0)),
                bm25=float(words[i]),
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
