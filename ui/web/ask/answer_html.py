"""The text of an answer as HTML, its `[n]` as buttons that open the cards of its sources.

Everything that comes from a document or a question is escaped where it becomes HTML.
"""

from collections.abc import Iterable, Sequence

from corpus.model import Span
from retrieval.model import Answer, Citation, Status
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
    split_answer,
)
from ui.rendering.words import STATUS_WORDS, document_told, says_not_found, upgrade_told
from ui.web.document.address import document_address
from ui.web.escaping import escape
from ui.web.export_html import page_query


def render_failure_html(message: str) -> str:
    """What went wrong, for a person."""
    return f'<div class="rn-answer rn-failure"><p>{escape(message)}</p></div>'


def render_answer_text(answer: Answer, prefix: str) -> str:
    """The answer and its notes; `prefix` begins the ids of the cards that its markers open."""
    text = f'<div class="rn-answer rn-{answer.status.value}">{_status(answer)}{_blocks(answer, prefix)}</div>'
    if not answer.notes:
        return text
    return text + '<ul class="rn-notes">' + "".join(f"<li>{escape(note)}</li>" for note in answer.notes) + "</ul>"


def card_id(prefix: str, n: int) -> str:
    """The id of the card of citation `n`."""
    return f"{prefix}-source-{n}"


def render_marker(n: int, prefix: str) -> str:
    """The `[n]` that opens a card."""
    card = card_id(prefix, n)
    return (
        f'<button type="button" class="rn-marker" data-card="{card}" aria-controls="{card}" '
        f'aria-label="Show source {n}">[{n}]</button>'
    )


def _status(answer: Answer) -> str:
    # The text of a not-found answer begins with these words itself; they must not stand there twice.
    if answer.status is Status.ANSWERED or says_not_found(answer):
        return ""
    return f'<p class="rn-status">{STATUS_WORDS[answer.status]}</p>'


def _blocks(answer: Answer, prefix: str) -> str:
    parts: list[str] = []
    entries: list[ListEntry] = []
    for block in split_answer(answer.answer):
        if isinstance(block, ListEntry):
            entries.append(block)
            continue
        parts += [_list(entries, answer.citations, prefix), _block(block, answer.citations, prefix)]
        entries = []
    return "".join([*parts, _list(entries, answer.citations, prefix)])


def _list(entries: list[ListEntry], citations: Sequence[Citation], prefix: str) -> str:
    if not entries:
        return ""
    lines = (
        f'<li class="rn-depth-{min(entry.depth, 3)}">{_inlines(entry.inlines, citations, prefix)}</li>'
        for entry in entries
    )
    return f"<ul>{''.join(lines)}</ul>"


def _block(block: AnswerBlock, citations: Sequence[Citation], prefix: str) -> str:
    match block:
        case CodeBlock(text):
            return f'<pre tabindex="0"><code>{escape(text)}</code></pre>'
        case Paragraph(inlines) | ListEntry(_, inlines):
            return f"<p>{_inlines(inlines, citations, prefix)}</p>"


def _inlines(inlines: Iterable[Inline], citations: Sequence[Citation], prefix: str) -> str:
    parts: list[str] = []
    for inline in inlines:
        match inline:
            case Text(text):
                parts.append(escape(text))
            case Code():
                parts.append(_code(inline, citations))
            case Name(text):
                parts.append(f"<strong>{escape(text)}</strong>")
            case Marker(n):
                parts.append(render_marker(n, prefix))
    return "".join(parts)


def _code(code: Code, citations: Sequence[Citation]) -> str:
    """Code; a link where it tells where there is more: a list of an upgrade, a document."""
    if upgrade := upgrade_told(code):
        product, start, end = upgrade
        address = f"/{page_query('upgrade', **{'product': product, 'from': start, 'to': end})}"
        return _link(address, f"the whole upgrade of {escape(product)} from {escape(start)} to {escape(end)}")
    shown = f"<code>{escape(code.text)}</code>"
    if cited := document_told(code, citations):
        return _link(document_address(cited.document_id, Span(cited.start, cited.end)), shown)
    return shown


def _link(address: str, shown: str) -> str:
    return f'<a href="{escape(address)}" target="_blank" rel="noopener">{shown}</a>'
