"""A plain text's lines cut into pieces of one shape each, with the list items they hang from.

Looks at one stanza at a time. What depends on the pieces before and after, such as which candidates are
headings, is left to `ingest.formats.heading_inference`.
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace

from ingest.formats import line_shapes as shapes
from ingest.formats.code_shapes import is_comment
from ingest.formats.heading_inference import HASHED, OVERLINED, UNADORNED, UNDERLINED, Piece, Shape
from ingest.formats.line_shapes import HeadingStyle, MarkupLine
from ingest.formats.stanza_shapes import adorned_title_length, is_code_stanza, split_stanzas, table_length
from ingest.releases.version_lines import is_debian_line

_LONG_LINE = 150
_SPEC_SECTION = "%changelog"
_ADORNMENTS = '=#*-~^"+_.'


def cut_pieces(lines: Sequence[MarkupLine]) -> Iterator[Piece]:
    """The pieces of a document, in order; every line that isn't blank lies in one."""
    cutter = _Cutter(
        unwrapped=_has_unwrapped_lines(lines),
        outlined=any(shapes.outline_stars(line) > 1 for line in lines),
        lists_versions=_lists_versions(lines),
    )
    return cutter.cut(lines)


def _lists_versions(lines: Sequence[MarkupLine]) -> bool:
    """Whether bulleted lines are versions: several are, or the section of an RPM's spec that lists them is there."""
    is_spec = any(line.text == _SPEC_SECTION for line in lines)
    return sum(bool(shapes.bulleted_version(line)) for line in lines) > (0 if is_spec else 1)


def _has_unwrapped_lines(lines: Sequence[MarkupLine]) -> bool:
    """Whether most of the text stands in lines too long to be wrapped: then a line end ends a paragraph."""
    return 2 * sum(len(line) for line in lines if len(line) > _LONG_LINE) > sum(len(line) for line in lines)


class _Cutter:
    """Cuts a document's lines into pieces; remembers which list items are open."""

    def __init__(self, *, unwrapped: bool, outlined: bool, lists_versions: bool) -> None:
        self._unwrapped = unwrapped
        self._outlined = outlined
        self._lists_versions = lists_versions
        self._items: list[tuple[int, int]] = []
        """Indent of the marker and of the content, of each open item from the outermost in."""

    def cut(self, lines: Sequence[MarkupLine]) -> Iterator[Piece]:
        """The pieces of the document, in order."""
        for stanza in split_stanzas(lines):
            plain_from = 0
            position = 0
            while position < len(stanza):
                title_lines = adorned_title_length(stanza, position, opens_run=position == plain_from)
                if not title_lines:
                    position += 1
                    continue
                yield from self._cut_run(stanza[plain_from:position])
                yield self._adorned_piece(stanza[position : position + title_lines])
                position = plain_from = position + title_lines
            yield from self._cut_run(stanza[plain_from:])

    def _adorned_piece(self, lines: Sequence[MarkupLine]) -> Piece:
        if len(lines) == 1:
            self._items.clear()
            return _piece(Shape.MARKUP, lines)
        style, title = (OVERLINED, lines[1:-1]) if len(lines) > 2 else (UNDERLINED, lines[:1])
        return self._heading(
            lines, " ".join(line.text.strip() for line in title), style + _ADORNMENTS.index(lines[-1].text[0])
        )

    def _heading(self, lines: Sequence[MarkupLine], title: str, prominence: int) -> Piece:
        self._items.clear()
        return replace(_piece(Shape.ADORNED, lines), title=_squeezed(title), prominence=prominence)

    def _cut_run(self, lines: Sequence[MarkupLine]) -> Iterator[Piece]:
        if self._unwrapped and not is_code_stanza(lines):
            for line in lines:
                yield from self._cut_stanza((line,))
        elif lines:
            yield from self._cut_stanza(lines)

    def _cut_stanza(self, lines: Sequence[MarkupLine]) -> Iterator[Piece]:
        position = 0
        while position < len(lines) and (opening := self._opening(lines, position)):
            yield opening
            position += 1
        if position < len(lines):
            yield from self._cut_rest(lines[position:])

    def _opening(self, lines: Sequence[MarkupLine], position: int) -> Piece | None:
        """A stanza's line at `position` as a piece of its own, where it heads what follows."""
        line, here = lines[position], lines[position : position + 2]
        stars = shapes.outline_stars(line) if self._outlined else 0
        if line.indent == 0 and is_debian_line(line.text):
            # Before anything is taken for code: "apt (2.6.1)", "curl (7.88)" are commands otherwise.
            return self._heading((line,), line.text, HASHED)
        if line.text == _SPEC_SECTION:
            return _piece(Shape.PARAGRAPH, (line,))
        if self._heads_versions(lines, position):
            return self._heading((line,), shapes.bulleted_version(line), HASHED + 1)
        if stars and shapes.heading_style(title := line.text[stars:].strip()) is not None:
            return self._heading((line,), title, HASHED + stars)
        if len(here) < 2 or not self._is_lead(here) or is_code_stanza(lines[position:]):
            return None
        introduces_code = line.text.endswith(":") and is_code_stanza(lines[position + 1 :])
        return None if introduces_code else self._candidate(line)

    def _cut_rest(self, lines: Sequence[MarkupLine]) -> Iterator[Piece]:
        if len(lines) == 1 and shapes.is_signature(lines[0]):
            yield self._inside_items(Shape.MARKUP, lines)
        elif len(lines) == 1 and is_comment(lines[0].text):
            yield self._inside_items(Shape.COMMENT, lines)
        elif is_code_stanza(lines):
            yield self._inside_items(Shape.CODE, lines)
        elif len(lines) > 1 and lines[0].text.endswith(":") and is_code_stanza(lines[1:]):
            yield from self._cut_rest(lines[:1])
            yield self._inside_items(Shape.CODE, lines[1:])
        else:
            yield from self._cut_prose(lines)

    def _heads_versions(self, lines: Sequence[MarkupLine], position: int) -> bool:
        """Whether a line is a version's in a list of versions, with a list of another kind below it."""
        if not self._lists_versions or not shapes.bulleted_version(lines[position]):
            return False
        below = next((lines[at] for at in range(position + 1, len(lines)) if shapes.bullet(lines[at])), None)
        return below is not None and lines[position].text[0] != below.text[0]

    def _is_lead(self, lines: Sequence[MarkupLine]) -> bool:
        """Whether the first line is a heading set tight on a list, or in capitals or of a version on prose."""
        first, second = lines[:2]
        if self._continues(first) or shapes.bullet(first) or shapes.heading_style(first.text) is None:
            return False
        if shapes.bullet(second):
            return second.indent >= first.indent
        if shapes.is_version_line(first.text):
            return second.indent > first.indent
        return shapes.is_capitals(first.text) and not shapes.is_capitals(second.text)

    def _cut_prose(self, lines: Sequence[MarkupLine]) -> Iterator[Piece]:
        position = 0
        while position < len(lines):
            line = lines[position]
            if (table_lines := table_length(lines, position)) > 0:
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

    def _breaks(self, lines: Sequence[MarkupLine], position: int) -> bool:
        """Whether a block begins at this line of a stanza, which isn't its first."""
        long = max(len(lines[position - 1]), len(lines[position])) > _LONG_LINE
        return long or self._opens_item(lines, position) or table_length(lines, position) > 0

    def _opens_item(self, lines: Sequence[MarkupLine], position: int) -> bool:
        marker = shapes.bullet(lines[position])
        if marker is None:
            return False
        # A wrapped line can begin with a number by chance: only a list's first number interrupts prose.
        in_list = position > 0 and shapes.bullet(lines[0]) is not None
        return position == 0 or in_list or marker.number is None or marker.number == 1

    def _continues(self, line: MarkupLine) -> bool:
        return any(line.indent >= content for _, content in self._items[:1])

    def _item(self, lines: Sequence[MarkupLine]) -> Piece:
        marker = shapes.bullet(lines[0])
        assert marker is not None
        while self._items and lines[0].indent < self._items[-1][0] + 2:
            self._items.pop()
        self._items.append((lines[0].indent, marker.content_indent))
        return replace(_piece(Shape.ITEM, lines), depth=len(self._items))

    def _inside_items(self, shape: Shape, lines: Sequence[MarkupLine]) -> Piece:
        """A piece with the depth of the list item that its indent puts it in; closes the items it has left."""
        indent = min(line.indent for line in lines)
        while self._items and indent < self._items[-1][1]:
            self._items.pop()
        if self._items and shape is Shape.PARAGRAPH:
            shape = Shape.CONTINUATION
        return replace(_piece(shape, lines), depth=len(self._items))

    def _candidate(self, line: MarkupLine) -> Piece:
        self._items.clear()
        style = shapes.heading_style(line.text)
        if style is None or line.indent > 3:
            return _piece(Shape.PARAGRAPH, (line,))
        title = _squeezed(line.text.rstrip(":") if style is HeadingStyle.COLON else line.text)
        return replace(_piece(Shape.CANDIDATE, (line,)), title=title, prominence=UNADORNED + 10 * style)


def _piece(shape: Shape, lines: Sequence[MarkupLine]) -> Piece:
    return Piece(shape, lines[0].start, lines[-1].end, min(line.indent for line in lines))


def _squeezed(text: str) -> str:
    return " ".join(text.split())
