"""What a heading, a title or a file name says about product, version and date.

A heading names a release when nothing is left of it but a version, a date, the product's name and the words that
release headings are made of. "Drop Python 3.8" leaves a verb and isn't one; "Fixes since v2.35" looks back and isn't
one either. A document's title is read more freely: it may introduce the product's name.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import date

from corpus.versions import Version, find_versions
from ingest.dates import find_dates
from ingest.kinds import kind_of_heading

_NOISE = frozenset(
    """a alpha an and announcement announcing available beta blog bugfix by candidate change changelog changelogs
    changes cran day dev development final for ga general guide here highlights history hotfix in introducing is its
    latest log lts maintenance major migration minor new news note notes now of official on out overview patch
    point post pre preview progress public rc release released releases relnotes s security stable summary tag
    tba tbd the this to unreleased update updates upgrade v version versions was what whats with""".split()
)
_LOOKS_BACK = frozenset(
    "since from until before after between through vs versus drop dropped dropping support supports supported "
    "require requires required requirement minimum upgrading bump python2".split()
)
_UNRELEASED = re.compile(
    r"\W*(?:(?:unreleased|not yet released|upcoming(?: release| changes)?|v?next(?:[ -]release|[ -]version)?"
    r"|in progress|in development|under development|main|master|trunk|head|latest changes|dev(?:elopment)? version)"
    r"\b\W*){1,2}",
    re.IGNORECASE,
)
_YANKED = re.compile(r"\[?\(?\b(?:yanked|withdrawn|retracted)\b\)?\]?", re.IGNORECASE)
_PARTIAL_DATE = re.compile(
    r"(?<![\d.])\d{1,2}([/.-])\d{1,2}\1(?:19|20)\d\d(?![\d.])|\b(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*\.?,?"
    r"\s+(?:19|20)\d\d\b",
    re.IGNORECASE,
)
_ASIDE = re.compile(r"\"[^\"]*\"|“[^”]*”|(?<!\w)'[^']+'(?!\w)|(?<![\w/])@[A-Za-z][\w-]*(?![\w/@-]|\s+v?\d)")
_IN_BRACKETS = re.compile(r"[A-Za-z][\w.-]*\s+[(\[]([^()\[\]]+)[)\]]")
_OUTLINE_NUMBER = re.compile(r"^[A-Z]\.\d+(?:\.\d+)*\.?\s+(?=[A-Z])")
_PACKAGE = re.compile(
    r"^\W*?(?:(@[\w.-]+/[\w.-]+)[@\s/-]+|([A-Za-z][\w.-]*(?:/[\w.-]+)?)@|([A-Za-z][\w.-]*)/(?=v\d))(?=v?\d)"
)
_DEBIAN = re.compile(r"^([a-z0-9][a-z0-9+.-]+) \((?:\d+:)?([\w.+~-]+)\) [\w .-]+; *urgency=\w+.*$", re.IGNORECASE)
_LONGER_VERSION = re.compile(r"[\w.+~-]*\w(?:\s+(?:alpha|beta|rc|preview)\b(?:\s*\d+)?)?", re.IGNORECASE)
_BARE_MAJOR = re.compile(r"(?:\b(?:version|release|v|r)\s*|^\W*)(\d{1,4})\b(?![\w.])", re.IGNORECASE)
_SUBTITLE = re.compile(r"[\])\s]*(?:[-–—:|,(]|\s\W)")
_CALENDAR_VERSION = re.compile(r"\d{4}\.\d{1,2}\.\d{1,2}")
_DIGIT = re.compile(r"\d")
_YEAR = re.compile(r"(?:19|20)\d\d")
_MAX_HEADING_CHARACTERS = 160
_MAX_NAME_WORDS = 4
_WORD = re.compile(r"[^\W\d_][\w+#.-]*|\d[\w.]*")
_FILE_DATE = re.compile(r"^((?:19|20)\d\d)-(\d\d)-(\d\d)-")
_FILE_VERSION = re.compile(
    r"(?<![\d.])v?((?!0\d)(?:\d+(?:\.\d+)+|\d{1,3}(?:_\d{1,3})+)(?:[._-]?(?:a|b|rc|alpha|beta|dev)\.?\d*)?)(?![\dA-Za-z])"
)
_FILE_DASHED = re.compile(r"(?<=[a-z])-?(\d+)-(\d+)(?:-(\d+))?$")


@dataclass(frozen=True, slots=True)
class Subject:
    """What a piece of text says it is about; empty fields where it doesn't say."""

    version: Version | None = None
    label: str = ""
    product: str = ""
    day: date | None = None
    yanked: bool = False
    unreleased: bool = False


def read_release_heading(title: str, *, products: Sequence[str] = ()) -> Subject | None:
    """The release a heading opens, or None where it opens none.

    `products` are the names the document's product goes by; a heading may carry one of them, or name its package in a
    way that nothing else is written (`pkg@1.2.3`, `@scope/pkg 1.2.3`, a Debian changelog's line).
    """
    names = {word for name in products for word in _words(name)}
    without_names = " ".join(word for word in title.split() if not set(_words(word)) & names)
    if _UNRELEASED.fullmatch(title) or _UNRELEASED.fullmatch(without_names):
        return Subject(label=title.strip("[]() "), unreleased=True)
    reading = _read(title, products)
    if reading is None or len(title) > _MAX_HEADING_CHARACTERS:
        return None
    words = _words(reading.before) + _words(reading.after)
    left = [word for word in words if word not in _NOISE and word not in names]
    if left or _LOOKS_BACK & set(words):
        return None
    return replace(reading.subject, product=reading.subject.product or _name_at_end(reading.before))


def read_possible_release(title: str, *, products: Sequence[str] = ()) -> Subject | None:
    """The release a heading may open if its neighbours do; None where it surely opens none.

    It names something before the version ("core v1.2"), adds a line of its own after it ("1.2 - The big one"), or
    is a date alone.
    """
    if len(title) > _MAX_HEADING_CHARACTERS:
        return None
    if (stated := _IN_BRACKETS.fullmatch(title)) and _UNRELEASED.fullmatch(stated.group(1)):
        return Subject(label=title, unreleased=True)
    reading = _read(title, products)
    if reading is None:
        return _read_date_alone(title)
    before = [word for word in _words(reading.before) if word not in _NOISE]
    after = [word for word in _words(reading.after) if word not in _NOISE]
    if _LOOKS_BACK & set(before):
        return None
    names = {word for name in products for word in _words(name)}
    may_be_name = len(before) <= _MAX_NAME_WORDS and kind_of_heading(" ".join(before)) is None
    if not after:
        opens = bool(before) and may_be_name
    else:
        own = set(before) <= names or (reading.subject.day is not None and may_be_name)
        opens = own and bool(_SUBTITLE.match(reading.after))
    product = reading.subject.product or _name_at_end(reading.before)
    return replace(reading.subject, product=product) if opens else None


def read_title(title: str, *, products: Sequence[str] = ()) -> Subject:
    """What a document's title says: the release it is about and, before the version, the product's name."""
    reading = _read(title, products)
    if reading is None or _LOOKS_BACK & {*_words(reading.before), *_words(reading.after)}:
        return Subject()
    product = reading.subject.product or _product_before(reading.before, products=products)
    return replace(reading.subject, product=product)


def read_file_name(stem: str) -> Subject:
    """What a file's name without its extension says: `4.2`, `1.25.0-notes`, `2025-04-23-pytorch-2-7`, `notes_2_8`."""
    day = None
    if dated := _FILE_DATE.match(stem):
        year, month, number = (int(part) for part in dated.groups())
        try:
            day = date(year, month, number)
        except ValueError:
            day = None
        stem = stem[dated.end() :]
    version = None
    if match := _FILE_VERSION.search(stem):
        version = Version.try_parse(match.group(1).replace("_", "."))
    elif match := _FILE_DASHED.search(stem):
        version = Version.try_parse(".".join(part for part in match.groups() if part))
    return Subject(version=version, label=version.label if version else "", day=day)


@dataclass(frozen=True, slots=True)
class _Reading:
    """The one version of a line, and the line before and after it without its dates."""

    subject: Subject
    before: str
    after: str


def _read(title: str, products: Sequence[str]) -> _Reading | None:
    """None where the line names no version, or several."""
    if debian := _DEBIAN.match(title):
        version = _debian_version(debian.group(2))
        return _Reading(Subject(version=version, label=debian.group(2), product=debian.group(1)), "", "")
    package = _PACKAGE.match(title)
    product = next((name for name in package.groups() if name), "") if package else ""
    rest = _OUTLINE_NUMBER.sub("", title[package.end() :] if package else title)
    dates = find_dates(rest)
    day = dates[0].date if dates else None
    dated = rest
    for mention in reversed(dates):
        rest = rest[: mention.span.start] + " " + rest[mention.span.end :]
    yanked = bool(_YANKED.search(rest))
    for pattern in (_YANKED, _PARTIAL_DATE, _ASIDE):
        rest = pattern.sub(" ", rest)
    found = _find_one_version(rest, products)
    if found is None and len(dates) == 1 and not _DIGIT.search(rest):
        # Calendar versions are dates ("2024.05.27"); only the full stops tell them from a day in the log.
        start, end = dates[0].span.start, dates[0].span.end
        calendar = _CALENDAR_VERSION.fullmatch(dated, start, end)
        version = Version.try_parse(calendar.group()) if calendar else None
        if version is None:
            return None
        before = dated[:start].removesuffix("v")
        return _Reading(Subject(version, dated[start:end], product, day, yanked), before, dated[end:])
    if found is None:
        return None
    version, start, end = found
    label = rest[start:end]
    after = rest[end:].replace(label, " ")
    return _Reading(Subject(version, label, product, day, yanked), rest[:start].removesuffix("v"), after)


def _find_one_version(text: str, products: Sequence[str]) -> tuple[Version, int, int] | None:
    """The only version in `text` and its range, as long as it can be read ("4.3-1", "8 Beta")."""
    mentions = find_versions(text, names=products)
    if mentions:
        start, end, version = mentions[0].start, mentions[0].end, mentions[0].version
    elif (bare := _BARE_MAJOR.search(text)) and not _YEAR.fullmatch(bare.group(1)):
        start, end = bare.span(1)
        version = Version.parse(bare.group(1))
    else:
        return None
    longer = _LONGER_VERSION.match(text, start)
    if longer and longer.end() > end and (extended := Version.try_parse(longer.group())):
        end, version = longer.end(), extended
    others = {mention.version for mention in mentions if mention.start >= end}
    return (version, start, end) if others <= {version} else None


def _debian_version(text: str) -> Version | None:
    """A Debian version without its epoch: whole where it can be read, else what stands before the revision."""
    upstream = text.rpartition("-")[0] or text
    number = re.match(r"[\d.]*\d", upstream)
    readings = (text, upstream, number.group() if number else "")
    return next((version for version in map(Version.try_parse, readings) if version), None)


def _read_date_alone(title: str) -> Subject | None:
    dates = find_dates(title)
    if len(dates) != 1:
        return None
    span = dates[0].span
    left = [word for word in _words(title[: span.start] + " " + title[span.end :]) if word not in _NOISE]
    return None if left else Subject(label=title.strip("[]() "), day=dates[0].date)


def _words(text: str) -> list[str]:
    return [match.group().casefold().rstrip(".-") for match in _WORD.finditer(text)]


def product_words(text: str) -> list[str]:
    """The words of `text` that can be a product's name, as written."""
    words = (match.group().rstrip(".-") for match in _WORD.finditer(text))
    return [word for word in words if word.casefold() not in _NOISE]


def _name_at_end(before: str) -> str:
    """The name that ends `before`, with at most "version" after it: `Redis`, `Spring Boot`, nothing in "notes for"."""
    words = [match.group().rstrip(".-") for match in _WORD.finditer(before)]
    while words and words[-1].casefold() in ("v", "version"):
        words.pop()
    name: list[str] = []
    while words and words[-1].casefold() not in _NOISE:
        name.insert(0, words.pop())
    return " ".join(name)


def _product_before(before: str, *, products: Sequence[str]) -> str:
    """The name that stands right before the version: up to two capitalised words, or one that `products` knows."""
    known = {name.casefold() for name in products}
    words = product_words(before)
    for word in words:
        if word.casefold() in known:
            return word
    if not words or (len(words) > 1 and not any(word[0].isupper() for word in words)):
        return ""
    tail: list[str] = []
    for word in reversed(words[-2:]):
        if not word[0].isupper() and tail:
            break
        tail.insert(0, word)
    return " ".join(tail)
