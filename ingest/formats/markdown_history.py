"""Comments of API pages that state in which versions something was added, changed, deprecated or removed.

Site generators show them as a line ("Added in: v13.9.0") or a table ("History"); in the source of the page they are
YAML in a comment right under a heading, or `introduced_in=v0.9.0`. All other comments are markup.
"""

import re
from enum import Enum, auto
from typing import NamedTuple

_YAML = re.compile(r"\s*<!--[ \t]*YAML[ \t]*(?:\r\n|\n|\r)[^<]*-->\s*\Z")
_INTRODUCED = re.compile(r"\s*<!--\s*(?P<body>introduced_in\s*=\s*v?\d[\w.]*)\s*-->\s*\Z")
_LINE = re.compile(r"[^\r\n]+")
_STATEMENT = re.compile(r"(?:added|deprecated|removed|changed)[ \t]*:", re.IGNORECASE)
_ENTRY = re.compile(r"[ \t]*-[ \t]+version[ \t]*:", re.IGNORECASE)
_OTHER_KEY = re.compile(r"[A-Za-z]|-->|[ \t]*<!--")


class HistoryKind(Enum):
    STATEMENT = auto()
    """`added: v9.2.0`"""
    ENTRY = auto()
    """One of the list of changes: its versions, its address and what it says."""
    MARKUP = auto()


class HistoryPiece(NamedTuple):
    """A piece of such a comment at `[start, end)` of it."""

    start: int
    end: int
    kind: HistoryKind


def read_version_comment(html: str) -> tuple[HistoryPiece, ...]:
    """The pieces of a comment that states versions, in order and holding all its words; none for anything else."""
    if introduced := _INTRODUCED.match(html):
        start, end = introduced.span("body")
        whole = HistoryPiece(start, end, HistoryKind.STATEMENT)
        return (whole,)
    if not _YAML.match(html):
        return ()
    pieces: list[HistoryPiece] = []
    for line in _LINE.finditer(html):
        words = line.group().strip()
        if not words:
            continue
        start, end = line.start() + line.group().index(words), line.start() + line.group().index(words) + len(words)
        if _STATEMENT.match(line.group()):
            pieces.append(HistoryPiece(start, end, HistoryKind.STATEMENT))
        elif _ENTRY.match(line.group()):
            pieces.append(HistoryPiece(start, end, HistoryKind.ENTRY))
        elif _OTHER_KEY.match(line.group()) or not pieces:
            pieces.append(HistoryPiece(start, end, HistoryKind.MARKUP))
        else:
            pieces[-1] = pieces[-1]._replace(end=end)
    stated = any(piece.kind is not HistoryKind.MARKUP for piece in pieces)
    return tuple(pieces) if stated else ()
