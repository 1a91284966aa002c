"""What search knows of a hit, as named figures that it adds up.

Only what is known without reading the passage's text, so that they cost nothing.
"""

from dataclasses import asdict, dataclass, fields
from functools import lru_cache
from operator import attrgetter

import numpy as np
from numpy.typing import NDArray

from corpus.index.stored import PassageTable, StoredPassage
from corpus.model import Kind
from corpus.versions import Version, VersionMatch
from retrieval.model import Contribution, Form, Query
from retrieval.search.weights import SearchWeights

_KINDS_OF_FORM: dict[Form, frozenset[Kind]] = {
    Form.BREAKS: frozenset({Kind.BREAKING, Kind.REMOVAL, Kind.DEPRECATION}),
    Form.SECURITY: frozenset({Kind.SECURITY}),
    Form.WHATS_NEW: frozenset({Kind.FEATURE, Kind.PERFORMANCE}),
}


@dataclass(frozen=True, slots=True)
class RankFeatures:
    """Evidence that a passage answers a query: 0 to 1 each, where nothing else is said."""

    lexical: float = 0.0
    """BM25, min-max scaled over the candidates."""
    dense: float = 0.0
    """Cosine of the best item, scaled likewise."""
    exact_release: float = 0.0
    """1 where the release is one that the question asks for; 0 where it asks for none."""
    series_release: float = 0.0
    """1 for a patch release of the one asked for, or one whose notes bear on it."""
    mention: float = 0.0
    """1 for a passage of another release that speaks of the one asked for."""
    prerelease: float = 0.0
    """1 for a pre-release where the question names the final one."""
    reference: float = 0.0
    """1 where the passage is about a pull request, issue or CVE of the question."""
    kind: float = 0.0
    """1 where the passage's kind is one that the question's intent asks for."""
    authority: float = 0.0
    """Steps of authority, 1 to 5."""


NO_FEATURES = RankFeatures()
_FEATURES = tuple(field.name for field in fields(RankFeatures))
_values = attrgetter(*_FEATURES)


def weigh(features: RankFeatures, weights: SearchWeights) -> float:
    """The score of a hit."""
    return float(sum(weight * value for weight, value in zip(_signed(weights), _values(features), strict=True)))


def contributions(features: RankFeatures, weights: SearchWeights) -> tuple[Contribution, ...]:
    """What each feature adds to the score of a hit; together they are the score."""
    named = zip(_FEATURES, _values(features), _signed(weights), strict=True)
    return tuple(Contribution(name, value, weight * value) for name, value, weight in named)


@lru_cache(maxsize=4)
def _signed(weights: SearchWeights) -> tuple[float, ...]:
    """What a unit of each feature adds, in the order of the features."""
    adds = {**asdict(weights), "lexical": 1 - weights.dense, "prerelease": -weights.prerelease}
    return tuple(adds[name] for name in _FEATURES)


def rank_priors(
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
        bonus[(matches == VersionMatch.SERIES) | (matches == VersionMatch.BEARING)] += weights.series_release
    is_wanted = np.fromiter((_fits_kind(query, kind) for kind in Kind), dtype=np.bool_)
    bonus[is_wanted[table.kind_codes[positions]]] += weights.kind
    return bonus


def gather_features(
    query: Query,
    passage: StoredPassage,
    match: VersionMatch,
    *,
    version: Version | None,
    lexical: float,
    dense: float,
) -> RankFeatures:
    """The features of a passage of the release `version`, which fits the query as `match` says; the legs are scaled."""
    asks_release = query.constraint is not None
    return RankFeatures(
        lexical=lexical,
        dense=dense,
        exact_release=float(asks_release and match is VersionMatch.EXACT),
        series_release=float(asks_release and match in (VersionMatch.SERIES, VersionMatch.BEARING)),
        mention=float(match <= VersionMatch.BEARING and mentions_release(query, passage)),
        prerelease=float(_stands_for_final(query, version, match)),
        reference=float(not set(query.references).isdisjoint(passage.references)),
        kind=float(_fits_kind(query, passage.kind)),
        authority=float(passage.document.authority.weight),
    )


def _fits_kind(query: Query, kind: Kind) -> bool:
    """Whether passages of a kind are what the question's form asks for."""
    return kind in _KINDS_OF_FORM.get(query.form, frozenset())


def mentions_release(query: Query, passage: StoredPassage) -> bool:
    """Whether a passage speaks of a release that the query asks for."""
    constraint = query.constraint
    return constraint is not None and any(
        constraint.match(version) is VersionMatch.EXACT for version in passage.versions
    )


def _stands_for_final(query: Query, version: Version | None, match: VersionMatch) -> bool:
    """Whether a pre-release is shown for the final release that was named: its own notes come first."""
    named = query.constraint.versions if query.constraint is not None else ()
    return (
        match is VersionMatch.EXACT
        and version is not None
        and version.is_prerelease
        and bool(named)
        and not any(named_version.is_prerelease for named_version in named)
    )
