"""Which part of a page is its content: where the page doesn't mark it, what is left when furniture is left out."""

import re
from typing import NamedTuple

from ingest.formats.html_page import HtmlPage

BLOCK_TAGS = frozenset(
    "address article aside blockquote body center dd details dialog dir div dl dt fieldset figcaption figure footer "
    "form h1 h2 h3 h4 h5 h6 header hgroup hr html legend li main menu nav ol p pre search section summary table tbody "
    "td tfoot th thead tr caption ul".split()
)
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
_UNSHOWN_STYLE = re.compile(r"(?:^|;)\s*(?:display\s*:\s*none|visibility\s*:\s*hidden)\b", re.IGNORECASE)
_PERMALINK_TEXTS = frozenset({"¶", "#", "§", "🔗", "⚓", ""})
_MAX_PERMALINK_EVENTS = 6
_MIN_DENSE_LINKS = 5
_MIN_DENSE_SHARE = 0.8
_MAX_DENSE_LINK_CHARACTERS = 30


class MainContent(NamedTuple):
    """Where a page's content is."""

    roots: tuple[int, ...]
    """Where its outermost elements start, in order and disjoint; empty for a page without elements."""
    is_marked: bool
    """Whether the page itself marks them as its content."""


def find_main_content(page: HtmlPage) -> MainContent:
    """`main`, else `[role=main]`, else the `article`s, as long as they hold words; else the whole page."""
    pages = tuple(page.starts(("html",)))
    by_role = (index for index, event in enumerate(page.events) if event.attributes.get("role") == "main")
    marked = (page.starts(("main",)), by_role, page.starts(("article",)))
    # Of a page too deep to be read as one, what is marked is but the beginning.
    for candidates in marked if len(pages) == 1 else ():
        found: list[int] = []
        for index in candidates:
            if page.inside(index).characters and not (found and index < page.ends[found[-1]]):
                found.append(index)
        if found:
            return MainContent(tuple(found), is_marked=True)
    return MainContent(pages, is_marked=False)


def is_left_out(page: HtmlPage, index: int, *, keeps_furniture: bool) -> bool:
    """Whether the element that starts at event `index` is no content, though it lies inside the content.

    Where the page marks its content, headers and asides inside it belong to it: `keeps_furniture`.
    """
    event = page.events[index]
    if _UNSEEN.fullmatch(event.tag):
        return True
    if _is_hidden(page, index):
        return True
    if event.tag == "a":
        return _is_permalink(page, index)
    name = f"{event.attributes.get('class') or ''} {event.attributes.get('id') or ''}"
    if "linenos" in name.split():
        return True
    if keeps_furniture or event.tag not in BLOCK_TAGS or event.tag == "body":
        return False
    # A form or a sidebar that holds most of the page is the page.
    if page.holds_most(index):
        return False
    return bool(
        _FURNITURE_TAG.fullmatch(event.tag)
        or _FURNITURE_ROLE.fullmatch(event.attributes.get("role") or "")
        or _FURNITURE_NAME.search(name)
        or _is_link_list(page, index)
    )


def _is_hidden(page: HtmlPage, index: int) -> bool:
    """Whether a browser shows nothing of the element; what holds most of the page is shown once scripts have run."""
    tag, attributes = page.events[index].tag, page.events[index].attributes
    is_hidden = (
        ("hidden" in attributes and (attributes["hidden"] or "").lower() != "until-found")
        or (tag == "dialog" and "open" not in attributes)
        or _UNSHOWN_STYLE.search(attributes.get("style") or "") is not None
        # With a heading in it, it is content behind a dialog, as saved pages have it.
        or (attributes.get("aria-hidden") == "true" and not page.inside(index).headings)
    )
    return is_hidden and not page.holds_most(index)


def _is_permalink(page: HtmlPage, index: int) -> bool:
    if page.ends[index] - index > _MAX_PERMALINK_EVENTS:
        return False
    attributes = page.events[index].attributes
    has_class = "headerlink" in (attributes.get("class") or "").split()
    target = attributes.get("href") or ""
    return page.text_in(index) in _PERMALINK_TEXTS and (has_class or target.startswith("#"))


def _is_link_list(page: HtmlPage, index: int) -> bool:
    inside = page.inside(index)
    is_dense = inside.links >= _MIN_DENSE_LINKS and inside.link_characters >= _MIN_DENSE_SHARE * inside.characters
    return is_dense and inside.link_characters <= _MAX_DENSE_LINK_CHARACTERS * inside.links
