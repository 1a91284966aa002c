"""Parses AsciiDoc into blocks, line by line, with exact ranges; more lenient than Asciidoctor.

Attributes set by the document are filled in where titles refer to them, and nowhere else, because the source is quoted.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import NamedTuple

from ingest.blocks import CODE, HEADING, LIST_ITEM, MARKUP, PARAGRAPH, TABLE, Aside, Block, BlockKind, ParsedText
from ingest.text_lines import MAX_TITLE_CHARACTERS, TextLine, plain_title, split_lines

_MAX_NESTING = 40
_DESCRIPTION_MAX_INDENT = 8
_MAX_BARE_TITLE_CHARACTERS = 80
_MAX_UNDERLINE_DIFFERENCE = 3
_MAX_VALUE_CHARACTERS = 300

_WORD = re.compile(r"\w")
_ATX_TITLE = re.compile(r"(={1,6}|#{1,6})[ \t]+(?=\S)")
_UNDERLINE = re.compile(r"={3,}|-{3,}|~{3,}|\^{3,}|\+{3,}")
_UNDERLINE_LEVELS = {"=": 1, "-": 2, "~": 3, "^": 4, "+": 5}
_LIST_MARKER = re.compile(r"(\*+|-|\.+|•|\d{1,3}\.|[A-Za-z]\.|<(?:\d{1,3}|\.)>)[ \t]+(?=\S)")
_DESCRIPTION = re.compile(r"\S[^:;]*(?:[:;][^:;]+)*(:{2,4}|;;)(?=[ \t]|$)")
_DELIMITER = re.compile(r"-{4,}|\.{4,}|={4,}|\*{4,}|_{4,}|\+{4,}|/{4,}|--|`{3,}.*|[|,:!]={3,}")
_BLOCK_ATTRIBUTES = re.compile(r"\[(?:\[.*\]|[\w#.%{}-]*(?:[,=].*)?)\]|//(?!/).*")
_METADATA = re.compile(_BLOCK_ATTRIBUTES.pattern + r"|:!?\w[\w-]*!?:(?:[ \t].*)?|[a-z]+::\S*\[.*\]|<<<+|'''+")
_BLOCK_TITLE_OR_METADATA = re.compile(rf"\.[^\s.].*|{_METADATA.pattern}")
_PREPROCESSOR = re.compile(r"(?:include|ifdef|ifndef|ifeval|endif)::\S*\[.*\]")
_ATTRIBUTE = re.compile(rf":(\w[\w-]*):[ \t]+(\S.{{,{_MAX_VALUE_CHARACTERS - 1}}})")
_REFERENCE = re.compile(r"\{(\w[\w-]*)\}")
_ATTRIBUTE_FIELDS = {
    "revdate": "date",
    "page-date": "date",
    "release-date": "date",
    "date": "date",
    "revnumber": "version",
    "page-version": "version",
}
_BLOCK_TITLE = re.compile(r"\.(?=[^\s.]).{1,300}")
_FOLDS = re.compile(r"\[[^\]]*%collapsible")
_AUTHORS = re.compile(r"[^\W\d_][^<>\[\]]{0,100}<[^<>\s]{1,200}@[^<>\s]{1,200}>(?:;[^\[\]]{0,500})?")
_REVISION = re.compile(
    r"(?=v\d|\d[\w.]*,|\d{4}-\d\d-\d\d)(?:v?(?!\d{4}-\d\d-\d\d)(?P<version>\d[\w.+-]*)(?=,|:|$))?(?:,?\s*(?P<date>[^\s:,][^:]{3,40}))?(?::\s.*)?"
)
_DELIMITED_KINDS = {"-": CODE, ".": CODE, "`": CODE, "/": MARKUP, "+": MARKUP}


def parse_asciidoc(text: str) -> ParsedText:
    """Parse an AsciiDoc document into blocks.

    Heading levels are AsciiDoc's, from 1 (`=` or a `===` underline). A line under text of about its length is an
    underline, any other a block delimiter. Never raises: text without structure is paragraphs, no text no blocks.

    Source: the AsciiDoc language documentation (docs.asciidoctor.org).
    """
    parser = _Parser(tuple(split_lines(text)))
    parser.parse()
    # The header sets attributes below the title, which may refer to them.
    blocks = tuple(replace(block, title=_filled_in(block.title, parser.attributes)) for block in parser.blocks)
    return ParsedText(text, "text/asciidoc", blocks, parser.front_matter, tuple(parser.asides))


class _Item(NamedTuple):
    """An open list item."""

    marker: str
    indent: int
    text_indent: int  # Column of its first words; deeper lines are literal text.
    block: int  # Position of its LIST_ITEM block, which grows by the paragraphs that follow it directly.


class _Parser:
    def __init__(self, lines: Sequence[TextLine]) -> None:
        self.blocks: list[Block] = []
        self.asides: list[Aside] = []
        self.front_matter: dict[str, str] = {}
        self.attributes: dict[str, str] = {}
        self._lines = lines
        self._next = 0
        self._items: list[_Item] = []
        self._section = 0
        self._attached = False
        self._in_header = True
        self._open_delimiters: list[str] = []
        self._open_starts: list[int] = []
        """The starts of the open delimited blocks."""
        self._folding_levels: dict[str, int] = {}
        """The levels of the headings of folding blocks, by their delimiters."""
        self._ends = 0
        # An unclosed delimiter must not swallow the rest, nor cost a search of the rest.
        self._last_places = {
            line.content: index for index, line in enumerate(lines) if _DELIMITER.fullmatch(line.content)
        }

    def parse(self) -> None:
        while self._next < len(self._lines):
            line = self._lines[self._next]
            if line.content == "+" and self._items:
                self._next, self._attached = self._next + 1, True
                continue
            if self._emit_if_heading(line) or self._emit_if_block_title(line) or self._emit_if_delimiter(line):
                pass
            elif _METADATA.fullmatch(line.content):
                if stated := _ATTRIBUTE.fullmatch(line.content):
                    name = stated[1]
                    self.attributes[name] = _filled_in(stated[2].strip(), self.attributes)
                    if self._in_header and (field := _ATTRIBUTE_FIELDS.get(name)):
                        self.front_matter.setdefault(field, self.attributes[name])
                self._emit(MARKUP, self._next + 1)
                continue
            elif marker := _LIST_MARKER.match(line.content):
                self._emit_list_item(line, marker[1], text_indent=line.indent + marker.end())
            elif description := _DESCRIPTION.match(line.content):
                self._emit_list_item(line, description[1], text_indent=line.indent + _DESCRIPTION_MAX_INDENT)
            # Indented text outside lists; inside, only text indented deeper than the item's own.
            elif line.indent > (self._items[-1].text_indent if self._items else 0):
                self._emit(CODE, self._run_end(breaks=False))
            else:
                self._emit_paragraph(line)
            self._attached = False

    def _run_end(self, *, breaks: bool) -> int:
        """Return the index after the lines up to a blank line, or (`breaks`) to the next line that begins a block."""
        index = self._next + 1
        while index < len(self._lines) and not self._lines[index].after_blank:
            if breaks and self._begins_block(index):
                break
            index += 1
        return index

    def _begins_block(self, index: int) -> bool:
        """Return whether a line can't continue the paragraph above it."""
        line, before = self._lines[index], self._lines[index - 1]
        if line.content == "+" or _BLOCK_ATTRIBUTES.fullmatch(line.content) or _PREPROCESSOR.fullmatch(line.content):
            return True
        if line.content in self._open_delimiters or self._closes_later(index):
            return True
        if self._items and self._items[-1].marker[0] in ":;" and _DESCRIPTION.match(line.content):
            return True
        if not _LIST_MARKER.match(line.content):
            return self._in_header and _ATTRIBUTE.fullmatch(line.content) is not None
        return bool(self._items) or line.indent > self._lines[self._next].indent or before.content.endswith(":")

    def _closes_later(self, index: int) -> bool:
        """Return whether the same delimiter comes again after this line."""
        return self._last_places.get(self._lines[index].content, -1) > index

    def _emit(self, kind: BlockKind, stop: int, *, level: int | None = None, title: str = "") -> None:
        """Add the lines from the current one up to `stop` as a block, and go there."""
        depth = len(self._items) if level is None else level
        self._in_header = self._in_header and kind in (HEADING, MARKUP)
        start, end = self._lines[self._next].start, self._lines[stop - 1].end
        self.blocks.append(Block(kind, start, end, depth, title, ends=self._ends))
        self._ends = 0
        self._next = stop

    def _emit_if_heading(self, line: TextLine) -> bool:
        """Emit the line as a heading if it is one, marked or only by its place; return whether it is."""
        content = line.content
        if len(content) > MAX_TITLE_CHARACTERS or self._attached:
            return False
        if (match := _ATX_TITLE.match(content)) and line.indent == 0:
            self._emit_heading(self._next + 1, len(match[1]), content[match.end() :].removesuffix(" " + match[1]))
        elif line.indent == 0 and self._is_underlined(content):
            self._emit_heading(self._next + 2, _UNDERLINE_LEVELS[self._lines[self._next + 1].content[0]], content)
        elif _is_bare_title(self._lines[self._next : self._next + 2]):
            section = self._section
            self._emit_heading(self._next + 1, section + 1, content)
            self._section = section
        else:
            return False
        return True

    def _emit_heading(self, stop: int, level: int, title: str) -> None:
        self._items.clear()
        self._section = level
        self._emit(HEADING, stop, level=level, title=self._plain(title))
        # The lines of authors and revision are right below the document's title.
        for pattern in (_AUTHORS, _REVISION) if self._in_header and level == 1 else ():
            line = self._lines[self._next] if self._next < len(self._lines) else None
            stated = pattern.fullmatch(line.content) if line and not line.after_blank else None
            if stated is None:
                break
            fields = {name: value.strip() for name, value in stated.groupdict().items() if value}
            self.front_matter = fields | self.front_matter
            self._emit(MARKUP, self._next + 1)

    def _is_underlined(self, content: str) -> bool:
        following = self._next + 1
        if following >= len(self._lines) or self._lines[following].after_blank or self._lines[following].indent:
            return False
        underline = self._lines[following].content
        if underline in self._open_delimiters or not _UNDERLINE.fullmatch(underline) or not _WORD.search(content):
            return False
        if _LIST_MARKER.match(content) or _BLOCK_TITLE_OR_METADATA.fullmatch(content):
            return False
        # A delimiter that nothing closes can only be an underline, whatever its length.
        is_fitting = abs(len(underline) - len(content)) <= _MAX_UNDERLINE_DIFFERENCE
        return is_fitting or not self._closes_later(following)

    def _emit_if_block_title(self, line: TextLine) -> bool:
        """Emit the line as a heading if it is the title of a list or of a folding block; return whether it is."""
        if not _BLOCK_TITLE.fullmatch(line.content) or (self._items and not line.after_blank) or line.indent:
            return False
        index = self._next + 1
        while index < len(self._lines) and _METADATA.fullmatch(self._lines[index].content):
            index += 1
        around = self._lines[max(self._next - 1, 0) : index]
        delimiter = self._lines[index].content if index < len(self._lines) else ""
        if any(_FOLDS.match(each.content) for each in around) and self._last_places.get(delimiter, -1) > index:
            self._folding_levels[delimiter] = self._section + 1
        elif not _LIST_MARKER.match(delimiter):
            return False
        self._items.clear()
        self._emit(HEADING, self._next + 1, level=self._section + 1, title=self._plain(line.content[1:]))
        return True

    def _plain(self, title: str) -> str:
        return plain_title(_filled_in(title, self.attributes), media_type="text/asciidoc")

    def _emit_if_delimiter(self, line: TextLine) -> bool:
        """Emit a delimiter, or a whole delimited block of code, table or markup; return whether the line is one."""
        delimiter = line.content
        if not _DELIMITER.fullmatch(delimiter):
            return False
        if not self._attached and line.after_blank and line.indent == 0:
            self._items.clear()
        closing = "```" if delimiter.startswith("```") else delimiter
        closed = self._last_places.get(closing, -1) > self._next
        stop = self._next + 1
        if closed and (kind := _delimited_kind(delimiter)):
            while self._lines[stop].content != closing:
                stop += 1
            self._emit(kind, stop + 1)
            return True
        # Example, sidebar and quote blocks contain document text; only their delimiters are markup.
        if delimiter in self._open_delimiters:
            outer = self._open_delimiters.index(delimiter)
            if delimiter[0] in "_=":
                self.asides.append(Aside(self._open_starts[outer], line.end, is_folded=delimiter[0] == "="))
            del self._open_delimiters[outer:], self._open_starts[outer:]
            self._emit(MARKUP, stop)
            self._ends = self._folding_levels.pop(delimiter, 0)
            return True
        if closed and len(self._open_delimiters) < _MAX_NESTING:
            self._open_delimiters.append(delimiter)
            self._open_starts.append(line.start)
        self._emit(MARKUP, stop)
        return True

    def _emit_list_item(self, line: TextLine, marker: str, *, text_indent: int) -> None:
        marker = "1." if marker[:-1].isdigit() else marker
        for depth, item in enumerate(self._items):
            if item.marker == marker and line.indent <= item.indent + 1:
                del self._items[depth:]
                break
        del self._items[_MAX_NESTING - 1 :]
        self._items.append(_Item(marker, line.indent, text_indent, len(self.blocks)))
        self._emit(LIST_ITEM, self._run_end(breaks=True))

    def _emit_paragraph(self, line: TextLine) -> None:
        if self._items and line.indent == 0 and line.after_blank and not self._attached:
            self._items.clear()
        stop = self._run_end(breaks=True)
        if self._items and self._items[-1].block == len(self.blocks) - 1:
            self.blocks[-1] = replace(self.blocks[-1], end=self._lines[stop - 1].end)
            self._next = stop
        else:
            self._emit(PARAGRAPH, stop)


def _delimited_kind(delimiter: str) -> BlockKind | None:
    """Return the kind of a delimited block as a whole; None if it contains document text."""
    if delimiter.endswith("==="):
        return TABLE if delimiter[0] in "|,:!" else None
    return None if delimiter == "--" else _DELIMITED_KINDS.get(delimiter[0])


def _is_bare_title(lines: Sequence[TextLine]) -> bool:
    """Return whether the first of two lines is a title only by its place: short, between blank lines, above a list."""
    if len(lines) < 2 or len(lines[0].content) > _MAX_BARE_TITLE_CHARACTERS or not lines[0].content[0].isupper():
        return False
    line, after = lines
    if not line.content[-1].isalnum() and not line.content.endswith((")", "etc.")):
        return False
    if line.indent or not line.after_blank or not after.after_blank:
        return False
    return after.indent > 0 and _LIST_MARKER.match(after.content) is not None


def _filled_in(text: str, attributes: Mapping[str, str]) -> str:
    """Return a text with the values of the attributes that it refers to; unchanged if it would become too long."""
    filled = _REFERENCE.sub(lambda match: attributes.get(match[1], match[0]), text)
    return filled if len(filled) <= max(len(text), _MAX_VALUE_CHARACTERS) else text
