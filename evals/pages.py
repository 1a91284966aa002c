"""The documents that answers are checked against, and the search for quotes in them."""

import re
from bisect import bisect_left
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from corpus.model import Span
from evals.matching import Squashed, collapse, squash, untag

_HTML_NAME = re.compile(r"\.html?$", re.IGNORECASE)
_SAME_OPENING = 40
_LENGTH_TOLERANCE = 0.1
_ANCHOR = 60
_LONG_TEXT = 160
_STRETCH = 1.4


TextSource = Callable[[str], str | None]
"""Returns the text of the document with a source path, as in its file; None if there is none."""


class FolderTexts:
    """Reads files below some folders as UTF-8, line ends unchanged, undecodable bytes replaced."""

    def __init__(self, *roots: Path) -> None:
        self._roots = roots

    def __call__(self, path: str) -> str | None:
        """Read the first file with this path relative to a root; None if no root has it."""
        for root in self._roots:
            try:
                return (root / path).read_bytes().decode("utf-8", errors="replace")
            except OSError:
                continue
        return None


@dataclass(frozen=True, slots=True)
class Page:
    """A document ready for comparison. `source` is the file's text, `text` the same without HTML's markup."""

    source: str
    text: str
    is_html: bool
    squashed: Squashed
    collapsed: str

    def occurrences(self, quote: str) -> tuple[Span, ...]:
        """Return all places of a quote, in order, with overlaps; none for a quote without a visible character."""
        sought = squash(untag(quote) if self.is_html and "<" in quote else quote).text
        if not sought:
            return ()
        places: list[Span] = []
        start = self.squashed.text.find(sought)
        while start >= 0:
            places.append(Span(start, start + len(sought)))
            start = self.squashed.text.find(sought, start + 1)
        return tuple(places)

    def place(self, quote: str, *, start: int, end: int) -> Span | None:
        """Return the place of a passage or citation: its own range if the text there agrees, else its first occurrence.

        Ranges of HTML count in extracted text, which this page doesn't have. HTML is searched for the words, or for
        the two ends of a long passage, as an extractor may drop a link or add a bullet in between.
        """
        sought = squash(quote).text
        if not self.is_html and 0 <= start < end <= len(self.text):
            positions = self.squashed.positions
            span = Span(bisect_left(positions, start), bisect_left(positions, end))
            if self._agrees(span, sought):
                return span
        occurrences = self.occurrences(quote)
        if occurrences:
            return occurrences[0]
        return self._place_by_ends(sought) if self.is_html and len(quote) > _LONG_TEXT else None

    def holds_verbatim(self, quote: str) -> bool:
        """Return whether the document contains the quote, white space collapsed; in HTML, compared without any."""
        sought = collapse(quote)
        return bool(sought) and (sought in self.collapsed or (self.is_html and bool(self.occurrences(sought))))

    def _agrees(self, span: Span, sought: str) -> bool:
        text = self.squashed.text
        if not sought or span.slice(text) == sought:
            return True
        is_similar_length = abs(len(span) - len(sought)) <= _LENGTH_TOLERANCE * len(sought)
        return is_similar_length and text[span.start : span.start + _SAME_OPENING] == sought[:_SAME_OPENING]

    def _place_by_ends(self, sought: str) -> Span | None:
        start = self.squashed.text.find(sought[:_ANCHOR])
        end_anchor = self.squashed.text.find(sought[-_ANCHOR:], max(start, 0))
        end = end_anchor + _ANCHOR
        return Span(start, end) if 0 <= start < end_anchor and end - start <= _STRETCH * len(sought) else None


class Pages:
    """Documents by source path, each prepared once."""

    def __init__(self, texts: TextSource) -> None:
        self._texts = texts
        self._prepared: dict[str, Page | None] = {}

    def page(self, path: str) -> Page | None:
        """Return the document with this source path; None if the text source has none."""
        if path not in self._prepared:
            source = self._texts(path)
            self._prepared[path] = None if source is None else prepare_page(path, source)
        return self._prepared[path]

    def hold_verbatim(self, path: str, quote: str) -> bool:
        """Return whether the document with this source path contains `quote` word for word."""
        page = self.page(path)
        return page is not None and page.holds_verbatim(quote)


def prepare_page(path: str, source: str) -> Page:
    """Prepare a document; it is HTML if its name ends in .html or .htm, and tags are removed if it starts with one.

    Otherwise its text was extracted by an index: it has no tags, and what looks like one (`<module>`) is content.
    """
    is_html = _HTML_NAME.search(path) is not None
    has_markup = is_html and source.lstrip("\ufeff \t\r\n").startswith("<")
    text = untag(source) if has_markup else source
    return Page(source, text, is_html, squash(text), collapse(text))
