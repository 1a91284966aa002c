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
from corpus.versions import Version, VersionConstraint

_MAX_LISTED, _WORDS_BEFORE = 6, 40
_FIRST_YEAR, _LAST_YEAR = 1990, 2100
_MONTHS = {name.lower()[:n]: i for i, name in enumerate(month_name) if name for n in (3, 4, len(name))}
_MONTH = "|".join(sorted(_MONTHS, key=len, reverse=True))
_POINT = re.compile(
    r"\b(?:(?P<y>\d{4})-(?P<m>\d\d)-(?P<d>\d\d)(?![\d-])"
    rf"|(?P<name>{_MONTH})\b\.? (?P<nd>\d{{1,2}})(?:st|nd|rd|th)?,? (?P<ny>(?:19|20)\d\d)\b"
    rf"|(?P<dn>\d{{1,2}})(?:st|nd|rd|th)? (?:of )?(?P<nm>{_MONTH})\b\.?,? (?P<yn>(?:19|20)\d\d)\b"
    rf"|(?:(?P<month>{_MONTH})\b\.?,?(?: of| in)? )?(?P<year>(?:19|20)\d\d)(?![\w-]|\.\d)"
    rf"|(?P<alone>{_MONTH})\b"
    r"|(?P<which>this|last|previous|past) (?P<unit>year|month|week)\b)"
)
_NUMBERS = {"a": 1, "one": 1, "two": 2, "couple of": 2, "three": 3, "few": 3, "four": 4, "six": 6, "twelve": 12}
_ROLLING = re.compile(
    r"\b(?:in|over|within|during|for|from|of) (?:the )?(?:last|past|previous) "
    rf"(?P<count>\d{{1,3}} |(?:{'|'.join(_NUMBERS)}) )?(?P<unit>day|week|month|year)s?\b"
)
_DAYS = {"day": 1.0, "week": 7.0, "month": 30.44, "year": 365.25}
_SIDE = re.compile(r"(since|after|before|until|till|up to|prior to) ")
_LIMITED = re.compile(r"\b" + _SIDE.pattern + r"(?:the )?(?:start of |end of )?$")
_WITHIN = re.compile(r"\b(?:in|during|of|from|throughout|within|for) (?:the )?(?:year |month of )?$")
_ON = re.compile(r"\b(?:on|from|dated) (?:the )?$")
_STARTS_PAIR = re.compile(r"\b(?:between|from) $")
_JOINS_PAIR = re.compile(r" (?:and|to|until|through|till|-|\u2013|->) ")
_NAMES_RELEASES = re.compile(r"(?:'s)?,?(?: [\w.-]+){0,2} (?:releases?|versions?|changelogs?)\b")
_NAMES_SEVERAL = re.compile(r"(?:'s)? (?:[\w.-]+ )?(?:releases|versions)\b")
_AFTER_RELEASES = re.compile(
    r"\b(?:(?:releases?|versions?|changelogs?)(?: (?:of|for|did|do|does|from)? ?[\w.-]+(?: have| get| make| see)?)?"
    r"|released|shipped|published|out|planned|due)(?: first| last)?(?: (?:from|of|in|during|on))? $"
)
_SPEAKS_OF_RELEASES = re.compile(r"\b(?:releases?d?|versions?|shipped|published|out|planned|due|changelogs?)\b")
_SPEAKS_OF_CHANGE = re.compile(
    r"\b(?:what'?s|new|chang\w+|break\w*|broke\w*|deprecat\w+|remov\w+|drop\w*|add(?:ed|s)?|introduc\w+|fix\w*|security"
    r"|cves?|happen\w*|vulnerab\w+|support)\b"
)
_OTHER_YEAR = re.compile(r" (?:edition|standard|spec|problem|bug)\b")

_Days = tuple[date, date]


@dataclass(frozen=True, slots=True)
class Period:
    """The days from `start` up to `end`, which is excluded; `words` as the question says it."""

    start: date
    end: date
    words: str
    is_of_releases: bool
    """The question speaks of releases in so many words, so that a period without any is an answer too."""

    def constraint(self, releases: Sequence[CatalogueRelease]) -> VersionConstraint | None:
        """Those of `releases` that came out in the period, final ones where there are any; None where none did."""
        within = (
            release for release in releases if (day := _day(release)) is not None and self.start <= day < self.end
        )
        found = sorted(release.version for release in final_releases(within))
        if not found:
            return None
        if len(found) <= _MAX_LISTED or not _is_whole(found, releases):
            return VersionConstraint.exactly(*found)
        return VersionConstraint.through(found[0], found[-1])


def _is_whole(found: Sequence[Version], releases: Sequence[CatalogueRelease]) -> bool:
    """Whether no other final release lies between the lowest and the highest found."""
    between = (release.version for release in releases if found[0] <= release.version <= found[-1])
    return {version for version in between if not version.is_prerelease} <= set(found)


def _day(release: CatalogueRelease) -> date | None:
    if release.date is not None:
        return release.date
    year, month = (*release.version.release, 0)[:2]
    return date(year, month if 1 <= month <= 12 else 1, 1) if _FIRST_YEAR <= year < _LAST_YEAR else None


def find_period(question: str, *, today: date) -> Period | None:
    """The period that a question names; None where it names none, or speaks neither of releases nor of changes
    ("rows of the last 30 days")."""
    text = "".join(map(_lower, question))
    speaks_of_change = bool(_SPEAKS_OF_CHANGE.search(text))
    if not speaks_of_change and not _SPEAKS_OF_RELEASES.search(text):
        return None
    named = _rolling_days(text, today) or _named_days(question, text, today)
    if named is None:
        return None
    days, begin, end = named
    before = _AFTER_RELEASES.search(text, max(0, begin - _WORDS_BEFORE), begin)
    is_of_releases = bool(before or _NAMES_RELEASES.match(text, end))
    is_limit = bool(_SIDE.match(text, begin))
    if days[0] >= days[1] or not (is_of_releases or (speaks_of_change and not is_limit and days[0] <= today)):
        return None
    return Period(*days, " ".join(question[begin:end].split()), is_of_releases)


def _lower(character: str) -> str:
    """In lower case, unless that is longer: places in the text must be places in the question."""
    lower = character.lower()
    return lower if len(lower) == 1 else character


def _rolling_days(text: str, today: date) -> tuple[_Days, int, int] | None:
    """ "In the last 6 months", with its place."""
    rolling = _ROLLING.search(text)
    if rolling is None:
        return None
    written = (rolling["count"] or "one").strip()
    count = int(written) if written.isdecimal() else _NUMBERS[written]
    start = today - timedelta(days=round(count * _DAYS[rolling["unit"]]))
    return (start, today + timedelta(days=1)), *rolling.span()


def _named_days(question: str, text: str, today: date) -> tuple[_Days, int, int] | None:
    """The first date, month or year of a question, or two with what lies between, that may name releases; its place."""
    points = [point for point in _POINT.finditer(text) if not _OTHER_YEAR.match(text, point.end())]
    for i, point in enumerate(points):
        days = _point_days(point, question, today)
        if days is None:
            continue
        begin, end = point.span()
        near = max(0, begin - _WORDS_BEFORE)
        side, within = _LIMITED.search(text, near, begin), _WITHIN.search(text, near, begin)
        starts = _STARTS_PAIR.search(text, near, begin)
        follower = points[i + 1] if i + 1 < len(points) else None
        if follower and starts and _JOINS_PAIR.fullmatch(text, end, follower.start()):
            last = _point_days(follower, question, today)
            return (days[0], last[1] if last else days[1]), starts.start(), follower.end()
        if side:
            return _limited(days, side[1]), side.start(), end
        if _is_day(point):
            if on := _ON.search(text, near, begin):
                return days, on.start(), end
            continue
        if point["which"] or within:
            return days, point.start() if point["which"] or within is None else within.start(), end
        names = _NAMES_SEVERAL if point["year"] and not point["month"] else _NAMES_RELEASES
        if names.match(text, end):
            return days, begin, end
    return None


def _limited(days: _Days, side: str) -> _Days:
    if side in ("since", "after"):
        return days[0] if side == "since" else days[1], date.max
    return date.min, days[0] if side in ("before", "prior to") else days[1]


def _point_days(point: re.Match[str], question: str, today: date) -> _Days | None:
    """The days that one date, year, month, or "last year" stands for; None where it is no such thing after all."""
    if _is_day(point):
        year, day = (point["y"] or point["ny"] or point["yn"]), (point["d"] or point["nd"] or point["dn"])
        month = int(point["m"]) if point["m"] else _MONTHS[point["name"] or point["nm"]]
        try:
            start = date(int(year), month, int(day))
            return start, start + timedelta(days=1)
        except (ValueError, OverflowError):
            return None
    if point["which"]:
        return _relative_days(point["unit"], today, back=0 if point["which"] == "this" else 1)
    if point["alone"]:
        is_name = question[point.start("alone")].isupper() or point["alone"] not in ("may", "mar", "march", "dec")
        month = _MONTHS[point["alone"]]
        return _month_days(today.year - (month > today.month), month) if is_name else None
    year = int(point["year"])
    return _month_days(year, _MONTHS[point["month"]]) if point["month"] else (date(year, 1, 1), date(year + 1, 1, 1))


def _is_day(point: re.Match[str]) -> bool:
    """Whether a date is a single day: "2024-03-01", "March 1, 2024", "1 March 2024"."""
    return bool(point["y"] or point["ny"] or point["yn"])


def _relative_days(unit: str, today: date, *, back: int) -> _Days:
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
