"""Releases named by their date: "in 2024", "since March 2025", "on 19 May 2026", "last year's release".

A period is a range of days, relative to the day of asking. It becomes a constraint to the releases that the catalogue
dates within it; undated calendar versions (`2024.12`) count by their year and month.
"""

import re
from calendar import month_name
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date, timedelta

from corpus.catalogue import CatalogueRelease, final_releases
from corpus.versions import VersionConstraint

_MAX_LISTED, _FIRST_YEAR, _LAST_YEAR = 6, 1990, 2100
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
    """The days in `[start, end)`; `words` are the question's words for them."""

    start: date
    end: date
    words: str

    def constraint(self, releases: Sequence[CatalogueRelease]) -> VersionConstraint | None:
        """Return a constraint to the releases dated in the period, only final ones if there are any; None without."""
        dated = ((release, _day(release)) for release in releases)
        within = (release for release, day in dated if day is not None and self.start <= day < self.end)
        if not (versions := sorted(release.version for release in final_releases(within))):
            return None
        between = {release.version for release in releases if versions[0] <= release.version <= versions[-1]}
        is_whole = {version for version in between if not version.is_prerelease} <= set(versions)
        if len(versions) > _MAX_LISTED and is_whole:
            return VersionConstraint.through(versions[0], versions[-1])
        return VersionConstraint.exactly(*versions)


def _day(release: CatalogueRelease) -> date | None:
    if release.date is not None:
        return release.date
    year, month = (*release.version.release, 0)[:2]
    return date(year, month if 1 <= month <= 12 else 1, 1) if _FIRST_YEAR <= year < _LAST_YEAR else None


def find_period(question: str, *, today: date) -> Period | None:
    """Return the first period in a question that may name releases and starts no later than next year, or None."""
    for match in _PERIOD.finditer(question):
        lead, days = (match["lead"] or "").lower(), _days_of(match, today)
        # A year without a preposition is part of another name ("SQL Server 2022").
        if days is None or not (lead or match["which"] or match["year"] or (match["the"] and match["month"])):
            continue
        start, end = days
        if lead in ("since", "after"):
            start, end = start if lead == "since" else end, date.max
        elif lead in ("before", "until", "up to"):
            start, end = date.min, start if lead == "before" else end
        if start < end and start.year <= today.year + 1:
            words = match[0] if lead else match[0].removeprefix(match["the"] or "")
            return Period(start, end, " ".join(words.split()))
    return None


def find_days(question: str) -> Iterator[tuple[int, int, date]]:
    """Yield `(start, end, day)` for each full date in words ("14 August 2026"): its range in the question, its day."""
    for match in _PERIOD.finditer(question):
        if match["year"] and (match["day"] or match["nth"]) and (days := _days_of(match, date.min)):
            yield match.start("day" if match["day"] else "month"), match.end(), days[0]


def _days_of(match: re.Match[str], today: date) -> tuple[date, date] | None:
    """Return the `[start, end)` of a matched day, month or year ("the last year" ends today); None if it is no date."""
    name, day = (match["month"] or "").lower(), match["day"] or match["nth"]
    if match["iso"] or (day and match["year"]):
        try:
            start = date.fromisoformat(match["iso"] or f"{match['year']}-{_MONTHS[name]:02}-{int(day):02}")
            return start, start + timedelta(days=1)
        except (ValueError, OverflowError):
            return None
    back = int((match["which"] or "this").lower() != "this")
    if back and match["the"]:
        return today - timedelta(days={"month": 30, "year": 365}[match["unit"].lower()]), today + timedelta(days=1)
    if match["bare"] or (match["unit"] or "").lower() == "year":
        year = int(match["bare"] or today.year - back)
        return date(year, 1, 1), date(year + 1, 1, 1)
    if match["month"] in ("may", "mar", "march", "dec") and not match["year"]:
        return None
    month = _MONTHS[name] if name else today.month - back
    year = int(match["year"] or today.year - (month > today.month))
    year, month = (year, month) if month else (year - 1, 12)
    return date(year, month, 1), date(year + month // 12, month % 12 + 1, 1)
