"""Cuts the text around a quote out of its document."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeAlias

from corpus.index.tables import TableReader
from corpus.model import Span
from retrieval.model import Citation

SURROUNDING_CHARACTERS = 600
OF_MANY_CHARACTERS = 160  # For pages with many citations.


@dataclass(frozen=True, slots=True)
class Surroundings:
    """The text before and after a quote; the flags are set if the document has more text on that side."""

    before: str
    after: str
    goes_on_before: bool
    goes_on_after: bool


Around: TypeAlias = Callable[[Citation], Surroundings]  # Returns a citation's surroundings.


def reads_around(index: TableReader, *, width: int = OF_MANY_CHARACTERS) -> Around:
    """Return a function that cuts up to `width` characters on each side of a citation of `index`."""

    def around(citation: Citation) -> Surroundings:
        text = index.document_text(citation.document_id)
        return split_surroundings(text, Span(citation.start, citation.end), width=width)

    return around


def split_surroundings(text: str, span: Span, *, width: int) -> Surroundings:
    """Cut up to `width` characters of `text` on each side of `span`, at white space."""
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
