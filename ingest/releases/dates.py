"""Dates as release notes write them, only full ones: `2024-12-06`, `6th December, 2024`, `12.06.2024`, `12. 6. 2024`.

`12/06/2024` is left alone unless the document's other dates tell which way round it is.
"""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date

from corpus.model import Span

_MONTHS = "jan feb mar apr may jun jul aug sep oct nov dec".split()
_MONTH = (
    r"(?P<month>jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?"
    r"|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)\.?"
)
_LAST_MONTH = 12
# Not \b: an underscore is emphasis here ("_July 23, 2022_"). The 1 of "2.0.1 March 2024" is no day.
_START, _END = r"(?<![A-Za-z0-9])(?<!\d\.)", r"(?![A-Za-z0-9])"
_WEEKDAY = rf"(?:{_START}(?:mon|tue|wed|thu|fri|sat|sun)[a-z]*\.?,?\s+)?"
_CLOCK = r"\d\d?:\d\d(?::\d\d(?:\.\d+)?)?"
_ZONE = r"(?:\s?(?:(?-i:[A-Z]{2,5}|Z)\b|[+-]\d\d:?\d\d\b))?"
_TIME = rf"(?:(?:\s+|\s*,\s*|T|\s+at\s+){_CLOCK}{_ZONE})?"
_YEAR = r"(?P<year>(?:19|20)\d\d)"
_FORMS = tuple(
    re.compile(form, re.IGNORECASE)
    for form in (
        rf"(?<![\d.-]){_YEAR}(?P<mark>[-/.])(?P<number>\d{{1,2}})(?P=mark)(?P<day>\d{{1,2}})(?![\d.-]*\d){_TIME}",
        rf"{_WEEKDAY}{_START}{_MONTH}\s+(?P<day>\d{{1,2}})(?:st|nd|rd|th)?,?\s+{_YEAR}(?!\d){_TIME}{_END}",
        rf"{_WEEKDAY}{_START}(?P<day>\d{{1,2}})(?:st|nd|rd|th|\.)?[\s-]+(?:of\s+)?{_MONTH},?[\s-]+{_YEAR}(?!\d){_TIME}{_END}",
        rf"(?<![\w.])(?P<day>\d\d)\.(?P<number>\d\d)\.{_YEAR}(?![\w.]*\d)(?!\w){_TIME}",
        rf"(?<![\w.])(?P<day>\d\d?)\. (?P<number>\d\d?)\. {_YEAR}(?!\w)",
        # Elsewhere it may be a version.
        rf"(?<=date: )(?P<day>\d\d?)\.(?P<number>\d\d?)\.{_YEAR}(?!\w)",
        rf"(?<![\w./-])(?P<first>\d\d?)(?P<mark>[/-])(?P<second>\d\d?)(?P=mark){_YEAR}(?![\w/]){_TIME}",
        rf"{_START}{_YEAR}[\s-]{_MONTH}[\s-](?P<day>\d{{1,2}})(?!\d){_TIME}{_END}",
        rf"{_WEEKDAY}{_START}{_MONTH}\s+(?P<day>\d{{1,2}})\s+{_CLOCK}\s+(?:\w+\s+)?{_YEAR}{_END}",
    )
)
_STAGE = re.compile(r"[.+-]?(?!T\d)(?:[a-z]+[.-]?\d+|alpha|beta|dev|nightly|rc|snapshot)\b", re.IGNORECASE)
"""What makes a calendar version of numbers between full stops ("2023.9.30-SNAPSHOT.1")."""
_EITHER_ORDER = next(form for form in _FORMS if "first" in form.groupindex)


@dataclass(frozen=True, slots=True)
class DateMention:
    """A date and where it stands, with the weekday before it and the time after it."""

    span: Span
    date: date


def find_dates(text: str, *, day_first: bool | None = None) -> tuple[DateMention, ...]:
    """Every full date in `text`, in order, disjoint; impossible ones (31 February) are left out.

    `day_first` tells how to read `12/06/2024` (`day_comes_first`); None: not at all.
    """
    matches = (match for form in (_FORMS if re.search(_YEAR, text) else ()) for match in form.finditer(text))
    days = ((match, _to_date(match, day_first=day_first)) for match in matches)
    found = [DateMention(Span(*match.span()), day) for match, day in days if day]
    found.sort(key=lambda mention: (mention.span.start, -mention.span.end))
    disjoint: list[DateMention] = []
    for mention in found:
        if not disjoint or mention.span.start >= disjoint[-1].span.end:
            disjoint.append(mention)
    return tuple(disjoint)


def without_dates(text: str, dates: Sequence[DateMention]) -> str:
    """Return `text` with a space in place of each of these dates, which are in order."""
    for mention in reversed(dates):
        text = text[: mention.span.start] + " " + text[mention.span.end :]
    return text


def first_date(text: str) -> date | None:
    """Return the first full date in `text`, None where it has none."""
    return next((mention.date for mention in find_dates(text)), None)


def day_comes_first(texts: Iterable[str]) -> bool | None:
    """Return whether numbers between marks begin with the day, as those show that have but one reading; None where none
    does or they differ: whoever keeps a log writes its dates one way."""
    found = (match for text in texts for match in _EITHER_ORDER.finditer(text))
    orders = {_only_order(match["first"], match["second"]) for match in found} - {None}
    return orders.pop() if len(orders) == 1 else None


def _only_order(first: str, second: str) -> bool | None:
    """Return whether the first of two numbers is the day and not the month; None where either may be."""
    return int(first) > _LAST_MONTH if max(int(first), int(second)) > _LAST_MONTH else None


def _to_date(match: re.Match[str], *, day_first: bool | None) -> date | None:
    parts = match.groupdict()
    if parts.get("mark") == "." and _STAGE.match(match.string, match.end()):
        return None
    if "first" in parts:
        order = _only_order(parts["first"], parts["second"])
        order = day_first if order is None else order
        if order is None:
            return None
        names = ("day", "number") if order else ("number", "day")
        parts |= dict(zip(names, (parts["first"], parts["second"]), strict=True))
    month = int(parts["number"]) if parts.get("number") else _MONTHS.index(parts["month"][:3].casefold()) + 1
    try:
        return date(int(parts["year"]), month, int(parts["day"]))
    except ValueError:
        return None
