"""Cuts the text around a quote out of its document."""

from collections.abc import Callable
from dataclasses import dataclass

from corpus.index.tables import TableReader
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


Around = Callable[[Citation], Surroundings]  # Returns a citation's surroundings.


def reads_around(index: TableReader, *, width: int = OF_MANY_CHARACTERS) -> Around:
    """Return a function that cuts up to `width` characters, at white space, on each side of a citation of `index`."""

    def around(citation: Citation) -> Surroundings:
        text = index.document_text(citation.document_id)
        start, end = max(0, citation.start - width), min(len(text), citation.end + width)
        if start > 0:
            start = next((at + 1 for at in range(start, citation.start) if text[at].isspace()), start)
        if end < len(text):
            end = next((at for at in range(end - 1, citation.end - 1, -1) if text[at].isspace()), end)
        return Surroundings(
            before=text[start : citation.start],
            after=text[citation.end : end],
            goes_on_before=bool(text[:start].strip()),
            goes_on_after=bool(text[end:].strip()),
        )

    return around
