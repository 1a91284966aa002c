"""Plain text to blocks: structure that its author drew with blank lines, indents, bullets and rules.

Nothing is marked, so every finding is an inference from shape and place: a short line that stands alone above prose is
a heading, the same line above code or at the end is not. What no rule recognises is a paragraph.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import pairwise

from ingest.blocks import Block, BlockKind, ParsedText
from ingest.formats.flat_text import FLAT_CHARACTERS, cut_flat
from ingest.formats.front_matter import split_front_matter
from ingest.formats.line_shapes import HeadingStyle, heading_style
from ingest.formats.plain_text_pieces import BARE, COLON, RULED, UNADORNED, Piece, PieceCutter, Shape
from ingest.releases.release_headings import read_heading
from ingest.text_lines import split_lines

_MAX_HEADINGS_IN_A_ROW = 3
_WORD = re.compile(r"\w")
_NUMBER = re.compile(r"(\d{1,3}(?:\.\d{1,3}){0,5})[.)]?\s+(?=\S)")
_RULE_ABOVE = re.compile(r"([=*#-])\1{9,}[ \t]*(?:\r\n?|\n)[ \t]*")
_KINDS = {
    Shape.ADORNED: BlockKind.HEADING,
    Shape.PARAGRAPH: BlockKind.PARAGRAPH,
    Shape.CONTINUATION: BlockKind.PARAGRAPH,
    Shape.ITEM: BlockKind.LIST_ITEM,
    Shape.CODE: BlockKind.CODE,
    Shape.TABLE: BlockKind.TABLE,
    Shape.MARKUP: BlockKind.MARKUP,
}


def parse_plain_text(text: str) -> ParsedText:
    """Infer the structure of plain text.

    The document's title has level 1, other headings 2 and deeper where their styles differ. Hard-wrapped
    lines are one block; where paragraphs are single long lines, each line is its own. Code is kept whole
    over the blank lines in it. An empty text has no blocks. Never raises.
    """
    front_matter, begin = split_front_matter(text)
    cut = tuple(PieceCutter(tuple(split_lines(text, begin))).cut())
    candidates = _with_ruled_titles(text, _with_numbered_titles(text, _with_code_continued(cut)))
    blocks = _with_flat_cut(text, tuple(_blocks(text, _with_headings(candidates))))
    return ParsedText(text, "text/plain", blocks, front_matter)


def _with_flat_cut(text: str, blocks: Sequence[Block]) -> tuple[Block, ...]:
    """Long lines cut into what they were, where the tagger finds more than paragraphs in them."""
    cut: list[Block] = []
    for block in blocks:
        is_flat = block.kind is BlockKind.PARAGRAPH and block.end - block.start >= FLAT_CHARACTERS
        is_flat = is_flat and "\n" not in text[block.start : block.end]
        units = tuple(cut_flat(text, block.start, block.end)) if is_flat else ()
        is_structured = any(unit.kind is not BlockKind.PARAGRAPH for unit in units)
        cut += units if is_structured else (block,)
    return tuple(cut)


def _blocks(text: str, pieces: Sequence[Piece]) -> Iterator[Block]:
    last: Block | None = None
    joined = {(BlockKind.CODE, Shape.CODE), (BlockKind.LIST_ITEM, Shape.CONTINUATION)}
    for piece, level in zip(pieces, _heading_levels(pieces), strict=True):
        block = Block(_KINDS[piece.shape], piece.start, piece.end, level or piece.depth, piece.title if level else "")
        if last is not None and last.level == block.level and (last.kind, piece.shape) in joined:
            last = replace(last, end=block.end)
            continue
        if last is not None:
            yield last
        last = block if _WORD.search(text, block.start, block.end) else None
    if last is not None:
        yield last


def _with_code_continued(pieces: Sequence[Piece]) -> list[Piece]:
    """Make code of what hangs below code after a blank line."""
    continued: list[Piece] = []
    for piece in pieces:
        above = continued[-1] if continued else None
        hangs = above and above.shape is Shape.CODE and piece.shape is Shape.PARAGRAPH and piece.indent > above.indent
        continued.append(replace(piece, shape=Shape.CODE) if hangs else piece)
    return continued


def _with_numbered_titles(text: str, pieces: Sequence[Piece]) -> list[Piece]:
    """Make candidates of list items that stand alone above prose and count on from one to the next ("1. Scope").

    Where there are several, other candidates rank by their numbers ("1.1 Limits").
    """
    numbered, count = list(pieces), 0
    for position, (piece, after) in enumerate(pairwise(pieces)):
        number = _NUMBER.match(text, piece.start, piece.end)
        if number is None:
            continue
        is_next = piece.shape is Shape.ITEM and piece.depth == 1 and number[1] == str(count + 1)
        is_alone = is_next and after.shape not in (Shape.ITEM, Shape.CONTINUATION)
        is_title = is_alone and heading_style(text[number.end() : piece.end]) is not None
        count += is_title
        if is_title or piece.prominence == BARE:
            title = " ".join(text[piece.start : piece.end].split())
            prominence = BARE + number[1].count(".")
            numbered[position] = replace(piece, shape=Shape.CANDIDATE, depth=0, title=title, prominence=prominence)
    return numbered if count > 1 else list(pieces)


def _with_ruled_titles(text: str, pieces: Sequence[Piece]) -> list[Piece]:
    """Raise the titles that stand tight below a long rule, where there are several: they open a document's parts."""
    ruled = [
        position
        for position, (rule, piece) in enumerate(pairwise(pieces), 1)
        if piece.shape is Shape.CANDIDATE and piece.prominence != COLON
        if rule.shape is Shape.MARKUP and _RULE_ABOVE.fullmatch(text, rule.start, piece.start)
    ]
    raised = list(pieces)
    for position in ruled if len(ruled) > 1 else ():
        raised[position] = replace(pieces[position], prominence=RULED)
    return raised


def _with_headings(pieces: Sequence[Piece]) -> list[Piece]:
    """Decide every candidate by what surrounds it: an adorned title, or a paragraph after all."""
    decided = list(pieces)
    position = 0
    while position < len(decided):
        end = position
        while end < len(decided) and decided[end].shape is Shape.CANDIDATE and decided[end].prominence != COLON:
            end += 1
        after = decided[end] if end < len(decided) else None
        row = range(position, end)
        for index in row:
            # A title with nothing below it says something itself; a long row of short lines is a menu.
            crowded = len(row) > _MAX_HEADINGS_IN_A_ROW and index not in (0, end - 1)
            is_heading = after is not None and not (crowded and decided[index].prominence >= BARE)
            decided[index] = replace(decided[index], shape=Shape.ADORNED if is_heading else Shape.PARAGRAPH)
        if after is not None and after.shape is Shape.CANDIDATE:
            leads = end + 1 < len(decided) and _is_listing(decided[end + 1], after.indent)
            decided[end] = replace(after, shape=Shape.ADORNED if leads else Shape.PARAGRAPH)
        position = end + 1
    return decided


def _is_listing(piece: Piece, indent: int) -> bool:
    listing = piece.shape in (Shape.ITEM, Shape.TABLE, Shape.MARKUP)
    return listing or (piece.shape is Shape.PARAGRAPH and piece.indent > indent)


def _heading_levels(pieces: Sequence[Piece]) -> Iterator[int]:
    """Return the heading level of each piece, 0 for what is no heading."""
    ranked = [piece.prominence for piece in pieces if piece.shape is Shape.ADORNED and piece.prominence != COLON]
    titled = bool(pieces) and pieces[0].shape is Shape.ADORNED and _is_title(ranked) and not _heads_log(pieces)
    rank = {prominence: 2 + order for order, prominence in enumerate(sorted(set(ranked[1:] if titled else ranked)))}
    sections = _section_positions(pieces)
    current, in_section = 1, False
    for position, piece in enumerate(pieces):
        if piece.shape is not Shape.ADORNED:
            yield 0
        elif piece.prominence == COLON:
            yield current + 1
        else:
            if piece.prominence < BARE or position in sections:
                in_section = position in sections
            current = rank.get(piece.prominence, 1) + (in_section and position not in sections)
            if titled and position == 0:
                current = 1
            yield current


def _is_title(ranked: Sequence[int]) -> bool:
    """Return whether the first heading stands above the others: its style is its own, unmarked, or outdone later."""
    if not ranked:
        return False
    first, others = ranked[0], ranked[1:]
    return first not in others or min(others) < first or first >= UNADORNED + 10 * HeadingStyle.CAPITALS


def _heads_log(pieces: Sequence[Piece]) -> bool:
    """Return whether the first heading opens a release as one below it, of the same style, opens an older one."""
    first, *others = (piece for piece in pieces if piece.shape is Shape.ADORNED)
    titles = (first.title, *(one.title for one in others if one.prominence == first.prominence))
    newest, *older = (subject.version if (subject := read_heading(title)) else None for title in titles)
    return newest is not None and any(one and one < newest and len(one.release) == len(newest.release) for one in older)


def _section_positions(pieces: Sequence[Piece]) -> frozenset[int]:
    """Bare headings that head other bare headings, where the document does so more than once."""
    bare = [piece.shape is Shape.ADORNED and piece.prominence == BARE for piece in pieces]
    heads = [
        position
        for position in range(1, len(pieces) - 1)
        if bare[position] and bare[position + 1] and (position == 1 or not bare[position - 1])
    ]
    return frozenset(heads) if len(heads) > 1 else frozenset()
