"""Answers as plain lines: for mail, logs, and what a notification shows where blocks don't."""

from collections.abc import Iterable, Iterator

from retrieval.model import Answer, Citation, Status
from ui.rendering.answer_text import AnswerBlock, CodeBlock, Inline, ListEntry, Marker, Paragraph, split_answer
from ui.rendering.words import (
    STATUS_WORDS,
    citation_provenance,
    conflict_line,
    printable,
    says_not_found,
    untold_conflicts,
)


def render_plain_text(answer: Answer) -> str:
    """The answer, what its sources disagree about, its notes and its numbered sources, without a final line end."""
    parts = [render_statements(answer)]
    if conflicts := untold_conflicts(answer):
        lines = (f"- {conflict_line(conflict, answer.citations)}" for conflict in conflicts)
        parts.append("\n".join(("Sources disagree:", *lines)))
    parts += [printable(f"Note: {note}") for note in answer.notes]
    if answer.citations:
        parts += ["Sources:", *(_source(citation) for citation in answer.citations)]
    return "\n\n".join(parts)


def render_statements(answer: Answer) -> str:
    """The status, where it isn't "answered", and the answer with its `[n]` markers; no sources."""
    status = "" if answer.status is Status.ANSWERED or says_not_found(answer) else f"{STATUS_WORDS[answer.status]}.\n\n"
    return status + "".join(_joined(split_answer(answer.answer)))


def plain_inlines(inlines: Iterable[Inline]) -> str:
    """One block's text as a person reads it, with its markers."""
    return printable("".join(f"[{part.n}]" if isinstance(part, Marker) else part.text for part in inlines))


def _joined(blocks: Iterable[AnswerBlock]) -> Iterator[str]:
    before: AnswerBlock | None = None
    for block in blocks:
        if before is not None:
            yield "\n" if isinstance(before, ListEntry) and isinstance(block, ListEntry) else "\n\n"
        yield _block(block)
        before = block


def _block(block: AnswerBlock) -> str:
    match block:
        case CodeBlock(text):
            return _indented(printable(text))
        case ListEntry(depth, inlines):
            return f"{'  ' * depth}- {plain_inlines(inlines)}"
        case Paragraph(inlines):
            return plain_inlines(inlines)


def _source(citation: Citation) -> str:
    place = printable(f"{citation.source}, characters {citation.start}-{citation.end}")
    lines = [
        f"[{citation.n}] {printable(citation.title or citation.source)} ({citation_provenance(citation)})",
        _indented(printable(citation.quote)),
        _indented(place),
    ]
    if citation.url:
        lines.append(_indented(printable(citation.url)))
    return "\n".join(lines)


def _indented(text: str) -> str:
    return "\n".join(f"    {line}" if line else "" for line in text.split("\n"))
