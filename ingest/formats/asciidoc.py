"""AsciiDoc to blocks, line by line, with exact ranges.

Reads the block syntax only: titles in both spellings, lists, delimited blocks, tables, block metadata.
Inline markup stays in the text. Written leniently where Asciidoctor is strict, because release notes are
plain text first: indented lists and paragraphs inside list items are what they look like, and a short
line that alone introduces a list is the heading that it reads as.

Deliberately not done: attribute substitution, conditionals, including other files.
"""

import re
from collections.abc import Iterator
from dataclasses import replace
from typing import NamedTuple

from ingest.blocks import Block, BlockKind, ParsedText

_MAX_TITLE_CHARACTERS = 1_000
_MAX_BARE_TITLE_CHARACTERS = 80
_MAX_UNDERLINE_DIFFERENCE = 3
_MAX_NESTING = 40

_DESCRIPTION_MAX_INDENT = 8

_LINE = re.compile(r"[^\r\n]+")
_WORD = re.compile(r"\w")
_ATX_TITLE = re.compile(r"(={1,6}|#{1,6})[ \t]+(?=\S)")
_UNDERLINE = re.compile(r"={3,}|-{3,}|~{3,}|\^{3,}|\+{3,}")
_UNDERLINE_LEVELS = {"=": 1, "-": 2, "~": 3, "^": 4, "+": 5}
_LIST_MARKER = re.compile(r"(\*{1,6}|-|\.{1,6}|•|\d{1,3}\.|[A-Za-z]\.|<(?:\d{1,3}|\.)>)[ \t]+(?=\S)")
_DESCRIPTION = re.compile(r"\S[^:;]*(?:[:;][^:;]+)*(:{2,4}|;;)(?=[ \t]|$)")
_DELIMITER = re.compile(r"-{4,}|\.{4,}|={4,}|\*{4,}|_{4,}|\+{4,}|/{4,}|--|`{3,}.*|[|,:!]={3,}")
_BLOCK_ATTRIBUTES = re.compile(r"\[(?:\[.*\]|[\w#.%-]*(?:[,=].*)?)\]|//(?!/).*")
_METADATA = re.compile(_BLOCK_ATTRIBUTES.pattern + r"|:!?\w[\w-]*!?:(?:[ \t].*)?|[a-z]+::\S*\[.*\]|<<<+|'''+")
_BLOCK_TITLE_OR_METADATA = re.compile(rf"\.[^\s.].*|{_METADATA.pattern}")
_ATTRIBUTE = re.compile(r":(revdate|revnumber|page-date|page-version):[ \t]+(\S.*)")
_ATTRIBUTE_FIELDS = {"revdate": "date", "page-date": "date", "revnumber": "version", "page-version": "version"}
_INLINE = re.compile(r"(?<!\w)(\*\*|__|``|[*_`+])(?=\S)([^*_`+]+)(?<=\S)\1(?!\w)")
_LINK = re.compile(r"(?:link:|https?://)[^\s\[\]]+\[([^\[\]]+)\]|<<[^<>,]+,[ \t]*([^<>]+)>>")


def parse_asciidoc(text: str) -> ParsedText:
    """Find the blocks of an AsciiDoc document.

    Heading levels are those of AsciiDoc from 1 (`=` or a `===` underline: 1). A line under text of about
    its length is an underline, elsewhere a block delimiter. Never fails: text without structure is
    paragraphs, empty text gives no blocks.

    Source: the AsciiDoc language documentation (docs.asciidoctor.org).
    """
    parser = _Parser(text, tuple(_split_lines(text)))
    parser.parse()
    return ParsedText(text, "text/asciidoc", tuple(parser.blocks), parser.front_matter)


def plain_title(markup: str) -> str:
    """A title without inline markup: emphasis, code and link macros."""
    if len(markup) > _MAX_TITLE_CHARACTERS:
        return " ".join(markup.split())
    return " ".join(_INLINE.sub(r"\2", _LINK.sub(lambda match: match[1] or match[2], markup)).split())


class _Line(NamedTuple):
    """A line with words or marks; blank lines are known by `after_blank` of the next one."""

    start: int
    end: int
    indent: int
    after_blank: bool


class _Item(NamedTuple):
    """An open list item."""

    marker: str
    indent: int
    text_indent: int
    """Column of its first words; what is indented deeper is literal."""
    block: int
    """Position of its LIST_ITEM block, which grows by the paragraphs that follow it directly."""


def _split_lines(text: str) -> Iterator[_Line]:
    previous_end = 0
    for match in _LINE.finditer(text, 1 if text.startswith("\ufeff") else 0):
        line = match[0]
        content = line.lstrip()
        if not content:
            continue
        margin = line[: len(line) - len(content)]
        start = match.start() + len(margin)
        gap = text[previous_end:start]
        after_blank = previous_end == 0 or max(gap.count("\n"), gap.count("\r")) > 1
        previous_end = start + len(content.rstrip())
        yield _Line(start, previous_end, len(margin.expandtabs(8)), after_blank)


class _Parser:
    def __init__(self, text: str, lines: tuple[_Line, ...]) -> None:
        self.blocks: list[Block] = []
        self.front_matter: dict[str, str] = {}
        self._text = text
        self._lines = lines
        self._next = 0
        self._items: list[_Item] = []
        self._section = 0
        self._attached = False
        self._in_header = True
        self._open: list[str] = []
        # An unclosed delimiter must not swallow the rest, nor cost a search of the rest.
        self._last_places = {self._content(index): index for index in range(len(lines)) if self._may_delimit(index)}

    def parse(self) -> None:
        while self._next < len(self._lines):
            line, content = self._lines[self._next], self._content(self._next)
            if content == "+" and self._items:
                self._next, self._attached = self._next + 1, True
                continue
            if self._heading(content) or self._delimited(content):
                pass
            elif _METADATA.fullmatch(content):
                self._metadata(content)
                continue
            elif marker := _LIST_MARKER.match(content):
                self._list_item(marker[1], line.indent + marker.end())
            elif description := _DESCRIPTION.match(content):
                self._list_item(description[1], line.indent + _DESCRIPTION_MAX_INDENT)
            elif self._is_literal(line):
                self._emit(BlockKind.CODE, self._run_end(breaks=False))
            else:
                self._paragraph()
            self._attached = False

    # Lines ---------------------------------------------------------------------------------------------

    def _content(self, index: int) -> str:
        line = self._lines[index]
        return self._text[line.start : line.end]

    def _may_delimit(self, index: int) -> bool:
        line = self._lines[index]
        return self._text[line.start] in "-.=*_+/`|,:!" and _DELIMITER.fullmatch(self._content(index)) is not None

    def _run_end(self, *, breaks: bool) -> int:
        """Index after the lines up to the next blank line, or (`breaks`) to the next that begins a block."""
        index = self._next + 1
        while index < len(self._lines) and not self._lines[index].after_blank:
            if breaks and self._breaks_text(index):
                break
            index += 1
        return index

    def _breaks_text(self, index: int) -> bool:
        content, line, before = self._content(index), self._lines[index], self._lines[index - 1]
        if content == "+" or _BLOCK_ATTRIBUTES.fullmatch(content) or content in self._open or self._closes_later(index):
            return True
        if self._items and self._items[-1].marker[0] in ":;" and _DESCRIPTION.match(content):
            return True
        if not _LIST_MARKER.match(content):
            return False
        introduced = self._text.endswith(":", 0, before.end)
        return bool(self._items) or line.indent > self._lines[self._next].indent or introduced

    def _closes_later(self, index: int) -> bool:
        return self._last_places.get(self._content(index), -1) > index

    def _emit(self, kind: BlockKind, stop: int, *, level: int | None = None, title: str = "") -> None:
        """Add the block of the lines from the current one up to `stop`, and go there."""
        depth = len(self._items) if level is None else level
        self._in_header = self._in_header and kind in (BlockKind.HEADING, BlockKind.MARKUP)
        self.blocks.append(Block(kind, self._lines[self._next].start, self._lines[stop - 1].end, depth, title))
        self._next = stop

    # Titles and metadata -------------------------------------------------------------------------------

    def _heading(self, content: str) -> bool:
        if len(content) > _MAX_TITLE_CHARACTERS or self._attached:
            return False
        line = self._lines[self._next]
        if (match := _ATX_TITLE.match(content)) and line.indent == 0:
            self._emit_heading(self._next + 1, len(match[1]), content[match.end() :].removesuffix(" " + match[1]))
        elif line.indent == 0 and self._is_underlined(content):
            level = _UNDERLINE_LEVELS[self._content(self._next + 1)[0]]
            self._emit_heading(self._next + 2, level, content)
        elif self._is_bare_title(content):
            self._emit_heading(self._next + 1, self._section + 1, content, opens_section=False)
        else:
            return False
        return True

    def _emit_heading(self, stop: int, level: int, title: str, *, opens_section: bool = True) -> None:
        self._items.clear()
        if opens_section:
            self._section = level
        self._emit(BlockKind.HEADING, stop, level=level, title=plain_title(title))

    def _is_underlined(self, content: str) -> bool:
        following = self._next + 1
        if following >= len(self._lines) or self._lines[following].after_blank or self._lines[following].indent:
            return False
        underline = self._content(following)
        if not _UNDERLINE.fullmatch(underline) or underline in self._open:
            return False
        if not _WORD.search(content) or _LIST_MARKER.match(content) or _BLOCK_TITLE_OR_METADATA.fullmatch(content):
            return False
        difference = abs(len(underline) - len(content))
        # A delimiter that nothing closes can only be an underline, whatever its length.
        return difference <= _MAX_UNDERLINE_DIFFERENCE or not self._closes_later(following)

    def _is_bare_title(self, content: str) -> bool:
        """A short line between blank lines, without a full stop, that is followed by a list."""
        following = self._next + 1
        if following >= len(self._lines) or len(content) > _MAX_BARE_TITLE_CHARACTERS or not content[0].isupper():
            return False
        if not content[-1].isalnum() and not content.endswith((")", "etc.")):
            return False
        line, after = self._lines[self._next], self._lines[following]
        if line.indent or not line.after_blank or not after.after_blank:
            return False
        return after.indent > 0 and _LIST_MARKER.match(self._content(following)) is not None

    def _metadata(self, content: str) -> None:
        stated = _ATTRIBUTE.fullmatch(content)
        if stated and self._in_header:
            self.front_matter.setdefault(_ATTRIBUTE_FIELDS[stated[1]], stated[2].strip())
        self._emit(BlockKind.MARKUP, self._next + 1)

    # Blocks --------------------------------------------------------------------------------------------

    def _delimited(self, content: str) -> bool:
        if not self._may_delimit(self._next):
            return False
        if not self._attached and self._lines[self._next].after_blank and self._lines[self._next].indent == 0:
            self._items.clear()
        closing = "```" if content.startswith("```") else content
        closed = self._last_places.get(closing, -1) > self._next
        kind = {"-": BlockKind.CODE, ".": BlockKind.CODE, "`": BlockKind.CODE, "/": BlockKind.MARKUP}.get(content[0])
        if content[0] == "+":
            kind = BlockKind.MARKUP
        elif content.endswith("==="):
            kind = BlockKind.TABLE if content[0] in "|,:!" else None
        if kind is None or content == "--" or not closed:
            # Example, sidebar and quote blocks hold document text; only their delimiters are markup.
            if content in self._open:
                del self._open[self._open.index(content) :]
            elif closed and len(self._open) < _MAX_NESTING:
                self._open.append(content)
            self._emit(BlockKind.MARKUP, self._next + 1)
            return True
        stop = self._next + 1
        while self._content(stop) != closing:
            stop += 1
        self._emit(kind, stop + 1)
        return True

    def _list_item(self, marker: str, text_indent: int) -> None:
        indent = self._lines[self._next].indent
        marker = "1." if marker[:-1].isdigit() else marker
        for depth, item in enumerate(self._items):
            if item.marker == marker and indent <= item.indent + 1:
                del self._items[depth:]
                break
        del self._items[_MAX_NESTING - 1 :]
        self._items.append(_Item(marker, indent, text_indent, len(self.blocks)))
        self._emit(BlockKind.LIST_ITEM, self._run_end(breaks=True))

    def _is_literal(self, line: _Line) -> bool:
        """Indented text outside lists; inside, only what is indented deeper than the item's own text."""
        return line.indent > (self._items[-1].text_indent if self._items else 0)

    def _paragraph(self) -> None:
        line = self._lines[self._next]
        if self._items and line.indent == 0 and line.after_blank and not self._attached:
            self._items.clear()
        stop = self._run_end(breaks=True)
        if self._items and self._items[-1].block == len(self.blocks) - 1:
            self.blocks[-1] = replace(self.blocks[-1], end=self._lines[stop - 1].end)
            self._next = stop
        else:
            self._emit(BlockKind.PARAGRAPH, stop)
