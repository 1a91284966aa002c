"""Dates as release notes write them, only full ones: `2024-12-06`, `6th December, 2024`, `12.06.2024`, `12. 6. 2024`;
and months alone if no day is given.

`12/06/2024` is ignored unless the document's other dates show whether the day or the month comes first; `2024-06-12` is
year, month and day unless they show otherwise.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date

from corpus.ages import Month
from corpus.model import Span

_NAMES = """jan january januar januari janvier enero janeiro gennaio января stycznia ledna január ocak
|feb february februar februari février febrero fevereiro febbraio февраля lutego února február şubat
|mar march märz maart mars marzo março марта marca marts března március mart
|apr april avril abril aprile апреля kwietnia dubna április nisan
|may mai mei mayo maio maggio мая maja maj května május mayıs
|jun june juni juin junio junho giugno июня czerwca června június haziran
|jul july juli juillet julio julho luglio июля lipca července július temmuz
|aug august augustus août agosto августа sierpnia augusti srpna augusztus ağustos
|sep sept september septembre septiembre setembro settembre сентября września září szeptember eylül
|oct okt october oktober octobre octubre outubro ottobre октября października října október ekim
|nov november novembre noviembre novembro ноября listopada listopadu kasım
|dec dez des december dezember décembre diciembre dezembro dicembre декабря grudnia desember prosince aralık"""
_MONTHS = {name: number for number, names in enumerate(_NAMES.split("|"), 1) for name in names.split()}
_MONTH = rf"(?P<month>{'|'.join(sorted(_MONTHS, key=len, reverse=True))})\.?"
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
        rf"(?<![\d.-]){_YEAR}(?P<mark>[-/])(?P<first>\d{{1,2}})(?P=mark)(?P<second>\d{{1,2}})(?![\d.-]*\d){_TIME}",
        rf"(?<![\d.-]){_YEAR}(?P<mark>\.)(?P<number>\d{{1,2}})\.(?P<day>\d{{1,2}})(?![\d.-]*\d){_TIME}",
        rf"(?<![\d.-]){_YEAR}\. (?P<number>\d{{1,2}})\. (?P<day>\d{{1,2}})(?![\d-]|\.\d)\.?",
        rf"{_WEEKDAY}{_START}{_MONTH}\s+(?:the\s+)?(?P<day>\d{{1,2}})(?:st|nd|rd|th)?(?:,\s*|\s+)(?:of\s+)?{_YEAR}(?!\d){_TIME}{_END}",
        rf"{_WEEKDAY}{_START}(?P<day>\d{{1,2}})(?:st|nd|rd|th|er|\.)?[\s-]+(?:(?:of|de)\s+)?{_MONTH},?[\s-]+(?:de\s+)?{_YEAR}"
        rf"(?!\d){_TIME}{_END}",
        rf"{_YEAR}\s?[年년]\s?(?P<number>\d\d?)\s?[月월]\s?(?P<day>\d\d?)\s?[日일]",
        rf"(?<![\w.])(?P<day>\d\d)\.(?P<number>\d\d)\.{_YEAR}(?![\w.]*\d)(?!\w){_TIME}",
        rf"(?<![\w.])(?P<day>\d\d?)\. (?P<number>\d\d?)\. {_YEAR}(?!\w)",
        # Only after "date: ", because elsewhere it may be a version.
        rf"(?<=date: )(?P<day>\d\d?)\.(?P<number>\d\d?)\.{_YEAR}(?!\w)",
        rf"(?<![\w./-])(?P<first>\d\d?)(?P<mark>[/-])(?P<second>\d\d?)(?P=mark){_YEAR}(?![\w/]){_TIME}",
        rf"{_START}{_YEAR}\.?[\s-]{_MONTH}[\s-](?P<day>\d{{1,2}})(?!\d){_TIME}{_END}",
        rf"{_WEEKDAY}{_START}{_MONTH}\s+(?P<day>\d{{1,2}})\s+{_CLOCK}\s+(?:\w+\s+)?{_YEAR}{_END}",
    )
)
_STAGE = re.compile(r"[.+-]?(?!T\d)(?:[a-z]+[.-]?\d+|alpha|beta|dev|nightly|rc|snapshot)\b", re.IGNORECASE)
"""A suffix that shows that numbers between full stops are a version ("2023.9.30-SNAPSHOT.1")."""
_USUAL: Mapping[re.Pattern[str], bool] = {_FORMS[0]: False}
"""Whether an ambiguous form of date has the day before the month; a form without a known order is absent."""
_MONTHS_ALONE = (
    re.compile(rf"{_START}{_MONTH},?\s+{_YEAR}(?![\w.-]*\d){_END}", re.IGNORECASE),
    re.compile(rf"(?<![\w./-]){_YEAR}[-/](?P<number>0[1-9]|1[0-2])(?![\w./-]*[\w?])"),
    re.compile(rf"(?<![\w./-])(?P<number>0[1-9]|1[0-2])[/-]{_YEAR}(?![\w./-]*\w)"),
)


@dataclass(frozen=True, slots=True)
class DateMention:
    """A date and its place in a text, including the weekday before it and the time after it."""

    span: Span
    date: date


def find_dates(text: str, order: Mapping[re.Pattern[str], bool] = _USUAL) -> tuple[DateMention, ...]:
    """Find every full date in `text`, in order, disjoint, none impossible (31 February); `2024-24-06` is 24 June.
    `order` is how the document writes ambiguous dates, as `date_order` returns it."""
    matches = (match for form in (_FORMS if re.search(_YEAR, text) else ()) for match in form.finditer(text))
    days = ((match, _to_date(match, order)) for match in matches)
    mentions = [DateMention(Span(*match.span()), day) for match, day in days if day]
    mentions.sort(key=lambda mention: (mention.span.start, -mention.span.end))
    disjoint: list[DateMention] = []
    for mention in mentions:
        if not disjoint or mention.span.start >= disjoint[-1].span.end:
            disjoint.append(mention)
    return tuple(disjoint)


def find_months(text: str) -> tuple[DateMention, ...]:
    """Find the months with a year ("March 2026", "2026-03") in a text, which mustn't have full dates, in order."""
    matches = (match for form in _MONTHS_ALONE for match in form.finditer(text))
    mentions = [
        DateMention(Span(*match.span()), Month(int(match["year"]), _month_number(match.groupdict()), 1))
        for match in matches
    ]
    return tuple(sorted(mentions, key=lambda mention: mention.span.start))


def day_without_year(text: str, *, near: date) -> date | None:
    """Parse a day without a year ("Nov 28", "Thursday, 4 July") as the one nearest to `near`; None for other texts."""
    dated = (f"{text.strip(' :[]()')} {year}" for year in (near.year - 1, near.year, near.year + 1))
    days = [mention.date for words in dated for mention in find_dates(words) if len(mention.span) == len(words)]
    return min(days, key=lambda day: abs((day - near).days), default=None)


def without_dates(text: str, dates: Sequence[DateMention]) -> str:
    """Return `text` with each of these dates, which are in order, replaced by a space."""
    for mention in reversed(dates):
        text = text[: mention.span.start] + " " + text[mention.span.end :]
    return text


def first_date(text: str) -> date | None:
    """Return the first full date in `text`; None if it has none."""
    return next((mention.date for mention in find_dates(text)), None)


def date_order(texts: Iterable[str]) -> Mapping[re.Pattern[str], bool]:
    """Return whether each numeric form has the day first, as the texts' unambiguous dates show: a log writes its dates
    one way. A form keeps its usual order if they show none or differ."""
    observed: dict[re.Pattern[str], set[bool | None]] = {form: set() for form in _FORMS if "first" in form.groupindex}
    for text in texts:
        for form, orders in observed.items():
            orders |= {_is_day_first(match) for match in form.finditer(text)} - {None}
    return {**_USUAL, **{form: bool(*orders) for form, orders in observed.items() if len(orders) == 1}}


def _is_day_first(match: re.Match[str]) -> bool | None:
    """Return whether the first of two numbers is the day and the second the month; None if both may be months."""
    first, second = int(match["first"]), int(match["second"])
    return first > _LAST_MONTH if max(first, second) > _LAST_MONTH else None


def _month_number(groups: Mapping[str, str | None]) -> int:
    number = groups.get("number")
    return int(number) if number else _MONTHS[str(groups["month"]).casefold()]


def _to_date(match: re.Match[str], order: Mapping[re.Pattern[str], bool]) -> date | None:
    """Return a match's date; None if it is impossible, of unknown order, or part of a calendar version."""
    groups = match.groupdict()
    if groups.get("mark") == "." and _STAGE.match(match.string, match.end()):
        return None
    if "first" in groups:
        is_day_first = _is_day_first(match)
        is_day_first = order.get(match.re) if is_day_first is None else is_day_first
        if is_day_first is None:
            return None
        names = ("day", "number") if is_day_first else ("number", "day")
        groups |= dict(zip(names, (groups["first"], groups["second"]), strict=True))
    try:
        return date(int(groups["year"]), _month_number(groups), int(groups["day"]))
    except ValueError:
        return None
