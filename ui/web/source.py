"""A range of a document's text as blocks of runs, without their markup; a quote marked in them; a quote's surroundings.

The parsers of ingest say where blocks are; here is what of them is shown. What has no words isn't, but for labels: a
note is told as one. Tables without pipes stay preformatted.
"""

import re
from bisect import bisect_right
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import cache
from itertools import count, dropwhile
from typing import TypeAlias

from corpus.formats import EXTRACTED
from corpus.index.tables import TableReader
from corpus.model import Span
from corpus.plain_words import DIRECTIVE, directive_words
from ingest.blocks import Block, BlockKind
from ingest.formats import parse_stored
from ingest.passages.sentences import trim
from retrieval.model import Citation
from ui.web.source_runs import Run, Style, read_runs

SURROUNDING_CHARACTERS = 600
OF_MANY_CHARACTERS = 160  # Where a page shows many citations.
_MOST_READ = 300  # Each takes milliseconds, and a list may have thousands.
_MAX_LEAD_CHARACTERS, _MAX_WORD_CHARACTERS = 6_000, 60
_MARKDOWN, _REST, _ASCIIDOC = "text/markdown", "text/x-rst", "text/asciidoc"
_BLANK_LINES = re.compile(r"[ \t]*\r?\n(?:[ \t>]*\r?\n)+[ \t]*")
_LINE = re.compile(r"[^\r\n]+")
_ENTRY = re.compile(
    r"(?:[-*+•‣⁃–o]|\*{2,6}|\.{1,6}|<(?:\d+|\.)>|(?P<number>\(?(?:\d{1,9}|[A-Za-z])[.)]))[ \t]+"
    r"(?:\[[ xX]\][ \t]+)?(?=\S)"
)
_FENCE = re.compile(r"[ \t>]*(?:`{3,}|~{3,}|[-.=+]{4,}[ \t]*\Z|[|,:!]={3,})")
_DIRECTIVE = re.compile(r"\.\.[ \t]+(?:\|[^|\n]+\|[ \t]+)?(?P<name>[A-Za-z][\w.+:-]*?)[ \t]?::(?:[ \t]+|(?=\r?\n)|\Z)")
_OPTION = re.compile(r":[A-Za-z][\w -]*:(?:[ \t]|\Z)")
_NOTES = {
    name: name.capitalize()
    for name in ("attention", "caution", "danger", "error", "hint", "important", "note", "tip", "warning")
} | {"seealso": "See also"}
_CONTAINER = re.compile(r"(?:!!!|\?\?\?\+?|:::+|`{3,}|~{3,}|/{3,})[ \t]*\{?(?P<name>[A-Za-z]+)\}?[ \t]*")
_ALERT = re.compile(r"\[!(?P<name>[A-Za-z]+)\]")
_TERM = re.compile(r"(?P<term>\S[^\n]*?)(?::{2,4}|;;)(?=\s|\Z)\s*")
_CELL = re.compile(r"(?>(?:`[^`\n]*+`|\\.|[^|\\])+)")
_TABBED_CELL = re.compile(r"[^\t]+")


class Shape(StrEnum):
    TITLE = "title"
    TEXT = "text"
    ENTRY = "entry"
    CODE = "code"  # Preformatted: tables without pipes too.
    ROW = "row"


@dataclass(frozen=True, slots=True)
class SourceBlock:
    """What is shown of one block of a document; the runs of all cells are in order and disjoint."""

    shape: Shape
    cells: tuple[tuple[Run, ...], ...]  # Those of a row; else one.
    depth: int = 0  # Of the list that it stands in, from 1; 0 outside lists.
    number: str = ""  # Of an entry of a numbered list, as written ("2.").
    is_begun: bool = False  # Its beginning lies before what is shown of it.
    goes_on: bool = False  # Its end lies after what is shown of it.

    @property
    def runs(self) -> tuple[Run, ...]:
        return tuple(run for cell in self.cells for run in cell)

    @property
    def has_mark(self) -> bool:
        return any(run.is_marked for run in self.runs)

    def within(self, span: Span) -> "SourceBlock | None":
        """Return what of it lies in a range; None where nothing does."""
        cells = tuple(tuple(cut for run in cell if (cut := run.within(span.start, span.end))) for cell in self.cells)
        if not any(cells):
            return None
        begun, goes_on = self.runs[0].start < span.start, self.runs[-1].end > span.end
        return replace(self, cells=cells, number="" if begun else self.number, is_begun=begun, goes_on=goes_on)


@dataclass(frozen=True, slots=True)
class Surroundings:
    """The text before and after a quote; the flags say that the document goes on beyond it."""

    before: str
    after: str
    goes_on_before: bool
    goes_on_after: bool
    blocks: tuple[SourceBlock, ...] = ()
    """All of it as it reads, the quote marked; none where the quote has nothing that is shown."""


Around: TypeAlias = Callable[[Citation], Surroundings]  # How a page gets the surroundings of each citation.


def reads_around(index: TableReader, *, width: int = OF_MANY_CHARACTERS) -> Around:
    """Return the surroundings of any citation of `index`, up to `width` characters on each side. They are read for the
    first of a page, and raw for those after them."""
    read, media_types = count(1), {document.id: document.media_type for document in index.documents}
    passages = cache(index.passage_spans)

    def around(citation: Citation) -> Surroundings:
        text, quote = index.document_text(citation.document_id), Span(citation.start, citation.end)
        raw = split_surroundings(text, quote, width=width)
        if next(read) > _MOST_READ:
            return raw
        window = Span(quote.start - len(raw.before), quote.end + len(raw.after))
        blocks = read_window(text, media_types[citation.document_id], window, passages(citation.document_id))
        # Half a block before the quote tells less than none.
        marked = mark_quote(text, blocks, quote, telling=citation.telling)
        shown = tuple(block for block in marked if block.has_mark or not block.is_begun)
        return replace(raw, blocks=shown if any(block.has_mark for block in shown) else ())

    return around


def split_surroundings(text: str, span: Span, *, width: int) -> Surroundings:
    """Cut up to `width` characters of `text` on each side of `span`, at white space; nothing of it is read."""
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


def read_window(text: str, media_type: str, window: Span, passages: Sequence[Span]) -> tuple[SourceBlock, ...]:
    """Return the blocks that lie in `window`, cut at its ends. Read is from a passage (`passages` are all, in order)
    that begins its line, a page or two earlier where there is one: what is indented would be read as code."""
    at = bisect_right(passages, window.start, key=lambda passage: passage.start)
    near = [passage.start for passage in passages[:at] if passage.start >= window.start - _MAX_LEAD_CHARACTERS]
    begins = [start for start in near if start == 0 or text[start - 1] in "\r\n"]
    start = (begins or near or [window.start])[-1]
    ends = (passage.end for passage in passages[max(at - 1, 0) :] if passage.end >= window.end)
    end = min(next(ends, window.end), window.end + _MAX_LEAD_CHARACTERS)
    blocks = read_source(text, media_type, Span(start, max(end, window.end)))
    return tuple(cut for block in blocks if (cut := block.within(window)))


def mark_quote(
    text: str, blocks: Sequence[SourceBlock], quote: Span, *, telling: Span | None = None
) -> tuple[SourceBlock, ...]:
    """The blocks with the quote marked, from word to word: without white space at its ends, and with the whole of the
    words it begins and ends in; in it what tells. Nothing is marked where all of it is markup, which isn't shown."""
    start, end = quote.start, quote.end
    if start == end:
        return tuple(blocks)
    least, most = max(0, start - _MAX_WORD_CHARACTERS), min(len(text), end + _MAX_WORD_CHARACTERS)
    while start > least and text[start - 1 : start + 1].isalnum():
        start -= 1
    while end < most and text[end - 1 : end + 1].isalnum():
        end += 1
    telling = telling if telling and len(telling) < len(quote) else None

    def mark(cell: Sequence[Run]) -> Iterator[Run]:
        words = _worded(cell, Span(start, end))
        for part, is_marked in (parted for run in cell for parted in _parted(run, words)):
            for told, tells in _parted(part, telling if is_marked else None):
                yield replace(told, is_marked=is_marked, tells=tells)

    return tuple(replace(block, cells=tuple(tuple(mark(cell)) for cell in block.cells)) for block in blocks)


def _worded(cell: Sequence[Run], quote: Span) -> Span | None:
    """Return the range of what a quote shows of a cell, without white space at its ends; None where that is nothing."""
    worded = [cut for run in cell if (cut := run.within(quote.start, quote.end)) and cut.text.strip()]
    if not worded:
        return None
    first, last = worded[0], worded[-1]
    start = first.start + (0 if first.is_replaced else len(first.text) - len(first.text.lstrip()))
    return Span(start, last.end - (0 if last.is_replaced else len(last.text) - len(last.text.rstrip())))


def _parted(run: Run, span: Span | None) -> Iterator[tuple[Run, bool]]:
    """Cut a run at the ends of a range where it can be cut; each part with whether it lies in the range."""
    if span is None or run.is_replaced:
        yield run, span is not None and run.within(span.start, span.end) is not None
        return
    for begins, ends in ((run.start, span.start), (span.start, span.end), (span.end, run.end)):
        if cut := run.within(begins, ends):
            yield cut, begins == span.start


def read_source(text: str, media_type: str, span: Span) -> tuple[SourceBlock, ...]:
    """The blocks of a range that begins where one does; the runs' ranges count in `text`, in order and disjoint."""
    blocks = _Reader(text, media_type, span).read()
    return tuple(block for block in blocks if any(run.text.strip() for run in block.runs))


class _Reader:
    def __init__(self, text: str, media_type: str, span: Span) -> None:
        self._text = text
        self._media_type = media_type
        self._span = span

    def read(self) -> Iterator[SourceBlock]:
        for block in parse_stored(self._span.slice(self._text), self._media_type):
            block = replace(block, start=block.start + self._span.start, end=block.end + self._span.start)
            match block.kind:
                case BlockKind.HEADING:
                    at = self._text.find(block.title, block.start, block.end)
                    label = Run(block.start, block.end, block.title, is_replaced=True)
                    yield SourceBlock(Shape.TITLE, (self._runs(at, at + len(block.title)) if at >= 0 else (label,),))
                case BlockKind.CODE:
                    yield self._preformatted(block)
                case BlockKind.TABLE:
                    yield from self._table(block)
                case BlockKind.MARKUP:
                    # A note whose text is blocks of its own.
                    patterns = {_REST: (_DIRECTIVE,), _MARKDOWN: (_CONTAINER, _ALERT)}.get(self._media_type, ())
                    begun = (pattern.match(self._text, block.start, block.end) for pattern in patterns)
                    name = next((found["name"].lower() for found in begun if found), "")
                    if name in _NOTES:
                        label = Run(block.start, block.end, _NOTES[name], Style.STRONG, is_replaced=True)
                        yield SourceBlock(Shape.TEXT, ((label,),), block.level)
                case _:
                    # Its paragraphs: the first with what marks it taken off or told.
                    at = block.start
                    shape = Shape.ENTRY if block.kind is BlockKind.LIST_ITEM else Shape.TEXT
                    for gap in (*_BLANK_LINES.finditer(self._text, block.start, block.end), None):
                        yield from self._paragraph(at, gap.start() if gap else block.end, shape, block.level)
                        at, shape = (gap.end() if gap else block.end), Shape.TEXT

    def _runs(self, start: int, end: int) -> tuple[Run, ...]:
        return read_runs(self._text, start, end, self._media_type)

    def _paragraph(self, start: int, end: int, shape: Shape, depth: int) -> Iterator[SourceBlock]:
        number = ""
        before: tuple[Run, ...] = ()
        if shape is Shape.ENTRY and (mark := _ENTRY.match(self._text, start, end)):
            start, number = mark.end(), mark["number"] or ""
        if self._media_type == _REST:
            start, before = self._directive(start, end)
            if self._text.startswith("::", end - 2):
                # What announces code ends in one colon, or in none where it is by itself.
                end -= 1 if end - 3 >= start and not self._text[end - 3].isspace() else 2
        elif self._media_type == _MARKDOWN and (container := _CONTAINER.match(self._text, start, end)):
            start = container.end()
        elif self._media_type == _ASCIIDOC and (term := _TERM.match(self._text, start, end)):
            runs = self._runs(start, term.end("term"))
            bold = tuple(replace(run, style=Style.STRONG) if run.style is Style.PLAIN else run for run in runs)
            yield SourceBlock(shape, (bold,), depth)
            start, shape = term.end(), Shape.TEXT
        yield SourceBlock(shape, ((*before, *self._runs(start, end)),), depth, number)

    def _directive(self, start: int, end: int) -> tuple[int, tuple[Run, ...]]:
        """Return where the text of a paragraph begins, and what is told of the directive before it."""
        found = _DIRECTIVE.match(self._text, start, end)
        if not found:
            return start, ()
        name, at = found["name"].lower(), found.end()
        label = f"{_NOTES[name]}: " if name in _NOTES else ""
        if not label and (stated := DIRECTIVE.match(self._text, self._text.rfind("\n", 0, start) + 1, end)):
            label, at = directive_words(stated)[1:], stated.end()
        if label:
            return at, (Run(start, at, label, Style.STRONG, is_replaced=True),)
        return at, ()

    def _preformatted(self, block: Block) -> SourceBlock:
        # From the margin on.
        start = max(self._span.start, *(self._text.rfind(end, 0, block.start) + 1 for end in "\r\n"))
        lines = list(_LINE.finditer(self._text, start, block.end))
        if self._media_type == _REST and lines and lines[0][0].strip().startswith((".. ", "::")):
            lines = list(dropwhile(lambda line: _OPTION.match(line[0].strip()), lines[1:]))
        elif self._media_type in (_MARKDOWN, _ASCIIDOC) and lines and _FENCE.match(lines[0][0]):
            lines = lines[1 : -1 if len(lines) > 1 and _FENCE.match(lines[-1][0]) else None]
        worded = [line[0] for line in lines if line[0].strip()]
        margin = min((len(line) - len(line.lstrip(" \t")) for line in worded), default=0)
        firsts = [min(line.start() + margin, line.end()) for line in lines]
        # With the line ends before the next one: blank lines in code are code.
        lasts = [*(line.start() for line in lines[1:]), lines[-1].end()] if lines else []
        ranges = ((first, last) for first, last in zip(firsts, lasts, strict=True) if first < last)
        runs = tuple(Run(first, last, self._text[first:last]) for first, last in ranges)
        return SourceBlock(Shape.CODE, (runs,), block.level)

    def _table(self, block: Block) -> Iterator[SourceBlock]:
        found = _LINE.finditer(self._text, block.start, block.end)
        lines = [worded for line in found if (worded := trim(self._text, Span(*line.span())))]
        is_piped = self._media_type == _MARKDOWN and all("|" in line.slice(self._text) for line in lines)
        if not is_piped and self._media_type == _MARKDOWN:
            yield SourceBlock(Shape.TEXT, (self._runs(block.start, block.end),), block.level)
        elif not is_piped and self._media_type not in EXTRACTED:
            yield self._preformatted(block)
        else:
            for line in lines:
                if any(map(str.isalnum, line.slice(self._text))):
                    cells = (_CELL if is_piped else _TABBED_CELL).finditer(self._text, line.start, line.end)
                    words = (trim(self._text, Span(*cell.span())) for cell in cells)
                    shown = tuple(self._runs(found.start, found.end) if found else () for found in words)
                    yield SourceBlock(Shape.ROW, shown if shown[-1] else shown[:-1], block.level)
