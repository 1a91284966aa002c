"""Which of the vulnerabilities that a range tells are ones that it fixes for who makes the upgrade."""

from collections.abc import Sequence

import numpy as np

from corpus.index_tables import TableReader
from retrieval.upgrades.bounds import Bounds
from retrieval.upgrades.lineage import series_of
from retrieval.upgrades.repeats import Finding, vulnerabilities_of

_TOLD_RELEASES = 3


def newly_fixed(security: Sequence[Finding], bounds: Bounds, index: TableReader) -> tuple[list[Finding], list[str]]:
    """The fixes that the end has and the start hasn't, and what to know of the others.

    Left out are releases that the end may not have the fixes of, and vulnerabilities that the start's own series had
    fixed up to it.
    """
    held = [one for one in security if bounds.lineage.surely_holds(one.version)]
    notes = []
    if unsure := sorted({one.version for one in security if not bounds.lineage.surely_holds(one.version)}):
        shown = ", ".join(version.label for version in unsure[:_TOLD_RELEASES])
        more = " and others" if len(unsure) > _TOLD_RELEASES else ""
        notes.append(
            f"Vulnerabilities fixed in {bounds.product.name} {shown}{more} aren't counted: the index has no dates that"
            f" tell whether {bounds.end} came out later."
        )
    known = _fixed_before(bounds, index) if any(vulnerabilities_of(one.entry) for one in held) else frozenset()
    return [one for one in held if not (ids := vulnerabilities_of(one.entry)) or not ids <= known], notes


def _fixed_before(bounds: Bounds, index: TableReader) -> frozenset[str]:
    """The vulnerabilities that the notes of the start's series name up to the start."""
    table = index.passages
    place = index.products.index(bounds.product)
    own = series_of(bounds.start)
    before = np.array(
        [
            version is not None and version <= bounds.start and series_of(version) == own
            for version in table.distinct_versions
        ],
        dtype=bool,
    )
    positions = np.flatnonzero((table.products == place) & ~table.boilerplate & before[table.version_codes])
    passages = index.load_passages([int(position) for position in positions])
    return frozenset(name for passage in passages for name in passage.references if name.startswith("CVE-"))
