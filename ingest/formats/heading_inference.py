"""Which lines of plain text are headings, and of what level: decided by their neighbours.

Works on pieces, runs of lines whose own shape is known. A candidate becomes a heading by what stands below
it; its level follows from the styles that the document uses, not from any one line.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from enum import Enum, auto
from itertools import pairwise

from ingest.formats.line_shapes import HeadingStyle, heading_style

_MAX_HEADINGS_IN_A_ROW = 3
# Prominence of headings: a smaller number is a higher level. Hash marks and adornments add their own order.
OVERLINED, RULED, HASHED, UNDERLINED, UNADORNED = 0, 15, 20, 40, 60
_BARE = UNADORNED + 10 * HeadingStyle.BARE
_COLON = UNADORNED + 10 * HeadingStyle.COLON
_HASHES = re.compile(r"#{1,6}(?=\s)")
_RULE_ABOVE = re.compile(r"([=*#-])\1{9,}[ \t]*(?:\r\n?|\n)[ \t]*")
_NUMBER = re.compile(r"(\d{1,3}(?:\.\d{1,3})*)[.)]?\s+(?=\S)")


class Shape(Enum):
    ADORNED = auto()
    """A title with a rule below, or above and below."""
    COMMENT = auto()
    """A line of its own that begins with `#` or `//`: code or heading, as its neighbours tell."""
    CANDIDATE = auto()
    """A line of its own that could be a heading."""
    PARAGRAPH = auto()
    ITEM = auto()
    CONTINUATION = auto()
    """A further paragraph of the list item before it."""
    CODE = auto()
    TABLE = auto()
    MARKUP = auto()


@dataclass(frozen=True, slots=True)
class Piece:
    """A run of lines of one shape, before its neighbours are considered."""

    shape: Shape
    start: int
    end: int
    indent: int
    depth: int = 0
    title: str = ""
    prominence: int = 0
    """Of a heading or candidate: the lower, the higher its level; not yet a level."""


def resolve_comments(text: str, pieces: Sequence[Piece]) -> list[Piece]:
    """Make code or headings of lone comment lines, and code of what hangs below code after a blank line."""
    code_follows = [False] * len(pieces)
    for position in range(len(pieces) - 2, -1, -1):
        after = pieces[position + 1]
        code_follows[position] = after.shape is Shape.CODE or (
            after.shape is Shape.COMMENT and code_follows[position + 1]
        )
    resolved: list[Piece] = []
    for piece, before_code in zip(pieces, code_follows, strict=True):
        previous = resolved[-1] if resolved else None
        after_code = previous is not None and previous.shape is Shape.CODE
        if piece.shape is Shape.COMMENT:
            piece = _resolved_comment(text, piece, before_code or after_code)
        elif previous and after_code and piece.shape is Shape.PARAGRAPH and piece.indent > previous.indent:
            piece = replace(piece, shape=Shape.CODE)
        resolved.append(piece)
    return resolved


def _resolved_comment(text: str, piece: Piece, beside_code: bool) -> Piece:
    hashes = _HASHES.match(text, piece.start, piece.end)
    if beside_code and (hashes is None or len(hashes[0]) == 1):
        return replace(piece, shape=Shape.CODE)
    title = text[hashes.end() : piece.end].strip(" \t#") if hashes else ""
    if hashes is None or piece.depth or heading_style(title) is None:
        return replace(piece, shape=Shape.PARAGRAPH)
    return replace(piece, shape=Shape.ADORNED, title=" ".join(title.split()), prominence=HASHED + len(hashes[0]))


def with_numbered_titles(text: str, pieces: Sequence[Piece]) -> list[Piece]:
    """Make candidates of list items that stand alone above prose and count on from one to the next."""
    found: list[int] = []
    for position, (piece, after) in enumerate(pairwise(pieces)):
        if piece.shape is not Shape.ITEM or piece.depth > 1 or after.shape in (Shape.ITEM, Shape.CONTINUATION):
            continue
        number = _NUMBER.match(text, piece.start, piece.end)
        if number and heading_style(text[number.end() : piece.end]) and number[1] == str(len(found) + 1):
            found.append(position)
    if len(found) < 2:
        return list(pieces)
    numbered = list(pieces)
    for position in found:
        title = " ".join(text[pieces[position].start : pieces[position].end].split())
        numbered[position] = replace(pieces[position], shape=Shape.CANDIDATE, depth=0, title=title, prominence=_BARE)
    for position, piece in enumerate(numbered):
        number = _NUMBER.match(piece.title)
        if piece.shape is Shape.CANDIDATE and piece.prominence == _BARE and number:
            numbered[position] = replace(piece, prominence=_BARE + number[1].count("."))
    return numbered


def with_ruled_titles(text: str, pieces: Sequence[Piece]) -> list[Piece]:
    """Give the titles of parts, which stand tight below a long rule, their rank where a document has several."""
    ruled = [
        position + 1
        for position, (piece, after) in enumerate(pairwise(pieces))
        if piece.shape is Shape.MARKUP and after.shape is Shape.CANDIDATE and after.prominence != _COLON
        if _RULE_ABOVE.fullmatch(text, piece.start, after.start)
    ]
    ranked = list(pieces)
    for position in ruled if len(ruled) > 1 else ():
        ranked[position] = replace(pieces[position], prominence=RULED)
    return ranked


def with_headings(pieces: Sequence[Piece]) -> list[Piece]:
    """Decide every candidate by what surrounds it: an adorned title, or a paragraph after all."""
    decided = list(pieces)
    position = 0
    while position < len(decided):
        end = position
        while end < len(decided) and decided[end].shape is Shape.CANDIDATE and decided[end].prominence != _COLON:
            end += 1
        after = decided[end] if end < len(decided) else None
        row = range(position, end)
        for index in row:
            # A title with nothing below it says something itself; a long row of short lines is a menu.
            crowded = len(row) > _MAX_HEADINGS_IN_A_ROW and index not in (0, end - 1)
            is_heading = after is not None and not (crowded and decided[index].prominence >= _BARE)
            decided[index] = replace(decided[index], shape=Shape.ADORNED if is_heading else Shape.PARAGRAPH)
        if after is not None and after.shape is Shape.CANDIDATE:
            leads = end + 1 < len(decided) and _is_listing(decided[end + 1], after.indent)
            decided[end] = replace(after, shape=Shape.ADORNED if leads else Shape.PARAGRAPH)
        position = end + 1
    return decided


def _is_listing(piece: Piece, indent: int) -> bool:
    listing = piece.shape in (Shape.ITEM, Shape.TABLE, Shape.MARKUP)
    return listing or (piece.shape is Shape.PARAGRAPH and piece.indent > indent)


def heading_levels(pieces: Sequence[Piece]) -> Iterator[int]:
    """The heading level of each piece, 0 for what is no heading."""
    ranked = [piece.prominence for piece in pieces if piece.shape is Shape.ADORNED and piece.prominence != _COLON]
    titled = bool(pieces) and pieces[0].shape is Shape.ADORNED and _is_title(ranked)
    rank = {prominence: 2 + order for order, prominence in enumerate(sorted(set(ranked[1:] if titled else ranked)))}
    sections = _section_positions(pieces)
    current, in_section = 1, False
    for position, piece in enumerate(pieces):
        if piece.shape is not Shape.ADORNED:
            yield 0
        elif piece.prominence == _COLON:
            yield current + 1
        else:
            if piece.prominence < _BARE or position in sections:
                in_section = position in sections
            current = rank.get(piece.prominence, 1) + (in_section and position not in sections)
            if titled and position == 0:
                current = 1
            yield current


def _is_title(ranked: Sequence[int]) -> bool:
    """Whether the first heading stands above the others: its style is its own, unmarked, or outdone later."""
    if not ranked:
        return False
    first, others = ranked[0], ranked[1:]
    return first not in others or min(others) < first or first >= UNADORNED + 10 * HeadingStyle.CAPITALS


def _section_positions(pieces: Sequence[Piece]) -> frozenset[int]:
    """Bare headings that head other bare headings, where the document does so more than once."""
    bare = [piece.shape is Shape.ADORNED and piece.prominence == _BARE for piece in pieces]
    heads = [
        position
        for position in range(1, len(pieces) - 1)
        if bare[position] and bare[position + 1] and (position == 1 or not bare[position - 1])
    ]
    return frozenset(heads) if len(heads) > 1 else frozenset()
