"""The ranking of an overview: the asked releases by what each puts first, spread over the releases."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from corpus.index_store import IndexReader
from corpus.search_store import PassageScores
from corpus.versions import VersionMatch
from retrieval.hits import Hit
from retrieval.model import Query
from retrieval.overview import overview_priority
from retrieval.rank_features import gather_features
from retrieval.rank_priors import fits_kind, rank_priors
from retrieval.release_matching import release_matches
from retrieval.search_legs import min_max
from retrieval.search_weights import SearchWeights

_OVERVIEW_CANDIDATES = 500
_WORDS_IN_OVERVIEW = 0.05
_SAME_RELEASE_PENALTY = 0.06
"""For each better passage of the same release in an overview: a little more than words count there."""


def rank_overview(
    query: Query,
    tokens: Sequence[str],
    index: IndexReader,
    lexical: PassageScores,
    dense: PassageScores,
    positions: NDArray[np.int64],
    *,
    limit: int,
    weights: SearchWeights,
) -> tuple[Hit, ...]:
    """The passages of the asked releases among `positions`, by kind, authority and reading order; words break ties."""
    matches = release_matches(query.constraint, index.passages, positions)
    # The best matches first, each in order of place; those outside the asked releases come last, and are cut off.
    order = np.argsort(-matches, kind="stable")[: min(_OVERVIEW_CANDIDATES, int(np.count_nonzero(matches)))]
    asked, matches = positions[order], matches[order]
    priors = rank_priors(query, index.passages, asked, matches, weights)
    bm25, cosines = lexical.at(asked, missing=0.0), dense.at(asked, missing=-1.0)
    words = min_max(bm25)
    hits = []
    for i, passage in enumerate(index.load_passages(asked.tolist())):
        match, word = VersionMatch(int(matches[i])), float(words[i])
        features = gather_features(
            query,
            passage,
            match,
            version=index.passages.version_of(passage.position),
            lexical=word,
            dense=0.0,
            fits_kind=fits_kind(query, passage.kind),
            overview=overview_priority(query, tokens, passage),
        )
        hits.append(
            Hit(
                passage=passage,
                score=features.overview + float(priors[i]) + _WORDS_IN_OVERVIEW * word,
                cosine=float(max(cosines[i], 0.0)),
                bm25=float(bm25[i]),
                match=match,
                features=features,
            )
        )
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
