"""Lasting links from a quote to its original: by text fragment, or by line numbers at a commit."""

import re
from urllib.parse import quote as percent_encode
from urllib.parse import urlsplit

from corpus.formats import EXTRACTED, UNMARKED
from corpus.index.stored import DocumentSummary
from corpus.model import Authority, Span
from corpus.plain_words import readable
from corpus.repository_links import parse_repository_link

_FRAGMENT_WORDS = 8
_FENCES = ("```", "~~~")
_ENTRY = re.compile(r"(?:[-*+•]|\d+[.)])[ \t]")


def quote_link(document: DocumentSummary, text: str, span: Span) -> str | None:
    """Return the address of the quote `span` of a document's `text` in its original; None if no web address is known.

    A digest is in words of our own, which its page doesn't contain: its link has no fragment.

    Source: WICG Scroll to Text Fragment, https://wicg.github.io/scroll-to-text-fragment/
    """
    if not document.url or not is_web_page(document.url):
        return None
    if file := parse_repository_link(document.url):
        if document.media_type in EXTRACTED:
            return file.permalink()
        last = max(span.start, span.end - 1)
        lines = (text.count("\n", 0, span.start) + 1, text.count("\n", 0, last) + 1)
        return file.permalink(lines=lines, is_rendered=document.media_type not in UNMARKED)
    words = _first_words(span.slice(text)) if document.authority is not Authority.DIGEST else []
    if not words:
        return document.url
    # `-`, `&` and `,` are syntax in a directive; percent_encode leaves the hyphen alone.
    directive = percent_encode(" ".join(words), safe="").replace("-", "%2D")
    return f"{document.url}{'' if urlsplit(document.url).fragment else '#'}:~:text={directive}"


def is_web_page(url: str) -> bool:
    """Return whether an address may be linked to: http or https, with a host, without user name or password."""
    try:
        parts = urlsplit(url)
    except ValueError:
        return False
    return parts.scheme in ("http", "https") and bool(parts.netloc) and "@" not in parts.netloc


def _first_words(quote: str) -> list[str]:
    """Return the first words of a quote's first block that has any, as they are on the page."""
    # A browser looks for the words inside one block of the page: a heading, an entry, a cell of a table.
    blocks: list[str] = []
    for line in map(str.lstrip, quote.split("\n")):
        if line.startswith(_FENCES):
            continue
        is_below_heading = bool(blocks) and blocks[-1].startswith("#") and blocks[-1].lstrip("#")[:1].isspace()
        if not (blocks and line) or is_below_heading or _ENTRY.match(line):
            blocks.append(line)
        else:
            blocks[-1] += f"\n{line}"
    for block in blocks:
        cell = block.strip().strip("|").partition("|")[0] if block.lstrip().startswith("|") else block
        if words := readable(cell).split():
            return words[:_FRAGMENT_WORDS]
    return []
