"""The releases around an upgrade as marks on a line: by date where dates are known, else in their order."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date

from corpus.catalogue import CatalogueProduct
from corpus.versions import Version
from retrieval.upgrades.bounds import Bounds
from retrieval.upgrades.model import Change, Upgrade

_DATED_SHARE = 0.5
"""With fewer dates than that, a line by dates would leave most releases out."""
_MARGIN = 0.06
_NEIGHBOURS = 3


@dataclass(frozen=True, slots=True)
class ReleaseMark:
    """A release with what it changes; `place` is where it stands on the line, 0 to 1, None where it can't be drawn."""

    label: str
    date: date | None
    changes: tuple[tuple[Change, int], ...]
    """Those that it has, most severe first."""
    is_in_range: bool
    place: float | None

    @property
    def count(self) -> int:
        """How many changes it has."""
        return sum(count for _, count in self.changes)


@dataclass(frozen=True, slots=True)
class Timeline:
    """The releases of the range and their neighbours, in the order of the line; the range lies between two places."""

    marks: tuple[ReleaseMark, ...]
    days: tuple[date, date] | None
    """The days at 0 and at 1; None where releases stand in version order."""
    band: tuple[float, float]
    ends: tuple[str, ...]
    """The labels of the release before the range and of the last one in it, where they are among the marks."""


def read_timeline(product: CatalogueProduct, upgrade: Upgrade) -> Timeline:
    """The releases of `upgrade`, which is one of `product`, with those just before and after; may be empty."""
    start, end = Version.parse(upgrade.start), Version.parse(upgrade.end)
    bounds = Bounds.between(product, start, end)
    counts = _counts(upgrade)
    held = {one.version: bounds.hold(one.version) for one in product.releases}
    near = [one for one in product.releases if held[one.version] or one.version == start]
    days = sorted(one.date for one in near if one.date is not None)
    by_date = len(set(days)) > 1 and len(days) >= _DATED_SHARE * len(near)
    if by_date:
        margin = (days[-1] - days[0]) * _MARGIN
        first, last = days[0] - margin, days[-1] + margin
        span = (last - first).days or 1
        places = {one.version: (one.date - first).days / span for one in product.releases if one.date is not None}
    else:
        places = _places_in_order([one.version for one in reversed(product.releases)], held, start)
    marks = [
        ReleaseMark(
            label=one.version.label,
            date=one.date,
            changes=counts.get(one.version, ()),
            is_in_range=held[one.version],
            place=place if place is not None and 0 <= place <= 1 else None,
        )
        for one in reversed(product.releases)
        if ((place := places.get(one.version)) is not None and 0 <= place <= 1) or held[one.version]
    ]
    drawn = [mark.place for mark in marks if mark.place is not None and mark.is_in_range]
    own = places.get(start)
    low = own if own is not None and 0 <= own <= 1 else min(drawn, default=0.0)
    return Timeline(
        marks=tuple(sorted(marks, key=lambda mark: (mark.place is None, mark.place or 0.0))),
        days=(first, last) if by_date else None,
        band=(min(low, *drawn, 1.0), max(low, *drawn, 0.0)),
        ends=tuple(one.version.label for one in product.releases if one.version in (start, end)),
    )


def _counts(upgrade: Upgrade) -> dict[Version, tuple[tuple[Change, int], ...]]:
    found: dict[Version, Counter[Change]] = {}
    listed = [(release.version, item.change) for release in upgrade.releases for item in release.items]
    for label, change in (*listed, *((item.citation.version or "", item.change) for item in upgrade.security)):
        if (version := Version.try_parse(label)) is not None:
            found.setdefault(version, Counter())[change] += 1
    order = tuple(Change)
    return {
        version: tuple(sorted(counter.items(), key=lambda one: order.index(one[0])))
        for version, counter in found.items()
    }


def _places_in_order(ascending: Sequence[Version], held: dict[Version, bool], start: Version) -> dict[Version, float]:
    """Equal steps for the range, what stands where it begins, and a few releases on either side."""
    inside = [number for number, version in enumerate(ascending) if held[version] or version == start]
    if not inside:
        return {}
    shown = ascending[max(0, inside[0] - _NEIGHBOURS) : inside[-1] + _NEIGHBOURS + 1]
    return {version: (number + 0.5) / len(shown) for number, version in enumerate(shown)}
