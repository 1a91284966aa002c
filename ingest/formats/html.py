"""HTML to blocks: the main content of a page as text that reads like the page, with its structure.

Words are never added, dropped or moved inside a block; between blocks stand blank lines, between table cells
tabs.

Deliberately not done: running scripts, applying styles, reading images.
"""

import re
from dataclasses import dataclass

from ingest.blocks import Block, BlockKind, ParsedText
from ingest.formats.html_front_matter import read_front_matter
from ingest.formats.html_main_content import BLOCK_TAGS, find_main_content, is_left_out
from ingest.formats.html_page import HEADINGS, HtmlPage, parse_page

_SPACES = re.compile(r"[ \t\n\f]+")
_AROUND_BREAK = re.compile(r" ?\n[ \n]*")
_PARAGRAPH_BREAK = re.compile(r" ?\n ?\n[ \n]*")


def parse_html(markup: str) -> ParsedText:
    """Extract the main content of a page and its blocks.

    Main content is `main`, `[role=main]` or the page's `article`s, else the body without navigation,
    headers, asides, forms, cookie banners and lists of links. White space is collapsed as a browser does,
    `pre` is kept. Any input gives a result; a page without words gives an empty text.

    `front_matter` holds what the page states: `title` without the site's name, `date`, `url`.
    """
    page = parse_page(markup)
    content = find_main_content(page)
    writer = _Writer()
    for root in content.roots:
        _Walk(page, writer, keeps_furniture=content.is_marked).run(root)
    front_matter = read_front_matter(page, content.roots, writer.blocks)
    return ParsedText(writer.text, "text/html", tuple(writer.blocks), front_matter)


class _Writer:
    """The extracted text as it grows, and the blocks in it."""

    def __init__(self) -> None:
        self.blocks: list[Block] = []
        self._pieces: list[str] = []
        self._length = 0

    @property
    def text(self) -> str:
        return "".join(self._pieces)

    def add(self, kind: BlockKind, content: str, *, level: int, title: str = "", continues: bool = False) -> None:
        """Append a block; `continues`: its text belongs to the block before it."""
        start_in_content = len(content) - len(content.lstrip())
        content = content.rstrip()
        if not content:
            return
        separator = "\n\n" if self._pieces else ""
        start = self._length + len(separator) + start_in_content
        self._pieces += (separator, content)
        self._length += len(separator) + len(content)
        if continues:
            start = self.blocks.pop().start
        self.blocks.append(Block(kind, start, self._length, level, title))


@dataclass(slots=True)
class _Item:
    """An open list item."""

    own: int | None = None
    """Position of its LIST_ITEM block, which grows by the paragraphs that follow it directly."""


class _Walk:
    """One pass over an element's events that writes its blocks."""

    def __init__(self, page: HtmlPage, writer: _Writer, *, keeps_furniture: bool) -> None:
        self._page = page
        self._writer = writer
        self._keeps_furniture = keeps_furniture
        self._inline: list[str] = []
        self._items: list[_Item] = []
        self._preformatted = 0
        self._table: int | None = None
        self._rows: list[list[str]] = []

    def run(self, root: int) -> None:
        index, stop = root, self._page.ends[root]
        while index <= stop:
            event = self._page.events[index]
            if not event.tag:
                self._inline.append(event.text if self._preformatted else _SPACES.sub(" ", event.text))
            elif (
                event.is_start
                and index != root
                and is_left_out(self._page, index, keeps_furniture=self._keeps_furniture)
            ):
                if event.tag in BLOCK_TAGS:
                    self._flush(BlockKind.PARAGRAPH)
                index = self._page.ends[index]
            elif event.is_start:
                self._start(index, event.tag)
            else:
                self._end(event.tag)
            index += 1
        self._flush(BlockKind.PARAGRAPH)

    def _start(self, index: int, tag: str) -> None:
        if tag == "br":
            self._inline.append("\n")
        elif self._table is not None:
            self._start_in_table(tag)
        elif tag in BLOCK_TAGS:
            self._flush(BlockKind.PARAGRAPH)
            if tag == "li":
                self._items.append(_Item())
            elif tag == "table" and index not in self._page.layout_tables:
                self._table, self._rows = index, [[]]
        if tag == "pre":
            self._preformatted += 1

    def _end(self, tag: str) -> None:
        if self._table is not None:
            self._end_in_table(tag)
        elif tag in HEADINGS:
            self._flush(BlockKind.HEADING, heading=HEADINGS[tag])
        elif tag == "pre":
            self._flush(BlockKind.CODE)
        elif tag in BLOCK_TAGS:
            self._flush(BlockKind.PARAGRAPH)
            if tag == "li" and self._items:
                self._items.pop()
        if tag == "pre":
            self._preformatted -= 1

    def _start_in_table(self, tag: str) -> None:
        if tag in ("tr", "caption"):
            self._end_row()
        elif tag in ("td", "th"):
            self._end_cell()
        elif tag in BLOCK_TAGS:
            self._inline.append(" ")

    def _end_in_table(self, tag: str) -> None:
        if tag in ("td", "th"):
            self._end_cell()
        elif tag in ("tr", "caption", "table"):
            self._end_row()
            if tag == "table":
                rows = ["\t".join(row) for row in self._rows if any(row)]
                self._table = None
                self._writer.add(BlockKind.TABLE, "\n".join(rows), level=len(self._items))
        elif tag in BLOCK_TAGS:
            self._inline.append(" ")

    def _end_cell(self) -> None:
        cell = " ".join("".join(self._inline).split())
        self._inline.clear()
        if cell:
            self._rows[-1].append(cell)

    def _end_row(self) -> None:
        self._end_cell()
        if self._rows[-1]:
            self._rows.append([])

    def _flush(self, kind: BlockKind, *, heading: int = 0) -> None:
        """Write the inline text gathered so far as one block, or as more where empty lines part it."""
        if not self._inline:
            return
        content = "".join(self._inline)
        self._inline.clear()
        if kind is BlockKind.CODE:
            self._writer.add(kind, content.lstrip("\n") if content.strip() else "", level=len(self._items))
            return
        content = re.sub(" +", " ", content)
        if kind is BlockKind.HEADING:
            title = " ".join(content.split())
            self._writer.add(kind, title, level=heading, title=title)
            return
        for paragraph in _PARAGRAPH_BREAK.split(content):
            self._write_paragraph(_AROUND_BREAK.sub("\n", paragraph).strip())

    def _write_paragraph(self, paragraph: str) -> None:
        if not paragraph:
            return
        item, depth, written = self._items[-1] if self._items else None, len(self._items), len(self._writer.blocks)
        if item is None:
            self._writer.add(BlockKind.PARAGRAPH, paragraph, level=0)
        elif item.own is None:
            item.own = written
            self._writer.add(BlockKind.LIST_ITEM, paragraph, level=depth)
        elif item.own == written - 1:
            self._writer.add(BlockKind.LIST_ITEM, paragraph, level=depth, continues=True)
        else:
            self._writer.add(BlockKind.PARAGRAPH, paragraph, level=depth)
