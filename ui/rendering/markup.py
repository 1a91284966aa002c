"""Escapes untrusted text for Markdown, HTML, addresses and plain lines.

Documents, file names and symbols come from anywhere. Their words stay readable; whatever a viewer would act on (tags,
links, mentions, control characters of a terminal or of the writing direction) is made inert.
"""

import html
import re
from collections.abc import Iterable, Iterator
from dataclasses import replace
from itertools import groupby
from urllib.parse import quote as percent_encode

from retrieval.blocks import BIDI_CONTROLS, CONTROLS, LINE_ENDS, Words, as_words
from retrieval.model import Citation
from retrieval.quoting.wording import shorten

_INVISIBLE = CONTROLS | dict.fromkeys(LINE_ENDS, "\N{REPLACEMENT CHARACTER}") | dict.fromkeys(BIDI_CONTROLS, "")
_LINE_END = re.compile(r"\r\n?|\n")
BREAK = "\N{ZERO WIDTH SPACE}"
_PINGS = re.compile(r"(?<=[@#])(?=\w)|(?<=[Gg][Hh]-)(?=\d)|(?<=:)(?=//)|(?<=[Ww]{3})(?=\.)")
"""Positions inside what a forge would take for a mention, an issue number or an address."""
_ESCAPED = str.maketrans(
    {sign: f"\\{sign}" for sign in "\\`*_[]{}|~^"} | {"&": "&amp;", "<": "&lt;", ">": "&gt;", "$": "&#36;"}
)
_ADDRESS = re.compile(r"https?://[^/?#\s]", re.IGNORECASE)
_PLACE_CHARACTERS = 300
_ADDRESS_CHARACTERS = "%/:=&?~#+!,;@*-._"


def visible(text: str) -> str:
    """Return `text` with `\\n` as its only line end, other control characters replaced, and without bidi controls."""
    return _LINE_END.sub("\n", text).translate(_INVISIBLE)


def on_one_line(text: str) -> str:
    """Return `visible(text)` with each run of white space as a single space."""
    return " ".join(visible(text).split())


def without_pings(text: str) -> str:
    """Insert an invisible break in each mention, issue number and address that a forge would link."""
    return _PINGS.sub(BREAK, text)


def markdown_text(text: str) -> str:
    """Escape `text` as one line of Markdown (GFM); not for the start of a line, where "1." would begin a list."""
    return without_pings(on_one_line(text)).translate(_ESCAPED)


def marked_text(words: Words | str) -> str:
    """Render words as `markdown_text` does, code in back quotes; white space at the ends of runs is kept."""
    marked = ""
    shown = (replace(run, text=visible(run.text)) for run in as_words(words).runs)
    for is_code, runs in groupby((run for run in shown if run.text), key=lambda run: run.is_code):
        text = "".join(run.text for run in runs)
        inner = _code_span(text) if is_code else markdown_text(text)
        ends = " " * text[0].isspace(), " " * text[-1].isspace()
        marked += inner.join(ends) if inner else " "
    return marked


def _code_span(text: str) -> str:
    """Return `text` on one line between more back quotes than it contains; "" if blank. Source: CommonMark 6.1."""
    line = on_one_line(text)
    fence, gap = _longer_fence(line, least=1), " " if "`" in (line[:1], line[-1:]) else ""
    return line and f"{fence}{gap}{line}{gap}{fence}"


def html_text(text: str) -> str:
    """Escape `text` as one line of content of an HTML element."""
    return html.escape(without_pings(on_one_line(text)))


def fenced(text: str) -> tuple[str, ...]:
    """Return the lines of a Markdown code block that shows `text`, its fence longer than any back quotes inside."""
    fence = _longer_fence(text, least=3)
    return (f"{fence}text", *visible(text).split("\n"), fence)


def _longer_fence(text: str, *, least: int) -> str:
    return "`" * max(least, 1 + max(map(len, re.findall("`+", text)), default=0))


def web_address(url: str | None) -> str | None:
    """Percent-encode `url` as ASCII without characters that could end a link; None if it isn't http or https."""
    if url is None or not _ADDRESS.match(url):
        return None
    return percent_encode(url, safe=_ADDRESS_CHARACTERS)


def place_markdown(citation: Citation) -> str:
    """Return the quote's headings, or else its document, in at most 300 characters: as a link if it has an address,
    else with its file and range of characters."""
    heading = " › ".join(citation.heading) or citation.title or citation.source
    place = markdown_text(shorten(on_one_line(heading), max_characters=_PLACE_CHARACTERS))
    address = web_address(citation.url)
    file = f"{markdown_text(citation.source)}, characters {citation.start}–{citation.end}"
    return f"[{place}]({address})" if address else f"{place}, {file}"


def evidence_markdown(citation: Citation) -> Iterator[str]:
    """Yield the lines of a citation's quote in a code block and of its place, a blank line before each."""
    yield from ("", *fenced(citation.quote), "", f"{place_markdown(citation)} ({citation.authority.value})")


def in_list(lines: Iterable[str]) -> Iterator[str]:
    """Indent lines by two spaces, to belong to an entry of a list; empty ones stay empty."""
    return (f"  {line}" if line else "" for line in lines)
