"""Which headings open releases: those of which nothing is left but a version, a date, the product's name and the words
that release headings are made of. "Drop Python 3.8" leaves a verb and isn't one.
"""

import re
from collections.abc import Sequence
from dataclasses import replace

from corpus.kinds import kind_of_heading
from ingest.releases.dates import find_dates
from ingest.releases.version_lines import (
    LOOKS_BACK,
    OLDER,
    RELEASE_WORDS,
    Subject,
    VersionLine,
    folded_words,
    read_version_line,
    words_as_written,
)

_UNRELEASED = re.compile(
    r"\W*(?:(?:unreleased(?: changes)?|not yet released|upcoming(?: release| changes)?"
    r"|v?next(?:[ -]release|[ -]version)?"
    r"|in progress|in development|under development|main|master|trunk|head|latest changes|dev(?:elopment)? version)"
    r"\b\W*){1,2}",
    re.IGNORECASE,
)
_IN_BRACKETS = re.compile(r"[A-Za-z][\w.-]*\s+[(\[]([^()\[\]]+)[)\]]")
_SUBTITLE = re.compile(r"[\])\s]*(?:[-–—:|,(]|\s\W)")
_MAX_HEADING_CHARACTERS = 160
_MAX_NAME_WORDS = 4


def read_release_heading(title: str, *, products: Sequence[str] = ()) -> Subject | None:
    """The release a heading opens, or None where it opens none.

    `products` are the names the document's product goes by; a heading may carry one of them, or name its package in a
    way that nothing else is written (`pkg@1.2.3`, `@scope/pkg 1.2.3`, a Debian changelog's line).
    """
    names = {word for name in products for word in folded_words(name)}
    without_names = " ".join(word for word in title.split() if not set(folded_words(word)) & names)
    if _UNRELEASED.fullmatch(title) or _UNRELEASED.fullmatch(without_names):
        return Subject(label=title.strip("[]() "))
    reading = read_version_line(title, products)
    if reading is None or len(title) > _MAX_HEADING_CHARACTERS:
        return None
    around = {*folded_words(reading.before), *folded_words(reading.after)}
    return None if LOOKS_BACK & around or around - RELEASE_WORDS - names else _named(reading)


def read_heading(title: str, *, products: Sequence[str] = ()) -> Subject | None:
    """The release that a heading opens, or may open if its neighbours do."""
    return read_release_heading(title, products=products) or read_possible_release(title, products=products)


def read_possible_release(title: str, *, products: Sequence[str] = ()) -> Subject | None:
    """The release a heading may open if its neighbours do; None where it surely opens none.

    It names something before the version ("core v1.2"), adds a line of its own after it ("1.2 - The big one"), or
    is a date alone.
    """
    if len(title) > _MAX_HEADING_CHARACTERS:
        return None
    if (stated := _IN_BRACKETS.fullmatch(title)) and _UNRELEASED.fullmatch(stated.group(1)):
        return Subject(label=title)
    reading = read_version_line(title, products)
    if reading is None:
        return _read_date_alone(title)
    before = [word for word in folded_words(reading.before) if word not in RELEASE_WORDS]
    after = [word for word in folded_words(reading.after) if word not in RELEASE_WORDS]
    if LOOKS_BACK & set(before):
        return None
    names = {word for name in products for word in folded_words(name)}
    may_be_name = len(before) <= _MAX_NAME_WORDS and kind_of_heading(" ".join(before)) is None
    if not after:
        opens = bool(before) and may_be_name
    else:
        own = set(before) <= names or (reading.subject.day is not None and may_be_name)
        named = set(before) <= names and reading.subject.day is not None
        opens = own and (named or bool(_SUBTITLE.match(reading.after)))
    return _named(reading) if opens else None


def points_to_older(title: str) -> bool:
    """Whether a heading leads away from the releases here to older ones elsewhere ("Previous releases")."""
    words = set(folded_words(title))
    return bool(words & OLDER) and words <= OLDER | RELEASE_WORDS


def _read_date_alone(title: str) -> Subject | None:
    dates = find_dates(title)
    if len(dates) != 1:
        return None
    span = dates[0].span
    left = [word for word in folded_words(title[: span.start] + " " + title[span.end :]) if word not in RELEASE_WORDS]
    return None if left else Subject(label=title.strip("[]() "), day=dates[0].date)


def _named(reading: VersionLine) -> Subject:
    """What a line says, with the name that stands before the version, at most "version" after it: `Spring Boot`."""
    words = words_as_written(reading.before)
    while words and words[-1].casefold() in ("v", "version"):
        words.pop()
    name: list[str] = []
    while words and words[-1].casefold() not in RELEASE_WORDS:
        name.insert(0, words.pop())
    return replace(reading.subject, product=reading.subject.product or " ".join(name))
