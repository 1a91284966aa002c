"""A quote in its place: the document's text around it, cut at words, and a link that scrolls the original to it."""

import re
from dataclasses import dataclass
from urllib.parse import quote as percent_encode
from urllib.parse import urlsplit

from corpus.model import Span
from corpus.plain_words import readable

SURROUNDING_CHARACTERS = 600
_FRAGMENT_WORDS = 8


_FENCE_LINE = re.compile(r"^[ \t]*(?:`{3,}|~{3,})[^\n]*$", re.MULTILINE)
_HEADING_LINE = re.compile(r"^[ \t]*#{1,6}[ \t][^\n]*$", re.MULTILINE)
_BLOCK_END = re.compile(r"\n\s*\n|\n(?=[ \t]*(?:[-*+•]|\d+[.)])[ \t])")


@dataclass(frozen=True, slots=True)
class Surroundings:
    """The text before and after a quote; the flags say that the document goes on beyond it."""

    before: str
    after: str
    goes_on_before: bool
    goes_on_after: bool


def split_surroundings(text: str, span: Span, *, width: int = SURROUNDING_CHARACTERS) -> Surroundings:
    """Cut up to `width` characters of `text` on each side of `span`, at white space where there is some.

    `before + span.slice(text) + after` is a slice of `text`.
    """
    start = max(0, span.start - width)
    if start > 0:
        found = next((at for at in range(start, span.start) if text[at].isspace()), None)
        start = start if found is None else found + 1
    end = min(len(text), span.end + width)
    if end < len(text):
        found = next((at for at in range(end - 1, span.end - 1, -1) if text[at].isspace()), None)
        end = end if found is None else found
    return Surroundings(
        before=text[start : span.start],
        after=text[span.end : end],
        goes_on_before=bool(text[:start].strip()),
        goes_on_after=bool(text[end:].strip()),
    )


def original_link(url: str | None, quote: str | None) -> str | None:
    """The address of the original; None unless it's http(s).

    A text fragment finds the first words of `quote` there; with None, the page isn't expected to hold the words.

    Source: WICG Scroll to Text Fragment, https://wicg.github.io/scroll-to-text-fragment/
    """
    if not url:
        return None
    try:
        parts = urlsplit(url)
    except ValueError:
        return None
    if parts.scheme not in ("http", "https") or not parts.netloc:
        return None
    words = _first_words(quote or "")
    if not words:
        return url
    # `-`, `&` and `,` are syntax in a directive; percent_encode leaves the hyphen alone.
    directive = percent_encode(" ".join(words), safe="").replace("-", "%2D")
    return f"{url}{'' if parts.fragment else '#'}:~:text={directive}"


def _first_words(quote: str) -> list[str]:
    # A browser looks for the words inside one block of the page: a heading, an entry, a cell of a table.
    for block in _BLOCK_END.split(_HEADING_LINE.sub(r"\g<0>\n", _FENCE_LINE.sub("", quote))):
        cell = block.strip().strip("|").partition("|")[0] if block.lstrip().startswith("|") else block
        if words := readable(cell).split():
            return words[:_FRAGMENT_WORDS]
    return []
