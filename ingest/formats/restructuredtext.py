"""reStructuredText to blocks, line by line, with exact ranges.

docutils isn't used: its tree has no character positions, and an unknown Sphinx directive or role stops it.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from ingest.blocks import Block, BlockKind, ParsedText
from ingest.formats import restructuredtext_shapes as shapes
from ingest.formats.front_matter import KEYS
from ingest.formats.lines import TextLine, end_of_indented, split_lines

_QUOTED_LITERAL = frozenset(">|$%#")


def parse_restructuredtext(text: str) -> ParsedText:
    """Find the blocks of a reStructuredText document.

    Heading levels are the order in which adornment styles first occur. A Sphinx `changelog` directive is a
    heading one below its section, its `change` entries are list items of depth 1 with their options as
    attributes. Headings inside directives are MARKUP: they are no part of the document's own outline.
    Never fails: text without structure is paragraphs, empty text gives no blocks.

    Source: the reStructuredText markup specification of docutils.
    """
    parser = _Parser(tuple(split_lines(text)))
    parser.parse()
    return ParsedText(text, "text/x-rst", tuple(parser.blocks), parser.front_matter)


@dataclass(slots=True)
class _Holder:
    """A list item or directive that holds whatever is indented deeper than its marker."""

    indent: int
    level: int
    attributes: Mapping[str, str] = field(default_factory=dict)
    """Handed to the first text block inside, then emptied."""
    item: int | None = None
    """Position of its LIST_ITEM block, which grows by the paragraphs that follow it directly."""


class _Parser:
    def __init__(self, lines: Sequence[TextLine]) -> None:
        self.blocks: list[Block] = []
        self.front_matter: dict[str, str] = {}
        self._lines = lines
        self._next = 0
        self._open: list[_Holder] = []
        self._styles: list[tuple[str, bool]] = []
        self._section = 0
        self._signatures: list[int] = []
        """Indents of the API descriptions that are open."""
        self._body_seen = False

    def parse(self) -> None:
        while self._next < len(self._lines):
            line = self._lines[self._next]
            while self._open and line.indent <= self._open[-1].indent:
                self._open.pop()
            if shapes.EXPLICIT.match(line.content) or shapes.TARGET.match(line.content):
                self._explicit(line)
            elif self._heading():
                continue
            elif table_stop := shapes.table_end(self._lines, self._next):
                self._emit(BlockKind.TABLE, table_stop)
            elif line.content.startswith(">>> "):
                self._emit(BlockKind.CODE, self._run_end())
            elif marker := shapes.list_marker(self._lines, self._next):
                self._hold(line, depth=1, attributes=self._take_attributes())
                self._paragraph(BlockKind.LIST_ITEM, line.indent + marker.end())
            elif line.content == "::" and self._indented_end(line) > self._next + 1:
                self._emit(BlockKind.CODE, self._indented_end(line))
            elif shapes.ADORNMENT.fullmatch(line.content):
                self._emit(BlockKind.MARKUP, self._next + 1)
            elif match := shapes.FIELD.match(line.content):
                self._field(line, match)
            else:
                self._paragraph(BlockKind.PARAGRAPH, line.indent)

    @property
    def _level(self) -> int:
        """Depth of list items at this place, 0 outside lists."""
        return self._open[-1].level if self._open else 0

    def _hold(self, line: TextLine, *, depth: int = 0, attributes: Mapping[str, str] | None = None) -> None:
        self._open.append(_Holder(line.indent, self._level + depth, attributes or {}))

    def _take_attributes(self) -> Mapping[str, str]:
        """What the innermost holder has to hand on; it goes to one block only."""
        if not self._open:
            return {}
        attributes, self._open[-1].attributes = self._open[-1].attributes, {}
        return attributes

    def _run_end(self) -> int:
        """Index after the lines up to the next blank line that are inside the same holder."""
        index = self._next + 1
        while self._goes_on(index):
            index += 1
        return index

    def _goes_on(self, index: int) -> bool:
        if index >= len(self._lines) or self._lines[index].after_blank:
            return False
        return not self._open or self._lines[index].indent > self._open[-1].indent

    def _indented_end(self, line: TextLine, *, over_blanks: bool = True) -> int:
        return end_of_indented(self._lines, self._next, indent=line.indent, over_blanks=over_blanks)

    def _emit(
        self,
        kind: BlockKind,
        stop: int,
        *,
        level: int | None = None,
        title: str = "",
        attributes: Mapping[str, str] | None = None,
    ) -> None:
        """Add the block of the lines from the current one up to `stop`, and go there."""
        start, end = self._lines[self._next].start, self._lines[stop - 1].end
        self.blocks.append(Block(kind, start, end, self._level if level is None else level, title, attributes or {}))
        self._body_seen = self._body_seen or kind not in (BlockKind.HEADING, BlockKind.MARKUP)
        self._next = stop

    def _heading(self) -> bool:
        title = shapes.title_at(self._lines, self._next)
        if title is None:
            return False
        if self._open:
            self._emit(BlockKind.MARKUP, title.stop)
            return True
        if title.style not in self._styles:
            self._styles.append(title.style)
        self._section = self._styles.index(title.style) + 1
        shown = shapes.plain_title(title.content)
        self._emit(BlockKind.HEADING, title.stop, level=self._section, title=shown)
        return True

    def _explicit(self, line: TextLine) -> None:
        directive = shapes.read_directive(line.content)
        if shapes.FOOTNOTE.match(line.content) or (directive and directive.states_prose):
            self._hold(line)
            self._paragraph(BlockKind.PARAGRAPH, line.indent)
        elif directive and directive.whole:
            stop = self._indented_end(line)
            self._emit(BlockKind.MARKUP if stop == self._next + 1 else directive.whole, stop)
        elif directive:
            self._open_directive(line, directive)
        elif shapes.TARGET.match(line.content):
            self._emit(BlockKind.MARKUP, self._indented_end(line, over_blanks=False))
        else:
            following = self._lines[self._next + 1 : self._next + 2]
            alone = line.content == ".." and following and following[0].after_blank
            self._emit(BlockKind.MARKUP, self._next + 1 if alone else self._indented_end(line))

    def _open_directive(self, line: TextLine, directive: shapes.Directive) -> None:
        """A directive whose content is document text; its own line and options are a heading or MARKUP."""
        stop, options = shapes.read_options(self._lines, self._next)
        version = shapes.plain_title(options.get("version", ""))
        if directive.signature:
            self._signatures = [indent for indent in self._signatures if indent < line.indent]
            self._signatures.append(line.indent)
            level = self._section + len(self._signatures)
            self._emit(BlockKind.HEADING, stop, level=level, title=directive.signature)
        elif directive.name == "changelog" and any(map(str.isalnum, version)):
            released = f" ({options['released']})" if options.get("released") else ""
            title = shapes.plain_title(options["version"] + released)
            self._emit(BlockKind.HEADING, stop, level=self._section + 1, title=title, attributes=options)
        else:
            self._emit(BlockKind.MARKUP, stop)
        is_change = directive.name == "change"
        self._hold(line, depth=int(is_change), attributes=options if is_change else None)

    def _field(self, line: TextLine, match: re.Match[str]) -> None:
        stop = self._indented_end(line, over_blanks=False)
        name = match[1].strip().lower()
        stated = (line.content[match.end() :], *(other.content for other in self._lines[self._next + 1 : stop]))
        value = " ".join(" ".join(stated).split())
        if not self._body_seen and name in KEYS and value:
            self.front_matter.setdefault(name, value)
        # Docinfo stays "before the body": several fields may state what the document is about.
        body_seen = self._body_seen
        self._hold(line)
        self._emit(BlockKind.PARAGRAPH if value else BlockKind.MARKUP, stop)
        self._body_seen = body_seen

    def _paragraph(self, kind: BlockKind, text_indent: int) -> None:
        """Emit the text block that begins at the current line, and the literal block that it announces.

        `text_indent` is the column of its first words, behind a list marker.
        """
        stop = self._text_end(text_indent, has_terms=kind is BlockKind.PARAGRAPH)
        if attributes := self._take_attributes():
            kind = BlockKind.LIST_ITEM
        last = self._lines[stop - 1]
        literal_floor = text_indent if stop - 1 == self._next else last.indent
        if kind is BlockKind.PARAGRAPH and self._open and self._open[-1].item == len(self.blocks) - 1:
            self.blocks[-1] = replace(self.blocks[-1], end=last.end)
            self._next = stop
        else:
            self._emit(kind, stop, attributes=attributes)
            if kind is BlockKind.LIST_ITEM:
                self._open[-1].item = len(self.blocks) - 1
        if last.content.endswith("::") and stop < len(self._lines):
            self._literal(literal_floor)

    def _text_end(self, text_indent: int, *, has_terms: bool) -> int:
        """Index after the paragraph's lines; `has_terms`: its first line may be the term of a definition."""
        index = self._next + 1
        hanging = has_terms and self._goes_on(index) and self._lines[index].indent > text_indent
        while self._goes_on(index):
            line, before = self._lines[index], self._lines[index - 1]
            follows_colon = before.content.endswith(":")
            list_begins = shapes.BULLET.match(line.content) and (line.indent != text_indent or follows_colon)
            next_term = hanging and line.indent == text_indent
            literal = line.indent > before.indent and before.content.endswith("::")
            if list_begins or next_term or literal or shapes.INTERRUPTING.match(line.content):
                break
            index += 1
        return index

    def _literal(self, floor: int) -> None:
        line = self._lines[self._next]
        if line.indent > floor:
            self._emit(BlockKind.CODE, end_of_indented(self._lines, self._next, indent=floor))
        elif line.after_blank and line.content[0] in _QUOTED_LITERAL:
            self._emit(BlockKind.CODE, self._run_end())
