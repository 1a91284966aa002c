"""AsciiDoc to blocks, line by line, with exact ranges.

Reads the block syntax only: titles in both spellings, lists, delimited blocks, tables, block metadata.
Inline markup stays in the text. Written leniently where Asciidoctor is strict, because release notes are
plain text first: indented lists and paragraphs inside list items are what they look like, and a short
line that alone introduces a list is the heading that it reads as.

Attributes that the document sets are filled in where titles refer to them. Deliberately not done: filling them in
elsewhere (what is quoted is the source), conditionals, including other files.
"""

from collections.abc import Sequence
from dataclasses import replace
from typing import NamedTuple

from ingest.blocks import Block, BlockKind, ParsedText
from ingest.formats import asciidoc_shapes as shapes
from ingest.formats.lines import TextLine, split_lines
from ingest.formats.plain_titles import MAX_TITLE_CHARACTERS, plain_asciidoc_title

_MAX_NESTING = 40
_DESCRIPTION_MAX_INDENT = 8


def parse_asciidoc(text: str) -> ParsedText:
    """Find the blocks of an AsciiDoc document.

    Heading levels are those of AsciiDoc from 1 (`=` or a `===` underline: 1). A line under text of about
    its length is an underline, elsewhere a block delimiter. Never fails: text without structure is
    paragraphs, empty text gives no blocks.

    Source: the AsciiDoc language documentation (docs.asciidoctor.org).
    """
    parser = _Parser(tuple(split_lines(text)))
    parser.parse()
    return ParsedText(text, "text/asciidoc", tuple(parser.blocks), parser.front_matter)


class _Item(NamedTuple):
    """An open list item."""

    marker: str
    indent: int
    text_indent: int
    """Column of its first words; what is indented deeper is literal."""
    block: int
    """Position of its LIST_ITEM block, which grows by the paragraphs that follow it directly."""


class _Parser:
    def __init__(self, lines: Sequence[TextLine]) -> None:
        self.blocks: list[Block] = []
        self.front_matter: dict[str, str] = {}
        self._attributes: dict[str, str] = {}
        self._lines = lines
        self._next = 0
        self._items: list[_Item] = []
        self._section = 0
        self._attached = False
        self._in_header = True
        self._has_title = False
        self._open: list[str] = []
        # An unclosed delimiter must not swallow the rest, nor cost a search of the rest.
        self._last_places = {
            line.content: index for index, line in enumerate(lines) if shapes.is_delimiter(line.content)
        }

    def parse(self) -> None:
        while self._next < len(self._lines):
            line = self._lines[self._next]
            if line.content == "+" and self._items:
                self._next, self._attached = self._next + 1, True
                continue
            if self._heading(line) or self._delimited(line) or self._document_header(line):
                pass
            elif shapes.is_metadata(line.content):
                self._metadata(line.content)
                continue
            elif marker := shapes.LIST_MARKER.match(line.content):
                self._list_item(line, marker[1], text_indent=line.indent + marker.end())
            elif description := shapes.DESCRIPTION.match(line.content):
                self._list_item(line, description[1], text_indent=line.indent + _DESCRIPTION_MAX_INDENT)
            elif self._is_literal(line):
                self._emit(BlockKind.CODE, self._run_end(breaks=False))
            else:
                self._paragraph(line)
            self._attached = False

    # Lines ---------------------------------------------------------------------------------------------

    def _run_end(self, *, breaks: bool) -> int:
        """Index after the lines up to the next blank line, or (`breaks`) to the next that begins a block."""
        index = self._next + 1
        while index < len(self._lines) and not self._lines[index].after_blank:
            if breaks and self._breaks_text(index):
                break
            index += 1
        return index

    def _breaks_text(self, index: int) -> bool:
        line, before = self._lines[index], self._lines[index - 1]
        if line.content == "+" or shapes.is_block_attributes(line.content) or shapes.is_preprocessor(line.content):
            return True
        if line.content in self._open or self._closes_later(index):
            return True
        if self._items and self._items[-1].marker[0] in ":;" and shapes.DESCRIPTION.match(line.content):
            return True
        if not shapes.LIST_MARKER.match(line.content):
            return False
        introduced = before.content.endswith(":")
        return bool(self._items) or line.indent > self._lines[self._next].indent or introduced

    def _closes_later(self, index: int) -> bool:
        return self._last_places.get(self._lines[index].content, -1) > index

    def _emit(self, kind: BlockKind, stop: int, *, level: int | None = None, title: str = "") -> None:
        """Add the block of the lines from the current one up to `stop`, and go there."""
        depth = len(self._items) if level is None else level
        self._in_header = self._in_header and kind in (BlockKind.HEADING, BlockKind.MARKUP)
        self._has_title = self._has_title or level == 1
        self.blocks.append(Block(kind, self._lines[self._next].start, self._lines[stop - 1].end, depth, title))
        self._next = stop

    # Titles and metadata -------------------------------------------------------------------------------

    def _heading(self, line: TextLine) -> bool:
        content = line.content
        if len(content) > MAX_TITLE_CHARACTERS or self._attached:
            return False
        if (match := shapes.ATX_TITLE.match(content)) and line.indent == 0:
            self._emit_heading(self._next + 1, len(match[1]), content[match.end() :].removesuffix(" " + match[1]))
        elif line.indent == 0 and self._is_underlined(content):
            level = shapes.UNDERLINE_LEVELS[self._lines[self._next + 1].content[0]]
            self._emit_heading(self._next + 2, level, content)
        elif shapes.is_bare_title(self._lines[self._next : self._next + 2]):
            self._emit_heading(self._next + 1, self._section + 1, content, opens_section=False)
        else:
            return False
        return True

    def _emit_heading(self, stop: int, level: int, title: str, *, opens_section: bool = True) -> None:
        self._items.clear()
        if opens_section:
            self._section = level
        title = shapes.with_attributes(plain_asciidoc_title(title), self._attributes)
        self._emit(BlockKind.HEADING, stop, level=level, title=title)

    def _is_underlined(self, content: str) -> bool:
        following = self._next + 1
        if following >= len(self._lines) or self._lines[following].after_blank or self._lines[following].indent:
            return False
        underline = self._lines[following].content
        if underline in self._open or not shapes.may_be_underlined(content, underline):
            return False
        # A delimiter that nothing closes can only be an underline, whatever its length.
        return shapes.has_length_of(underline, content) or not self._closes_later(following)

    def _document_header(self, line: TextLine) -> bool:
        """Take the lines of authors and revision, which stand right below the document's title."""
        above = self.blocks[-1] if self.blocks else None
        if not self._in_header or above is None or line.after_blank or not self._has_title:
            return False
        is_below_author = above.kind is BlockKind.MARKUP and shapes.is_author_line(self._lines[self._next - 1].content)
        if above.kind is BlockKind.HEADING and shapes.is_author_line(line.content):
            self._emit(BlockKind.MARKUP, self._next + 1)
        elif is_below_author and (stated := shapes.revision_fields(line.content)):
            for name, value in stated.items():
                self.front_matter.setdefault(name, value)
            self._emit(BlockKind.MARKUP, self._next + 1)
        else:
            return False
        return True

    def _metadata(self, content: str) -> None:
        if stated := shapes.stated_attribute(content):
            name, value = stated
            self._attributes[name] = shapes.with_attributes(value, self._attributes)
            if self._in_header and (field := shapes.ATTRIBUTE_FIELDS.get(name)):
                self.front_matter.setdefault(field, self._attributes[name])
        self._emit(BlockKind.MARKUP, self._next + 1)

    # Blocks --------------------------------------------------------------------------------------------

    def _delimited(self, line: TextLine) -> bool:
        if not shapes.is_delimiter(line.content):
            return False
        if not self._attached and line.after_blank and line.indent == 0:
            self._items.clear()
        closing = shapes.closing_delimiter(line.content)
        closed = self._last_places.get(closing, -1) > self._next
        kind = shapes.delimited_kind(line.content)
        if kind is None or not closed:
            self._open_or_close(line.content, closed=closed)
            self._emit(BlockKind.MARKUP, self._next + 1)
            return True
        stop = self._next + 1
        while self._lines[stop].content != closing:
            stop += 1
        self._emit(kind, stop + 1)
        return True

    def _open_or_close(self, delimiter: str, *, closed: bool) -> None:
        """Example, sidebar and quote blocks hold document text; only their delimiters are markup."""
        if delimiter in self._open:
            del self._open[self._open.index(delimiter) :]
        elif closed and len(self._open) < _MAX_NESTING:
            self._open.append(delimiter)

    def _list_item(self, line: TextLine, marker: str, *, text_indent: int) -> None:
        marker = "1." if marker[:-1].isdigit() else marker
        for depth, item in enumerate(self._items):
            if item.marker == marker and line.indent <= item.indent + 1:
                del self._items[depth:]
                break
        del self._items[_MAX_NESTING - 1 :]
        self._items.append(_Item(marker, line.indent, text_indent, len(self.blocks)))
        self._emit(BlockKind.LIST_ITEM, self._run_end(breaks=True))

    def _is_literal(self, line: TextLine) -> bool:
        """Indented text outside lists; inside, only what is indented deeper than the item's own text."""
        return line.indent > (self._items[-1].text_indent if self._items else 0)

    def _paragraph(self, line: TextLine) -> None:
        if self._items and line.indent == 0 and line.after_blank and not self._attached:
            self._items.clear()
        stop = self._run_end(breaks=True)
        if self._items and self._items[-1].block == len(self.blocks) - 1:
            self.blocks[-1] = replace(self.blocks[-1], end=self._lines[stop - 1].end)
            self._next = stop
        else:
            self._emit(BlockKind.PARAGRAPH, stop)
