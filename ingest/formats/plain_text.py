"""Plain text to blocks: structure that its author drew with blank lines, indents, bullets and rules.

Nothing in plain text is marked, so every finding is an inference from shape and place: a short line that
stands alone above prose is a heading, the same line above code or at the end is not. What no rule
recognises is a paragraph. Which headings are releases is found later, as for every format.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from ingest.blocks import Block, BlockKind, ParsedText
from ingest.formats.front_matter import split_front_matter
from ingest.formats.heading_inference import (
    Piece,
    Shape,
    heading_levels,
    resolve_comments,
    with_headings,
    with_numbered_titles,
    with_ruled_titles,
)
from ingest.formats.line_shapes import read_lines
from ingest.formats.plain_text_pieces import cut_pieces

_WORD = re.compile(r"\w")
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
    front_matter = split_front_matter(text)
    cut = tuple(cut_pieces(tuple(read_lines(text, front_matter.end))))
    candidates = with_ruled_titles(text, with_numbered_titles(text, resolve_comments(text, cut)))
    pieces = with_headings(candidates)
    return ParsedText(text, "text/plain", tuple(_blocks(text, pieces)), front_matter.values)


def _blocks(text: str, pieces: Sequence[Piece]) -> Iterator[Block]:
    last: Block | None = None
    for piece, level in zip(pieces, heading_levels(pieces), strict=True):
        block = Block(_KINDS[piece.shape], piece.start, piece.end, level or piece.depth, piece.title if level else "")
        if last is not None and last.level == block.level and _belong_together(last.kind, piece.shape):
            last = replace(last, end=block.end)
            continue
        if last is not None:
            yield last
        last = block if _WORD.search(text, block.start, block.end) else None
    if last is not None:
        yield last


def _belong_together(kind: BlockKind, shape: Shape) -> bool:
    return (kind is BlockKind.CODE and shape is Shape.CODE) or (
        kind is BlockKind.LIST_ITEM and shape is Shape.CONTINUATION
    )
