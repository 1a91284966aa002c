"""Answers as plain lines: what a notification shows where blocks don't."""

from collections.abc import Iterable, Iterator

from retrieval.model import Answer, Status
from ui.rendering.answer_text import AnswerBlock, CodeBlock, Inline, ListEntry, Marker, Paragraph, split_answer
from ui.rendering.words import STATUS_WORDS, printable, says_not_found


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


def _indented(text: str) -> str:
    return "\n".join(f"    {line}" if line else "" for line in text.split("\n"))
