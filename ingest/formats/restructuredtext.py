"""reStructuredText to blocks, line by line, with exact ranges.

docutils isn't used: its tree has no character positions, and an unknown Sphinx directive or role stops it.
What counts here is where titles, paragraphs, list items, code and tables lie, and that follows from
indentation and the first characters of a line. Inline markup stays in the text and is removed from titles
only. Directives that Sphinx changelogs are made of (`changelog`, `change`) become headings and list items.

Deliberately not done: including other files, resolving references, numbering.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import NamedTuple

from ingest.blocks import Block, BlockKind, ParsedText

_MAX_TITLE_CHARACTERS = 1_000
_MIN_ADORNMENT_CHARACTERS = 4

_LINE = re.compile(r"[^\r\n]+")
_ADORNMENT = re.compile(r"([!-/:-@\[-`{-~])\1*")
_BULLET = re.compile(r"[*+\-•‣⁃](?=\s|$)\s*")
_ENUMERATOR = re.compile(r"(?:\(?(?:\d{1,9}|#|[A-Za-z])\)|(?:\d{1,9}|#|[A-Za-z])\.)(?=\s|$)\s*")
_FIELD = re.compile(r":(?![:\s])([^:`]+):(?=\s|$)\s*")
_EXPLICIT = re.compile(r"\.\.(?:\s|$)")
_MARKED = re.compile(r"\.\. +(?:_|\[|\||[A-Za-z][\w.+:-]*?\s?::(?:\s|$))")
_DIRECTIVE = re.compile(r"\.\.[ \t]+(?:\|[^|]+\|[ \t]+)?([A-Za-z][\w.+:-]*?)\s?::(?=\s|$)\s*")
_TARGET = re.compile(r"(?:\.\.[ \t]+(?:_|\|)|__[ \t])")
_FOOTNOTE = re.compile(r"\.\.[ \t]+\[[^\]\s]+\](?=\s|$)")
_GRID_BORDER = re.compile(r"\+(?:[-=]+\+)+")
_SIMPLE_BORDER = re.compile(r"=+(?:[ \t]+=+)+")
_QUOTED_LITERAL = frozenset(">|$%#")

_CODE_DIRECTIVE = re.compile(
    "code|code-block|sourcecode|console|parsed-literal|prompt|terminal|doctest|testcode|testsetup|testcleanup|"
    "testoutput|ipython|jupyter-execute|plot|math|productionlist"
)
_TABLE_DIRECTIVE = re.compile("table|list-table|csv-table|flat-table")
_OPAQUE_DIRECTIVE = re.compile(
    "raw|include|literalinclude|toctree|meta|index|image|contents|graphviz|digraph|graph|uml|mermaid|bibliography|"
    "replace|unicode|date"
)
_VERSION_DIRECTIVE = re.compile("versionadded|versionchanged|versionremoved|deprecated|deprecated-removed")
_PROSE_DIRECTIVE = re.compile(
    "attention|caution|danger|error|hint|important|note|tip|warning|seealso|todo|admonition|topic|rubric|sidebar|"
    "centered|epigraph|highlights|pull-quote"
)
_STATED_FIELDS = frozenset({"title", "date", "product", "version", "url"})

_WITH_TARGET = re.compile(r"\s*<[^<>]*>$")
_INLINE = re.compile(
    r"(?<![\w:]):[A-Za-z][\w+.-]*(?::[A-Za-z][\w+.-]*)*:`(?P<role>[^`]+)`"
    r"|``(?P<literal>[^`]+)``"
    r"|`(?P<quoted>[^`]+)`(?:__?)?"
    r"|(?<![\w*])(?P<stars>\*\*?)(?=\S)(?P<emphasis>[^*]+)(?<=\S)(?P=stars)(?![\w*])"
    r"|\|(?P<substitution>[^|\s](?:[^|]*[^|\s])?)\|(?:__?)?"
    r"|(?P<reference>(?<![\w`])[^\W_](?:\w*[^\W_])?)__?(?!\w)"
    r"|\\(?P<escaped>\S)"
)


def parse_restructuredtext(text: str) -> ParsedText:
    """Find the blocks of a reStructuredText document.

    Heading levels are the order in which adornment styles first occur. A Sphinx `changelog` directive is a
    heading one below its section, its `change` entries are list items of depth 1 with their options as
    attributes. Headings inside directives are MARKUP: they are no part of the document's own outline.
    Never fails: text without structure is paragraphs, empty text gives no blocks.

    Source: the reStructuredText markup specification of docutils.
    """
    parser = _Parser(text, tuple(_split_lines(text)))
    parser.parse()
    return ParsedText(text, "text/x-rst", tuple(parser.blocks), parser.front_matter)


def plain_title(markup: str) -> str:
    """A title without inline markup: roles, literals, links, emphasis, substitutions and escapes."""
    if len(markup) > _MAX_TITLE_CHARACTERS:
        return " ".join(markup.split())
    return " ".join(_INLINE.sub(_inline_text, markup).split())


def _inline_text(match: re.Match[str]) -> str:
    content = str(match[match.lastgroup or 0])
    if match["quoted"]:
        return _WITH_TARGET.sub("", content) or content
    if not match["role"]:
        return content
    explicit = _WITH_TARGET.sub("", content)
    if explicit and explicit != content:
        return explicit
    name = content.lstrip("!.")
    return name[1:].rsplit(".", 1)[-1] if name.startswith("~") else name


class _Line(NamedTuple):
    """A line with words or marks; blank lines are known by `after_blank` of the next one."""

    start: int
    end: int
    indent: int
    after_blank: bool


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
    def __init__(self, text: str, lines: tuple[_Line, ...]) -> None:
        self.blocks: list[Block] = []
        self.front_matter: dict[str, str] = {}
        self._text = text
        self._lines = lines
        self._next = 0
        self._holders: list[_Holder] = []
        self._styles: list[tuple[str, bool]] = []
        self._section = 0
        self._body_seen = False

    def parse(self) -> None:
        while self._next < len(self._lines):
            line = self._lines[self._next]
            while self._holders and line.indent <= self._holders[-1].indent:
                self._holders.pop()
            content = self._content(self._next)
            if _EXPLICIT.match(content) or _TARGET.match(content):
                self._explicit(content)
            elif self._heading() or self._table(content):
                continue
            elif content.startswith(">>> "):
                self._emit(BlockKind.CODE, self._run_end())
            elif (marker := _BULLET.match(content)) or (marker := self._enumerator(content)):
                self._list_item(marker.end())
            elif content == "::" and self._indented_after(line.indent) > self._next + 1:
                self._emit(BlockKind.CODE, self._indented_after(line.indent))
            elif _ADORNMENT.fullmatch(content):
                self._emit(BlockKind.MARKUP, self._next + 1)
            elif match := _FIELD.match(content):
                self._field(match)
            else:
                self._paragraph(BlockKind.PARAGRAPH, line.indent)

    # Lines ---------------------------------------------------------------------------------------------

    def _content(self, index: int) -> str:
        line = self._lines[index]
        return self._text[line.start : line.end]

    def _run_end(self) -> int:
        """Index after the lines up to the next blank line that are inside the same holder."""
        index = self._next + 1
        while self._goes_on(index):
            index += 1
        return index

    def _goes_on(self, index: int) -> bool:
        if index >= len(self._lines) or self._lines[index].after_blank:
            return False
        return not self._holders or self._lines[index].indent > self._holders[-1].indent

    def _indented_after(self, indent: int, *, until_blank: bool = False) -> int:
        """Index after the lines that follow the current one and are indented deeper than `indent`."""
        index = self._next + 1
        while index < len(self._lines) and self._lines[index].indent > indent:
            if until_blank and self._lines[index].after_blank:
                break
            index += 1
        return index

    @property
    def _level(self) -> int:
        return self._holders[-1].level if self._holders else 0

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
        depth = self._level if level is None else level
        self.blocks.append(Block(kind, start, end, depth, title, attributes or {}))
        self._body_seen = self._body_seen or kind not in (BlockKind.HEADING, BlockKind.MARKUP)
        self._next = stop

    # Titles and tables ---------------------------------------------------------------------------------

    def _heading(self) -> bool:
        found = self._overlined() or self._underlined()
        if found is None:
            return False
        title_index, stop = found
        if self._holders:
            self._emit(BlockKind.MARKUP, stop)
            return True
        style = (self._content(stop - 1)[0], title_index > self._next)
        if style not in self._styles:
            self._styles.append(style)
        self._section = self._styles.index(style) + 1
        self._emit(BlockKind.HEADING, stop, level=self._section, title=plain_title(self._content(title_index)))
        return True

    def _overlined(self) -> tuple[int, int] | None:
        first = self._next
        if first + 2 >= len(self._lines) or not _ADORNMENT.fullmatch(over := self._content(first)):
            return None
        if self._lines[first + 1].after_blank or self._lines[first + 2].after_blank:
            return None
        title, under = self._content(first + 1), self._content(first + 2)
        matches = _ADORNMENT.fullmatch(under) and under[0] == over[0] and _fits(under, title) and _fits(over, title)
        return (first + 1, first + 3) if matches else None

    def _underlined(self) -> tuple[int, int] | None:
        first = self._next
        if first + 1 >= len(self._lines) or self._lines[first + 1].after_blank:
            return None
        if self._lines[first + 1].indent != self._lines[first].indent:
            return None
        title, under = self._content(first), self._content(first + 1)
        if not _ADORNMENT.fullmatch(under) or not _fits(under, title) or _BULLET.match(title):
            return None
        return (first, first + 2)

    def _table(self, content: str) -> bool:
        if _GRID_BORDER.fullmatch(content):
            stop = self._next + 1
            while stop < len(self._lines) and not self._lines[stop].after_blank and self._content(stop)[0] in "+|":
                stop += 1
            self._emit(BlockKind.TABLE, stop)
            return True
        if not _SIMPLE_BORDER.fullmatch(content):
            return False
        borders, index = 0, self._next
        while index + 1 < len(self._lines) and self._lines[index + 1].indent >= self._lines[self._next].indent:
            index += 1
            if not _SIMPLE_BORDER.fullmatch(self._content(index)):
                continue
            borders += 1
            ends = index + 1 == len(self._lines) or self._lines[index + 1].after_blank
            if borders == 2 or ends:
                self._emit(BlockKind.TABLE, index + 1)
                return True
        return False

    # Explicit markup -----------------------------------------------------------------------------------

    def _explicit(self, content: str) -> None:
        line = self._lines[self._next]
        if directive := _DIRECTIVE.match(content):
            self._directive(directive[1].lower(), content[directive.end() :])
        elif _FOOTNOTE.match(content):
            self._holders.append(_Holder(line.indent, self._level))
            self._paragraph(BlockKind.PARAGRAPH, line.indent)
        elif _TARGET.match(content):
            self._emit(BlockKind.MARKUP, self._indented_after(line.indent, until_blank=True))
        else:
            alone = content == ".." and self._next + 1 < len(self._lines) and self._lines[self._next + 1].after_blank
            self._emit(BlockKind.MARKUP, self._next + 1 if alone else self._indented_after(line.indent))

    def _directive(self, name: str, argument: str) -> None:
        line = self._lines[self._next]
        if _CODE_DIRECTIVE.fullmatch(name):
            self._emit_if_content(BlockKind.CODE, self._indented_after(line.indent))
        elif _TABLE_DIRECTIVE.fullmatch(name):
            self._emit_if_content(BlockKind.TABLE, self._indented_after(line.indent))
        elif _OPAQUE_DIRECTIVE.fullmatch(name):
            self._emit(BlockKind.MARKUP, self._indented_after(line.indent))
        elif self._states_prose(name, argument):
            self._holders.append(_Holder(line.indent, self._level))
            self._paragraph(BlockKind.PARAGRAPH, line.indent)
        else:
            self._open_directive(name)

    def _emit_if_content(self, kind: BlockKind, stop: int) -> None:
        self._emit(kind if stop > self._next + 1 else BlockKind.MARKUP, stop)

    def _states_prose(self, name: str, argument: str) -> bool:
        if _VERSION_DIRECTIVE.fullmatch(name):
            following = self._next + 1
            text_follows = self._indented_after(self._lines[self._next].indent, until_blank=True) > following
            return len(argument.split(maxsplit=1)) > 1 or text_follows
        return bool(argument) and _PROSE_DIRECTIVE.fullmatch(name) is not None

    def _open_directive(self, name: str) -> None:
        """A directive whose content is document text; its own line and options are a heading or MARKUP."""
        line = self._lines[self._next]
        stop, options = self._options(line.indent)
        level = self._level
        if name == "changelog" and "version" in options:
            released = f" ({options['released']})" if options.get("released") else ""
            title = plain_title(options["version"] + released)
            self._emit(BlockKind.HEADING, stop, level=self._section + 1, title=title, attributes=options)
            self._holders.append(_Holder(line.indent, level))
        elif name == "change":
            self._emit(BlockKind.MARKUP, stop)
            self._holders.append(_Holder(line.indent, level + 1, options))
        else:
            self._emit(BlockKind.MARKUP, stop)
            self._holders.append(_Holder(line.indent, level))

    def _options(self, indent: int) -> tuple[int, dict[str, str]]:
        """Index after the directive's option lines, and the options; values are kept as written."""
        options: dict[str, list[str]] = {}
        name, option_indent = "", 0
        index = self._next + 1
        while index < len(self._lines) and not self._lines[index].after_blank and self._lines[index].indent > indent:
            content = self._content(index)
            if match := _FIELD.match(content):
                name, option_indent = match[1].strip().lower(), self._lines[index].indent
                options[name] = [content[match.end() :]]
            elif name and self._lines[index].indent > option_indent:
                options[name].append(content)
            else:
                break
            index += 1
        return index, {name: " ".join(values).strip() for name, values in options.items()}

    # Text ----------------------------------------------------------------------------------------------

    def _enumerator(self, content: str) -> re.Match[str] | None:
        """An enumerated item, unless the next line shows that it is prose ("A. Einstein was …")."""
        match = _ENUMERATOR.match(content)
        if match is None or self._next + 1 == len(self._lines):
            return match
        line, following = self._lines[self._next], self._lines[self._next + 1]
        goes_on = following.after_blank or following.indent != line.indent
        return match if goes_on or _ENUMERATOR.match(self._content(self._next + 1)) else None

    def _list_item(self, marker_length: int) -> None:
        line = self._lines[self._next]
        inherited: Mapping[str, str] = {}
        if self._holders:
            inherited, self._holders[-1].attributes = self._holders[-1].attributes, {}
        self._holders.append(_Holder(line.indent, self._level + 1, inherited))
        self._paragraph(BlockKind.LIST_ITEM, line.indent + marker_length)

    def _field(self, match: re.Match[str]) -> None:
        line = self._lines[self._next]
        stop = self._indented_after(line.indent, until_blank=True)
        name = match[1].strip().lower()
        value = " ".join(self._text[line.start + match.end() : self._lines[stop - 1].end].split())
        if not self._body_seen and name in _STATED_FIELDS and value:
            self.front_matter.setdefault(name, value)
        # Docinfo stays "before the body": several fields may state what the document is about.
        body_seen = self._body_seen
        self._holders.append(_Holder(line.indent, self._level))
        self._emit(BlockKind.PARAGRAPH if value else BlockKind.MARKUP, stop)
        self._body_seen = body_seen

    def _paragraph(self, kind: BlockKind, text_indent: int) -> None:
        """Emit the text block that begins at the current line, and the literal block that it announces.

        `text_indent` is the column of its first words, behind a list marker.
        """
        stop = self._text_end(text_indent, has_terms=kind is BlockKind.PARAGRAPH)
        attributes: Mapping[str, str] = {}
        if self._holders:
            holder = self._holders[-1]
            attributes, holder.attributes = holder.attributes, {}
            if attributes:
                kind = BlockKind.LIST_ITEM
        last = stop - 1
        literal_floor = text_indent if last == self._next else self._lines[last].indent
        announces_literal = self._text.endswith("::", 0, self._lines[last].end)
        if kind is BlockKind.PARAGRAPH and self._holders and self._holders[-1].item == len(self.blocks) - 1:
            self.blocks[-1] = replace(self.blocks[-1], end=self._lines[last].end)
            self._next = stop
        else:
            self._emit(kind, stop, attributes=attributes)
            if kind is BlockKind.LIST_ITEM:
                self._holders[-1].item = len(self.blocks) - 1
        if announces_literal and stop < len(self._lines):
            self._literal(literal_floor)

    def _text_end(self, text_indent: int, *, has_terms: bool) -> int:
        """Index after the paragraph's lines; `has_terms`: its first line may be the term of a definition."""
        index = self._next + 1
        hanging = has_terms and self._goes_on(index) and self._lines[index].indent > text_indent
        while self._goes_on(index):
            content, line, before = self._content(index), self._lines[index], self._lines[index - 1]
            follows_colon = self._text.endswith(":", 0, before.end)
            list_begins = _BULLET.match(content) and (line.indent != text_indent or follows_colon)
            next_term = hanging and line.indent == text_indent
            literal = line.indent > before.indent and self._text.endswith("::", 0, before.end)
            if list_begins or next_term or literal or _MARKED.match(content):
                break
            index += 1
        return index

    def _literal(self, floor: int) -> None:
        line = self._lines[self._next]
        if line.indent > floor:
            stop = self._indented_after(floor)
        elif line.after_blank and self._content(self._next)[0] in _QUOTED_LITERAL:
            stop = self._run_end()
        else:
            return
        self._emit(BlockKind.CODE, stop)


def _fits(adornment: str, title: str) -> bool:
    """Whether the adornment is long enough to make that line a title."""
    if len(title) > _MAX_TITLE_CHARACTERS or _ADORNMENT.fullmatch(title):
        return False
    return len(adornment) >= min(_MIN_ADORNMENT_CHARACTERS, len(title))
