"""Markdown to blocks: CommonMark with tables, by markdown-it's block tokens.

The tokens' line maps become exact ranges of the source; inline markup is read for headings only, whose
`title` is plain text. Site generators' extras (`:::` containers, `!!!` admonitions, `{% %}` tags, imports
and comments of MDX) are markup around Markdown. HTML is looked at as far as it tells prose from tables,
code and bare tags.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from markdown_it.token import Token

from ingest.blocks import Block, BlockKind, ParsedText
from ingest.formats.front_matter import split_front_matter
from ingest.formats.line_shapes import rule_character
from ingest.formats.markdown_history import HistoryKind, read_version_comment
from ingest.formats.markdown_source import TABLE_TAG, MarkdownSource, trimmed
from ingest.formats.markdown_tokens import MarkdownTokens

_MAX_HEADING_CHARACTERS = 300
_MAX_BOLD_HEADING_CHARACTERS = 80
_WORD = re.compile(r"\w")
_BLANK_LINES = re.compile(r"((?>\r\n|\n|\r)[ \t>]*+(?>\r\n|\n|\r))")
_BOLD_LINE = re.compile(r"(\*\*|__)(?!\s)((?:(?!\1)[^\n])+)\1[ \t]*:?")
_SHOUTED_LINE = re.compile(
    r"(?!(?:NOTE|WARNING|CAUTION|IMPORTANT|ATTENTION|TIP|HINT|TODO|EXAMPLES?|USAGE):)[A-Z][A-Z0-9 /&,-]{2,60}:"
)
_IMAGE = r"!\[(?:[^\[\]]|\[[^\[\]]*\])*\](?:\([^()\s]*(?:\s+\"[^\"]*\")?\)|\[[^\]]*\])"
_ONLY_MARKUP = re.compile(
    rf"(?>\s|{_IMAGE}|\[\s*{_IMAGE}\s*\](?:\([^()\s]*\)|\[[^\]]*\])|<[a-zA-Z/!][^<>]*>|\{{%[^\n]*?%\}}|\{{\{{[^\n]*?\}}\}}"
    r"|\{/\*(?:[^*]|\*(?!/\}))*+\*/\})+"
)
# What MDX runs, and no reader sees.
_MDX_STATEMENTS = re.compile(
    r"""(?:import\s+(?:[\w*$,{}][\w*$\s,{}]{0,500}?\sfrom\s+)?["'][^"'\n]{1,200}["'];?\s*
    |export\s+(?:const|let|var|default|function|async|class)\b[^\n]*\s*)+""",
    re.VERBOSE,
)
_MAX_STATEMENTS_CHARACTERS = 2_000
_ALERT = re.compile(r"(\[!\w+\])[ \t]*(?:[\r\n][\s>]*|\Z)")
_TAG_OR_COMMENT = re.compile(r"<!--(?:[^<-]|<(?!!--)|-(?!->))*-->|</?[a-zA-Z][^<>]*>")
_HIDDEN_ELEMENT = re.compile(r"\s*<(?:script|style)\b", re.I)
_HTML_HEADING = re.compile(r"\s*<h([1-6])\b[^>]*>(.*?)</h\1>\s*\Z", re.I | re.S)
_UNSEEN_MARKUP = re.compile(r"[\s>]*(?:(?:[-*+]|\d+[.)])\s+)*(?:\[[^\]]+\]:|\d*[.)_\s]*\Z)")
_HISTORY_BLOCKS = {
    HistoryKind.STATEMENT: BlockKind.PARAGRAPH,
    HistoryKind.ENTRY: BlockKind.LIST_ITEM,
    HistoryKind.MARKUP: BlockKind.MARKUP,
}


def parse_markdown(text: str) -> ParsedText:
    """Parse Markdown, with or without front matter.

    A list item's block covers its own paragraphs; child items, code and tables are blocks of their own. A line in bold,
    or in capitals with a colon, that stands alone is a heading one level below the current one. Reference definitions,
    comments and bare tags are MARKUP. An empty text has no blocks. Never raises.
    """
    front_matter = split_front_matter(text)
    source = MarkdownSource(text, front_matter.end)
    blocks = _BlockWriter(source, MarkdownTokens(text[front_matter.end :])).write()
    return ParsedText(
        text, "text/markdown", tuple(_with_gaps_covered(text, front_matter.end, blocks)), front_matter.values
    )


@dataclass(slots=True)
class _Item:
    """An open list item."""

    own: int | None = None
    """Where its LIST_ITEM block is in the written blocks."""


class _BlockWriter:
    """Turns one document's tokens into blocks; used once."""

    def __init__(self, source: MarkdownSource, tokens: MarkdownTokens) -> None:
        self._source = source
        self._tokens = tokens
        self._text = source.text
        self._blocks: list[Block] = []
        self._containers: list[_Item | None] = []
        self._heading_level = 0
        self._next_line = 0

    def write(self) -> list[Block]:
        """The blocks of all leaves, in order."""
        tokens = self._tokens.blocks
        for position, token in enumerate(tokens):
            match token.type:
                case "list_item_open":
                    self._containers.append(_Item())
                case "blockquote_open":
                    self._containers.append(None)
                case "list_item_close" | "blockquote_close":
                    self._containers.pop()
                case _ if token.map and token.map[0] >= self._next_line:
                    self._write_leaf(token, tokens[position + 1].content if token.nesting == 1 else token.content)
        return self._blocks

    @property
    def _depth(self) -> int:
        return sum(container is not None for container in self._containers)

    def _write_leaf(self, token: Token, content: str) -> None:
        assert token.map is not None
        start, end = self._source.span(token.map, self._containers.count(None))
        match token.type:
            case "heading_open":
                self._write_heading(start, end, int(token.tag[1]), content)
            case "paragraph_open":
                self._write_paragraph(start, end, content)
            case "fence" | "code_block":
                self._add(BlockKind.CODE, start, end)
            case "table_open":
                self._add(BlockKind.TABLE, start, end)
                self._next_line = token.map[1]
            case "html_block":
                self._write_html(start, end)
            case "container_fence" | "admonition_open":
                first_line_end = self._source.span((token.map[0], token.map[0] + 1))[1]
                # A container's own title ("::: details Why?") is prose; its bare name isn't.
                titled = len(self._text[start:first_line_end].lstrip(":!?+ ").split()) > 1
                self._add(BlockKind.PARAGRAPH if titled else BlockKind.MARKUP, start, first_line_end)

    def _add(self, kind: BlockKind, start: int, end: int, level: int | None = None, title: str = "") -> None:
        if start < end and _WORD.search(self._text, start, end):
            self._blocks.append(Block(kind, start, end, self._depth if level is None else level, title))

    def _write_heading(self, start: int, end: int, level: int, content: str) -> None:
        above, _, below = content.partition("\n")
        content = below if rule_character(above.strip()) else content  # a title between two rules
        title = self._tokens.plain_title(content) if len(content) <= _MAX_HEADING_CHARACTERS else ""
        item = next((item for item in reversed(self._containers) if item), None)
        if not title or (item and item.own is not None):
            # A whole paragraph above `---` is a heading to CommonMark and prose to its author; inside an item that has
            # begun, it is an example or a part of that item, and nothing below the item stands under it.
            self._add(BlockKind.PARAGRAPH, start, end)
            return
        self._heading_level = level
        self._add(BlockKind.HEADING, start, end, level, title)

    def _write_paragraph(self, start: int, end: int, content: str) -> None:
        if alert := _ALERT.match(self._text, start, end):
            self._add(BlockKind.MARKUP, start, alert.end(1))
            start = alert.end()
        if not self._containers and (title := _bold_title(content) or _shouted_title(content)):
            self._add(
                BlockKind.HEADING, start, end, self._heading_level + 1, self._tokens.plain_title(title).rstrip(" :")
            )
        elif _ONLY_MARKUP.fullmatch(content) or _is_mdx_code(content):
            self._add(BlockKind.MARKUP, start, end)
        elif self._containers and (item := self._containers[-1]) is not None:
            self._write_item_paragraph(item, start, end)
        else:
            self._add(BlockKind.PARAGRAPH, start, end)

    def _write_item_paragraph(self, item: _Item, start: int, end: int) -> None:
        """Begin the item's block, lengthen it, or, after another block inside the item, follow on as a paragraph."""
        written = len(self._blocks)
        last = self._blocks[-1] if self._blocks else None
        if item.own is None:
            self._add(BlockKind.LIST_ITEM, start, end)
            item.own = written
        elif last and item.own == written - 1 and not self._text[last.end : start].strip(" \t\r\n>"):
            self._blocks[-1] = replace(last, end=end)
        else:
            self._add(BlockKind.PARAGRAPH, start, end)

    def _write_html(self, start: int, end: int) -> None:
        table_end = self._source.table_end(start, end)
        if table_end > end:
            end = table_end
            self._next_line = self._source.line_at(end) + 1
        html = self._text[start:end]
        if history := read_version_comment(html):
            for piece in history:
                kind = _HISTORY_BLOCKS[piece.kind]
                level = self._depth + int(kind is BlockKind.LIST_ITEM)
                self._add(kind, start + piece.start, start + piece.end, level)
            return
        visible = _TAG_OR_COMMENT.sub(" ", html)
        heading = _HTML_HEADING.match(html)
        if _HIDDEN_ELEMENT.match(html) or not _WORD.search(visible):
            self._add(BlockKind.MARKUP, start, end)
        elif heading and len(visible) <= _MAX_HEADING_CHARACTERS:
            self._heading_level = int(heading[1])
            self._add(BlockKind.HEADING, start, end, self._heading_level, " ".join(visible.split()))
        elif TABLE_TAG.search(html):
            self._add(BlockKind.TABLE, start, end)
        else:
            self._add(BlockKind.CODE if html[:4].lower() == "<pre" else BlockKind.PARAGRAPH, start, end)


def _is_mdx_code(content: str) -> bool:
    if len(content) > _MAX_STATEMENTS_CHARACTERS or not content.startswith(("import", "export")):
        return False
    return _MDX_STATEMENTS.fullmatch(content) is not None


def _bold_title(content: str) -> str | None:
    """What a paragraph sets in bold, where that is all there is of it and it's no sentence."""
    bold = _BOLD_LINE.fullmatch(content)
    if bold is None or len(bold[2]) > _MAX_BOLD_HEADING_CHARACTERS or bold[2].endswith((".", "!", "?", ",")):
        return None
    return bold[2]


def _shouted_title(content: str) -> str | None:
    """A category in capitals with a colon ("BUG FIXES:"), where that is all there is of its paragraph."""
    return content if _SHOUTED_LINE.fullmatch(content) else None


def _with_gaps_covered(text: str, begin: int, blocks: Sequence[Block]) -> Iterator[Block]:
    """Add what no token stands for: reference definitions, and text nested too deep to be parsed."""
    for block in blocks:
        yield from _gap_blocks(text, begin, block.start)
        yield block
        begin = block.end
    yield from _gap_blocks(text, begin, len(text))


def _gap_blocks(text: str, begin: int, end: int) -> Iterator[Block]:
    if not _WORD.search(text, begin, end):
        return
    for stanza in _BLANK_LINES.split(text[begin:end]):
        start, stop = trimmed(text, begin, begin + len(stanza))
        begin += len(stanza)
        if _WORD.search(text, start, stop):
            markup = _UNSEEN_MARKUP.match(text, start, stop)
            yield Block(BlockKind.MARKUP if markup else BlockKind.PARAGRAPH, start, stop)
