"""Parses Markdown into blocks: markdown-it's block tokens with exact ranges, and the extras of site generators."""

import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache

from markdown_it import MarkdownIt
from markdown_it.ruler import RuleOptionsType
from markdown_it.rules_block import StateBlock, blockquote
from markdown_it.token import Token
from mdit_py_plugins.admon import admon_plugin

from ingest.blocks import CODE, HEADING, LIST_ITEM, MARKUP, PARAGRAPH, TABLE, Aside, Block, BlockKind, ParsedText
from ingest.formats.front_matter import split_front_matter
from ingest.formats.line_kinds import RULE
from ingest.formats.restructuredtext import DIRECTIVE_NAMES, FOLDS, STATES_VERSION
from ingest.releases.release_headings import read_heading
from ingest.text_lines import plain_title

# Two per level of lists. Deeper text is kept as paragraphs, so that no input can exhaust the stack.
_MAX_NESTING = 20
_MAX_LAZY_LINES = 100
_ATTRIBUTE_LIST = re.compile(r"\s*\{(?:[#.:]|\s)[^{}]*\}\s*$")
_YAML = re.compile(r"\s*<!--[ \t]*YAML[ \t]*(?:\r\n|\n|\r)[^<]*-->\s*\Z")
_INTRODUCED = re.compile(r"\s*<!--\s*(introduced_in\s*=\s*v?\d[\w.]*)\s*-->\s*\Z")
_LINE = re.compile(r"[^\s][^\r\n]*")
_KINDS = (
    (re.compile(r"(?i)(?:added|deprecated|removed|changed)[ \t]*:"), PARAGRAPH),
    (re.compile(r"(?i)-[ \t]+version[ \t]*:"), LIST_ITEM),
    (re.compile(r"(?:[A-Za-z]|-->|<!--)"), MARKUP),
)
_MAX_HEADING_CHARACTERS = 300
_MAX_BOLD_HEADING_CHARACTERS = 80
_WORD = re.compile(r"\w")
_LINE_END = re.compile(r"\r\n|\n|\r")
_TABLE_TAG = re.compile(r"(?i)<(/?)table\b[^<>]*>?")
_ASIDE_TAG = re.compile(r"(?i)<(?P<closes>/?)(?P<name>details|blockquote)\b[^<>]*>")
_SUMMARY = re.compile(r"(?i)\s*<summary\b[^<>]*>([^\n]{1,200}?)</summary>")
_BLANK_LINES = re.compile(r"((?>\r\n|\n|\r)[ \t>]*+(?>\r\n|\n|\r))")
_BOLD_LINE = re.compile(r"(\*\*|__)(?!\s)((?:(?!\1)[^\n])+)\1[ \t]*:?")
_SHOUTED_LINE = re.compile(
    r"(?!(?:NOTE|WARNING|CAUTION|IMPORTANT|ATTENTION|TIP|HINT|TODO|EXAMPLES?|USAGE):)[A-Z][A-Z0-9 /&,-]{2,60}:"
)
_IMAGE = r"!\[(?:[^\[\]]|\[[^\[\]]*\])*\](?:\([^()\s]*(?:\s+\"[^\"]*\")?\)|\[[^\]]*\])"
_ONLY_MARKUP = re.compile(
    rf"\([\w. :-]+\)=|%[ ].*(?:\n%.*)*"  # MyST's targets and comments
    rf"|(?>\s|{_IMAGE}|\[\s*{_IMAGE}\s*\](?:\([^()\s]*\)|\[[^\]]*\])|<[a-zA-Z/!][^<>]*>|\{{%[^\n]*?%\}}|\{{\{{[^\n]*?\}}\}}"
    r"|\{/\*(?>(?:[^*]|\*(?!/\}))*)\*/\})+"
)
# MDX's code, which no reader sees.
_MDX_STATEMENTS = re.compile(
    r"""(?x)(?:import\s+(?:[\w*$,{}][\w*$\s,{}]{0,500}?\sfrom\s+)?["'][^"'\n]{1,200}["'];?\s*
    |export\s+(?:const|let|var|default|function|async|class)\b[^\n]*+(?:\n\s*|\Z))+"""
)
_MAX_STATEMENTS_CHARACTERS = 2_000
_UNDERLINED_BY_TILDES = re.compile(r"(?m)^(\S[^\r\n]{2,99})(\r?\n)(~{4,})(?=[ \t]*\r?$)")
_ALERT = re.compile(r"(\[!\w+\])[ \t]*(?:[\r\n][\s>]*|\Z)")
_TAG_OR_COMMENT = re.compile(r"<!--(?:[^<-]|<(?!!--)|-(?!->))*-->|</?[a-zA-Z][^<>]*>")
_HIDDEN_ELEMENT = re.compile(r"(?i)\s*<(?:script|style)\b")
_CONTAINER = re.compile(
    r"""(?x)(?P<mark>:{3,}+|/{3,}+|`{3,}+|~{3,}+|(?:!{3}|\?{3}|={3})[!+]?+)[ \t]*+
        (?:\{[.\#]?(?P<directive>[\w:+-]*)[^{}\n]*\}|(?P<name>[\w-]*+))
        (?:\[(?P<bracketed>[^\n]*)\]|[ \t]*+\|?[ \t]*+"?(?P<title>(?:[^\n]*?[^ \t\n])??)"?)[ \t]*+(?:\{[^{}\n]*\})?"""
)
_BARE_FENCE = re.compile(r"(?m)^[ \t>]*(?:`{3,}|~{3,})[ \t]*$")
_BLOCK_OF_SLASHES = re.compile(r"/{3,}(?:[ \t]+[a-z][\w-]*(?:[ \t]*\|.*)?)?")
_OPTION = re.compile(r":[a-z][\w-]*:(?!`).*")

_TAB = re.compile(r'(?m)^([ \t]*)===(?=[!+]?[ \t]+")')
_HTML_HEADING = re.compile(r"(?is)\s*<h([1-6])\b[^>]*>(.*?)</h\1>\s*\Z")
_UNSEEN_MARKUP = re.compile(r"[\s>]*+(?:(?:[-*+]|\d+[.)])\s++)*(?:\[[^\]]+\]:|\d*[.)_\s]*\Z)")


def parse_markdown(text: str) -> ParsedText:
    """Parse Markdown, with or without front matter.

    A list item's block covers its own paragraphs; child items, code and tables are blocks of their own. A line in bold,
    or in capitals with a colon, that is alone is a heading one level below the current one. Reference definitions,
    comments and bare tags are MARKUP. An empty text has no blocks. Never raises.
    """
    front_matter, begin = split_front_matter(text)
    writer = _BlockWriter(text, begin)
    covered = tuple(_with_gaps_covered(text, begin, writer.write()))
    return ParsedText(text, "text/markdown", covered, front_matter, tuple(writer.asides))


@dataclass(slots=True)
class _Item:
    """An open list item."""

    block: int | None = None  # The position of its LIST_ITEM block among the written blocks.
    shows_notes: bool = False  # Whether what follows in it is an example of release notes.


class _BlockWriter:
    """Turns one document's tokens into blocks; used once."""

    def __init__(self, text: str, begin: int) -> None:
        readable = _TAB.sub(r"\1!!!", _UNDERLINED_BY_TILDES.sub(_underline, text[begin:]))
        self._tokens = _parser().parse(readable)
        """In order; `map` counts lines from `begin`, from 0."""
        self._text = text
        self._line_starts = [begin, *(match.end() for match in _LINE_END.finditer(text, begin)), len(text)]
        self._table_ends = dict(_table_ends(text, begin))
        self.asides: list[Aside] = []
        self._opened: list[tuple[str, int]] = []
        """The tags of the open asides, and the starts of their blocks."""
        self._blocks: list[Block] = []
        self._containers: list[_Item | None] = []
        self._heading_level = 0
        self._parts: list[tuple[str, int]] = []
        """The marks of the open containers, and the levels of their headings; 0 without one."""
        self._ends = 0
        self._next_line = 0

    def write(self) -> list[Block]:
        """Return the blocks of all leaves, in order."""
        for position, token in enumerate(self._tokens):
            match token.type:
                case "list_item_open":
                    self._containers.append(_Item())
                case "blockquote_open":
                    assert token.map is not None
                    self.asides.append(Aside(*self._span(token.map)))
                    self._containers.append(None)
                case "list_item_close" | "blockquote_close":
                    self._containers.pop()
                case "admonition_close":
                    self._close_part(token.markup)
                case _ if token.map and token.map[0] >= self._next_line:
                    inner = self._tokens[position + 1] if token.nesting == 1 else token
                    self._write_leaf(token, inner.content)
        return self._blocks

    def _plain_title(self, markup: str) -> str:
        """Return a heading's text without inline markup; references are looked up in the whole document."""
        return plain_title(_ATTRIBUTE_LIST.sub("", markup), self._text, "text/markdown")

    def _span(self, lines: Sequence[int], quotes: int = 0) -> tuple[int, int]:
        """Return the range of lines `[first, last)` without white space around it or up to `quotes` leading `>`."""
        first, last = (self._line_starts[min(line, len(self._line_starts) - 1)] for line in lines)
        start, end = _trimmed(self._text, first, last)
        for _ in range(quotes):
            if start < end and self._text[start] == ">":
                start, end = _trimmed(self._text, start + 1, end)
        return start, end

    @property
    def _depth(self) -> int:
        return sum(container is not None for container in self._containers)

    def _write_leaf(self, token: Token, content: str) -> None:
        assert token.map is not None
        start, end = self._span(token.map, self._containers.count(None))
        match token.type:
            case "heading_open":
                self._write_heading(start, end, int(token.tag[1]), content)
            case "paragraph_open":
                self._write_paragraph(start, end, content)
            case "fence" | "code_block":
                self._add(CODE, start, end)
            case "table_open":
                self._add(TABLE, start, end)
                self._next_line = token.map[1]
            case "html_block":
                self._write_html(start, end)
            case "container_fence" | "admonition_open":
                first = self._span((token.map[0], token.map[0] + 1), self._containers.count(None))[1]
                self._open_part(start, first, end if token.type == "container_fence" else first)

    def _add(self, kind: BlockKind, start: int, end: int, level: int | None = None, title: str = "") -> None:
        if start < end and _WORD.search(self._text, start, end):
            level = self._depth if level is None else level
            kind = CODE if any(item and item.shows_notes for item in self._containers) else kind
            self._blocks.append(Block(kind, start, end, level, title, ends=self._ends))
            self._ends = 0

    def _write_heading(self, start: int, end: int, level: int, content: str) -> None:
        above, _, below = content.partition("\n")
        content = below if RULE.match(above.strip()) else content  # a title between two rules
        title = self._plain_title(content) if len(content) <= _MAX_HEADING_CHARACTERS else ""
        item = next((item for item in reversed(self._containers) if item), None)
        if not title or (item and item.block is not None):
            if item and read_heading(title):
                item.shows_notes = True
            # CommonMark reads a long paragraph above `---` as a heading, its author as prose. A heading inside an item
            # that has begun is an example or a part of the item, and heads nothing below the item.
            self._add(PARAGRAPH, start, end)
            return
        # A heading ends unclosed parts whose headings aren't on a higher level.
        self._parts = [(mark, part if part < level else 0) for mark, part in self._parts]
        self._heading_level = level
        self._add(HEADING, start, end, level, title)

    def _open_part(self, start: int, first: int, end: int) -> None:
        """Open a container that begins at `start`, with its first line until `first` and its options until `end`.

        A folding container's title is a heading, a note's ("::: warning Before you start") prose, a bare name markup.
        """
        match = _CONTAINER.fullmatch(self._text, start, first)
        if match is None:
            self._add(PARAGRAPH, start, end)
            return
        name, group = match["directive"] or match["name"] or "", "bracketed" if match["bracketed"] else "title"
        fence, title = match["mark"], match[group] or ""
        if not name and not title:
            self._close_part(fence)
            return
        level = 0
        if STATES_VERSION.fullmatch(name) and title:
            self._add(PARAGRAPH, start, end)
        elif title and not any(self._containers) and (fence[0] == "?" or FOLDS.fullmatch(name)):
            self._heading_level = level = self._heading_level + 1
            self._add(HEADING, start, end, level, self._plain_title(title))
        else:
            self._add(MARKUP, *_trimmed(self._text, start, match.start(group) if title else end))
            self._add(PARAGRAPH, *match.span(group))
            self._add(MARKUP, *_trimmed(self._text, first, end))
        self._parts.append((fence, level if name != "rubric" else 0))

    def _close_part(self, mark: str) -> None:
        """Close the innermost container that this mark closes, and those inside it."""
        closable = [at for at, (fence, _) in enumerate(self._parts) if fence[0] == mark[0] and len(fence) <= len(mark)]
        if not closable:
            return
        if level := min((level for _, level in self._parts[closable[-1] :] if level), default=0):
            self._ends, self._heading_level = level, level - 1
        del self._parts[closable[-1] :]

    def _write_paragraph(self, start: int, end: int, content: str) -> None:
        if alert := _ALERT.match(self._text, start, end):
            self._add(MARKUP, start, alert.end(1))
            start = alert.end()
        if not self._containers and (stated := _stated_title(content)):
            title = self._plain_title(stated).rstrip(" :")
            self._add(HEADING, start, end, self._heading_level + 1, title)
        elif _ONLY_MARKUP.fullmatch(content) or (
            len(content) <= _MAX_STATEMENTS_CHARACTERS
            and content.startswith(("import", "export"))
            and _MDX_STATEMENTS.fullmatch(content)
        ):
            self._add(MARKUP, start, end)
        elif self._containers and (item := self._containers[-1]) is not None:
            self._write_item_paragraph(item, start, end)
        else:
            self._add(PARAGRAPH, start, end)

    def _write_item_paragraph(self, item: _Item, start: int, end: int) -> None:
        """Begin the item's block, extend it, or, after another block inside the item, add a paragraph."""
        position = len(self._blocks)
        last = self._blocks[-1] if self._blocks else None
        if item.block is None:
            self._add(LIST_ITEM, start, end)
            item.block = position
        elif last and item.block == position - 1 and not self._text[last.end : start].strip(" \t\r\n>"):
            self._blocks[-1] = replace(last, end=end)
        else:
            self._add(PARAGRAPH, start, end)

    def _write_html(self, start: int, end: int) -> None:
        """Write a block of HTML as a heading, table, code, paragraph or markup; open and close folding parts."""
        tables = _TABLE_TAG.finditer(self._text, start, end)
        table_end = max((self._table_ends.get(tag.start(), end) for tag in tables), default=end)
        if table_end > end:
            end = table_end
            self._next_line = bisect_right(self._line_starts, end)
        html = self._text[start:end]
        first = start
        for tag in _ASIDE_TAG.finditer(html):
            name = tag["name"].lower()
            if not tag["closes"]:
                self._opened.append((name, first))
                start = self._open_folded(start, first, _SUMMARY.match(html, tag.end()))
            elif self._opened and self._opened[-1][0] == name:
                _, opening = self._opened.pop()
                self.asides.append(Aside(opening, end, is_folded=name == "details"))
                self._close_part("<")
        html = self._text[start:end]
        if history := read_version_comment(html):
            for first, last, kind in history:
                self._add(kind, start + first, start + last, self._depth + int(kind is LIST_ITEM))
            return
        visible = _TAG_OR_COMMENT.sub(" ", html)
        heading = _HTML_HEADING.match(html)
        if _HIDDEN_ELEMENT.match(html) or not _WORD.search(visible):
            self._add(MARKUP, start, end)
        elif heading and len(visible) <= _MAX_HEADING_CHARACTERS:
            self._heading_level = int(heading[1])
            self._add(HEADING, start, end, self._heading_level, " ".join(visible.split()))
        elif _TABLE_TAG.search(html):
            self._add(TABLE, start, end)
        else:
            self._add(CODE if html[:4].lower() == "<pre" else PARAGRAPH, start, end)

    def _open_folded(self, start: int, first: int, summary: re.Match[str] | None) -> int:
        """Open a folded or quoted part, its summary a heading if it opens a release; return where the rest starts."""
        title = " ".join(_TAG_OR_COMMENT.sub(" ", summary[1]).split()) if summary else ""
        release = read_heading(title) if not any(self._containers) else None
        if summary and release and release.version:
            self._heading_level += 1
            self._add(HEADING, start, first + summary.end(), self._heading_level, title)
            start = _trimmed(self._text, first + summary.end(), len(self._text))[0]
        self._parts.append(("<", self._heading_level if release and release.version else 0))
        return start


def _underline(match: re.Match[str]) -> str:
    """Return a title that is underlined with tildes, which would open code, underlined with dashes; same length."""
    title, line_end, tildes = match.groups()
    return f"{title}{line_end}{'-' * len(tildes)}" if abs(len(title.rstrip()) - len(tildes)) <= 2 else match[0]


def _stated_title(content: str) -> str:
    """Return a paragraph that is only bold words, no sentence, or capitals with a colon, as a title; else empty."""
    if _SHOUTED_LINE.fullmatch(content):
        return content
    bold = _BOLD_LINE.fullmatch(content)
    is_title = bold and len(bold[2]) <= _MAX_BOLD_HEADING_CHARACTERS and not bold[2].endswith((".", "!", "?", ","))
    return bold[2] if bold and is_title else ""


def _table_ends(text: str, begin: int) -> Iterator[tuple[int, int]]:
    """Yield the start and end of each outermost HTML table."""
    opened: list[int] = []
    for tag in _TABLE_TAG.finditer(text, begin):
        if not tag[1]:
            opened.append(tag.start())
        elif opened:
            start = opened.pop()
            if not opened:
                yield start, tag.end()


def _trimmed(text: str, start: int, end: int) -> tuple[int, int]:
    """Return the range `[start, end)` without the white space at its ends."""
    written = text[start:end].rstrip()
    end = start + len(written)
    return end - len(written.lstrip()), end


def _with_gaps_covered(text: str, begin: int, blocks: Sequence[Block]) -> Iterator[Block]:
    """Add blocks for text without a token: reference definitions, and text nested too deep to be parsed."""
    for block in blocks:
        yield from _gap_blocks(text, begin, block.start)
        yield block
        begin = block.end
    yield from _gap_blocks(text, begin, len(text))


def _gap_blocks(text: str, begin: int, end: int) -> Iterator[Block]:
    """Yield the text of a range without tokens as paragraphs and markup."""
    if not _WORD.search(text, begin, end):
        return
    for stanza in _BLANK_LINES.split(text[begin:end]):
        start, stop = _trimmed(text, begin, begin + len(stanza))
        begin += len(stanza)
        if _WORD.search(text, start, stop):
            markup = _UNSEEN_MARKUP.match(text, start, stop)
            yield Block(MARKUP if markup else PARAGRAPH, start, stop)


def read_version_comment(html: str) -> list[tuple[int, int, BlockKind]]:
    """Split a comment that states in which versions something was added, changed or removed: start, end, kind.

    In order, with all of its words; empty for any other comment. In the source of API pages such a comment is YAML
    right under a heading, or `introduced_in=v0.9.0`.
    """
    if introduced := _INTRODUCED.match(html):
        return [(*introduced.span(1), PARAGRAPH)]
    pieces: list[tuple[int, int, BlockKind]] = []
    for line in _LINE.finditer(html) if _YAML.match(html) else ():
        words, indented = line[0].rstrip(), line.start() > 0 and html[line.start() - 1] in " \t"
        end = line.start() + len(words)
        kind = next((kind for pattern, kind in _KINDS if pattern.match(words)), None)
        # Below a key, only its list's items begin a piece; other indented lines continue the piece above.
        goes_on = kind is None or (indented and kind is not LIST_ITEM)
        if goes_on and pieces:
            pieces[-1] = (pieces[-1][0], end, pieces[-1][2])
        else:
            pieces.append((line.start(), end, kind or MARKUP))
    return pieces if any(kind is not MARKUP for *_, kind in pieces) else []


@cache
def _parser() -> MarkdownIt:
    parser = MarkdownIt("commonmark", {"maxNesting": _MAX_NESTING}).enable("table").use(admon_plugin)
    # Inline markup of whole documents isn't needed, and hostile input makes it take quadratic time.
    parser.core.ruler.disable(["inline", "text_join"])
    ends: RuleOptionsType = {"alt": ["paragraph", "reference", "blockquote", "list"]}
    parser.block.ruler.at("blockquote", _bounded_blockquote, ends)
    parser.block.ruler.before("fence", "container_fence", _container_fence, ends)
    return parser


def _bounded_blockquote(state: StateBlock, start_line: int, end_line: int, silent: bool) -> bool:
    """Parse a quote that ends before a line with `>` that follows lines without.

    markdown-it's rule looks through all lines without `>` to the end of the document, for each quote anew: quadratic
    time over quotes without a paragraph to continue.
    """
    stop, lazy_lines = start_line + 1, 0
    if silent or not _is_quoted(state, start_line):
        return blockquote(state, start_line, end_line, silent)
    while stop < end_line and not state.isEmpty(stop):
        is_quoted = _is_quoted(state, stop)
        if (is_quoted and lazy_lines) or lazy_lines > _MAX_LAZY_LINES:
            break
        lazy_lines += not is_quoted
        stop += 1
    return blockquote(state, start_line, stop, silent)


def _is_quoted(state: StateBlock, line: int) -> bool:
    return state.src.startswith(">", state.bMarks[line] + state.tShift[line])


def _container_fence(state: StateBlock, start_line: int, end_line: int, silent: bool) -> bool:
    """Return whether a line opens or closes a container, parsed (unless `silent`) as one token with its options. Lines
    between are ordinary Markdown: below `:::`, `///`, and fences of back quotes around a directive of prose."""

    def line_at(line: int) -> str:
        return state.src[state.bMarks[line] + state.tShift[line] : state.eMarks[line]].rstrip()

    line, stop = line_at(start_line), start_line + 1
    match = _CONTAINER.fullmatch(line) if len(line) <= _MAX_HEADING_CHARACTERS else None
    directive = match["directive"] if match else None
    if state.is_code_block(start_line) or not (line.startswith(":::") or (match and match["mark"][0] in "/`~")):
        return False
    if match and match["mark"][0] == "/" and not _BLOCK_OF_SLASHES.fullmatch(line):
        return False
    if match and match["mark"][0] in "`~":
        fences: list[str] = state.env.setdefault("fences", [])
        closes = bool(fences) and match["mark"] == line and line.startswith(fences[-1])
        known = DIRECTIVE_NAMES.fullmatch(directive or "")
        has_prose = (known and known["prose"]) or FOLDS.fullmatch(directive or "")
        if not closes and not (has_prose and _may_close(state, start_line)):
            return False
        if not silent:
            fences[:] = fences[:-1] if closes else [*fences, match["mark"]]
    while directive and stop < end_line and _OPTION.fullmatch(line_at(stop)):
        stop += 1
    if not silent:
        state.push("container_fence", "", 0).map = [start_line, stop]
        state.line = stop
    return True


def _may_close(state: StateBlock, line: int) -> bool:
    """Return whether a bare fence, which could close the fence in `line`, comes later in the text."""
    if "last_fence" not in state.env:
        state.env["last_fence"] = max((fence.start() for fence in _BARE_FENCE.finditer(state.src)), default=-1)
    return bool(state.env["last_fence"] > state.bMarks[line])
