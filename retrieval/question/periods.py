"""Releases named by when they came out: "in 2024", "since March 2025", "on 19 May 2026", "last year's release".

A period is a stretch of days, relative to the day of asking. It becomes a constraint over the releases that the
catalogue dates within it; the years of calendar versions (`2024.12`) count where nothing is dated.
"""

import re
from calendar import month_name
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date, timedelta

from corpus.catalogue import CatalogueRelease, final_releases
from corpus.versions import VersionConstraint

_MAX_LISTED = 6
_FIRST_YEAR, _LAST_YEAR = 1990, 2100
_MONTHS = {name.lower()[:n]: i for i, name in enumerate(month_name) if name for n in (3, len(name))}
_MONTH, _YEAR = "|".join(sorted(_MONTHS, key=len, reverse=True)), r"(?:19|20)\d\d"
_PERIOD = re.compile(
    r"\b(?:(?P<lead>since|after|before|until|up to|from|in|on|during|of|for|over|within|dated) )?(?P<the>the )?"
    r"(?:(?P<iso>\d{4}-\d\d-\d\d)(?![\d-])|(?P<which>this|last|previous|past) (?P<unit>month|year)\b"
    rf"|(?:(?P<day>\d{{1,2}}) )?(?P<month>{_MONTH})\b(?: (?P<nth>\d{{1,2}})(?=, {_YEAR}))?(?:,? (?P<year>{_YEAR})\b)?"
    rf"|(?P<bare>{_YEAR})(?![\w-]|\.\d))",
    re.IGNORECASE | re.ASCII,
)


@dataclass(frozen=True, slots=True)
class Period:
    """The days from `start` up to `end`, which is excluded; `words` as the question says it."""

    start: date
    end: date
    words: str

    def constraint(self, releases: Sequence[CatalogueRelease]) -> VersionConstraint | None:
        """Those of `releases` that came out in the period, final ones where there are any; None where none did."""
        dated = ((release, _day(release)) for release in releases)
        within = (release for release, day in dated if day is not None and self.start <= day < self.end)
        found = sorted(release.version for release in final_releases(within))
        if not found:
            return None
        between = {release.version for release in releases if found[0] <= release.version <= found[-1]}
        is_whole = {version for version in between if not version.is_prerelease} <= set(found)
        if len(found) > _MAX_LISTED and is_whole:
            return VersionConstraint.through(found[0], found[-1])
        return VersionConstraint.exactly(*found)


def _day(release: CatalogueRelease) -> date | None:
    if release.date is not None:
        return release.date
    year, month = (*release.version.release, 0)[:2]
    return date(year, month if 1 <= month <= 12 else 1, 1) if _FIRST_YEAR <= year < _LAST_YEAR else None


def find_period(question: str, *, today: date) -> Period | None:
    """Return the first period of a question that names releases, read as dates alone: whether it asks about releases,
    its form tells. None where it names none, or one more than a year ahead, of which no notes are."""
    for found in _PERIOD.finditer(question):
        lead, days = (found["lead"] or "").lower(), _days_of(found, today)
        # A year that nothing leads to belongs to another name ("SQL Server 2022").
        if days is None or not (lead or found["which"] or found["year"] or (found["the"] and found["month"])):
            continue
        start, end = days
        if lead in ("since", "after"):
            start, end = start if lead == "since" else end, date.max
        elif lead in ("before", "until", "up to"):
            start, end = date.min, start if lead == "before" else end
        if start < end and start.year <= today.year + 1:
            words = found[0] if lead else found[0].removeprefix(found["the"] or "")
            return Period(start, end, " ".join(words.split()))
    return None


def find_days(question: str) -> Iterator[tuple[int, int, date]]:
    """Yield the full days that a question has in words ("on 14 August 2026"), with their places."""
    for found in _PERIOD.finditer(question):
        if found["year"] and (found["day"] or found["nth"]) and (days := _days_of(found, date.min)):
            yield found.start("day" if found["day"] else "month"), found.end(), days[0]


def _days_of(found: re.Match[str], today: date) -> tuple[date, date] | None:
    """Return the days that a date, a month, a year or "last year" stands for, while "the last year" ends today; None
    where it is no such thing after all."""
    name, day = (found["month"] or "").lower(), found["day"] or found["nth"]
    if found["iso"] or (day and found["year"]):
        try:
            start = date.fromisoformat(found["iso"] or f"{found['year']}-{_MONTHS[name]:02}-{int(day):02}")
            return start, start + timedelta(days=1)
        except (ValueError, OverflowError):
            return None
    back = int((found["which"] or "this").lower() != "this")
    if back and found["the"]:
        return today - timedelta(days={"month": 30, "year": 365}[found["unit"].lower()]), today + timedelta(days=1)
    if found["bare"] or (found["unit"] or "").lower() == "year":
        year = int(found["bare"] or today.year - back)
        return date(year, 1, 1), date(year + 1, 1, 1)
    if found["month"] in ("may", "mar", "march", "dec") and not found["year"]:
        return None
    month = _MONTHS[name] if name else today.month - back
    year = int(found["year"] or today.year - (month > today.month))
    year, month = (year, month) if month else (year - 1, 12)
    return date(year, month, 1), date(year + month // 12, month % 12 + 1, 1)
