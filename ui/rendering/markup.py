"""Text of strangers made harmless for Markdown, HTML, addresses and plain lines.

Documents, file names and symbols come from anywhere. What they say stays readable; what a viewer would act on (tags,
links, mentions, controls of a terminal or of the writing direction) doesn't.
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
"""Where a forge would see a mention, a number of an issue or an address."""
_ESCAPED = str.maketrans(
    {sign: f"\\{sign}" for sign in "\\`*_[]{}|~^"} | {"&": "&amp;", "<": "&lt;", ">": "&gt;", "$": "&#36;"}
)
_ADDRESS = re.compile(r"https?://[^/?#\s]", re.IGNORECASE)
_PLACE_CHARACTERS = 300
_ADDRESS_CHARACTERS = "%/:=&?~#+!,;@*-._"


def visible(text: str) -> str:
    """`text` with `\\n` as its only line end: other controls replaced, those of the writing direction left out."""
    return _LINE_END.sub("\n", text).translate(_INVISIBLE)


def on_one_line(text: str) -> str:
    """`text` as `visible` has it, its white space folded into single spaces."""
    return " ".join(visible(text).split())


def without_pings(text: str) -> str:
    """`text` with an invisible break wherever a forge would make a mention, an issue's number or an address of it."""
    return _PINGS.sub(BREAK, text)


def markdown_text(text: str) -> str:
    """`text` on one line as Markdown (GFM) that shows just these words; not for a line's start, where "1." lists."""
    return without_pings(on_one_line(text)).translate(_ESCAPED)


def marked_text(words: Words | str) -> str:
    """Words as `markdown_text` has them, code between back quotes; blanks at the ends of either stay."""
    marked = ""
    shown = (replace(run, text=visible(run.text)) for run in as_words(words).runs)
    for is_code, runs in groupby((run for run in shown if run.text), key=lambda run: run.is_code):
        text = "".join(run.text for run in runs)
        inner = _code_span(text) if is_code else markdown_text(text)
        ends = " " * text[0].isspace(), " " * text[-1].isspace()
        marked += inner.join(ends) if inner else " "
    return marked


def _code_span(text: str) -> str:
    """`text` on one line between more back quotes than it has; nothing where it is blank. Source: CommonMark 6.1."""
    line = on_one_line(text)
    fence, gap = _longer_fence(line, least=1), " " * ("`" in (line[:1], line[-1:]))
    return line and f"{fence}{gap}{line}{gap}{fence}"


def html_text(text: str) -> str:
    """`text` on one line as the content of an HTML element."""
    return html.escape(without_pings(on_one_line(text)))


def fenced(text: str) -> tuple[str, ...]:
    """Return the lines of a Markdown code block that shows `text`, its fence longer than any back quotes inside."""
    fence = _longer_fence(text, least=3)
    return (f"{fence}text", *visible(text).split("\n"), fence)


def _longer_fence(text: str, *, least: int) -> str:
    return "`" * max(least, 1 + max(map(len, re.findall("`+", text)), default=0))


def web_address(url: str | None) -> str | None:
    """`url` as ASCII without characters that could end a link; None where it isn't one of http or https."""
    if url is None or not _ADDRESS.match(url):
        return None
    return percent_encode(url, safe=_ADDRESS_CHARACTERS)


def relative_address(path: str) -> str:
    """Return the address of a file, relative to the repository's root. Source: RFC 3986, section 4.2."""
    return percent_encode(path, safe="/~!$&'()*+,;=@-._")


def place_of(citation: Citation) -> str:
    """Return where the quote stands, on one line: its headings, or the document; cut where it is long."""
    place = " › ".join(citation.heading) or citation.title or citation.source
    return shorten(on_one_line(place), max_characters=_PLACE_CHARACTERS)


def place_markdown(citation: Citation) -> str:
    """Return where the quote stands, as a link where it is on the web; else with the file and the characters of it."""
    place, address = markdown_text(place_of(citation)), web_address(citation.url)
    file = f"{markdown_text(citation.source)}, characters {citation.start}–{citation.end}"
    return f"[{place}]({address})" if address else f"{place}, {file}"


def evidence_markdown(citation: Citation) -> Iterator[str]:
    """A citation's quote in a block, and under it where it stands; a blank line before each."""
    yield from ("", *fenced(citation.quote), "", f"{place_markdown(citation)} ({citation.authority.value})")


def indented(lines: Iterable[str]) -> Iterator[str]:
    """Lines as they stand inside an entry of a list."""
    return (f"  {line}" if line else "" for line in lines)
