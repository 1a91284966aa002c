"""reStructuredText to blocks, line by line, with exact ranges.

docutils isn't used: its tree has no character positions, and an unknown Sphinx directive or role stops it.
What counts here is where titles, paragraphs, list items, code and tables lie, and that follows from
indentation and the first characters of a line. Inline markup stays in the text and is removed from titles
only. Directives that Sphinx changelogs are made of (`changelog`, `change`) become headings and list items.

Deliberately not done: including other files, resolving references, numbering.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace

from ingest.blocks import Block, BlockKind, ParsedText
from ingest.formats.lines import TextLine, end_of_indented, end_of_indented_run, split_lines
from ingest.formats.plain_titles import plain_restructuredtext_title
from ingest.formats.restructuredtext_directives import Content, Directive, read_directive, read_options
from ingest.formats.restructuredtext_holders import Holders
from ingest.formats.restructuredtext_shapes import (
    ADORNMENT,
    BULLET,
    EXPLICIT,
    FIELD,
    FOOTNOTE,
    INTERRUPTING,
    TARGET,
    list_marker,
    table_end,
    title_at,
)

_QUOTED_LITERAL = frozenset(">|$%#")
_WHOLE_BLOCKS = {Content.CODE: BlockKind.CODE, Content.TABLE: BlockKind.TABLE, Content.OPAQUE: BlockKind.MARKUP}
_STATED_FIELDS = frozenset({"title", "date", "product", "version", "url"})


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


class _Parser:
    def __init__(self, lines: Sequence[TextLine]) -> None:
        self.blocks: list[Block] = []
        self.front_matter: dict[str, str] = {}
        self._lines = lines
        self._next = 0
        self._holders = Holders()
        self._styles: list[tuple[str, bool]] = []
        self._section = 0
        self._signatures: list[int] = []
        """Indents of the API descriptions that are open."""
        self._body_seen = False

    def parse(self) -> None:
        while self._next < len(self._lines):
            line = self._lines[self._next]
            self._holders.close_before(line)
            if EXPLICIT.match(line.content) or TARGET.match(line.content):
                self._explicit(line)
            elif self._heading():
                continue
            elif table_stop := table_end(self._lines, self._next):
                self._emit(BlockKind.TABLE, table_stop)
            elif line.content.startswith(">>> "):
                self._emit(BlockKind.CODE, self._run_end())
            elif marker := list_marker(self._lines, self._next):
                self._list_item(line, marker.end())
            elif line.content == "::" and self._indented_end(line) > self._next + 1:
                self._emit(BlockKind.CODE, self._indented_end(line))
            elif ADORNMENT.fullmatch(line.content):
                self._emit(BlockKind.MARKUP, self._next + 1)
            elif match := FIELD.match(line.content):
                self._field(line, match)
            else:
                self._paragraph(BlockKind.PARAGRAPH, line.indent)

    # Lines ---------------------------------------------------------------------------------------------

    def _run_end(self) -> int:
        """Index after the lines up to the next blank line that are inside the same holder."""
        index = self._next + 1
        while self._goes_on(index):
            index += 1
        return index

    def _goes_on(self, index: int) -> bool:
        if index >= len(self._lines) or self._lines[index].after_blank:
            return False
        return self._holders.holds(self._lines[index])

    def _indented_end(self, line: TextLine) -> int:
        return end_of_indented(self._lines, self._next, indent=line.indent)

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
        depth = self._holders.level if level is None else level
        self.blocks.append(Block(kind, start, end, depth, title, attributes or {}))
        self._body_seen = self._body_seen or kind not in (BlockKind.HEADING, BlockKind.MARKUP)
        self._next = stop

    # Titles and explicit markup ------------------------------------------------------------------------

    def _heading(self) -> bool:
        title = title_at(self._lines, self._next)
        if title is None:
            return False
        if self._holders:
            self._emit(BlockKind.MARKUP, title.stop)
            return True
        if title.style not in self._styles:
            self._styles.append(title.style)
        self._section = self._styles.index(title.style) + 1
        shown = plain_restructuredtext_title(title.content)
        self._emit(BlockKind.HEADING, title.stop, level=self._section, title=shown)
        return True

    def _explicit(self, line: TextLine) -> None:
        if directive := read_directive(self._lines, self._next):
            self._directive(line, directive)
        elif FOOTNOTE.match(line.content):
            self._holders.open_directive(line)
            self._paragraph(BlockKind.PARAGRAPH, line.indent)
        elif TARGET.match(line.content):
            self._emit(BlockKind.MARKUP, end_of_indented_run(self._lines, self._next, indent=line.indent))
        else:
            following = self._lines[self._next + 1 : self._next + 2]
            alone = line.content == ".." and following and following[0].after_blank
            self._emit(BlockKind.MARKUP, self._next + 1 if alone else self._indented_end(line))

    def _directive(self, line: TextLine, directive: Directive) -> None:
        if directive.content is Content.TEXT:
            self._open_directive(line, directive.name)
        elif directive.content is Content.SIGNATURE:
            self._signature(line, directive)
        elif directive.content is Content.PROSE:
            self._holders.open_directive(line)
            self._paragraph(BlockKind.PARAGRAPH, line.indent)
        else:
            stop = self._indented_end(line)
            is_empty = stop == self._next + 1
            self._emit(BlockKind.MARKUP if is_empty else _WHOLE_BLOCKS[directive.content], stop)

    def _open_directive(self, line: TextLine, name: str) -> None:
        """A directive whose content is document text; its own line and options are a heading or MARKUP."""
        stop, options = read_options(self._lines, self._next)
        version = plain_restructuredtext_title(options.get("version", ""))
        if name == "changelog" and any(map(str.isalnum, version)):
            released = f" ({options['released']})" if options.get("released") else ""
            title = plain_restructuredtext_title(options["version"] + released)
            self._emit(BlockKind.HEADING, stop, level=self._section + 1, title=title, attributes=options)
        else:
            self._emit(BlockKind.MARKUP, stop)
        if name == "change":
            self._holders.open_item(line, options)
        else:
            self._holders.open_directive(line)

    def _signature(self, line: TextLine, directive: Directive) -> None:
        """What an API page describes, as a heading one level below its section, or below what it is a member of."""
        stop, _ = read_options(self._lines, self._next)
        self._signatures = [indent for indent in self._signatures if indent < line.indent]
        level = self._section + 1 + len(self._signatures)
        self._signatures.append(line.indent)
        self._emit(BlockKind.HEADING, stop, level=level, title=" ".join(directive.argument.split()))
        self._holders.open_directive(line)

    # Text ----------------------------------------------------------------------------------------------

    def _list_item(self, line: TextLine, marker_length: int) -> None:
        self._holders.open_item(line, self._holders.take_attributes())
        self._paragraph(BlockKind.LIST_ITEM, line.indent + marker_length)

    def _field(self, line: TextLine, match: re.Match[str]) -> None:
        stop = end_of_indented_run(self._lines, self._next, indent=line.indent)
        name = match[1].strip().lower()
        stated = (line.content[match.end() :], *(other.content for other in self._lines[self._next + 1 : stop]))
        value = " ".join(" ".join(stated).split())
        if not self._body_seen and name in _STATED_FIELDS and value:
            self.front_matter.setdefault(name, value)
        # Docinfo stays "before the body": several fields may state what the document is about.
        body_seen = self._body_seen
        self._holders.open_directive(line)
        self._emit(BlockKind.PARAGRAPH if value else BlockKind.MARKUP, stop)
        self._body_seen = body_seen

    def _paragraph(self, kind: BlockKind, text_indent: int) -> None:
        """Emit the text block that begins at the current line, and the literal block that it announces.

        `text_indent` is the column of its first words, behind a list marker.
        """
        stop = self._text_end(text_indent, has_terms=kind is BlockKind.PARAGRAPH)
        if attributes := self._holders.take_attributes():
            kind = BlockKind.LIST_ITEM
        last = self._lines[stop - 1]
        literal_floor = text_indent if stop - 1 == self._next else last.indent
        if kind is BlockKind.PARAGRAPH and self._holders.is_item_at(len(self.blocks) - 1):
            self.blocks[-1] = replace(self.blocks[-1], end=last.end)
            self._next = stop
        else:
            self._emit(kind, stop, attributes=attributes)
            if kind is BlockKind.LIST_ITEM:
                self._holders.begin_item_at(len(self.blocks) - 1)
        if last.content.endswith("::") and stop < len(self._lines):
            self._literal(literal_floor)

    def _text_end(self, text_indent: int, *, has_terms: bool) -> int:
        """Index after the paragraph's lines; `has_terms`: its first line may be the term of a definition."""
        index = self._next + 1
        hanging = has_terms and self._goes_on(index) and self._lines[index].indent > text_indent
        while self._goes_on(index):
            line, before = self._lines[index], self._lines[index - 1]
            follows_colon = before.content.endswith(":")
            list_begins = BULLET.match(line.content) and (line.indent != text_indent or follows_colon)
            next_term = hanging and line.indent == text_indent
            literal = line.indent > before.indent and before.content.endswith("::")
            if list_begins or next_term or literal or INTERRUPTING.match(line.content):
                break
            index += 1
        return index

    def _literal(self, floor: int) -> None:
        line = self._lines[self._next]
        if line.indent > floor:
            self._emit(BlockKind.CODE, end_of_indented(self._lines, self._next, indent=floor))
        elif line.after_blank and line.content[0] in _QUOTED_LITERAL:
            self._emit(BlockKind.CODE, self._run_end())
