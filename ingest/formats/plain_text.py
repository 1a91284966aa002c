"""Plain text to blocks: structure that its author drew with blank lines, indents, bullets and rules.

Nothing in plain text is marked, so every finding is an inference from shape and place: a short line that
stands alone above prose is a heading, the same line above code or at the end is not. What no rule
recognises is a paragraph. Which headings are releases is found later, as for every format.
"""

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace

from ingest.blocks import Block, BlockKind, ParsedText
from ingest.formats import line_shapes as shapes
from ingest.formats.front_matter import split_front_matter
from ingest.formats.heading_inference import (
    HASHED,
    OVERLINED,
    UNADORNED,
    UNDERLINED,
    Piece,
    Shape,
    heading_levels,
    resolve_comments,
    with_headings,
    with_numbered_titles,
)
from ingest.formats.line_shapes import HeadingStyle, Line

_LONG_LINE = 150
_MAX_UNDERLINED_CHARACTERS = 120
_MAX_CODE_OUTSIDERS = 0.25
_ADORNMENTS = '=#*-~^"+_.'
_WORD = re.compile(r"\w")


def parse_plain_text(text: str) -> ParsedText:
    """Infer the structure of plain text.

    The document's title has level 1, other headings 2 and deeper where their styles differ. Hard-wrapped
    lines are one block; where paragraphs are single long lines, each line is its own. Code is kept whole
    over the blank lines in it. An empty text has no blocks. Never raises.
    """
    front_matter = split_front_matter(text)
    lines = tuple(shapes.read_lines(text, front_matter.end))
    cutter = _Cutter(_has_unwrapped_lines(lines), any(shapes.outline_stars(line) > 1 for line in lines))
    pieces = resolve_comments(text, tuple(cutter.cut(lines)))
    pieces = with_headings(with_numbered_titles(text, pieces))
    return ParsedText(text, "text/plain", tuple(_blocks(text, pieces)), front_matter.values)


def _has_unwrapped_lines(lines: Sequence[Line]) -> bool:
    """Whether most of the text stands in lines too long to be wrapped: then a line end ends a paragraph."""
    return 2 * sum(len(line) for line in lines if len(line) > _LONG_LINE) > sum(len(line) for line in lines)


def _stanzas(lines: Sequence[Line]) -> Iterator[tuple[Line, ...]]:
    stanza: list[Line] = []
    for line in lines:
        if line.text:
            stanza.append(line)
        elif stanza:
            yield tuple(stanza)
            stanza = []
    if stanza:
        yield tuple(stanza)


class _Cutter:
    """Cuts a document's lines into pieces; remembers which list items are open."""

    def __init__(self, unwrapped: bool, outlined: bool) -> None:
        self._unwrapped = unwrapped
        self._outlined = outlined
        self._items: list[tuple[int, int]] = []
        """Indent of the marker and of the content, of each open item from the outermost in."""

    def cut(self, lines: Sequence[Line]) -> Iterator[Piece]:
        """The pieces of the document, in order."""
        for stanza in _stanzas(lines):
            plain_from = 0
            position = 0
            while position < len(stanza):
                title_lines = _adorned_title(stanza, position, position == plain_from)
                if not title_lines:
                    position += 1
                    continue
                yield from self._cut_run(stanza[plain_from:position])
                yield self._adorned_piece(stanza[position : position + title_lines])
                position = plain_from = position + title_lines
            yield from self._cut_run(stanza[plain_from:])

    def _adorned_piece(self, lines: Sequence[Line]) -> Piece:
        if len(lines) == 1:
            self._items.clear()
            return _piece(Shape.MARKUP, lines)
        style = OVERLINED if len(lines) == 3 else UNDERLINED
        return self._heading(lines, lines[-2].text, style + _ADORNMENTS.index(lines[-1].text[0]))

    def _heading(self, lines: Sequence[Line], title: str, prominence: int) -> Piece:
        self._items.clear()
        return replace(_piece(Shape.ADORNED, lines), title=_squeezed(title), prominence=prominence)

    def _cut_run(self, lines: Sequence[Line]) -> Iterator[Piece]:
        if self._unwrapped and not _is_code_stanza(lines):
            for line in lines:
                yield from self._cut_stanza((line,))
        elif lines:
            yield from self._cut_stanza(lines)

    def _cut_stanza(self, lines: Sequence[Line]) -> Iterator[Piece]:
        stars = shapes.outline_stars(lines[0]) if self._outlined else 0
        title = lines[0].text[stars:].strip()
        if stars and shapes.heading_style(title) is not None:
            yield self._heading(lines[:1], title, HASHED + stars)
            if len(lines) > 1:
                yield from self._cut_stanza(lines[1:])
        elif len(lines) == 1 and shapes.is_comment(lines[0].text):
            yield self._inside_items(Shape.COMMENT, lines)
        elif _is_code_stanza(lines):
            yield self._inside_items(Shape.CODE, lines)
        elif len(lines) > 1 and lines[0].text.endswith(":") and _is_code_stanza(lines[1:]):
            yield from self._cut_stanza(lines[:1])
            yield self._inside_items(Shape.CODE, lines[1:])
        elif len(lines) > 1 and self._is_lead(lines):
            yield self._candidate(lines[0])
            yield from self._cut_stanza(lines[1:])
        else:
            yield from self._cut_prose(lines)

    def _is_lead(self, lines: Sequence[Line]) -> bool:
        """Whether the first line is a heading set tight on a list, or in capitals or of a version on prose."""
        first, second = lines[:2]
        if self._continues(first) or shapes.bullet(first) or shapes.heading_style(first.text) is None:
            return False
        if shapes.bullet(second):
            return second.indent >= first.indent
        if shapes.is_version_line(first.text):
            return second.indent > first.indent
        return shapes.is_capitals(first.text) and not shapes.is_capitals(second.text)

    def _cut_prose(self, lines: Sequence[Line]) -> Iterator[Piece]:
        position = 0
        while position < len(lines):
            line = lines[position]
            if (table_lines := _table_length(lines, position)) > 0:
                rows = lines[position : position + table_lines]
                links = all(shapes.is_link_target(row.text) for row in rows)
                yield self._inside_items(Shape.MARKUP if links else Shape.TABLE, rows)
                position += table_lines
                continue
            end = position + 1
            while end < len(lines) and not self._breaks(lines, end):
                end += 1
            if self._opens_item(lines, position):
                yield self._item(lines[position:end])
            elif end - position == 1 and len(lines) == 1 and not self._continues(line):
                yield self._candidate(line)
            else:
                yield self._inside_items(Shape.PARAGRAPH, lines[position:end])
            position = end

    def _breaks(self, lines: Sequence[Line], position: int) -> bool:
        """Whether a block begins at this line of a stanza, which isn't its first."""
        long = max(len(lines[position - 1]), len(lines[position])) > _LONG_LINE
        return long or self._opens_item(lines, position) or _table_length(lines, position) > 0

    def _opens_item(self, lines: Sequence[Line], position: int) -> bool:
        marker = shapes.bullet(lines[position])
        if marker is None:
            return False
        # A wrapped line can begin with a number by chance: only a list's first number interrupts prose.
        in_list = position > 0 and shapes.bullet(lines[0]) is not None
        return position == 0 or in_list or marker.number is None or marker.number == 1

    def _continues(self, line: Line) -> bool:
        return any(line.indent >= content for _, content in self._items[:1])

    def _item(self, lines: Sequence[Line]) -> Piece:
        marker = shapes.bullet(lines[0])
        assert marker is not None
        while self._items and lines[0].indent < self._items[-1][0] + 2:
            self._items.pop()
        self._items.append((lines[0].indent, marker.content_indent))
        return replace(_piece(Shape.ITEM, lines), depth=len(self._items))

    def _inside_items(self, shape: Shape, lines: Sequence[Line]) -> Piece:
        """A piece with the depth of the list item that its indent puts it in; closes the items it has left."""
        indent = min(line.indent for line in lines)
        while self._items and indent < self._items[-1][1]:
            self._items.pop()
        if self._items and shape is Shape.PARAGRAPH:
            shape = Shape.CONTINUATION
        return replace(_piece(shape, lines), depth=len(self._items))

    def _candidate(self, line: Line) -> Piece:
        self._items.clear()
        style = shapes.heading_style(line.text)
        if style is None or line.indent > 3:
            return _piece(Shape.PARAGRAPH, (line,))
        title = _squeezed(line.text.rstrip(":") if style is HeadingStyle.COLON else line.text)
        return replace(_piece(Shape.CANDIDATE, (line,)), title=title, prominence=UNADORNED + 10 * style)


def _piece(shape: Shape, lines: Sequence[Line]) -> Piece:
    return Piece(shape, lines[0].start, lines[-1].end, min(line.indent for line in lines))


def _squeezed(text: str) -> str:
    return " ".join(text.split())


def _adorned_title(stanza: Sequence[Line], position: int, first: bool) -> int:
    """How many lines of `stanza` from `position` are a title with its rules, or a rule by itself; else 0."""
    below = [shapes.rule_character(line.text) for line in stanza[position : position + 3]]
    if below[0] is not None:
        return 3 if len(below) == 3 and below[1] is None and below[2] == below[0] else 1
    title = stanza[position]
    if not first or len(below) < 2 or below[1] is None or len(title) > _MAX_UNDERLINED_CHARACTERS:
        return 0
    return 2 if shapes.bullet(title) is None and 2 * len(stanza[position + 1]) >= len(title) else 0


def _is_code_stanza(lines: Sequence[Line]) -> bool:
    """Whether the lines are code: nearly all read as such, hang below such a line, or comment on it."""
    if not lines or shapes.bullet(lines[0]) is not None:
        return False
    comments = [shapes.is_comment(line.text) for line in lines]
    if all(comments):
        return len(lines) > 1
    statements = [shapes.is_code(line.text) for line in lines]
    if not any(statements) or not (comments[0] or statements[0]):
        return False
    base = lines[0].indent
    outsiders = sum(
        not (comment or statement or line.indent > base or shapes.is_closing(line.text))
        for line, comment, statement in zip(lines, comments, statements, strict=True)
    )
    return outsiders <= _MAX_CODE_OUTSIDERS * len(lines)


def _table_length(lines: Sequence[Line], position: int) -> int:
    """How many lines from `position` are the rows of one table, 0 where there is none."""
    first = lines[position].text
    if shapes.is_link_target(first):
        return _run_length(lines, position, shapes.is_link_target)
    for belongs in (shapes.is_entry, shapes.is_grid, shapes.is_field):
        if belongs(first) and shapes.bullet(lines[position]) is None:
            rows = _run_length(lines, position, belongs)
            return rows if rows > 1 else 0
    return 0


def _run_length(lines: Sequence[Line], position: int, belongs: Callable[[str], bool]) -> int:
    """How many lines from `position` belong, lines that hang below one included; 1 where only one line does."""
    end, rows = position + 1, 1
    while end < len(lines):
        if belongs(lines[end].text):
            rows += 1
        elif lines[end].indent <= lines[position].indent or shapes.bullet(lines[end]) is not None:
            break
        end += 1
    return end - position if rows > 1 else 1


_KINDS = {
    Shape.ADORNED: BlockKind.HEADING,
    Shape.PARAGRAPH: BlockKind.PARAGRAPH,
    Shape.CONTINUATION: BlockKind.PARAGRAPH,
    Shape.ITEM: BlockKind.LIST_ITEM,
    Shape.CODE: BlockKind.CODE,
    Shape.TABLE: BlockKind.TABLE,
    Shape.MARKUP: BlockKind.MARKUP,
}


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
