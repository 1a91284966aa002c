"""The contract's invariants of an answer (docs/contract.md), each as a sentence about what is wrong."""

import re
from collections.abc import Iterator

from markdown_it import MarkdownIt

from corpus.index.reader import IndexReader
from retrieval.assistant import Assistant
from retrieval.blocks import Blocks, Marker, lines_of
from retrieval.model import Answer, Form, Status
from ui.rendering.words import printable

MAX_PASSAGE, MAX_QUOTE, MAX_CODE_QUOTE = 1600, 700, 1600
MAX_ANSWER, MAX_STATEMENT = 3_000, 600
"""Without blocks of code; a comparison of two releases is the longest answer, a list of releases the longest line."""
CODE_SPAN = re.compile(r"(?<!`)(`+)(?!`).+?(?<!`)\1(?!`)", re.DOTALL)
_MARKER = re.compile(r"\[(\d+)\]")
_CODE_BLOCK = re.compile(r"^```$.*?^```$", re.DOTALL | re.MULTILINE)


def faults(answer: Answer, assistant: Assistant, *, limit: int = 10) -> tuple[str, ...]:
    """Every broken invariant, none for a sound answer."""
    return tuple(_faults(answer, assistant.index, limit))


def markers(text: str) -> tuple[int, ...]:
    """The numbers that a reader of Markdown sees as `[n]` outside code spans, in order."""
    return tuple(int(n) for n in _MARKER.findall(CODE_SPAN.sub("", text)))


def shown_markers(blocks: Blocks) -> tuple[int, ...]:
    """The numbers that our own page turns into links, in order."""
    return tuple(part.n for line in lines_of(blocks) for part in line.parts if isinstance(part, Marker))


def html_in(text: str) -> tuple[str, ...]:
    """What of an answer's Markdown would be live HTML for a client that lets Markdown hold it."""
    tokens = MarkdownIt("commonmark", {"html": True}).parse(text)
    return tuple(t.content for one in tokens for t in (one, *(one.children or ())) if t.type.startswith("html"))


def _faults(answer: Answer, index: IndexReader, limit: int) -> Iterator[str]:
    numbers = [citation.n for citation in answer.citations]
    if numbers != list(range(1, len(numbers) + 1)):
        yield f"citations are numbered {numbers}"
    for one in answer.citations:
        if not one.start <= one.telling.start < one.telling.end <= one.end:
            yield f"what tells of [{one.n}] isn't in its quote"
    for found in (markers(answer.answer), shown_markers(answer.blocks)):
        if list(dict.fromkeys(found)) != numbers:
            yield f"markers {found} for citations {numbers}"
    for said in (answer.answer, *answer.notes):
        if html_in(said) or printable(said) != said:
            yield f"lives on: {said!r}"
    if not answer.answer.strip():
        yield "says nothing"
    if answer.status is Status.NOT_FOUND:
        if numbers:
            yield "not found, and cites"
        if not answer.answer.startswith("Not found"):
            yield "not found, and doesn't say so first"
    elif not numbers and answer.interpretation.intent != Form.LATEST.intent:
        yield "answered without a citation"
    if not 0 <= answer.confidence <= 1:
        yield f"confidence {answer.confidence}"
    yield from _length_faults(answer)
    yield from _quote_faults(answer, index)
    yield from _passage_faults(answer, index, limit)


def _length_faults(answer: Answer) -> Iterator[str]:
    told = _CODE_BLOCK.sub("", answer.answer)
    if len(told) > MAX_ANSWER:
        yield f"the answer has {len(told)} characters"
    if answer.interpretation.intent == Form.LATEST.intent:
        return
    for line in told.splitlines():
        if (length := len(_MARKER.split(line)[0])) > MAX_STATEMENT:
            yield f"a statement has {length} characters"


def _quote_faults(answer: Answer, index: IndexReader) -> Iterator[str]:
    ends: dict[int, list[tuple[int, int]]] = {}
    for one in answer.citations:
        text = index.document_text(one.document_id)
        if one.quote != text[one.start : one.end] or not one.quote.strip():
            yield f"quote {one.n} isn't the slice"
        is_rigid = "```" in one.quote or "|" in one.quote or "\n" in one.quote
        if len(one.quote) > (MAX_CODE_QUOTE if is_rigid else MAX_QUOTE):
            yield f"quote {one.n} has {len(one.quote)} characters"
        if any(one.start < end and start < one.end for start, end in ends.setdefault(one.document_id, [])):
            yield f"quote {one.n} overlaps another"
        ends[one.document_id].append((one.start, one.end))


def _passage_faults(answer: Answer, index: IndexReader, limit: int) -> Iterator[str]:
    scores = [one.score for one in answer.passages]
    if scores != sorted(scores, reverse=True):
        yield f"scores rise: {scores}"
    if len(answer.passages) > limit:
        yield f"{len(answer.passages)} passages, {limit} were asked for"
    places = {(one.document_id, one.start, one.end) for one in answer.passages}
    if len(places) != len(answer.passages):
        yield "lists a passage twice"
    for one in answer.passages:
        if one.text != index.document_text(one.document_id)[one.start : one.end]:
            yield f"passage {one.source}:{one.start} isn't the slice"
        if not 0 < len(one.text) <= MAX_PASSAGE:
            yield f"passage {one.source}:{one.start} has {len(one.text)} characters"
