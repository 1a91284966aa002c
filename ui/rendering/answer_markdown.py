"""Answers as Markdown that any CommonMark or GitHub renderer shows alike.

Whatever a document says is escaped: it can bring neither markup nor HTML nor a link of its own into the page, mention
nobody, and only our own citations look like `[n]`. A quote that holds an address is shown as code, where it is no link
and can be copied.
"""

import re
from collections.abc import Sequence

from retrieval.model import Answer, Citation
from retrieval.quoting.links import is_web_page
from ui.rendering import answer_text, words
from ui.rendering.markup import fence_of, fenced, markdown_text, marked_text, spaced, visible, web_address

_LINE_START = re.compile(r"(?m)^(\s*)([-+=#]|[0-9]+(?=[.)]))")
_LINKING = ("(", ":")  # After the `]` of a marker these would make a link of it.
_ADDRESS = re.compile(r"://|\bwww\.", re.IGNORECASE)


def render_markdown(answer: Answer) -> str:
    """The answer, disagreements, caveats, numbered sources and how the question was read, with a final line end."""
    parts = [f"**{status}**"] if (status := words.status_words(answer)) else []
    for group in answer_text.group_blocks(answer_text.split_answer(answer.answer)):
        parts.append("\n".join(_block(block, answer.citations) for block in group))
    if conflicts := words.untold_conflicts(answer):
        lines = []
        for conflict in conflicts:
            sides = (
                f"[{n}] {escape_markdown(name)}".rstrip()
                for n, name in words.conflict_sides(conflict, answer.citations)
            )
            lines.append(f"- {escape_markdown(conflict.about)}: {' against '.join(sides)}")
        parts += ["**Sources disagree**", "\n".join(lines)]
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


def _block(block: answer_text.AnswerBlock, citations: Sequence[Citation]) -> str:
    if isinstance(block, answer_text.CodeBlock):
        return "\n".join(fenced(block.text))
    parts = [f"{'  ' * block.depth}- "] if isinstance(block, answer_text.ListEntry) else []
    for inline in block.inlines:
        match inline:
            case answer_text.Text(text):
                escaped = spaced(text, escape_markdown)
                if parts and parts[-1].endswith("]") and escaped.startswith(_LINKING):
                    escaped = f"\\{escaped}"
                parts.append(escaped)
            case answer_text.Code(text):
                cited = words.document_told(inline, citations)
                parts.append(_linked(code_span(text), cited) if cited else code_span(text))
            case answer_text.Name(text):
                parts.append(f"**{escape_markdown(text)}**")
            case answer_text.Marker(n):
                parts.append(f"[{n}]")
    return "".join(parts)


def _linked(shown: str, citation: Citation) -> str:
    """Markdown as a link to where a citation stands; as it is where that is no page of the web."""
    address = web_address(citation.url)
    return f"[{shown}]({address})" if address and is_web_page(address) else shown
