"""What is said of an upgrade's list beside its items."""

from collections.abc import Iterator, Sequence, Set

from corpus.version_gaps import CALENDAR_MAJOR
from corpus.versions import Version
from retrieval.upgrades.bounds import Bounds

_TOLD_SERIES = 5
"""So many series that are wholly absent are told; numbers further apart are no row of releases."""


def range_notes(
    bounds: Bounds, has_notes: frozenset[Version], missing: Sequence[str], *, listed: Set[Version], taken_back: int
) -> Iterator[str]:
    """What to know of the list beside its items: releases without notes or changes, and what was left out.

    `has_notes` are the releases with notes, `listed` those with items; `taken_back` changes were reverted.
    """
    product, releases = bounds.product, bounds.product.releases
    if not has_notes:
        covered = f"from {releases[-1].version} to {releases[0].version}" if releases else "no release"
        yield (
            f"The index has no notes of {product.name} between {bounds.start} and {bounds.end}: that nothing is listed"
            f" doesn't mean that nothing breaks. It covers {covered}."
        )
        return
    if not listed:
        yield (
            f"The notes of {len(has_notes)} release{'s' if len(has_notes) > 1 else ''} of {product.name} in this range"
            " name nothing that breaks, is removed or deprecated."
        )
    if taken_back:
        changes = "change" if taken_back == 1 else "changes"
        yield f"{taken_back} {changes} left out that a later release of the range takes back."
    told = {version.release[0] for version in has_notes}
    silent = told - {version.release[0] for version in (*listed, bounds.start)}
    if listed and silent and max(silent) < CALENDAR_MAJOR:
        majors = ", ".join(map(str, sorted(silent)))
        yield f"The notes of {product.name} {majors} in the index name nothing that breaks: see where they point to."
    absent = [str(major) for major in range(bounds.start.release[0] + 1, bounds.end.release[0]) if major not in told]
    if absent and len(absent) <= _TOLD_SERIES:
        yield f"No release of the series {', '.join(absent)} has notes in the index."
    if bounds.end.is_prerelease and bounds.end not in has_notes:
        yield f"{product.name} {bounds.end} has no notes of its own in the index: read those of {bounds.end.base}."
    if bounds.end.label in missing:
        yield f"{product.name} {bounds.end} has no notes in the index; the newest in this range is {max(has_notes)}."
    left, reached = bounds.lineage.came_out(bounds.start), bounds.lineage.came_out(bounds.end)
    if left is not None and reached is not None and reached < left:
        yield (
            f"{product.name} {bounds.end} ({reached}) came out before {bounds.start} ({left}): it lacks what the"
            f" {bounds.start.series} series fixed after that."
        )
    if releases and bounds.start < releases[-1].version:
        yield f"The index begins with {product.name} {releases[-1].version}: what came before isn't known."
