"""A quote in its place: the document's text around it, cut at words."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeAlias

from corpus.index.tables import TableReader
from corpus.model import Span
from retrieval.model import Citation

SURROUNDING_CHARACTERS = 600
_OF_MANY_CHARACTERS = 160


@dataclass(frozen=True, slots=True)
class Surroundings:
    """The text before and after a quote; the flags say that the document goes on beyond it."""

    before: str
    after: str
    goes_on_before: bool
    goes_on_after: bool


Around: TypeAlias = Callable[[Citation], Surroundings]
"""How a page of many citations gets the surroundings of each."""


def reads_around(index: TableReader) -> Around:
    """The surroundings of any citation of `index`, shorter than where a page shows but one."""
    return lambda citation: split_surroundings(
        index.document_text(citation.document_id), Span(citation.start, citation.end), width=_OF_MANY_CHARACTERS
    )


def split_surroundings(text: str, span: Span, *, width: int = SURROUNDING_CHARACTERS) -> Surroundings:
    """Cut up to `width` characters of `text` on each side of `span`, at white space where there is some.

    `before + span.slice(text) + after` is a slice of `text`.
    """
    start, end = max(0, span.start - width), min(len(text), span.end + width)
    if start > 0:
        start = next((at + 1 for at in range(start, span.start) if text[at].isspace()), start)
    if end < len(text):
        end = next((at for at in range(end - 1, span.end - 1, -1) if text[at].isspace()), end)
    return Surroundings(
        before=text[start : span.start],
        after=text[span.end : end],
        goes_on_before=bool(text[:start].strip()),
        goes_on_after=bool(text[end:].strip()),
    )
