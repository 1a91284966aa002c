"""Parses HTML into blocks: the main content of a page as text that reads like the page, and the facts in its head.

Words are never added, dropped or moved inside a block; `~~` marks those that are struck out. Blank lines separate
blocks, tabs the cells of tables.

This is our own because the libraries that convert pages to Markdown, for our parser to read, lose releases: trafilatura
2.3 loses those of 4 pages out of 12; markdownify 1.2 and html-to-markdown 3.21 lose all but two of 85 that are lines
between lists, html2text the ten that are beside a page's own. Each empties, drops or ends at a page that nests 50,000
elements, and none reads the content of templates.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace

from corpus.versions import Version
from ingest.blocks import CODE, HEADING, LIST_ITEM, PARAGRAPH, TABLE, Aside, Block, BlockKind, ParsedText
from ingest.formats.html_page import HEADINGS, HtmlPage, parse_page
from ingest.releases.subjects import read_site, read_title
from ingest.releases.version_lines import Subject

BLOCK_TAGS = frozenset(
    "address article aside blockquote body center dd details dialog dir div dl dt fieldset figcaption figure footer "
    "form h1 h2 h3 h4 h5 h6 header hgroup hr html legend li main menu nav ol p pre search section summary table tbody "
    "td tfoot th thead tr caption ul".split()
)
_ASIDES = frozenset({"blockquote", "details"})
_STRUCK = frozenset({"del", "s", "strike"})
_UNSEEN = re.compile(
    "script|style|template|noscript|head|svg|math|iframe|object|button|select|textarea|canvas|nav|footer"
)
_FURNITURE_TAG = re.compile("header|aside|form|dialog|menu")
_FURNITURE_ROLE = re.compile("navigation|banner|contentinfo|search|complementary|dialog|alertdialog")
_FURNITURE_NAME = re.compile(
    r"(?i)(?:^|[\s_-])(?:cookies?|consent|gdpr|breadcrumbs?|sidebar|navbar|nav|navigation|menu|newsletter|skip-?links?|linenos)"
    r"(?:$|[\s_-])"
)
_UNSHOWN_STYLE = re.compile(r"(?i)(?:^|;)\s*(?:display\s*:\s*none|visibility\s*:\s*hidden)\b")
_PERMALINK_TEXTS = frozenset({"¶", "#", "§", "🔗", "⚓", ""})
_MAX_PERMALINK_EVENTS = 6
_MIN_DENSE_LINKS = 5
_MIN_DENSE_SHARE = 0.8
_MAX_DENSE_LINK_CHARACTERS = 30
_TEMPLATE = re.compile(
    r"(?is)<(?:template\b|script\b(?=[^<>]{0,500}\btype\s?=\s?[\"']?text/[\w.+-]{0,30}(?:templ|tmpl|html|handlebars)))"
    r"[^<>]{0,500}>(?P<held>.*?)(?:</(?:template|script)\s*>|\Z)"
)
_GENERATED = re.compile(r"(?i)</?(?:code|pre|kbd|samp|tt|script|style)\b|\{%|\{#|\{\{\{?|<%")
_CLOSERS = {"{%": "%}", "{#": "#}", "{{": "}}", "{{{": "}}}", "<%": "%>"}
_SET = re.compile(r"\{%-?\s*(?:set|assign)\s+(\w+)\s*=\s*[\"']([^\"'{}]*)[\"']")
_COMMENT_TAG = re.compile(r"\{%-?\s*comment\b")
_LITERAL = re.compile(r"(?:\{\{-?|<%[=-]+)\s*(?:[\"'](?P<words>[^\"'{}]*)[\"']|(?P<name>\w+))\s*(?:\||-?\}\}|$)")
_MOST_GENERATED_CHARACTERS = 2_000
_MAVEN_RELEASE = re.compile(
    r"<release\b(?=[^<>]*?\bversion=([\"'])(?P<version>.*?)\1)(?:[^<>]*?\bdate=([\"'])(?P<day>.*?)\3)?[^<>]*>"
)
_MAVEN_ACTION = re.compile(r"<action\b[^<>]*?\btype=([\"'])(\w+)\1[^<>]*>")
_SPACES = re.compile(r"[ \t\n\f]+")
_AROUND_BREAK = re.compile(r" ?\n[ \n]*")
_PARAGRAPH_BREAK = re.compile(r" ?\n ?\n[ \n]*")
_TITLE_SEPARATOR = re.compile(r"(?<!\s)\s++[|—–·»:-]{1,2}\s+")
_SURE_SEPARATOR = re.compile(r"(?<!\s)\s++[|—·»]\s+")
_VERSION_NAMES = ("docsearch:version", "version", "doc-version", "product-version", "release")
_DATE_NAMES = frozenset("article:published_time og:published_time date dc.date dcterms.date datepublished".split())


def parse_html(markup: str) -> ParsedText:
    """Extract the main content of a page and its blocks.

    Main content is `main`, `[role=main]` or the page's `article`s, else the body without navigation, headers, asides,
    forms, cookie banners and lists of links. White space is collapsed as a browser does, `pre` is kept. A page without
    other words is read from its templates, which scripts show. Any input gives a result; no words give an empty text.

    `front_matter` has what the page states: `title` without the site's name, `date`, `url`, and the `product` and
    `version` that its site documents, if the title names no version.
    """
    parsed = _parse(markup)
    in_templates = "" if parsed.text else "\n".join(template["held"] for template in _TEMPLATE.finditer(markup))
    if not in_templates:
        return parsed
    shown = _parse(in_templates)
    return replace(shown, front_matter={**shown.front_matter, **parsed.front_matter})


def _without_generators(markup: str) -> str:
    """Return a page without a template language's tags outside code. A tag that writes a literal or a variable set on
    the page becomes its value: `{{ "2024-04-09" | date }}`, `{{ version }}` below `{% set version = "2.1" %}`."""
    if not any(mark in markup for mark in ("%}", "#}", "%>", "{{/")):
        return markup
    values, end, code_depth = dict(_SET.findall(markup)), 0, 0
    pieces: list[str] = []
    for tag in _GENERATED.finditer(markup):
        closer = _CLOSERS.get(tag[0])
        if closer is None:
            code_depth = max(0, code_depth + (-1 if tag[0][1] == "/" else 1))
        elif tag.start() >= end and not code_depth:
            last = tag.end() + _MOST_GENERATED_CHARACTERS
            is_comment = _COMMENT_TAG.match(markup, tag.start()) is not None
            inner = markup.find("endcomment", tag.end(), last) if is_comment else tag.end()
            stop = markup.find(closer, inner, last) if inner >= 0 else -1
            if stop >= 0:
                literal = _LITERAL.match(markup, tag.start(), stop)
                words = (literal["words"] or values.get(literal["name"] or "", "")) if literal else ""
                pieces += markup[end : tag.start()], words
                end = stop + len(closer)
    return "".join((*pieces, markup[end:]))


def _parse(markup: str) -> ParsedText:
    # Maven's list of changes as HTML: a release as a heading, an action as an item behind its type.
    headed = _MAVEN_RELEASE.sub(r"</ul><h2>\g<version> (\g<day>)</h2><ul>", _without_generators(markup))
    page = parse_page(_MAVEN_ACTION.sub(r"<li>\2: ", headed))
    roots, is_marked = _main_content(page)
    writer = _Writer(page, keeps_furniture=is_marked)
    for root in roots:
        writer.write(root)
    front_matter = _read_front_matter(page, roots, writer.blocks)
    return ParsedText("".join(writer.pieces), "text/html", tuple(writer.blocks), front_matter, tuple(writer.asides))


class _Writer:
    """Writes the text of elements and the blocks in it, in one pass over their events."""

    def __init__(self, page: HtmlPage, *, keeps_furniture: bool) -> None:
        self.blocks: list[Block] = []
        self.pieces: list[str] = []  # The text in parts, in order.
        self.asides: list[Aside] = []
        self._opened: list[int] = []  # The starts of the open asides in the text.
        self._length = 0
        self._page = page
        self._keeps_furniture = keeps_furniture
        self._inline: list[str] = []
        self._items: list[int | None] = []
        """For each open list item: the position of its LIST_ITEM block, which grows by the text right behind it."""
        self._lists: list[bool] = []  # For each open list: whether it is directly inside another.
        self._preformatted = self._struck = 0  # The depths of open `pre` and struck-out elements.
        self._in_table = False
        self._rows: list[list[str]] = []

    def write(self, root: int) -> None:
        """Write the element that starts at event `root`."""
        index, stop = root, self._page.ends[root]
        while index <= stop:
            event = self._page.events[index]
            if not event.tag:
                self._write_text(event.text if self._preformatted else _SPACES.sub(" ", event.text))
            elif not event.is_start:
                self._end(event.tag)
            elif index != root and is_left_out(self._page, index, keeps_furniture=self._keeps_furniture):
                if event.tag in BLOCK_TAGS:
                    self._flush(PARAGRAPH)
                index = self._page.ends[index]
            else:
                self._start(index, event.tag)
            index += 1
        self._flush(PARAGRAPH)

    def _write_text(self, text: str) -> None:
        words = text.lstrip() if self._struck else ""
        if words and self._inline[-1:] == ["~~"]:
            self._inline[-1:] = (text, "~~")
        else:
            self._inline += (text.removesuffix(words), "~~", words, "~~") if words else (text,)

    def _start(self, index: int, tag: str) -> None:
        self._struck += tag in _STRUCK
        if tag == "br":
            self._inline.append("\n")
        elif self._in_table:
            self._table_tag(tag, closes=False)
        elif tag in BLOCK_TAGS:
            self._flush(PARAGRAPH)
            if tag in _ASIDES:
                self._opened.append(self._length)
            elif tag == "li":
                self._items.append(None)
            elif tag in ("ul", "ol"):
                # A list between the items of another is nested in the one before.
                self._lists.append(len(self._lists) > len(self._items))
                self._items += [-1] * self._lists[-1]
            elif tag == "table" and index not in self._page.layout_tables:
                self._in_table, self._rows = True, [[]]
        if tag == "pre":
            self._preformatted += 1

    def _end(self, tag: str) -> None:
        self._struck -= tag in _STRUCK
        if self._in_table:
            self._table_tag(tag, closes=True)
        elif tag in HEADINGS:
            self._flush(HEADING, heading=HEADINGS[tag])
        elif tag == "pre":
            self._flush(CODE)
        elif tag in BLOCK_TAGS:
            self._flush(PARAGRAPH)
            if tag in _ASIDES and self._opened:
                self.asides.append(Aside(self._opened.pop(), self._length, is_folded=tag == "details"))
            elif (tag == "li" and self._items) or (tag in ("ul", "ol") and self._lists and self._lists.pop()):
                self._items.pop()
        if tag == "pre":
            self._preformatted -= 1

    def _table_tag(self, tag: str, *, closes: bool) -> None:
        if tag in ("td", "th"):
            self._end_cell()
        elif tag in ("tr", "caption") or (tag == "table" and closes):
            self._end_cell()
            if self._rows[-1]:
                self._rows.append([])
            if tag == "table":
                self._in_table = False
                self._add(TABLE, "\n".join("\t".join(row) for row in self._rows if row))
        elif tag in BLOCK_TAGS:
            self._inline.append(" " if closes or tag != "li" else " • ")

    def _end_cell(self) -> None:
        cell = " ".join("".join(self._inline).split()).removeprefix("• ")
        self._inline.clear()
        if cell:
            self._rows[-1].append(cell)

    def _flush(self, kind: BlockKind, *, heading: int = 0) -> None:
        """Write the inline text collected so far as one block, or as several if empty lines separate them."""
        content = "".join(self._inline)
        self._inline.clear()
        if kind is CODE:
            self._add(kind, content.lstrip("\n") if content.strip() else "")
        elif kind is HEADING:
            title = " ".join(content.split())
            self._add(kind, title, level=heading, title=title)
        else:
            for paragraph in _PARAGRAPH_BREAK.split(re.sub(" +", " ", content)):
                self._add_paragraph(_AROUND_BREAK.sub("\n", paragraph).strip())

    def _add_paragraph(self, paragraph: str) -> None:
        if not paragraph:
            return
        item, position = self._items[-1] if self._items else None, len(self.blocks)
        if not self._items or item not in (None, position - 1):
            self._add(PARAGRAPH, paragraph)
            return
        self._items[-1] = position if item is None else item
        self._add(LIST_ITEM, paragraph, continues=item is not None)

    def _add(
        self, kind: BlockKind, content: str, *, level: int | None = None, title: str = "", continues: bool = False
    ) -> None:
        """Append a block; `continues`: its text belongs to the block before it."""
        start_in_content = len(content) - len(content.lstrip())
        content = content.rstrip()
        if not content:
            return
        separator = "\n\n" if self.pieces else ""
        start = self._length + len(separator) + start_in_content
        self.pieces += (separator, content)
        self._length += len(separator) + len(content)
        start = self.blocks.pop().start if continues else start
        self.blocks.append(Block(kind, start, self._length, len(self._items) if level is None else level, title))


def _read_front_matter(page: HtmlPage, roots: Sequence[int], blocks: Sequence[Block]) -> Mapping[str, str]:
    """Return the `title`, `date` and `url` that the page states, and `product` and `version` if its title names none.

    `roots` are the starts of its main content; the first heading of its `blocks` shows where the page's title ends.
    """
    metas: dict[str, str] = {}
    for index in page.find_starts(("meta",)):
        attributes = page.events[index].attributes
        name = attributes.get("property") or attributes.get("name") or attributes.get("itemprop") or ""
        metas.setdefault(name.lower(), (attributes.get("content") or "").strip())
    first_heading = next((block.title for block in blocks if block.is_heading), "")
    page_title = next((page.text_in(index) for index in page.find_starts(("title",))), "")
    stated_title = " ".join((metas.get("og:title") or page_title).split())
    links = (page.events[index].attributes for index in page.find_starts(("link",)))
    canonical = next((link.get("href") for link in links if "canonical" in (link.get("rel") or "").lower().split()), "")
    addresses = (canonical or "", metas.get("og:url", ""))
    times = (event for root in roots for event in page.events[root : page.ends[root]] if event.tag == "time")
    dates = (
        *(metas[name] for name in metas if name in _DATE_NAMES),
        *((event.attributes.get("datetime") or "").strip() for event in times),
    )
    fields = {
        "title": _without_site(stated_title, first_heading, metas.get("og:site_name", "")),
        "date": next(filter(None, dates), ""),
        "url": next((address for address in addresses if re.match("https?://", address)), "").strip(),
    }
    if not read_title(fields["title"]).version:
        # A page's `og:title` often leaves out the site's name.
        sites = map(read_site, (stated_title, page_title))
        site = next((site for site in sites if site.version), Subject())
        documented = (metas.get(name, "") for name in _VERSION_NAMES)
        fields["product"] = site.product
        fields["version"] = site.label or next((version for version in documented if Version.try_parse(version)), "")
    return {name: value for name, value in fields.items() if value}


def _without_site(title: str, heading: str, site: str) -> str:
    """Return the page's own title, without the site's name behind or before it."""
    for separator in _TITLE_SEPARATOR.finditer(title):
        is_before = separator.start() == len(heading) and title.startswith(heading)
        if is_before or (separator.end() == len(title) - len(heading) and title.endswith(heading)):
            return heading
        if site and separator.end() == len(title) - len(site) and title.endswith(site):
            return title[: separator.start()]
    return _SURE_SEPARATOR.split(title, maxsplit=1)[0]


def _main_content(page: HtmlPage) -> tuple[tuple[int, ...], bool]:
    """Return the starts of the outermost elements of the content, in order and disjoint, and whether the page marks
    them: `main`, else `[role=main]`, else the `article`s, if they have words; else the whole page, unmarked."""
    pages = tuple(page.find_starts(("html",)))
    by_role = (index for index, event in enumerate(page.events) if event.attributes.get("role") == "main")
    marked = (page.find_starts(("main",)), by_role, page.find_starts(("article",)))
    # A page that was too deep to be read as one is marked in its first part only.
    for candidates in marked if len(pages) == 1 else ():
        outermost: list[int] = []
        for index in candidates:
            if page.counts_inside(index).characters and not (outermost and index < page.ends[outermost[-1]]):
                outermost.append(index)
        if outermost:
            return tuple(outermost), True
    return pages, False


def is_left_out(page: HtmlPage, index: int, *, keeps_furniture: bool) -> bool:
    """Return whether the element that starts at event `index`, inside the content, doesn't belong to it.

    `keeps_furniture`: the page marks its content, and headers and asides inside it belong to it.
    """
    event = page.events[index]
    if _UNSEEN.fullmatch(event.tag) or _is_hidden(page, index):
        return True
    if event.tag == "a":
        return _is_permalink(page, index)
    name = f"{event.attributes.get('class') or ''} {event.attributes.get('id') or ''}"
    if "linenos" in name.split():
        return True
    if keeps_furniture or event.tag not in BLOCK_TAGS or event.tag == "body":
        return False
    # A form or a sidebar with most of the page's words is the page.
    if page.has_most_words(index):
        return False
    return bool(
        _FURNITURE_TAG.fullmatch(event.tag)
        or _FURNITURE_ROLE.fullmatch(event.attributes.get("role") or "")
        or _FURNITURE_NAME.search(name)
        or _is_link_list(page, index)
    )


def _is_hidden(page: HtmlPage, index: int) -> bool:
    """Return whether a browser hides the element; False for one with most of the page's words, which scripts show."""
    tag, attributes = page.events[index].tag, page.events[index].attributes
    is_hidden = (
        ("hidden" in attributes and (attributes["hidden"] or "").lower() != "until-found")
        or (tag == "dialog" and "open" not in attributes)
        or _UNSHOWN_STYLE.search(attributes.get("style") or "") is not None
        # One with a heading is content behind a dialog, as in saved pages.
        or (attributes.get("aria-hidden") == "true" and not page.counts_inside(index).headings)
    )
    return is_hidden and not page.has_most_words(index)


def _is_permalink(page: HtmlPage, index: int) -> bool:
    if page.ends[index] - index > _MAX_PERMALINK_EVENTS:
        return False
    attributes = page.events[index].attributes
    has_class = "headerlink" in (attributes.get("class") or "").split()
    target = attributes.get("href") or ""
    return page.text_in(index) in _PERMALINK_TEXTS and (has_class or target.startswith("#"))


def _is_link_list(page: HtmlPage, index: int) -> bool:
    """Return whether an element is a menu, mostly short links; links around code are a list of added names instead."""
    inside = page.counts_inside(index)
    is_dense = inside.links >= _MIN_DENSE_LINKS and inside.link_characters >= _MIN_DENSE_SHARE * inside.characters
    is_short = inside.link_characters <= _MAX_DENSE_LINK_CHARACTERS * inside.links
    return is_dense and is_short and 2 * inside.codes < inside.links
