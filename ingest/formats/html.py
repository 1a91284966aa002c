"""HTML to blocks: the main content of a page as text that reads like the page, with its structure.

The page is read as a stream of events, so that neither its nesting nor its size can exhaust the stack or
take quadratic time. Words are never added, dropped or moved inside a block; between blocks stand blank
lines, between table cells tabs.

Deliberately not done: running scripts, applying styles, reading images.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from lxml import etree  # type: ignore[import-untyped]  # lxml has no type hints

from ingest.blocks import Block, BlockKind, ParsedText

_BLOCK_TAGS = frozenset(
    "address article aside blockquote body center dd details dialog dir div dl dt fieldset figcaption figure footer "
    "form h1 h2 h3 h4 h5 h6 header hgroup hr html legend li main menu nav ol p pre search section summary table tbody "
    "td tfoot th thead tr caption ul".split()
)
_HEADINGS = {"h1": 1, "h2": 2, "h3": 3, "h4": 4, "h5": 5, "h6": 6}
_UNSEEN = re.compile(
    "script|style|template|noscript|head|svg|math|iframe|object|button|select|textarea|canvas|nav|footer"
)
_FURNITURE_TAG = re.compile("header|aside|form|dialog|menu")
_FURNITURE_ROLE = re.compile("navigation|banner|contentinfo|search|complementary|dialog|alertdialog")
_FURNITURE_NAME = re.compile(
    r"(?:^|[\s_-])(?:cookies?|consent|gdpr|breadcrumbs?|sidebar|navbar|nav|navigation|menu|newsletter|skip-?links?|linenos)"
    r"(?:$|[\s_-])",
    re.IGNORECASE,
)
_PERMALINK_TEXTS = frozenset({"¶", "#", "§", "🔗", "⚓", ""})
_MIN_DENSE_LINKS = 5
_MIN_DENSE_SHARE = 0.8
_MAX_DENSE_LINK_CHARACTERS = 30

_SPACES = re.compile(r"[ \t\n\f]+")
_AROUND_BREAK = re.compile(r" ?\n[ \n]*")
_PARAGRAPH_BREAK = re.compile(r" ?\n ?\n[ \n]*")
_TITLE_SEPARATOR = re.compile(r"\s+[|—–·»:-]{1,2}\s+")
_SURE_SEPARATOR = re.compile(r"\s+[|—·»]\s+")
_DATE_NAMES = frozenset(
    {"article:published_time", "og:published_time", "date", "dc.date", "dcterms.date", "datepublished"}
)


def parse_html(markup: str) -> ParsedText:
    """Extract the main content of a page and its blocks.

    Main content is `main`, `[role=main]` or the page's `article`s, else the body without navigation,
    headers, asides, forms, cookie banners and lists of links. White space is collapsed as a browser does,
    `pre` is kept. Any input gives a result; a page without words gives an empty text.

    `front_matter` holds what the page states: `title` without the site's name, `date`, `url`.
    """
    page = _Page()
    feed = etree.HTMLParser(target=page, encoding="utf-8", huge_tree=True)
    if markup.strip():
        source = markup.replace("\r\n", "\n").replace("\r", "\n")
        feed.feed(source.encode("utf-8", "replace"))
        feed.close()
    roots, is_marked = _main_content(page)
    writer = _Writer()
    for root in roots:
        _Walk(page, writer, keeps_furniture=is_marked).run(root)
    return ParsedText(writer.text, "text/html", tuple(writer.blocks), _front_matter(page, roots, writer.blocks))


class _Event(NamedTuple):
    """The start or end of an element, or (`tag` empty) a run of text."""

    tag: str
    is_start: bool
    attributes: Mapping[str, str]
    text: str


class _Page:
    """Parser target: the page as a sequence of events, with what can be counted on the way."""

    def __init__(self) -> None:
        self.events: list[_Event] = []
        self.ends: dict[int, int] = {}
        """Position of a start event -> position of its end event."""
        self.characters: list[int] = []
        """Non-space characters before each event, then those in links, then the number of links."""
        self.link_characters: list[int] = []
        self.links: list[int] = []
        self.layout_tables: set[int] = set()
        """Tables that arrange a page: they hold headings, code or other tables."""
        self._open: list[int] = []
        self._open_tables: list[int] = []
        self._open_links = 0
        self._characters = self._link_characters = self._links = 0

    def start(self, tag: object, attributes: Mapping[str, str]) -> None:
        name = str(tag).lower()
        if self._open_tables and (name in _HEADINGS or name in ("table", "pre")):
            self.layout_tables.add(self._open_tables[-1])
        if name == "table":
            self._open_tables.append(len(self.events))
        if name == "a":
            self._open_links += 1
            self._links += 1
        self._open.append(len(self.events))
        self._add(_Event(name, True, dict(attributes), ""))

    def end(self, _tag: object) -> None:
        if not self._open:
            return
        opened = self._open.pop()
        name = self.events[opened].tag
        if name == "table":
            self._open_tables.pop()
        if name == "a":
            self._open_links -= 1
        self.ends[opened] = len(self.events)
        self._add(_Event(name, False, {}, ""))

    def data(self, text: str) -> None:
        self._add(_Event("", False, {}, text))
        count = len("".join(text.split()))
        self._characters += count
        if self._open_links:
            self._link_characters += count

    def comment(self, text: str) -> None:
        """Comments and processing instructions aren't content."""

    def pi(self, target: str, data: str | None = None) -> None:
        """See `comment`."""

    def close(self) -> None:
        while self._open:
            self.end("")

    def _add(self, event: _Event) -> None:
        self.events.append(event)
        self.characters.append(self._characters)
        self.link_characters.append(self._link_characters)
        self.links.append(self._links)

    def words_in(self, start: int) -> int:
        """Non-space characters in the element that starts at this event."""
        return self.characters[self.ends[start]] - self.characters[start]

    def text_in(self, start: int) -> str:
        events = self.events[start : self.ends[start]]
        return " ".join("".join(event.text for event in events).split())

    def starts(self, tags: Sequence[str]) -> Iterator[int]:
        return (index for index, event in enumerate(self.events) if event.is_start and event.tag in tags)


def _main_content(page: _Page) -> tuple[tuple[int, ...], bool]:
    """Where the content's outermost elements start, and whether the page marks them as its content."""
    by_role = (index for index, event in enumerate(page.events) if event.attributes.get("role") == "main")
    for candidates in (page.starts(("main",)), by_role, page.starts(("article",))):
        found: list[int] = []
        for index in candidates:
            if page.words_in(index) and not (found and index < page.ends[found[-1]]):
                found.append(index)
        if found:
            return tuple(found), True
    return tuple(page.starts(("html",)))[:1], False


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

    def __init__(self, page: _Page, writer: _Writer, *, keeps_furniture: bool) -> None:
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
            elif event.is_start and index != root and self._is_left_out(index, event):
                if event.tag in _BLOCK_TAGS:
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
        elif tag in _BLOCK_TAGS:
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
        elif tag in _HEADINGS:
            self._flush(BlockKind.HEADING, heading=_HEADINGS[tag])
        elif tag == "pre":
            self._flush(BlockKind.CODE)
        elif tag in _BLOCK_TAGS:
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
        elif tag in _BLOCK_TAGS:
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
        elif tag in _BLOCK_TAGS:
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

    def _is_left_out(self, index: int, event: _Event) -> bool:
        if _UNSEEN.fullmatch(event.tag):
            return True
        if event.tag == "a":
            return self._is_permalink(index, event)
        name = f"{event.attributes.get('class') or ''} {event.attributes.get('id') or ''}"
        if "linenos" in name.split():
            return True
        if self._keeps_furniture or event.tag not in _BLOCK_TAGS or event.tag == "body":
            return False
        # A form or a sidebar that holds most of the page is the page.
        if self._page.words_in(index) * 2 > self._page.characters[-1]:
            return False
        return bool(
            _FURNITURE_TAG.fullmatch(event.tag)
            or _FURNITURE_ROLE.fullmatch(event.attributes.get("role") or "")
            or _FURNITURE_NAME.search(name)
            or self._is_link_list(index)
        )

    def _is_permalink(self, index: int, event: _Event) -> bool:
        if self._page.ends[index] - index > 6:
            return False
        has_class = "headerlink" in (event.attributes.get("class") or "").split()
        target = event.attributes.get("href") or ""
        return self._page.text_in(index) in _PERMALINK_TEXTS and (has_class or target.startswith("#"))

    def _is_link_list(self, index: int) -> bool:
        page, end = self._page, self._page.ends[index]
        links = page.links[end] - page.links[index]
        link_characters = page.link_characters[end] - page.link_characters[index]
        return (
            links >= _MIN_DENSE_LINKS
            and link_characters >= _MIN_DENSE_SHARE * page.words_in(index)
            and link_characters <= _MAX_DENSE_LINK_CHARACTERS * links
        )


def _front_matter(page: _Page, roots: Sequence[int], blocks: Sequence[Block]) -> dict[str, str]:
    metas: dict[str, str] = {}
    for index in page.starts(("meta",)):
        attributes = page.events[index].attributes
        name = attributes.get("property") or attributes.get("name") or attributes.get("itemprop") or ""
        metas.setdefault(name.lower(), (attributes.get("content") or "").strip())
    first_heading = next((block.title for block in blocks if block.kind is BlockKind.HEADING), "")
    stated_title = metas.get("og:title") or next((page.text_in(index) for index in page.starts(("title",))), "")
    links = (page.events[index].attributes for index in page.starts(("link",)))
    canonical = next((link.get("href") for link in links if "canonical" in (link.get("rel") or "").lower().split()), "")
    addresses = (canonical or "", metas.get("og:url", ""))
    url = next((address for address in addresses if re.match("https?://", address)), "")
    found = {
        "title": _without_site(" ".join(stated_title.split()), first_heading, metas.get("og:site_name", "")),
        "date": next((metas[name] for name in metas if name in _DATE_NAMES and metas[name]), "") or _time(page, roots),
        "url": url.strip(),
    }
    return {name: value for name, value in found.items() if value}


def _time(page: _Page, roots: Sequence[int]) -> str:
    """The first `time[datetime]` of the main content."""
    events = (event for root in roots for event in page.events[root : page.ends[root]] if event.tag == "time")
    return next((stated for event in events if (stated := (event.attributes.get("datetime") or "").strip())), "")


def _without_site(title: str, heading: str, site: str) -> str:
    """The page's own title, without the name of the site behind (or before) it."""
    for separator in _TITLE_SEPARATOR.finditer(title):
        is_before = separator.start() == len(heading) and title.startswith(heading)
        if is_before or (separator.end() == len(title) - len(heading) and title.endswith(heading)):
            return heading
        if site and separator.end() == len(title) - len(site) and title.endswith(site):
            return title[: separator.start()]
    return _SURE_SEPARATOR.split(title, maxsplit=1)[0]
