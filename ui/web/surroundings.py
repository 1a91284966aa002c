"""A quote in its place: the document's text around it, raw and as it reads."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cache
from typing import TypeAlias

from corpus.index.tables import TableReader
from corpus.model import Span
from retrieval.model import Citation
from ui.rendering.source.marking import MarkedBlock, mark_quote, read_window

SURROUNDING_CHARACTERS = 600
OF_MANY_CHARACTERS = 160
"""Where a page shows many citations."""


@dataclass(frozen=True, slots=True)
class Surroundings:
    """The text before and after a quote; the flags say that the document goes on beyond it."""

    before: str
    after: str
    goes_on_before: bool
    goes_on_after: bool
    blocks: tuple[MarkedBlock, ...] = ()
    """All of it as it reads, the quote marked; none where the quote has nothing that is shown."""


Around: TypeAlias = Callable[[Citation], Surroundings]
"""How a page gets the surroundings of each citation."""


def reads_around(index: TableReader, *, width: int = OF_MANY_CHARACTERS) -> Around:
    """The surroundings of any citation of `index`, up to `width` characters on each side."""
    media_types = {document.id: document.media_type for document in index.documents}
    passages = cache(index.passage_spans)

    def around(citation: Citation) -> Surroundings:
        text, quote = index.document_text(citation.document_id), Span(citation.start, citation.end)
        raw = split_surroundings(text, quote, width=width)
        window = Span(quote.start - len(raw.before), quote.end + len(raw.after))
        blocks = read_window(text, media_types[citation.document_id], window, passages(citation.document_id))
        # Half a block before the quote tells less than none.
        shown = tuple(block for block in mark_quote(text, blocks, quote) if block.has_mark or not block.is_begun)
        return replace(raw, blocks=shown if any(block.has_mark for block in shown) else ())

    return around


def split_surroundings(text: str, span: Span, *, width: int = SURROUNDING_CHARACTERS) -> Surroundings:
    """Cut up to `width` characters of `text` on each side of `span`, at white space where there is some.

    `before + span.slice(text) + after` is a slice of `text`. Nothing of it is read.
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
