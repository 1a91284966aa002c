"""Which releases between two versions lie on the way from one to the other.

A project that maintains several series at once numbers its releases by series and not by time: 4.2.20 is lower than
5.0, and came out after it, so 5.0 hasn't what 4.2.20 changed. Dates tell; where there are none, the numbers of a
series' first releases do.
"""

from dataclasses import dataclass
from datetime import date

from corpus.catalogue import CatalogueProduct
from corpus.versions import Version


@dataclass(frozen=True, slots=True)
class Lineage:
    """What of a product's releases lower than `end` went into `end`."""

    end: Version
    branched: date | None
    """When the first release of `end`'s series came out: from then on, other series go their own way."""
    _dates: dict[Version, date]
    _parted: dict[Version, Version]
    """By series, the first release of each other one that came out after `branched`."""

    @classmethod
    def read(cls, product: CatalogueProduct, end: Version) -> "Lineage":
        """The lineage of a release, which needn't be in the index."""
        dates = {one.version: one.date for one in product.releases if one.date is not None}
        own = [
            day
            for version, day in dates.items()
            if version.series == end.series and version <= end
            if end.is_prerelease or not version.is_prerelease
        ]
        branched = max(own, default=None) if end.is_prerelease else min(own, default=None)
        parted: dict[Version, Version] = {}
        for version, day in sorted(dates.items()):
            if branched is not None and day > branched and version.series != end.series:
                parted.setdefault(version.series, version)
        return cls(end, branched, dates, parted)

    def is_beside(self, version: Version) -> bool:
        """Whether a release is known to have gone its own way: of another series and later than the first of `end`'s,
        or, if it has no date, above one that is."""
        if self.branched is None or version.series == self.end.series:
            return False
        if (day := self._dates.get(version)) is not None:
            return day > self.branched
        first = self._parted.get(version.series)
        return first is not None and version > first

    def surely_holds(self, version: Version) -> bool:
        """Whether `end` is known to have what `version` brought: by its series, by its date, or, without dates, as the
        first release of a series."""
        if version.series == self.end.series:
            return True
        if self.is_beside(version):
            return False
        return (self.branched is not None and version in self._dates) or not any(version.release[2:])

    def came_out(self, version: Version) -> date | None:
        """The date of a release; None where the index doesn't have it."""
        return self._dates.get(version)
