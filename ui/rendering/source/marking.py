"""A window of a document as blocks, the quote in it marked: by offsets alone, from word to word."""

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby

from corpus.model import Span
from ui.rendering.source.blocks import Shape, SourceBlock, read_source
from ui.rendering.source.inlines import Run

_MAX_LEAD_CHARACTERS = 6_000
_MAX_WORD_CHARACTERS = 60


@dataclass(frozen=True, slots=True)
class Piece:
    """Runs of a cell that are all of the quote, or none of them."""

    runs: tuple[Run, ...]
    is_marked: bool = False
    is_first: bool = False
    """The first that is marked of all."""


@dataclass(frozen=True, slots=True)
class MarkedBlock:
    """A block as it is shown."""

    shape: Shape
    cells: tuple[tuple[Piece, ...], ...]
    depth: int
    number: str
    is_begun: bool
    goes_on: bool

    @property
    def has_mark(self) -> bool:
        """Whether something of the quote is in it."""
        return any(piece.is_marked for cell in self.cells for piece in cell)


def read_window(text: str, media_type: str, window: Span, passages: Sequence[Span]) -> tuple[SourceBlock, ...]:
    """The blocks of a document's text that lie in `window`, cut at its ends; `passages` are all of it, in order.

    What is read begins at a passage that begins its line, a page or two earlier where there is one: a passage begins
    with a block, and what is indented would be read as code.
    """
    at = bisect_right(passages, window.start, key=lambda passage: passage.start)
    near = [passage.start for passage in passages[:at] if passage.start >= window.start - _MAX_LEAD_CHARACTERS]
    begins = [start for start in near if start == 0 or text[start - 1] in "\r\n"]
    start = begins[-1] if begins else near[-1] if near else window.start
    ends = (passage.end for passage in passages[max(at - 1, 0) :] if passage.end >= window.end)
    end = min(next(ends, window.end), window.end + _MAX_LEAD_CHARACTERS)
    blocks = read_source(text, media_type, Span(start, max(end, window.end)))
    return tuple(cut for block in blocks if (cut := block.within(window)))


def mark_quote(text: str, blocks: Sequence[SourceBlock], quote: Span | None) -> tuple[MarkedBlock, ...]:
    """The blocks with the quote's runs apart from the others, without white space or half a word at its ends.

    Nothing is marked where all of the quote is markup, which isn't shown.
    """
    marked: list[MarkedBlock] = []
    is_found = False
    span = _of_words(text, quote) if quote else Span(0, 0)
    for block in blocks:
        cells = tuple(tuple(_pieces(cell, span, is_found=is_found)) for cell in block.cells)
        marked.append(MarkedBlock(block.shape, cells, block.depth, block.number, block.is_begun, block.goes_on))
        is_found = is_found or marked[-1].has_mark
    return tuple(marked)


def _of_words(text: str, quote: Span) -> Span:
    """A quote up to the ends of the words that it begins and ends in."""
    start, end = quote.start, quote.end
    least, most = max(0, start - _MAX_WORD_CHARACTERS), min(len(text), end + _MAX_WORD_CHARACTERS)
    while start > least and text[start - 1].isalnum() and text[start].isalnum():
        start -= 1
    while end < most and text[end - 1].isalnum() and text[end].isalnum():
        end += 1
    return Span(start, end)


def _pieces(cell: Sequence[Run], quote: Span, *, is_found: bool) -> Iterator[Piece]:
    start, end = _trimmed([cut for run in cell if (cut := run.within(quote.start, quote.end))])
    parts = (part for run in cell for part in _split(run, start, end))
    for is_marked, runs in groupby(parts, key=lambda part: part.within(start, end) is not None):
        yield Piece(tuple(runs), is_marked, is_first=is_marked and not is_found)


def _split(run: Run, start: int, end: int) -> Iterator[Run]:
    """What of a run lies before, in and after `[start, end)`; all of one that can't be cut."""
    spans = ((run.start, run.end),) if run.is_said else ((run.start, start), (start, end), (end, run.end))
    yield from (cut for first, last in spans if (cut := run.within(first, last)))


def _trimmed(runs: Sequence[Run]) -> tuple[int, int]:
    """Where the words of runs begin and end; an empty range where there are none."""
    worded = [run for run in runs if run.text.strip()]
    if not worded:
        return 0, 0
    first, last = worded[0], worded[-1]
    start = first.start + (0 if first.is_said else len(first.text) - len(first.text.lstrip()))
    return start, last.end - (0 if last.is_said else len(last.text) - len(last.text.rstrip()))
