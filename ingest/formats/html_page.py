"""A page as a stream of events, in the order of its text: an element is a range of events.

Flat on purpose: neither the nesting of a page nor its size can exhaust the stack or take quadratic time.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from operator import add, sub
from typing import NamedTuple

from lxml import etree  # type: ignore[import-untyped]  # lxml has no type hints

from corpus.errors import SourceError

HEADINGS: Mapping[str, int] = {"h1": 1, "h2": 2, "h3": 3, "h4": 4, "h5": 5, "h6": 6}
_MAX_DEPTH = 1_000
_MAX_EVENTS = 1_000_000  # Half a gigabyte; Python's own changelog of all its releases has a tenth of it.
_PIECE_BYTES = 16 * 1024
_TAG = re.compile(rb"<")


def parse_page(markup: str) -> "HtmlPage":
    """Return the page's events; blank text gives none.

    Raises:
        SourceError: the page has more than 1,000,000 events.
    """
    page = HtmlPage()
    if markup.strip():
        open_parser = partial(etree.HTMLParser, target=page, encoding="utf-8", huge_tree=True)
        parser = open_parser()
        source = markup.replace("\r\n", "\n").replace("\r", "\n").encode("utf-8", "replace")
        start = 0
        while start < len(source):
            # Cut before a tag.
            tag = _TAG.search(source, start + _PIECE_BYTES)
            end = tag.start() if tag else len(source)
            if page.depth > _MAX_DEPTH:
                # The parser looks for an end tag's element among all open ones. If more are open than on any
                # real page, as when nothing is closed, all of them end here, and the rest is read as another page.
                parser.close()
                parser = open_parser()
            parser.feed(source[start:end])
            start = end
            if len(page.events) > _MAX_EVENTS:
                raise SourceError(f"has more than {_MAX_EVENTS:,} tags and runs of text; split it or leave it out")
        parser.close()
    return page


class Event(NamedTuple):
    """The start or end of an element, or (`tag` empty) a run of text."""

    tag: str
    is_start: bool
    attributes: Mapping[str, str]
    text: str


class Counts(NamedTuple):
    """What a stretch of a page contains."""

    characters: int = 0  # Without white space.
    link_characters: int = 0
    links: int = 0
    headings: int = 0
    codes: int = 0


class HtmlPage:
    """A parser's target: the page as a sequence of events, with running counts."""

    def __init__(self) -> None:
        self.events: list[Event] = []
        self.ends: dict[int, int] = {}
        """Position of a start event -> position of its end event."""
        self.counts = [Counts()]
        """Counts of the page up to each event, and up to the end."""
        self.layout_tables: set[int] = set()
        """Tables that only arrange a page: they contain headings, code or other tables."""
        self._open: list[int] = []
        self._open_tables: list[int] = []
        self._open_links = 0

    @property
    def depth(self) -> int:
        """How many elements are open inside each other."""
        return len(self._open)

    def start(self, tag: object, attributes: Mapping[str, str]) -> None:
        name = str(tag).lower()
        if self._open_tables and (name in HEADINGS or name in ("table", "pre")):
            self.layout_tables.add(self._open_tables[-1])
        if name == "table":
            self._open_tables.append(len(self.events))
        self._open_links += name == "a"
        self._open.append(len(self.events))
        is_counted = name in HEADINGS or name in ("a", "code")
        counts = Counts(links=name == "a", headings=name in HEADINGS, codes=name == "code") if is_counted else None
        self._add(Event(name, True, dict(attributes), ""), counts)

    def end(self, _tag: object) -> None:
        if not self._open:
            return
        opened = self._open.pop()
        name = self.events[opened].tag
        if name == "table":
            self._open_tables.pop()
        self._open_links -= name == "a"
        self.ends[opened] = len(self.events)
        self._add(Event(name, False, {}, ""))

    def data(self, text: str) -> None:
        count = len("".join(text.split()))
        self._add(Event("", False, {}, text), Counts(count, count * bool(self._open_links)))

    def close(self) -> None:
        while self._open:
            self.end("")

    def _add(self, event: Event, counts: Counts | None = None) -> None:
        self.events.append(event)
        self.counts.append(Counts(*map(add, self.counts[-1], counts)) if counts else self.counts[-1])

    def counts_inside(self, start: int) -> Counts:
        """Return the counts of the element that starts at this event."""
        return Counts(*map(sub, self.counts[self.ends[start]], self.counts[start]))

    def has_most_words(self, start: int) -> bool:
        """Return whether the element that starts at this event contains most of the page's words."""
        return self.counts_inside(start).characters * 2 > self.counts[-1].characters

    def text_in(self, start: int) -> str:
        return " ".join("".join(event.text for event in self.events[start : self.ends[start]]).split())

    def find_starts(self, tags: Sequence[str]) -> Iterator[int]:
        """Return the positions of the start events of these elements, in order."""
        return (index for index, event in enumerate(self.events) if event.is_start and event.tag in tags)
