"""Holes in a product's sequence of versions: 2.8, 2.9 and 2.11 leave out 2.10.

Patch releases are ignored, and so are numbers that aren't consecutive: years, months, even numbers only.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence, Set
from dataclasses import dataclass
from itertools import pairwise

from corpus.versions import Version

CALENDAR_MAJOR = 17
"""From this major number on, a version may be a year's, and a missing minor number means nothing."""
_FILLED_SHARE = 0.5  # The share of present numbers below which they aren't taken for consecutive.
_MIN_EVEN_ROW = 3
_NAMED_GAPS = 6


@dataclass(frozen=True, slots=True)
class VersionGap:
    """Missing versions between two present ones; `first` and `last` are equal for a single version."""

    first: str
    last: str

    def __str__(self) -> str:
        return self.first if self.first == self.last else f"{self.first}–{self.last}"


def find_version_gaps(versions: Iterable[Version]) -> tuple[VersionGap, ...]:
    """Find the missing minor versions within each major version, and single missing major versions ("4.x"), in order.
    Pre-releases count as the release that they lead to; days, and minors of calendar versions, are ignored."""
    minors: dict[int, set[int]] = defaultdict(set)
    for version in versions:
        if version.day:
            continue
        major, minor = (*version.base.release, 0)[:2]
        minors[major].add(minor)
    # Several missing major versions in a row were skipped by the project, which has no notes of them.
    skipped = (first for first, last in find_holes(set(minors)) if first == last)
    holes = {(major, -1): VersionGap(f"{major}.x", f"{major}.x") for major in skipped}
    for major, numbers in minors.items():
        if major < CALENDAR_MAJOR:
            holes |= {
                (major, first): VersionGap(f"{major}.{first}", f"{major}.{last}") for first, last in find_holes(numbers)
            }
    return tuple(holes[key] for key in sorted(holes))


def name_gaps(gaps: Sequence[VersionGap | str]) -> str:
    """Return the first gaps in words: "2.10–2.11, 3.4 and 2 more"; empty if there are none."""
    more = f" and {len(gaps) - _NAMED_GAPS} more" if len(gaps) > _NAMED_GAPS else ""
    return f"{', '.join(map(str, gaps[:_NAMED_GAPS]))}{more}"


def find_holes(numbers: Set[int]) -> Iterator[tuple[int, int]]:
    """Yield the first and last number of each hole in `numbers`; none if most are missing or all are even or odd."""
    row = sorted(numbers)
    if len(row) < 2 or len(row) < _FILLED_SHARE * (row[-1] - row[0] + 1):
        return
    if len(row) >= _MIN_EVEN_ROW and len({number % 2 for number in row}) == 1:
        return
    for before, after in pairwise(row):
        if after - before > 1:
            yield before + 1, after - 1
