"""Parses reStructuredText into blocks, line by line, with exact ranges.

docutils isn't used: its tree has no character positions, and it stops at unknown Sphinx directives and roles.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import NamedTuple

from ingest.blocks import CODE, HEADING, LIST_ITEM, MARKUP, PARAGRAPH, TABLE, Block, BlockKind, ParsedText
from ingest.formats.front_matter import KEYS
from ingest.text_lines import MAX_TITLE_CHARACTERS, TextLine, end_of_indented, plain_title, split_lines

_QUOTED_LITERAL = frozenset(">|$%#")
_MIN_ADORNMENT_CHARACTERS = 4
_ADORNMENT = re.compile(r"([!-/:-@\[-`{-~])\1*")
_BULLET = re.compile(r"[*+\-•‣⁃](?=\s|$)\s*")
_ENUMERATOR = re.compile(r"(?:\(?(?:\d{1,9}|#|[A-Za-z])\)|(?:\d{1,9}|#|[A-Za-z])\.)(?=\s|$)\s*")
Options = Mapping[str, str]
_FIELD = re.compile(r":(?![:\s])([^:`]+):(?=\s|$)\s*")
_EXPLICIT = re.compile(r"\.\.(?:\s|$)")
_INTERRUPTING = re.compile(r"\.\. +(?:_|\[|\||[A-Za-z][\w.+:-]*?\s?::(?:\s|$))")
"""Matches explicit markup that needs no blank line above it."""
_TARGET = re.compile(r"(?:\.\.[ \t]+(?:_|\|)|__[ \t])")
_FOOTNOTE = re.compile(r"\.\.[ \t]+\[[^\]\s]+\](?=\s|$)")
_GRID_BORDER = re.compile(r"\+(?:[-=]+\+)+")
_SIMPLE_BORDER = re.compile(r"=+(?:[ \t]+=+)+")
_DIRECTIVE = re.compile(r"\.\.[ \t]+(?:\|[^|]+\|[ \t]+)?([A-Za-z][\w.+:-]*?)\s?::(?=\s|$)\s*")
# An unknown directive is read as document text, which most contain and which must not be lost.
DIRECTIVE_NAMES = re.compile(
    r"""(?x)
    (?P<code>code|code-block|sourcecode|console|parsed-literal|prompt|terminal|doctest|testcode|testsetup|testcleanup
        |testoutput|ipython|jupyter-execute|plot|math|productionlist)
    | (?P<table>table|list-table|csv-table|flat-table)
    | (?P<markup>raw|include|literalinclude|toctree|meta|index|image|contents|graphviz|digraph|graph|uml|mermaid
        |bibliography|replace|unicode|date)
    | (?P<prose>versionadded|versionchanged|versionremoved|deprecated|deprecated-removed
        |attention|caution|danger|error|hint|important|note|tip|warning|seealso|todo|topic|sidebar
        |centered|epigraph|highlights|pull-quote)
    | (?P<signature>(?:[a-z]+:)?(?:function|method|class|classmethod|staticmethod|attribute|property|data|exception
        |decorator|macro|type|option|cmdoption|confval|setting|envvar))
    """
)
FOLDS = re.compile(r"details|dropdown|collapse|expand|toggle|accordion|tab-item|admonition|rubric")
"""Directives and containers that fold under a title, which is read as a heading; a rubric is only a title."""
STATES_VERSION = re.compile(r"version(?:added|changed|removed)|deprecated(?:-removed)?")


def parse_restructuredtext(text: str) -> ParsedText:
    """Parse a reStructuredText document into blocks.

    Heading levels follow the order in which adornment styles first occur. A Sphinx `changelog` directive is a heading
    one level below its section, its `change` entries are list items of depth 1 with their options as attributes.
    Headings inside other directives are MARKUP, being no part of the document's outline. Never raises: text without
    structure is paragraphs, empty text gives no blocks.

    Source: the reStructuredText markup specification of docutils.
    """
    parser = _Parser(tuple(split_lines(text)), text)
    parser.parse()
    return ParsedText(text, "text/x-rst", tuple(parser.blocks), parser.front_matter)


class _Title(NamedTuple):
    """A title with its adornment."""

    content: str
    style: tuple[str, bool]  # The character that adorns it, and whether also above it.
    stop: int  # Index after its lines.


class _Directive(NamedTuple):
    """The line of a directive, and the kind of content that its name implies."""

    name: str  # In small letters.
    whole: BlockKind | None  # The kind of the whole as one block; None for document text.
    states_prose: bool  # Whether that text begins on the directive's own line.
    argument: str = ""  # What follows its name, as one line.
    signature: str = ""  # The API that the text below describes, as one line.
    title: str = ""  # The title that the text below folds under.


def _title_at(lines: Sequence[TextLine], first: int) -> _Title | None:
    """Return the title that begins at line `first`, over- and underlined or only underlined, else None."""
    rest = lines[first : first + 3]
    if len(rest) == 3 and _ADORNMENT.fullmatch(over := rest[0].content) and not rest[1].after_blank:
        title, under = rest[1].content, rest[2].content
        is_closed = not rest[2].after_blank and _ADORNMENT.fullmatch(under) and under[0] == over[0]
        if is_closed and _may_adorn(under, title) and _may_adorn(over, title):
            return _Title(title, (under[0], True), first + 3)
    if len(rest) < 2 or rest[1].after_blank or rest[1].indent != rest[0].indent:
        return None
    title, under = rest[0].content, rest[1].content
    if not _ADORNMENT.fullmatch(under) or not _may_adorn(under, title) or _BULLET.match(title):
        return None
    return _Title(title, (under[0], False), first + 2)


def _may_adorn(adornment: str, title: str) -> bool:
    """Return whether an adornment is long enough for a title."""
    if len(title) > MAX_TITLE_CHARACTERS or _ADORNMENT.fullmatch(title):
        return False
    return len(adornment) >= min(_MIN_ADORNMENT_CHARACTERS, len(title))


def _table_end(lines: Sequence[TextLine], first: int) -> int | None:
    """Return the index after the drawn table whose upper border is line `first`; None if that is none."""
    index = first + 1
    if _GRID_BORDER.fullmatch(lines[first].content):
        while index < len(lines) and not lines[index].after_blank and lines[index].content[0] in "+|":
            index += 1
        return index
    borders = 0
    while _SIMPLE_BORDER.fullmatch(lines[first].content) and index < len(lines):
        if lines[index].indent < lines[first].indent:
            break
        if _SIMPLE_BORDER.fullmatch(lines[index].content):
            borders += 1
            if borders == 2 or index + 1 == len(lines) or lines[index + 1].after_blank:
                return index + 1
        index += 1
    return None


def _list_marker(lines: Sequence[TextLine], first: int) -> re.Match[str] | None:
    """Return the marker that begins a list at line `first`; None if the next line shows prose ("A. Einstein was …")."""
    line = lines[first]
    if bullet := _BULLET.match(line.content):
        return bullet
    number = _ENUMERATOR.match(line.content)
    if number is None or first + 1 == len(lines):
        return number
    following = lines[first + 1]
    is_list = following.after_blank or following.indent != line.indent
    return number if is_list or _ENUMERATOR.match(following.content) else None


def _read_directive(content: str) -> _Directive | None:
    """Return the directive that a line opens, else None."""
    match = _DIRECTIVE.match(content)
    if match is None:
        return None
    name = match[1].lower()
    known = DIRECTIVE_NAMES.fullmatch(name)
    content_kind = str(known.lastgroup) if known else ""
    whole = BlockKind(content_kind) if content_kind in ("code", "table", "markup") else None
    argument = " ".join(content[match.end() :].split())
    signature, title = argument if content_kind == "signature" else "", argument if FOLDS.fullmatch(name) else ""
    return _Directive(name, whole, bool(argument) and content_kind == "prose", argument, signature, title)


def _read_options(lines: Sequence[TextLine], first: int) -> tuple[int, Options]:
    """Return the index after the option lines of the directive at line `first`, and the options as written."""
    options: dict[str, list[str]] = {}
    name, option_indent = "", 0
    stop = end_of_indented(lines, first, indent=lines[first].indent, over_blanks=False)
    for index in range(first + 1, stop):
        content = lines[index].content
        if match := _FIELD.match(content):
            name, option_indent = match[1].strip().lower(), lines[index].indent
            options[name] = [content[match.end() :]]
        elif name and lines[index].indent > option_indent:
            options[name].append(content)
        else:
            stop = index
            break
    return stop, {name: " ".join(values).strip() for name, values in options.items()}


def _change_options(options: Options) -> Options:
    """Return the tags and tickets of a change as stated by its type, flags (`:breaking:`) and numbers."""
    flags = [name for name, value in options.items() if not value]
    numbers = (options.get(name, "") for name in ("pr", "issue"))
    return {"tags": ", ".join((*flags, options.get("type", ""))), "tickets": ", ".join(filter(None, numbers))}


@dataclass(slots=True)
class _Container:
    """An open list item or directive, which contains whatever is indented deeper than its marker."""

    indent: int
    level: int
    attributes: Options = field(default_factory=dict)  # For the first text block inside, then emptied.
    item: int | None = None  # Position of its LIST_ITEM block, which grows by the paragraphs that follow it directly.
    part: int = 0  # The level of the heading of a directive that folds; 0 for others.


class _Parser:
    def __init__(self, lines: Sequence[TextLine], text: str) -> None:
        self.blocks: list[Block] = []
        self.front_matter: dict[str, str] = {}
        self._lines, self._text = lines, text
        self._next = 0
        self._containers: list[_Container] = []
        self._styles: list[tuple[str, bool]] = []
        self._section = 0
        self._signatures: list[int] = []
        """Indents of the API descriptions that are open."""
        self._ends = 0
        self._body_seen = False

    def parse(self) -> None:
        while self._next < len(self._lines):
            line = self._lines[self._next]
            while self._containers and line.indent <= self._containers[-1].indent:
                self._ends = self._containers.pop().part or self._ends
            if _EXPLICIT.match(line.content) or _TARGET.match(line.content):
                self._parse_explicit_markup(line)
            elif self._emit_if_heading():
                continue
            elif table_stop := _table_end(self._lines, self._next):
                self._emit(TABLE, table_stop)
            elif line.content.startswith(">>> "):
                self._emit(CODE, self._run_end())
            elif marker := _list_marker(self._lines, self._next):
                self._push(line, depth=1, attributes=self._take_attributes())
                self._emit_paragraph(LIST_ITEM, line.indent + marker.end())
            elif line.content == "::" and self._indented_end(line) > self._next + 1:
                self._emit(CODE, self._indented_end(line))
            elif _ADORNMENT.fullmatch(line.content):
                self._emit(MARKUP, self._next + 1)
            elif match := _FIELD.match(line.content):
                self._emit_field(line, match)
            elif self._is_term(line):
                self._push(line, depth=1, attributes=self._take_attributes())
                self._emit_paragraph(LIST_ITEM, line.indent)
            else:
                self._emit_paragraph(PARAGRAPH, line.indent)

    def _is_term(self, line: TextLine) -> bool:
        """Return whether a line is the term of a definition in prose."""
        below = self._next + 1
        is_defined = self._continues(below) and self._lines[below].indent > line.indent
        return is_defined and not _list_marker(self._lines, below)

    @property
    def _level(self) -> int:
        """Depth of list items at the current line, 0 outside lists."""
        return self._containers[-1].level if self._containers else 0

    def _push(self, line: TextLine, *, depth: int = 0, attributes: Options | None = None) -> None:
        self._containers.append(_Container(line.indent, self._level + depth, attributes or {}))

    def _take_attributes(self) -> Options:
        """Return the attributes of the innermost container, and empty them: they go to one block only."""
        if not self._containers:
            return {}
        attributes, self._containers[-1].attributes = self._containers[-1].attributes, {}
        return attributes

    def _run_end(self) -> int:
        """Return the index after the lines up to the next blank line that are in the same container."""
        index = self._next + 1
        while self._continues(index):
            index += 1
        return index

    def _continues(self, index: int) -> bool:
        """Return whether a line continues the text above it in the same container."""
        if index >= len(self._lines) or self._lines[index].after_blank:
            return False
        return not self._containers or self._lines[index].indent > self._containers[-1].indent

    def _indented_end(self, line: TextLine, *, over_blanks: bool = True) -> int:
        return end_of_indented(self._lines, self._next, indent=line.indent, over_blanks=over_blanks)

    def _emit(
        self,
        kind: BlockKind,
        stop: int,
        *,
        level: int | None = None,
        title: str = "",
        attributes: Options | None = None,
    ) -> None:
        """Add the lines from the current one up to `stop` as a block, and go there."""
        start, end = self._lines[self._next].start, self._lines[stop - 1].end
        level = self._level if level is None else level
        self.blocks.append(Block(kind, start, end, level, title, attributes or {}, self._ends))
        self._ends = 0
        self._body_seen = self._body_seen or kind not in (HEADING, MARKUP)
        self._next = stop

    def _emit_if_heading(self) -> bool:
        title = _title_at(self._lines, self._next)
        if title is None:
            return False
        if self._containers:
            self._emit(MARKUP, title.stop)
            return True
        if title.style not in self._styles:
            self._styles.append(title.style)
        self._section = self._styles.index(title.style) + 1
        shown = plain_title(title.content, self._text, "text/x-rst")
        self._emit(HEADING, title.stop, level=self._section, title=shown)
        return True

    def _parse_explicit_markup(self, line: TextLine) -> None:
        """Emit a directive, comment, target or footnote, or open it if it contains document text."""
        directive = _read_directive(line.content)
        is_title = directive is not None and directive.title and self._level
        if _FOOTNOTE.match(line.content) or is_title or (directive and directive.states_prose):
            self._push(line)
            self._emit_paragraph(PARAGRAPH, line.indent)
        elif directive and directive.whole:
            stop = self._indented_end(line)
            self._emit(MARKUP if stop == self._next + 1 else directive.whole, stop)
        elif directive:
            self._open_directive(line, directive)
        elif _TARGET.match(line.content):
            self._emit(MARKUP, self._indented_end(line, over_blanks=False))
        else:
            following = self._lines[self._next + 1 : self._next + 2]
            alone = line.content == ".." and following and following[0].after_blank
            self._emit(MARKUP, self._next + 1 if alone else self._indented_end(line))

    def _open_directive(self, line: TextLine, directive: _Directive) -> None:
        """Open a directive that contains document text; its own line and options become a heading or MARKUP."""
        stop, options = _read_options(self._lines, self._next)
        is_change = directive.name == "change"
        if directive.name == "changelog":
            stated = {"version": directive.argument, "released": options.get("date", "")}
            options = {**{name: value for name, value in stated.items() if value}, **options}
        elif is_change:
            options = {**_change_options(options), **options}
        version, part = plain_title(options.get("version", ""), media_type="text/x-rst"), 0
        if directive.title:
            part = self._section + 1 if directive.name != "rubric" else 0
            self._emit(
                HEADING, stop, level=self._section + 1, title=plain_title(directive.title, self._text, "text/x-rst")
            )
        elif directive.signature:
            self._signatures = [indent for indent in self._signatures if indent < line.indent]
            self._signatures.append(line.indent)
            level = self._section + len(self._signatures)
            self._emit(HEADING, stop, level=level, title=directive.signature)
        elif directive.name == "changelog" and any(map(str.isalnum, version)):
            released = f" ({options['released']})" if options.get("released") else ""
            title = plain_title(options["version"] + released, self._text, "text/x-rst")
            self._emit(HEADING, stop, level=self._section + 1, title=title, attributes=options)
        elif is_change and directive.argument:
            self._emit(LIST_ITEM, self._next + 1, level=self._level + 1, attributes=options)
            argument = line.content.partition("::")[2].lstrip()
            self.blocks[-1] = replace(self.blocks[-1], start=self.blocks[-1].end - len(argument))
        if self._next < stop:
            self._emit(MARKUP, stop)
        self._push(line, depth=int(is_change), attributes=options if is_change and not directive.argument else None)
        self._containers[-1].part = part

    def _emit_field(self, line: TextLine, match: re.Match[str]) -> None:
        """Emit a field; before the body it also states front matter."""
        stop = self._indented_end(line, over_blanks=False)
        name = match[1].strip().lower()
        stated = (line.content[match.end() :], *(each.content for each in self._lines[self._next + 1 : stop]))
        value = " ".join(" ".join(stated).split())
        if not self._body_seen and name in KEYS and value:
            self.front_matter.setdefault(name, value)
        # A field doesn't begin the body, because several fields may state what the document is about.
        body_seen = self._body_seen
        self._push(line)
        self._emit(PARAGRAPH if value else MARKUP, stop)
        self._body_seen = body_seen

    def _emit_paragraph(self, kind: BlockKind, text_indent: int) -> None:
        """Emit the text block that begins at the current line, and the literal block that it announces.

        `text_indent` is the column of its first words, behind a list marker.
        """
        stop = self._text_end(text_indent, has_terms=kind is PARAGRAPH)
        if attributes := self._take_attributes():
            kind = LIST_ITEM
        last = self._lines[stop - 1]
        outer_indent = text_indent if stop - 1 == self._next else last.indent
        if kind is PARAGRAPH and self._containers and self._containers[-1].item == len(self.blocks) - 1:
            self.blocks[-1] = replace(self.blocks[-1], end=last.end)
            self._next = stop
        else:
            self._emit(kind, stop, attributes=attributes)
            if kind is LIST_ITEM:
                self._containers[-1].item = len(self.blocks) - 1
        if last.content.endswith("::") and stop < len(self._lines):
            line = self._lines[stop]
            if line.indent > outer_indent:
                self._emit(CODE, end_of_indented(self._lines, stop, indent=outer_indent))
            elif line.after_blank and line.content[0] in _QUOTED_LITERAL:
                self._emit(CODE, self._run_end())

    def _is_first_of_bullets(self, index: int) -> bool:
        """Return whether the next line has the same bullet: a list in an entry that lacks its blank line."""
        line = self._lines[index]
        return (
            self._continues(index + 1)
            and self._lines[index + 1].indent == line.indent
            and self._lines[index + 1].content[:2] == line.content[:2]
        )

    def _text_end(self, text_indent: int, *, has_terms: bool) -> int:
        """Return the index after the paragraph's lines; `has_terms`: its first line may be the term of a definition."""
        index = self._next + 1
        hanging = has_terms and self._continues(index) and self._lines[index].indent > text_indent
        while self._continues(index):
            line, before = self._lines[index], self._lines[index - 1]
            follows_colon = before.content.endswith(":")
            list_begins = _BULLET.match(line.content) and (
                line.indent != text_indent or follows_colon or self._is_first_of_bullets(index)
            )
            next_term = hanging and line.indent == text_indent
            literal = line.indent > before.indent and before.content.endswith("::")
            if list_begins or next_term or literal or _INTERRUPTING.match(line.content):
                break
            index += 1
        return index
