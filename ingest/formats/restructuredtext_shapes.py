"""What lines of reStructuredText look like: titles, tables, list markers, fields, explicit markup.

Shapes only, told by a line and those right below it. Which of them count depends on what holds the line,
and that is `ingest.formats.restructuredtext`'s business.
"""

import re
from collections.abc import Sequence
from typing import NamedTuple

from ingest.formats.lines import TextLine
from ingest.formats.plain_titles import MAX_TITLE_CHARACTERS

_MIN_ADORNMENT_CHARACTERS = 4

ADORNMENT = re.compile(r"([!-/:-@\[-`{-~])\1*")
BULLET = re.compile(r"[*+\-•‣⁃](?=\s|$)\s*")
_ENUMERATOR = re.compile(r"(?:\(?(?:\d{1,9}|#|[A-Za-z])\)|(?:\d{1,9}|#|[A-Za-z])\.)(?=\s|$)\s*")
FIELD = re.compile(r":(?![:\s])([^:`]+):(?=\s|$)\s*")
EXPLICIT = re.compile(r"\.\.(?:\s|$)")
INTERRUPTING = re.compile(r"\.\. +(?:_|\[|\||[A-Za-z][\w.+:-]*?\s?::(?:\s|$))")
"""Explicit markup that is meant as such even right below a line of prose."""
TARGET = re.compile(r"(?:\.\.[ \t]+(?:_|\|)|__[ \t])")
FOOTNOTE = re.compile(r"\.\.[ \t]+\[[^\]\s]+\](?=\s|$)")
_GRID_BORDER = re.compile(r"\+(?:[-=]+\+)+")
_SIMPLE_BORDER = re.compile(r"=+(?:[ \t]+=+)+")


class Title(NamedTuple):
    """A title with its adornment."""

    content: str
    style: tuple[str, bool]
    """The character that adorns it, and whether it stands above it too."""
    stop: int
    """Index after its lines."""


def title_at(lines: Sequence[TextLine], first: int) -> Title | None:
    """The title that begins at line `first`: over- and underlined, or underlined."""
    rest = lines[first : first + 3]
    return _overlined(rest, first) or _underlined(rest, first)


def _overlined(rest: Sequence[TextLine], first: int) -> Title | None:
    if len(rest) < 3 or not ADORNMENT.fullmatch(over := rest[0].content):
        return None
    if rest[1].after_blank or rest[2].after_blank:
        return None
    title, under = rest[1].content, rest[2].content
    matches = ADORNMENT.fullmatch(under) and under[0] == over[0] and _fits(under, title) and _fits(over, title)
    return Title(title, (under[0], True), first + 3) if matches else None


def _underlined(rest: Sequence[TextLine], first: int) -> Title | None:
    if len(rest) < 2 or rest[1].after_blank or rest[1].indent != rest[0].indent:
        return None
    title, under = rest[0].content, rest[1].content
    if not ADORNMENT.fullmatch(under) or not _fits(under, title) or BULLET.match(title):
        return None
    return Title(title, (under[0], False), first + 2)


def _fits(adornment: str, title: str) -> bool:
    """Whether the adornment is long enough to make that line a title."""
    if len(title) > MAX_TITLE_CHARACTERS or ADORNMENT.fullmatch(title):
        return False
    return len(adornment) >= min(_MIN_ADORNMENT_CHARACTERS, len(title))


def table_end(lines: Sequence[TextLine], first: int) -> int | None:
    """Index after the drawn table whose upper border is line `first`; None where that is no border."""
    if _GRID_BORDER.fullmatch(lines[first].content):
        index = first + 1
        while index < len(lines) and not lines[index].after_blank and lines[index].content[0] in "+|":
            index += 1
        return index
    return _simple_table_end(lines, first) if _SIMPLE_BORDER.fullmatch(lines[first].content) else None


def _simple_table_end(lines: Sequence[TextLine], first: int) -> int | None:
    borders, index = 0, first
    while index + 1 < len(lines) and lines[index + 1].indent >= lines[first].indent:
        index += 1
        if not _SIMPLE_BORDER.fullmatch(lines[index].content):
            continue
        borders += 1
        ends = index + 1 == len(lines) or lines[index + 1].after_blank
        if borders == 2 or ends:
            return index + 1
    return None


def list_marker(lines: Sequence[TextLine], first: int) -> re.Match[str] | None:
    """The bullet or number that begins line `first`, unless the next line shows it prose ("A. Einstein was …")."""
    line = lines[first]
    if bullet := BULLET.match(line.content):
        return bullet
    number = _ENUMERATOR.match(line.content)
    if number is None or first + 1 == len(lines):
        return number
    following = lines[first + 1]
    goes_on = following.after_blank or following.indent != line.indent
    return number if goes_on or _ENUMERATOR.match(following.content) else None
