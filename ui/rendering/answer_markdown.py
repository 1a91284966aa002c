"""Answers as Markdown that any CommonMark or GitHub renderer shows alike.

Whatever a document says is escaped: it can bring neither markup nor HTML nor a link of its own into the page, mention
nobody, and only our own citations look like `[n]`. A quote that holds an address is shown as code, where it is no link
and can be copied.
"""

import re
from collections.abc import Iterable, Sequence

from retrieval.model import Answer, Citation, Conflict
from retrieval.quoting.links import is_web_page
from ui.rendering.answer_text import (
    AnswerBlock,
    Code,
    CodeBlock,
    Inline,
    ListEntry,
    Marker,
    Name,
    Paragraph,
    Text,
    group_blocks,
    split_answer,
)
from ui.rendering.markup import fence_of, fenced, markdown_text, marked_text, visible, web_address
from ui.rendering.words import (
    caveats,
    citation_provenance,
    conflict_sides,
    document_told,
    reading_words,
    status_words,
    untold_conflicts,
)

_LINE_START = re.compile(r"(?m)^(\s*)([-+=#]|[0-9]+(?=[.)]))")
_LINKING = ("(", ":")
"""After the `]` of a marker these would make a link of it."""
_ADDRESS = re.compile(r"://|\bwww\.", re.IGNORECASE)


def render_markdown(answer: Answer) -> str:
    """The answer, what its sources disagree about, what to know of it, its numbered sources and how the question was
    read, with a final line end."""
    parts = [f"**{status}**"] if (status := status_words(answer)) else []
    parts += (
        "\n".join(_block(block, answer.citations) for block in group)
        for group in group_blocks(split_answer(answer.answer))
    )
    if conflicts := untold_conflicts(answer):
        lines = (_conflict(conflict, answer.citations) for conflict in conflicts)
        parts += ["**Sources disagree**", "\n".join(lines)]
    parts += [f"*{marked_text(caveat)}*" for caveat in caveats(answer)]
    if answer.citations:
        parts += ["**Sources**", *(_source(citation) for citation in answer.citations)]
    if read := reading_words(answer.interpretation):
        parts.append(f"*Read as: {escape_markdown(read)}*")
    return "\n\n".join(parts) + "\n"


def escape_markdown(text: str) -> str:
    """`text` on one line, so that Markdown shows it as it is, even where it begins a line."""
    return _LINE_START.sub(_escaped_start, markdown_text(text))


def code_span(code: str) -> str:
    """`code` as a code span, whatever back quotes it holds."""
    text = " ".join(visible(code).split("\n"))
    ticks = fence_of(text, least=1)
    pad = " " if text.startswith("`") or text.endswith("`") else ""
    return f"{ticks}{pad}{text}{pad}{ticks}"


def _escaped_start(match: re.Match[str]) -> str:
    # A number is a list's by the point after it, so the point is what is escaped.
    return f"{match[1]}{match[2]}\\" if match[2].isdigit() else f"{match[1]}\\{match[2]}"


def _block(block: AnswerBlock, citations: Sequence[Citation]) -> str:
    match block:
        case CodeBlock(text):
            return "\n".join(fenced(text))
        case ListEntry(depth, inlines):
            return f"{'  ' * depth}- {_inlines(inlines, citations)}"
        case Paragraph(inlines):
            return _inlines(inlines, citations)


def _inlines(inlines: Iterable[Inline], citations: Sequence[Citation]) -> str:
    parts: list[str] = []
    for inline in inlines:
        match inline:
            case Text(text):
                # Escaping takes outer space away, which stands between this part and its neighbours.
                before = " " if text[:1].isspace() else ""
                after = " " if text.strip() and text[-1:].isspace() else ""
                escaped = escape_markdown(text)
                if parts and parts[-1].endswith("]") and not before and escaped.startswith(_LINKING):
                    escaped = f"\\{escaped}"
                parts.append(f"{before}{escaped}{after}")
            case Code(text):
                cited = document_told(inline, citations)
                parts.append(_linked(code_span(text), cited) if cited else code_span(text))
            case Name(text):
                parts.append(f"**{escape_markdown(text)}**")
            case Marker(n):
                parts.append(f"[{n}]")
    return "".join(parts)


def _conflict(conflict: Conflict, citations: Iterable[Citation]) -> str:
    sides = (f"[{n}] {escape_markdown(name)}".rstrip() for n, name in conflict_sides(conflict, citations))
    return f"- {escape_markdown(conflict.about)}: {' against '.join(sides)}"


def _source(citation: Citation) -> str:
    title = escape_markdown(citation.title or citation.source)
    about = escape_markdown(citation_provenance(citation))
    quote = citation.quote
    # Several lines are often code or a table, which only a fence keeps as they are.
    is_code = "\n" in quote.strip() or _ADDRESS.search(quote)
    shown = "\n".join(fenced(quote)) if is_code else f"> {escape_markdown(quote)}"
    return f"[{citation.n}] **{title}** · {about}\n\n{shown}\n\n{_linked(escape_markdown(citation.source), citation)}"


def _linked(shown: str, citation: Citation) -> str:
    """Markdown as a link to where a citation stands; as it is where that is no page of the web."""
    address = web_address(citation.url)
    return f"[{shown}]({address})" if address and is_web_page(address) else shown
