"""The ranking of an overview: the asked releases by what each puts first, spread over the releases."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from corpus.index_store import IndexReader
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
    priors = rank_priors(query, index.passages, asked, matches, weights)
    words = min_max(lexical[asked])
    hits = []
    for passage, prior, word, match in zip(
        index.load_passages(asked.tolist()), priors, words, map(VersionMatch, matches.tolist()), strict=True
    ):
        features = gather_features(
            query,
            passage,
            match,
            version=index.passages.version_of(passage.position),
            lexical=float(word),
            dense=0.0,
            fits_kind=fits_kind(query, passage.kind),
            overview=overview_priority(query, tokens, passage),
        )
        hits.append(
            Hit(
                passage=passage,
                score=features.overview + float(prior) + _WORDS_IN_OVERVIEW * float(word),
                cosine=float(max(dense[passage.position], 0.0)),
                bm25=float(lexical[passage.position]),
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
