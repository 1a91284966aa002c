"""The documents that answers are checked against, and where a quote stands in them."""

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
"""Gives the text of the document with a source path, as in its file; None where there is none."""


class FolderTexts:
    """The files below some folders, as they are: UTF-8, their own line ends, undecodable bytes replaced."""

    def __init__(self, *roots: Path) -> None:
        self._roots = roots

    def __call__(self, path: str) -> str | None:
        """Read the first file with this path relative to a root; None where no root has it."""
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
        """All places of a quote, in order, overlapping ones too; none for a quote without a visible character."""
        sought = squash(untag(quote) if self.is_html and "<" in quote else quote).text
        if not sought:
            return ()
        found: list[Span] = []
        start = self.squashed.text.find(sought)
        while start >= 0:
            found.append(Span(start, start + len(sought)))
            start = self.squashed.text.find(sought, start + 1)
        return tuple(found)

    def place(self, quote: str, *, start: int, end: int) -> Span | None:
        """Where a passage or citation stands: its stated range if the text there agrees, else its first occurrence.

        Ranges into HTML count in extracted text, which this page doesn't have: there the words decide, for a
        long passage its two ends, as an extractor may drop a link or add a bullet in between.
        """
        sought = squash(quote).text
        if not self.is_html and 0 <= start < end <= len(self.text):
            positions = self.squashed.positions
            stated = Span(bisect_left(positions, start), bisect_left(positions, end))
            if self._agrees(stated, sought):
                return stated
        found = self.occurrences(quote)
        if found:
            return found[0]
        return self._place_by_ends(sought) if self.is_html and len(quote) > _LONG_TEXT else None

    def holds_verbatim(self, quote: str) -> bool:
        """Return whether the quote is in the document, white space aside (in HTML: squashed; tags separate words)."""
        sought = collapse(quote)
        return bool(sought) and (sought in self.collapsed or (self.is_html and bool(self.occurrences(sought))))

    def _agrees(self, stated: Span, sought: str) -> bool:
        text = self.squashed.text
        if not sought or stated.slice(text) == sought:
            return True
        alike_long = abs(len(stated) - len(sought)) <= _LENGTH_TOLERANCE * len(sought)
        return alike_long and text[stated.start : stated.start + _SAME_OPENING] == sought[:_SAME_OPENING]

    def _place_by_ends(self, sought: str) -> Span | None:
        start = self.squashed.text.find(sought[:_ANCHOR])
        last = self.squashed.text.find(sought[-_ANCHOR:], max(start, 0))
        end = last + _ANCHOR
        return Span(start, end) if 0 <= start < last and end - start <= _STRETCH * len(sought) else None


class Pages:
    """Documents by source path, each prepared once."""

    def __init__(self, texts: TextSource) -> None:
        self._texts = texts
        self._known: dict[str, Page | None] = {}

    def page(self, path: str) -> Page | None:
        """Return the document with this source path; None where the text source has none."""
        if path not in self._known:
            source = self._texts(path)
            self._known[path] = None if source is None else prepare_page(path, source)
        return self._known[path]

    def hold_verbatim(self, path: str, quote: str) -> bool:
        """Return whether `quote` stands word for word in the document with this source path."""
        page = self.page(path)
        return page is not None and page.holds_verbatim(quote)


def prepare_page(path: str, source: str) -> Page:
    """Prepare a document; a name that ends in .html or .htm whose text opens with a tag is HTML source.

    Text that an index extracted from such a file has no tags left, and what looks like one in it
    (`<module>`) is content.
    """
    is_html = _HTML_NAME.search(path) is not None
    has_markup = is_html and source.lstrip("\ufeff \t\r\n").startswith("<")
    text = untag(source) if has_markup else source
    return Page(source, text, is_html, squash(text), collapse(text))
