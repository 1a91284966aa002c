"""Releases named by when they came out: "in 2024", "last year's release", "since March 2025", "the last 6 months".

A period is a stretch of days, relative to the day of asking. It becomes a constraint over the releases that the
catalogue dates within it; the years of calendar versions (`2024.12`) count where nothing is dated.
"""

import re
from calendar import month_name
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, timedelta

from corpus.catalogue import CatalogueRelease, final_releases
from corpus.versions import VersionConstraint

_MAX_LISTED = 6
_FIRST_YEAR, _LAST_YEAR = 1990, 2100
_MONTHS = {name.lower()[:n]: i for i, name in enumerate(month_name) if name for n in (3, 4, len(name))}
_MONTH = "|".join(sorted(_MONTHS, key=len, reverse=True))
_NUMBERS = {"one": 1, "two": 2, "couple of": 2, "three": 3, "few": 3, "four": 4, "six": 6, "twelve": 12}
_DAYS = {"day": 1.0, "week": 7.0, "month": 30.44, "year": 365.25}
_YEAR, _NTH = r"(?:19|20)\d\d", "(?:st|nd|rd|th)?"
_LEADS = (
    "since|after|before|until|till|up to|prior to|between|from|in|on|during|of|throughout|within|over|for|dated|planned"
)
_PERIOD = re.compile(
    rf"\b(?:(?P<lead>{_LEADS}) )?(?P<the>the )?(?:(?:start|end|month) of |year )?"
    r"(?:(?P<iso>\d{4}-\d\d-\d\d)(?![\d-])"
    rf"|(?:(?P<day>\d{{1,2}}){_NTH} (?:of )?)?(?P<month>{_MONTH})\b\.?(?: (?P<nth>\d{{1,2}}){_NTH}(?=,? {_YEAR}\b))?"
    rf"(?:,?(?: of| in)? (?P<year>{_YEAR})\b)?"
    rf"|(?P<bare>{_YEAR})(?![\w-]|\.\d)(?P<of_releases>(?:'s)? (?:releases|versions)\b)?"
    rf"|(?P<which>this|last|previous|past) (?P<count>\d{{1,3}} |(?:{'|'.join(_NUMBERS)}) )?"
    r"(?P<unit>day|week|month|year)s?\b)",
    re.IGNORECASE | re.ASCII,
)
_JOINT = re.compile(r"\s*(?:and|to|until|through|till|-|\u2013|->)\s*", re.IGNORECASE)

_Days = tuple[date, date]


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
    """The first period of a question that names releases, read as dates alone: whether it asks about releases, its
    form tells. None where it names none, or one more than a year ahead, of which no notes are."""
    for found in _PERIOD.finditer(question):
        days = _days_of(found, today)
        if days is None:
            continue
        lead, end = (found["lead"] or "").lower(), found.start("of_releases") if found["of_releases"] else found.end()
        joint = _JOINT.match(question, end) if lead in ("between", "from") else None
        if joint and (follower := _PERIOD.match(question, joint.end())) and (last := _days_of(follower, today)):
            days, end = (days[0], last[1]), follower.end()
        elif lead in ("since", "after"):
            days = (days[0] if lead == "since" else days[1], date.max)
        elif lead in ("before", "prior to", "until", "till", "up to"):
            days = (date.min, days[0] if lead in ("before", "prior to") else days[1])
        # A year that nothing leads to belongs to another name ("SQL Server 2022").
        elif not (lead or found["which"] or found["of_releases"] or found["year"] or (found["month"] and found["the"])):
            continue
        if days[0] < days[1] and days[0].year <= today.year + 1:
            start = found.start() if lead else max(found.start(), found.end("the"))
            return Period(*days, " ".join(question[start:end].split()))
    return None


def _days_of(found: re.Match[str], today: date) -> _Days | None:
    """The days that a date, a month, a year or "last year" stands for; None where it is no such thing after all."""
    if found["which"]:
        return _relative_days(found, today)
    if found["bare"]:
        return date(int(found["bare"]), 1, 1), date(int(found["bare"]) + 1, 1, 1)
    name, day = found["month"] or "", found["day"] or found["nth"]
    month = _MONTHS.get(name.lower(), 0)
    if found["iso"] or (day and found["year"]):
        try:
            start = date.fromisoformat(found["iso"]) if found["iso"] else date(int(found["year"]), month, int(day))
            return start, start + timedelta(days=1)
        except (ValueError, OverflowError):
            return None
    if found["year"]:
        return _month_days(int(found["year"]), month)
    is_name = name not in ("may", "mar", "march", "dec")
    return _month_days(today.year - (month > today.month), month) if is_name else None


def _relative_days(found: re.Match[str], today: date) -> _Days:
    """ "Last year" is one of the calendar; "the last year" and "the last 2 years" end today."""
    unit, count, is_this = (
        found["unit"].lower(),
        (found["count"] or "one").strip().lower(),
        found["which"].lower() == "this",
    )
    if found["count"] or unit == "day" or (found["the"] and not is_this):
        days = _DAYS[unit] * (int(count) if count.isdecimal() else _NUMBERS[count])
        return today - timedelta(days=round(days)), today + timedelta(days=1)
    back = int(not is_this)
    if unit == "year":
        return date(today.year - back, 1, 1), date(today.year - back + 1, 1, 1)
    if unit == "month":
        return _month_days(today.year, today.month - back)
    monday = today - timedelta(days=today.weekday() + 7 * back)
    return monday, monday + timedelta(days=7)


def _month_days(year: int, month: int) -> _Days:
    """The days of a month; the 0th of a year is the December before it."""
    year, month = (year, month) if month else (year - 1, 12)
    return date(year, month, 1), date(year + month // 12, month % 12 + 1, 1)
