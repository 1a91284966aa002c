"""Matches the releases of passages to a question's version constraint."""

import numpy as np
from numpy.typing import NDArray

from corpus.index.stored import StoredPassage
from corpus.model import Authority
from corpus.stores.passage_table import PassageTable
from corpus.versions import Version, VersionConstraint, VersionMatch


def match_release(
    constraint: VersionConstraint | None, version: Version | None, *, bearing: VersionConstraint | None = None
) -> VersionMatch:
    """Return how a release fits: EXACT without a constraint, else OUTSIDE for None; others in `bearing` get BEARING."""
    if constraint is None:
        return VersionMatch.EXACT
    if version is None:
        return VersionMatch.OUTSIDE
    match = constraint.match(version)
    is_relevant = match is VersionMatch.OUTSIDE and bearing is not None and bearing.contains(version)
    return VersionMatch.BEARING if is_relevant else match


def release_matches(
    constraint: VersionConstraint | None,
    table: PassageTable,
    positions: NDArray[np.int64],
    *,
    bearing: VersionConstraint | None = None,
) -> NDArray[np.int8]:
    """Return how the releases of the passages at `positions` fit, as `VersionMatch`es; compares each release once."""
    if constraint is None:
        return np.full(len(positions), VersionMatch.EXACT, dtype=np.int8)
    codes, inverse = np.unique(table.version_codes[positions], return_inverse=True)
    matches = (match_release(constraint, table.distinct_versions[code], bearing=bearing) for code in codes)
    return np.fromiter(matches, dtype=np.int8, count=len(codes))[inverse]


def is_page(passage: StoredPassage) -> bool:
    """Return whether a passage is from a page of the project's documentation about a single release."""
    document = passage.document
    return passage.release is not None and document.releases <= 1 and document.authority is Authority.PROJECT
