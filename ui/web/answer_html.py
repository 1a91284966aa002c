"""Answers as HTML: markers that open cards, cards with the quote marked in its surroundings.

Everything that comes from a document or a question is escaped where it becomes HTML.
"""

from collections.abc import Iterable, Mapping

from corpus.catalogue import CatalogueProduct
from retrieval.model import Answer, Citation, Conflict, Status
from ui.rendering import STATUS_WORDS, interpretation_line, speaker
from ui.rendering.answer_text import (
    AnswerBlock,
    Code,
    CodeBlock,
    Entry,
    Inline,
    Marker,
    Name,
    Paragraph,
    Text,
    split_answer,
)
from ui.rendering.words import says_not_found
from ui.web.citation_cards import render_card
from ui.web.escaping import escape as escape  # the tabs take it from here
from ui.web.surroundings import Surroundings

_NAMED_PRODUCTS = 6


def render_answer_html(answer: Answer, surroundings: Mapping[int, Surroundings]) -> str:
    """The answer with its citations, conflicts and notes; `surroundings` holds one entry a citation number."""
    parts = [f'<div class="rn-answer rn-{answer.status.value}">{_status(answer)}{_answer_text(answer)}</div>']
    if answer.conflicts:
        parts.append(_conflicts(answer.conflicts, answer.citations))
    if answer.notes:
        parts.append('<ul class="rn-notes">' + "".join(f"<li>{escape(note)}</li>" for note in answer.notes) + "</ul>")
    if answer.citations:
        cards = "".join(render_card(citation, surroundings[citation.n]) for citation in answer.citations)
        parts.append(f'<section class="rn-sources" aria-label="Sources"><h2>Sources</h2>{cards}</section>')
    understood = escape(interpretation_line(answer.interpretation))
    parts.append(
        f'<p class="rn-meta">Understood as: {understood} · confidence {answer.confidence:.0%} · '
        f"{answer.elapsed_ms:.0f} ms</p>"
    )
    return "".join(parts)


def render_failure_html(message: str) -> str:
    """What went wrong, for a person."""
    return f'<div class="rn-answer rn-failure"><p>{escape(message)}</p></div>'


def render_coverage_html(products: Iterable[CatalogueProduct]) -> str:
    """One line on what the index covers: products with their versions."""
    known = tuple(products)
    if not known:
        return '<p class="rn-coverage">The index is empty. Add release notes with <code>relnotes ingest</code>.</p>'
    largest = sorted(known, key=lambda product: (-product.passages, product.name))[:_NAMED_PRODUCTS]
    named = ", ".join(f"{escape(product.name)}{_version_range(product)}" for product in largest)
    rest = len(known) - len(largest)
    documents = sum(product.documents for product in known)
    more = f" and {rest} more {'product' if rest == 1 else 'products'}" if rest else ""
    count = f"{documents} {'document' if documents == 1 else 'documents'}"
    return f'<p class="rn-coverage">Covers {named}{more} · {count}</p>'


def _status(answer: Answer) -> str:
    # The text of a not-found answer begins with these words itself; they must not stand there twice.
    if answer.status is Status.ANSWERED or says_not_found(answer):
        return ""
    return f'<p class="rn-status">{STATUS_WORDS[answer.status]}</p>'


def _answer_text(answer: Answer) -> str:
    parts: list[str] = []
    entries: list[Entry] = []
    for block in split_answer(answer.answer):
        if isinstance(block, Entry):
            entries.append(block)
            continue
        parts += [_list(entries), _block(block)]
        entries = []
    return "".join([*parts, _list(entries)])


def _list(entries: list[Entry]) -> str:
    if not entries:
        return ""
    lines = (f'<li class="rn-depth-{min(entry.depth, 3)}">{_inlines(entry.inlines)}</li>' for entry in entries)
    return f"<ul>{''.join(lines)}</ul>"


def _block(block: AnswerBlock) -> str:
    match block:
        case CodeBlock(text):
            return f'<pre tabindex="0"><code>{escape(text)}</code></pre>'
        case Paragraph(inlines) | Entry(_, inlines):
            return f"<p>{_inlines(inlines)}</p>"


def _inlines(inlines: Iterable[Inline]) -> str:
    parts: list[str] = []
    for inline in inlines:
        match inline:
            case Text(text):
                parts.append(escape(text))
            case Code(text):
                parts.append(f"<code>{escape(text)}</code>")
            case Name(text):
                parts.append(f"<strong>{escape(text)}</strong>")
            case Marker(n):
                parts.append(_marker(n))
    return "".join(parts)


def _marker(n: int) -> str:
    return (
        f'<button type="button" class="rn-marker" data-card="rn-source-{n}" aria-controls="rn-source-{n}" '
        f'aria-label="Show source {n}">[{n}]</button>'
    )


def _conflicts(conflicts: tuple[Conflict, ...], citations: tuple[Citation, ...]) -> str:
    speakers = {one.n: f" {escape(speaker(one))}" for one in citations}
    lines = (
        f"<li>{escape(conflict.about)}: "
        + " against ".join(f"{_marker(n)}{speakers.get(n, '')}" for n in conflict.citations)
        + "</li>"
        for conflict in conflicts
    )
    return (
        '<section class="rn-conflicts" aria-label="Sources disagree"><h2>Sources disagree</h2>'
        f"<ul>{''.join(lines)}</ul></section>"
    )


def _version_range(product: CatalogueProduct) -> str:
    if not product.releases:
        return ""
    newest, oldest = product.releases[0].version.label, product.releases[-1].version.label
    return f"&nbsp;{escape(newest if newest == oldest else f'{oldest}–{newest}')}"
