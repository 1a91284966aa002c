"""What search knows of a hit, as named figures that it adds up, and the weight of each: few, and each with a meaning.

Only what is known without reading the passage's text, so that they cost nothing. The default weights were chosen by the
practice questions and the development halves of our own (docs/decisions/0003).
"""

from dataclasses import asdict, dataclass, fields
from functools import lru_cache
from operator import attrgetter

import numpy as np
from numpy.typing import NDArray

from corpus.index.stored import StoredPassage
from corpus.model import Kind
from corpus.stores.passage_table import PassageTable
from corpus.versions import Version, VersionMatch
from retrieval.model import Query


@dataclass(frozen=True, slots=True)
class SearchWeights:
    """What each piece of evidence adds to a passage's score; 0 leaves it out.

    `dense` is the share of the dense leg in the fused score, 0 to 1; the lexical leg has the rest.
    """

    dense: float = 0.4
    exact_release: float = 0.30
    series_release: float = 0.15
    mention: float = 0.12  # For a passage of another release that speaks of the one asked for ("deprecated in 2.10").
    prerelease: float = 0.03
    """Taken off a pre-release where the final release was named: between like passages the release itself wins."""
    reference: float = 0.5
    kind: float = 0.08
    authority: float = 0.01  # For each step of authority: decides between passages that say the same, nothing else.


DEFAULT_WEIGHTS = SearchWeights()


@dataclass(frozen=True, slots=True)
class RankFeatures:
    """Evidence that a passage answers a query: 0 to 1 each, where nothing else is said."""

    lexical: float = 0.0  # BM25, min-max scaled over the candidates.
    dense: float = 0.0  # Cosine of the best item, scaled likewise.
    exact_release: float = 0.0  # 1 where the release is one that the question asks for; 0 where it asks for none.
    series_release: float = 0.0  # 1 for a patch release of the one asked for, or one whose notes bear on it.
    mention: float = 0.0  # 1 for a passage of another release that speaks of the one asked for.
    prerelease: float = 0.0  # 1 for a pre-release where the question names the final one, whose own notes come first.
    reference: float = 0.0  # 1 where the passage is about a pull request, issue or CVE of the question.
    kind: float = 0.0  # 1 where the passage's kind is one that the question's form asks for.
    authority: float = 0.0  # Steps of authority, 1 to 5.


_FEATURES = tuple(field.name for field in fields(RankFeatures))
_values = attrgetter(*_FEATURES)


def weigh(features: RankFeatures, weights: SearchWeights) -> float:
    """The score of a hit."""
    return float(sum(weight * value for weight, value in zip(_signed(weights), _values(features), strict=True)))


@lru_cache(maxsize=4)
def _signed(weights: SearchWeights) -> tuple[float, ...]:
    """What a unit of each feature adds, in the order of the features."""
    adds = {**asdict(weights), "lexical": 1 - weights.dense, "prerelease": -weights.prerelease}
    return tuple(adds[name] for name in _FEATURES)


def rank_priors(
    query: Query, table: PassageTable, positions: NDArray[np.int64], matches: NDArray[np.int8], weights: SearchWeights
) -> NDArray[np.float64]:
    """What authority, release and kind add to the scores of some passages."""
    bonus = weights.authority * table.authority_weights[positions].astype(np.float64)
    if query.constraint is not None:
        bonus[matches == VersionMatch.EXACT] += weights.exact_release
        bonus[(matches == VersionMatch.SERIES) | (matches == VersionMatch.BEARING)] += weights.series_release
    is_wanted = np.fromiter((kind in query.form.traits.kinds for kind in Kind), dtype=np.bool_)
    bonus[is_wanted[table.kind_codes[positions]]] += weights.kind
    return bonus


def gather_features(
    query: Query, passage: StoredPassage, match: VersionMatch, *, version: Version | None, lexical: float, dense: float
) -> RankFeatures:
    """The features of a passage of the release `version`, which fits the query as `match` says; the legs are scaled."""
    constraint = query.constraint
    named = constraint.versions if constraint is not None else ()
    is_prerelease = match is VersionMatch.EXACT and version is not None and version.is_prerelease
    speaks_of_asked = constraint is not None and any(
        constraint.match(spoken_of) is VersionMatch.EXACT for spoken_of in passage.versions
    )
    return RankFeatures(
        lexical=lexical,
        dense=dense,
        exact_release=float(constraint is not None and match is VersionMatch.EXACT),
        series_release=float(constraint is not None and match in (VersionMatch.SERIES, VersionMatch.BEARING)),
        mention=float(match <= VersionMatch.BEARING and speaks_of_asked),
        prerelease=float(is_prerelease and bool(named) and not any(asked.is_prerelease for asked in named)),
        reference=float(not set(query.references).isdisjoint(passage.references)),
        kind=float(passage.kind in query.form.traits.kinds),
        authority=float(passage.document.authority.weight),
    )
