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
_SIDES = ("since", "after", "before", "until", "till", "up to", "prior to")
_WITHIN = ("in", "during", "of", "from", "throughout", "within", "for")
_ON = ("on", "from", "dated")
_STARTS_PAIR = ("between", "from")
_LEADS_TO = re.compile(
    rf"\b(?P<word>{'|'.join({*_SIDES, *_WITHIN, *_ON, *_STARTS_PAIR})}) (?:the )?(?:(?:start|end|month) of |year )?$"
)
"""What stands before a date."""
_JOINS_PAIR = ("and", "to", "until", "through", "till", "-", "\u2013", "->")
_NAMES_RELEASES = re.compile(r"(?:'s)?(?P<between>,?(?: [\w.-]+){0,2}) (?:releases?|versions?|changelogs?)\b")
_AFTER_RELEASES = re.compile(
    r"\b(?:(?:releases?|versions?|changelogs?)(?: (?:of|for|did|do|does|from)? ?[\w.-]+(?: have| get| make| see)?)?"
    r"|released|shipped|published|out|planned|due)(?: first| last)?(?: (?:from|of|in|during|on))? $"
)
_OF_RELEASES = frozenset(
    "release releases released version versions shipped published out planned due changelog changelogs".split()
)
_SPEAKS_OF_CHANGE = re.compile(
    r"\b(?:what'?s|new|chang\w+|break\w*|broke\w*|deprecat\w+|remov\w+|drop\w*|add(?:ed|s)?|introduc\w+|fix\w*|security"
    r"|cves?|happen\w*|vulnerab\w+|support)\b"
)
_OTHER_YEAR = frozenset(("edition", "standard", "spec", "problem", "bug"))

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
    if not speaks_of_change and _OF_RELEASES.isdisjoint(re.split(r"\W+", text)):
        return None
    named = _rolling_days(text, today) or _named_days(question, text, today)
    if named is None:
        return None
    days, begin, end = named
    before = _AFTER_RELEASES.search(text, max(0, begin - _WORDS_BEFORE), begin)
    is_of_releases = bool(before or _NAMES_RELEASES.match(text, end))
    is_limit = text.startswith(_SIDES, begin)
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
    words_after = ((point, text[point.end() :].split(maxsplit=1)) for point in _POINT.finditer(text))
    points = [point for point, words in words_after if not words or words[0].strip(".,?!") not in _OTHER_YEAR]
    for i, point in enumerate(points):
        days = _point_days(point, question, today)
        if days is None:
            continue
        begin, end = point.span()
        before = _LEADS_TO.search(text, max(0, begin - _WORDS_BEFORE), begin)
        word, start = (before["word"], before.start()) if before else ("", begin)
        follower = points[i + 1] if i + 1 < len(points) else None
        if follower and word in _STARTS_PAIR and text[end : follower.start()].strip() in _JOINS_PAIR:
            last = _point_days(follower, question, today)
            return (days[0], last[1] if last else days[1]), start, follower.end()
        if word in _SIDES:
            return _limited(days, word), start, end
        if _is_day(point):
            if word in _ON:
                return days, start, end
            continue
        if point["which"] or word in _WITHIN:
            return days, begin if point["which"] else start, end
        named = _NAMES_RELEASES.match(text, end)
        # "The 2024 edition of the release" is none of 2024: a bare year stands right before what it dates.
        is_bare = point["year"] and not point["month"]
        if named and not (
            is_bare and (not named[0].endswith("s") or "," in named[0] or named["between"].count(" ") > 1)
        ):
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
