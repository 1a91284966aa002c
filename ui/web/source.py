"""Converts a range of a document's text to blocks of runs without markup, marks a quote, and cuts its surroundings.

The parsers of ingest find the blocks. Blocks without words are left out, except labels; tables without pipes stay.
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
OF_MANY_CHARACTERS = 160  # For pages with many citations.
_MAX_PARSED = 300  # Each takes milliseconds, and a list may have thousands.
_MAX_LEAD_CHARACTERS, _MAX_WORD_CHARACTERS = 6_000, 60
_MARKDOWN, _REST, _ASCIIDOC = "text/markdown", "text/x-rst", "text/asciidoc"
_BLANK_LINES = re.compile(r"(?<![ \t])[ \t]*+\r?\n(?:[ \t>]*\r?\n)+[ \t]*")
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
    """One block of a document as shown; the runs of all cells are in order and disjoint."""

    shape: Shape
    cells: tuple[tuple[Run, ...], ...]  # The cells of a table row; one cell for every other block.
    depth: int = 0  # Nesting depth of its list, from 1; 0 outside lists.
    number: str = ""  # The number of an entry in a numbered list, as written ("2.").
    is_begun: bool = False  # The block begins before its first run.
    goes_on: bool = False  # The block ends after its last run.

    @property
    def runs(self) -> tuple[Run, ...]:
        return tuple(run for cell in self.cells for run in cell)

    @property
    def has_mark(self) -> bool:
        return any(run.is_marked for run in self.runs)

    def within(self, span: Span) -> "SourceBlock | None":
        """Return the part of the block inside the range; None if no run is. Its flags say whether it was cut."""
        cells = tuple(tuple(cut for run in cell if (cut := run.within(span.start, span.end))) for cell in self.cells)
        if not any(cells):
            return None
        begun, goes_on = self.runs[0].start < span.start, self.runs[-1].end > span.end
        return replace(self, cells=cells, number="" if begun else self.number, is_begun=begun, goes_on=goes_on)


@dataclass(frozen=True, slots=True)
class Surroundings:
    """The text before and after a quote; the flags are set if the document has more text on that side."""

    before: str
    after: str
    goes_on_before: bool
    goes_on_after: bool
    blocks: tuple[SourceBlock, ...] = ()
    """The same text and the quote as parsed blocks, the quote marked; empty if no block shows the quote."""


Around: TypeAlias = Callable[[Citation], Surroundings]  # Returns a citation's surroundings.


def reads_around(index: TableReader, *, width: int = OF_MANY_CHARACTERS) -> Around:
    """Return a function that cuts up to `width` characters on each side of a citation of `index`. It parses the
    surroundings of its first 300 citations; the others get raw text only."""
    calls, media_types = count(1), {document.id: document.media_type for document in index.documents}
    passages = cache(index.passage_spans)

    def around(citation: Citation) -> Surroundings:
        text, quote = index.document_text(citation.document_id), Span(citation.start, citation.end)
        raw = split_surroundings(text, quote, width=width)
        if next(calls) > _MAX_PARSED:
            return raw
        window = Span(quote.start - len(raw.before), quote.end + len(raw.after))
        blocks = read_window(text, media_types[citation.document_id], window, passages(citation.document_id))
        # A block that is cut off before the quote confuses more than it helps.
        marked = mark_quote(text, blocks, quote, telling=citation.telling)
        shown = tuple(block for block in marked if block.has_mark or not block.is_begun)
        return replace(raw, blocks=shown if any(block.has_mark for block in shown) else ())

    return around


def split_surroundings(text: str, span: Span, *, width: int) -> Surroundings:
    """Cut up to `width` characters of raw `text` on each side of `span`, at white space."""
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
    """Return the blocks inside `window`, cut at its ends. Parsing begins at the last of the `passages` (all, in order)
    before it that begins a line, up to two pages earlier: from inside a list, indented text would parse as code."""
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
    """Return the blocks with the quote marked, extended to whole words and without white space at its ends; runs in
    its part `telling` are flagged. Nothing is marked if the quote is all markup, which isn't shown."""
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
        words = _range_of_words(cell, Span(start, end))
        for part, is_marked in (pair for run in cell for pair in _split_run(run, words)):
            for piece, tells in _split_run(part, telling if is_marked else None):
                yield replace(piece, is_marked=is_marked, tells=tells)

    return tuple(replace(block, cells=tuple(tuple(mark(cell)) for cell in block.cells)) for block in blocks)


def _range_of_words(cell: Sequence[Run], quote: Span) -> Span | None:
    """Return the range of the quote's words in a cell, without white space at its ends; None if it has none there."""
    parts = [cut for run in cell if (cut := run.within(quote.start, quote.end)) and cut.text.strip()]
    if not parts:
        return None
    first, last = parts[0], parts[-1]
    start = first.start + (0 if first.is_replaced else len(first.text) - len(first.text.lstrip()))
    return Span(start, last.end - (0 if last.is_replaced else len(last.text) - len(last.text.rstrip())))


def _split_run(run: Run, span: Span | None) -> Iterator[tuple[Run, bool]]:
    """Split a run at the ends of a range, if it can be cut; yield `(part, is_inside)` in order."""
    if span is None or run.is_replaced:
        yield run, span is not None and run.within(span.start, span.end) is not None
        return
    for begins, ends in ((run.start, span.start), (span.start, span.end), (span.end, run.end)):
        if cut := run.within(begins, ends):
            yield cut, begins == span.start


def read_source(text: str, media_type: str, span: Span) -> tuple[SourceBlock, ...]:
    """Return the blocks of a range that starts at a block; the runs have offsets into `text`, in order and disjoint."""
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
                    # The opening line of a note whose text is in the blocks after it.
                    patterns = {_REST: (_DIRECTIVE,), _MARKDOWN: (_CONTAINER, _ALERT)}.get(self._media_type, ())
                    matches = (pattern.match(self._text, block.start, block.end) for pattern in patterns)
                    name = next((match["name"].lower() for match in matches if match), "")
                    if name in _NOTES:
                        label = Run(block.start, block.end, _NOTES[name], Style.STRONG, is_replaced=True)
                        yield SourceBlock(Shape.TEXT, ((label,),), block.level)
                case _:
                    # Paragraph by paragraph; only the first can have a list mark or a directive.
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
                # reST shows the "::" that announces code as ":", and leaves it out if it stands alone.
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
        """Return the offset at which a paragraph's text begins, and the label of the directive before it, if any."""
        match = _DIRECTIVE.match(self._text, start, end)
        if not match:
            return start, ()
        name, at = match["name"].lower(), match.end()
        label = f"{_NOTES[name]}: " if name in _NOTES else ""
        if not label and (directive := DIRECTIVE.match(self._text, self._text.rfind("\n", 0, start) + 1, end)):
            label, at = directive_words(directive)[1:], directive.end()
        if label:
            return at, (Run(start, at, label, Style.STRONG, is_replaced=True),)
        return at, ()

    def _preformatted(self, block: Block) -> SourceBlock:
        # From the beginning of its first line, to keep the indentation.
        start = max(self._span.start, *(self._text.rfind(end, 0, block.start) + 1 for end in "\r\n"))
        lines = list(_LINE.finditer(self._text, start, block.end))
        if self._media_type == _REST and lines and lines[0][0].strip().startswith((".. ", "::")):
            lines = list(dropwhile(lambda line: _OPTION.match(line[0].strip()), lines[1:]))
        elif self._media_type in (_MARKDOWN, _ASCIIDOC) and lines and _FENCE.match(lines[0][0]):
            lines = lines[1 : -1 if len(lines) > 1 and _FENCE.match(lines[-1][0]) else None]
        filled = [line[0] for line in lines if line[0].strip()]
        margin = min((len(line) - len(line.lstrip(" \t")) for line in filled), default=0)
        firsts = [min(line.start() + margin, line.end()) for line in lines]
        # Each line with the line ends up to the next: blank lines belong to the code.
        lasts = [*(line.start() for line in lines[1:]), lines[-1].end()] if lines else []
        ranges = ((first, last) for first, last in zip(firsts, lasts, strict=True) if first < last)
        runs = tuple(Run(first, last, self._text[first:last]) for first, last in ranges)
        return SourceBlock(Shape.CODE, (runs,), block.level)

    def _table(self, block: Block) -> Iterator[SourceBlock]:
        matches = _LINE.finditer(self._text, block.start, block.end)
        lines = [trimmed for match in matches if (trimmed := trim(self._text, Span(*match.span())))]
        is_piped = self._media_type == _MARKDOWN and all("|" in line.slice(self._text) for line in lines)
        if not is_piped and self._media_type == _MARKDOWN:
            yield SourceBlock(Shape.TEXT, (self._runs(block.start, block.end),), block.level)
        elif not is_piped and self._media_type not in EXTRACTED:
            yield self._preformatted(block)
        else:
            for line in lines:
                if any(map(str.isalnum, line.slice(self._text))):
                    cells = (_CELL if is_piped else _TABBED_CELL).finditer(self._text, line.start, line.end)
                    spans = (trim(self._text, Span(*cell.span())) for cell in cells)
                    shown = tuple(self._runs(span.start, span.end) if span else () for span in spans)
                    yield SourceBlock(Shape.ROW, shown if shown[-1] else shown[:-1], block.level)
