"""The range of an upgrade, (FROM, TO] with the pre-releases of TO, and the releases in it that have no notes here."""

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Set
from dataclasses import dataclass, replace
from datetime import date
from itertools import groupby

from corpus.catalogue import CatalogueProduct, stable_releases
from corpus.errors import UsageError
from corpus.version_gaps import CALENDAR_MAJOR, find_holes
from corpus.versions import Version, VersionConstraint

_NEAREST = 3
_NAMED_PATCHES = 3
_LATEST = frozenset({"latest", "newest"})
LINE_END = re.compile(r"\.[xX*]\s*\Z")  # Behind the number of a line.


@dataclass(frozen=True, slots=True)
class Bounds:
    """(`start`, `end`] of one product, without lower releases published after `end`: 4.2.20 is lower than 5.0 but came
    out later, so 5.0 lacks its changes. Dates decide; releases without dates are assumed to follow their numbers."""

    product: CatalogueProduct
    start: Version
    end: Version
    dates: Mapping[Version, date]  # Of the releases of which the index has one.
    branched: date
    """When the first release of `end`'s series came out; later releases of other series aren't part of it."""
    later: Mapping[Version, Version]  # Of each series with releases that came out after that, the lowest of those.

    @classmethod
    def between(cls, product: CatalogueProduct, start: Version, end: Version) -> "Bounds":
        """Return the range with the dates of the product's releases in the index; `end` needn't be in the index."""
        dates = {release.version: release.date for release in product.releases if release.date is not None}
        days = (dates[v] for v in dates if v <= end and not v.is_prerelease and v.series == end.series)
        branched = min(days, default=dates.get(end, date.max))
        later = {version.series: version for version in sorted(dates, reverse=True) if dates[version] > branched}
        return cls(product, start, end, dates, branched, later)

    def hold(self, version: Version) -> bool:
        """Return whether a release is in the range: with pre-releases of `end`, without later ones of lower series."""
        if version.epoch is None and self.end.epoch is not None:
            version = replace(version, epoch=0)
        variants = {self.start.variant, self.end.variant, ""}
        is_ours = (len(variants) == 1 or version.variant in variants) and not self.is_beside(version)
        return is_ours and version.exceeds(self.start) and not version.exceeds(self.end)

    def is_beside(self, version: Version) -> bool:
        """Return whether a release is known to have branched off: it is of another series and later than the first of
        `end`'s, or without a date but above such a release."""
        if (series := version.series) == self.end.series:
            return False
        if version in self.dates:
            return self.dates[version] > self.branched
        return series in self.later and self.later[series] < version


def read_range(product: CatalogueProduct, start: str, end: str) -> tuple[Version, Version]:
    """Parse the two ends of a range as people write them, each with the epoch of the product's releases.

    A line ("2", "2.x", "2.1.x") means its last final release, or as the start its first release if the end is in the
    same line; any other number means that release (2.1 is 2.1.0), and `latest` the newest final one in the index.

    Raises:
        UsageError: one isn't a version, or they aren't in order, or there is no latest.
    """
    low = _parse_bound(start, product)
    releases = sorted(stable_releases(product.releases), key=lambda release: release.version.variant != low.variant)
    stable = [release.version for release in releases]
    if not stable and names_latest(end):
        raise UsageError(f"No release of {product.name} is in the index, so there is no latest. Name a version.")
    high = stable[0] if names_latest(end) else _last_of_line(end, _parse_bound(end, product), stable)
    if not VersionConstraint.exactly(low).contains(high):
        low = _last_of_line(start, low, stable)
    if low == high:
        later = [release.version.label for release in product.releases if release.yanked and release.version > high]
        yanked = f" Yanked, and so not the newest: {', '.join(later)}." if later and names_latest(end) else ""
        raise UsageError(
            f"Not an upgrade: {start!r} and {end!r} of {product.name} are the same version.{yanked} Name the version"
            " that you have first, and the one that you go to second."
        )
    if low > high:
        raise UsageError(
            f"Not an upgrade: {start!r} is newer than {end!r} of {product.name}. The first version must be lower than"
            f" the second. To see what a downgrade gives up, ask for {end} to {start}: what it lists as removed comes"
            " back, and what it lists as fixed is open again."
        )
    return low, high


def _last_of_line(text: str, version: Version, stable: Iterable[Version]) -> Version:
    is_line = LINE_END.search(text) or (text.strip("vV ").isdecimal() and not version.day)
    return max(filter(VersionConstraint.exactly(version).contains, stable), default=version) if is_line else version


def name_first_releases(product: CatalogueProduct, versions: Iterable[Version]) -> Iterator[str]:
    """Yield at most one note, on how those of `versions` that could mean a whole series are understood."""
    wholes = ((version, VersionConstraint.exactly(version)) for version in versions if not version.day)
    named = [str(v) for v, line in wholes if any(map(line.contains, (f for f in product.finals if f.exceeds(v))))]
    if named:
        means = "mean the first releases of their series" if named[1:] else "means the first release of its series"
        yield f"{product.name} {' and '.join(named)} {means} here."


def names_latest(end: str) -> bool:
    """Return whether the end of an upgrade is the newest release."""
    return end.strip().casefold() in _LATEST


def _parse_bound(text: str, product: CatalogueProduct) -> Version:
    version = Version.try_parse_package(LINE_END.sub("", text))
    if version is None:
        known = [release.version.label for release in product.releases[:_NEAREST]]
        newest = f" Newest of {product.name} in the index: {', '.join(known)}." if known else ""
        raise UsageError(f"Not a version: {text!r}. Write it like 2.9, v5 or 8.0.0rc1.{newest}")
    epochs = [release.version.epoch for release in product.releases]
    if version.epoch is None and any(epochs):
        same = VersionConstraint.exactly(version)
        meant = (release.version.epoch for release in product.releases if same.contains(release.version))
        version = replace(version, epoch=next(meant, epochs[0]) or 0)
    elif version.epoch is not None and not any(epochs):
        version = replace(version, epoch=None)
    return version


def missing_releases(bounds: Bounds, noted: Set[Version], bare: Set[Version] = frozenset()) -> tuple[str, ...]:
    """Return the known releases of the range without notes, in version order: missing numbers, the end itself, and the
    `bare` ones, for which the index has only links. Many of one series become "2.0.3 to 2.0.5" or "12 of 2.0.x";
    `noted` are the releases with notes."""
    listed = frozenset(release.version for release in bounds.product.releases)
    with_notes = frozenset(version.base for version in noted) | noted
    known = with_notes | listed
    candidates = {*_holes(listed), bounds.end} - known
    if not all(version.exceeds(bounds.end) or bounds.end.exceeds(version) for version in known):
        candidates -= {bounds.end}
    candidates |= bare - with_notes
    missing = [version for version in sorted(candidates) if bounds.hold(version) and not version.is_prerelease]
    labels: list[str] = []
    for series, group in groupby(missing, key=lambda version: version.series):
        versions = list(group)
        if len(versions) <= _NAMED_PATCHES or any(len(version.release) <= 2 for version in versions):
            labels += (version.label for version in versions)
            continue
        whole, rows = ".".join((*map(str, series.release), "x")), list(_rows(versions))
        labels += rows if len(rows) <= _NAMED_PATCHES else [f"{len(versions)} of {whole}"]
    return tuple(labels)


def _rows(versions: Iterable[Version]) -> Iterator[str]:
    """Yield the runs of versions with consecutive last numbers, as "2.0.3 to 2.0.5"."""
    for _, row in groupby(enumerate(versions), lambda pair: (pair[1].release[:-1], pair[1].release[-1] - pair[0])):
        (_, first), *more = row
        yield f"{first.label} to {more[-1][1].label}" if more else first.label


def _holes(present: Iterable[Version]) -> Iterator[Version]:
    """Yield the missing versions between releases of one series, and between series of one major version."""
    rows: dict[tuple[int, ...], set[int]] = defaultdict(set)
    for version in present:
        major, minor, patch = (*version.release, 0, 0)[:3]
        # A distribution doesn't pack each release, nor is there one for each day.
        if len(version.release) <= 3 and not (version.is_packaged or version.day):
            rows[major, minor].add(patch)
            if major < CALENDAR_MAJOR:
                rows[major,].add(minor)
    for series, numbers in rows.items():
        for first, last in find_holes(numbers):
            yield from (Version.parse(".".join(map(str, (*series, hole)))) for hole in range(first, last + 1))
