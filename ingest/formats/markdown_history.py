"""Comments of API pages that state in which versions something was added, changed, deprecated or removed.

Site generators show them as a line ("Added in: v13.9.0") or a table ("History"); in the source of the page they are
YAML in a comment right under a heading, or `introduced_in=v0.9.0`.
"""

import re
from typing import NamedTuple

from ingest.blocks import BlockKind

_YAML = re.compile(r"\s*<!--[ \t]*YAML[ \t]*(?:\r\n|\n|\r)[^<]*-->\s*\Z")
_INTRODUCED = re.compile(r"\s*<!--\s*(introduced_in\s*=\s*v?\d[\w.]*)\s*-->\s*\Z")
_LINE = re.compile(r"[^\s][^\r\n]*")
_KINDS = (
    (re.compile(r"(?:added|deprecated|removed|changed)[ \t]*:", re.IGNORECASE), BlockKind.PARAGRAPH),
    (re.compile(r"-[ \t]+version[ \t]*:", re.IGNORECASE), BlockKind.LIST_ITEM),
    (re.compile(r"(?:[A-Za-z]|-->|<!--)"), BlockKind.MARKUP),
)


class HistoryPiece(NamedTuple):
    """A piece of such a comment at `[start, end)` of it: a statement, one of the list of changes, or markup."""

    start: int
    end: int
    kind: BlockKind


def read_version_comment(html: str) -> tuple[HistoryPiece, ...]:
    """The pieces of a comment that states versions, in order and holding all its words; none for anything else."""
    if introduced := _INTRODUCED.match(html):
        return (HistoryPiece(*introduced.span(1), BlockKind.PARAGRAPH),)
    pieces: list[HistoryPiece] = []
    for line in _LINE.finditer(html) if _YAML.match(html) else ():
        words, indented = line[0].rstrip(), line.start() > 0 and html[line.start() - 1] in " \t"
        end = line.start() + len(words)
        kind = next((kind for pattern, kind in _KINDS if pattern.match(words)), None)
        # Below a key only the changes of its list begin anew; other indented lines go on with what is above them.
        goes_on = kind is None or (indented and kind is not BlockKind.LIST_ITEM)
        if goes_on and pieces:
            pieces[-1] = pieces[-1]._replace(end=end)
        else:
            pieces.append(HistoryPiece(line.start(), end, kind or BlockKind.MARKUP))
    is_history = any(piece.kind is not BlockKind.MARKUP for piece in pieces)
    return tuple(pieces) if is_history else ()
