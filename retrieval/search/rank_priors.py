"""What a passage's authority, release and kind add to its score, whatever its words are."""

import numpy as np
from numpy.typing import NDArray

from corpus.index.stored import PassageTable
from corpus.model import Kind
from corpus.versions import VersionMatch
from retrieval.model import Form, Query
from retrieval.search.weights import SearchWeights

_KINDS_OF_FORM: dict[Form, frozenset[Kind]] = {
    Form.BREAKS: frozenset({Kind.BREAKING, Kind.REMOVAL, Kind.DEPRECATION}),
    Form.SECURITY: frozenset({Kind.SECURITY}),
    Form.WHATS_NEW: frozenset({Kind.FEATURE, Kind.PERFORMANCE}),
}


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
    is_wanted = np.fromiter((fits_kind(query, kind) for kind in Kind), dtype=np.bool_)
    bonus[is_wanted[table.kind_codes[positions]]] += weights.kind
    return bonus


def fits_kind(query: Query, kind: Kind) -> bool:
    """Whether passages of a kind are what the question's form asks for."""
    return kind in _KINDS_OF_FORM.get(query.form, frozenset())
