"""Answers as Markdown that any CommonMark or GitHub renderer shows alike.

Whatever a document says is escaped: it brings neither markup nor a link of its own, mentions nobody, and only our own
citations look like `[n]`. A quote that holds an address is shown as code, where it is no link and can be copied.
"""

import re
from collections.abc import Sequence
from itertools import groupby

from retrieval.blocks import Line, LineKind, Marker, More, Part, Run, grouped_lines, set_off
from retrieval.model import Answer, Citation
from retrieval.quoting.links import is_web_page
from ui.rendering import words
from ui.rendering.markup import fence_of, fenced, markdown_text, marked_text, spaced, visible, web_address

_LINE_START = re.compile(r"(?m)^(\s*)([-+=#]|[0-9]+(?=[.)]))")
_ADDRESS = re.compile(r"://|\bwww\.", re.IGNORECASE)


def render_markdown(answer: Answer) -> str:
    """The answer, caveats, numbered sources and how the question was read, with a final line end."""
    parts = ["\n".join(_line(line, answer.citations) for line in group) for group in grouped_lines(answer.blocks)]
    parts += [f"*{marked_text(caveat)}*" for caveat in words.caveats(answer)]
    if answer.citations:
        parts.append("**Sources**")
    for citation in answer.citations:
        title, about = escape_markdown(citation.title or citation.source), words.provenance(citation)
        # Several lines are often code or a table, which only a fence keeps as they are.
        is_code = "\n" in citation.quote.strip() or _ADDRESS.search(citation.quote)
        quote = "\n".join(fenced(citation.quote)) if is_code else f"> {escape_markdown(citation.quote)}"
        place = _linked(escape_markdown(citation.source), citation)
        parts.append(f"[{citation.n}] **{title}** · {escape_markdown(about)}\n\n{quote}\n\n{place}")
    if read := words.reading_words(answer.interpretation):
        parts.append(f"*Read as: {escape_markdown(read)}*")
    return "\n\n".join(parts) + "\n"


def escape_markdown(text: str) -> str:
    """`text` on one line, so that Markdown shows it as it is, even where it begins a line."""
    # A number is a list's by the point after it, so the point is what is escaped.
    return _LINE_START.sub(
        lambda found: f"{found[0]}\\" if found[2].isdigit() else f"{found[1]}\\{found[2]}", markdown_text(text)
    )


def code_span(code: str) -> str:
    """`code` as a code span, whatever back quotes it holds."""
    text = " ".join(visible(code).split("\n"))
    ticks = fence_of(text, least=1)
    pad = " " if text.startswith("`") or text.endswith("`") else ""
    return f"{ticks}{pad}{text}{pad}{ticks}"


def _line(line: Line, citations: Sequence[Citation]) -> str:
    if line.kind is LineKind.CODE:
        return "\n".join(fenced(line.text))
    said = ""
    for is_strong, parts in groupby(line.parts, key=lambda part: isinstance(part, Run) and part.is_strong):
        inner = "".join(_part(part, citations) for part in parts)
        said += set_off(inner) if is_strong else inner
    return f"- {said}" if line.kind is LineKind.ENTRY else said


def _part(part: Part, citations: Sequence[Citation]) -> str:
    match part:
        case Marker(n):
            return f"[{n}]"
        case More(code):
            cited = words.document_of(part, citations)
            return _linked(code_span(code), cited) if cited else code_span(code)
        case Run(text, is_code=True):
            return code_span(text)
        case Run(text):
            return spaced(text, escape_markdown)


def _linked(shown: str, citation: Citation) -> str:
    """Markdown as a link to where a citation stands; as it is where that is no page of the web."""
    address = web_address(citation.url)
    return f"[{shown}]({address})" if address and is_web_page(address) else shown
