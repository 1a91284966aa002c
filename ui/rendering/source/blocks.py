"""A range of a document's text to blocks of runs: headings, paragraphs, entries, code, rows, without their markup.

The parsers of ingest say where blocks are; here is what of them is shown. What has no words (targets, comments,
directives without content) isn't, but for labels: a note is told as one. Tables without pipes stay preformatted.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from enum import StrEnum

from corpus.formats import EXTRACTED
from corpus.model import Span
from ingest.blocks import Block, BlockKind
from ingest.formats import parse_stored
from ingest.formats.restructuredtext_shapes import DIRECTIVE_NAMES
from ingest.passages.sentences import trim
from ui.rendering.source.inlines import Run, Style, read_runs

_MARKDOWN, _REST, _ASCIIDOC = "text/markdown", "text/x-rst", "text/asciidoc"
_BLANK_LINES = re.compile(r"[ \t]*\r?\n(?:[ \t>]*\r?\n)+[ \t]*")
_LINE = re.compile(r"[^\r\n]+")
_QUOTE_MARK = re.compile(r"(?<=\n)[ \t]*(?:>[ \t]?)+")
_ENTRY = re.compile(r"(?:[-*+•‣⁃–o]|\*{2,6}|\.{1,6}|<(?:\d+|\.)>|(?P<number>\(?(?:\d{1,9}|[A-Za-z])[.)]))[ \t]+(?=\S)")
_TASK = re.compile(r"\[[ xX]\][ \t]+")
_TITLE_MARKS = re.compile(r"(?:#{1,6}|={1,6})[ \t]+|\*\*(?=\S)|__(?=\S)")
_TITLE_END = re.compile(r"[ \t]+(?:#+|=+)\Z|[ \t]*\{:?[ \t]*[#.][^{}]*\}\Z")
_FENCE = re.compile(r"[ \t>]*(?:`{3,}|~{3,}|[-.=+]{4,}[ \t]*\Z|[|,:!]={3,})")
_DIRECTIVE = re.compile(r"\.\.[ \t]+(?:\|[^|\n]+\|[ \t]+)?(?P<name>[A-Za-z][\w.+:-]*?)[ \t]?::(?:[ \t]+|(?=\r?\n)|\Z)")
_VERSION = re.compile(r"(?P<version>v?\d[\w.+-]*|next\b)[ \t.:]*")
_OPTION = re.compile(r":[A-Za-z][\w -]*:(?:[ \t]|\Z)")
_STATED = {
    "versionadded": "New in",
    "versionchanged": "Changed in",
    "versionremoved": "Removed in",
    "deprecated": "Deprecated since",
    "deprecated-removed": "Deprecated since",
}
_NOTES = frozenset(
    {"attention", "caution", "danger", "error", "hint", "important", "note", "tip", "warning", "seealso"}
)
_NOTE_MARK = re.compile(r"\[!(?P<name>[A-Za-z]+)\]|(?:!!!|\?\?\?\+?|:::+)[ \t]*\{?(?P<kind>[A-Za-z]+)\}?")
_TITLED = re.compile(r"(?:!!!|\?\?\?\+?|:::+)[ \t]*\{?[A-Za-z]+\}?[ \t]*")
_TERM = re.compile(r"(?P<term>\S[^\n]*?)(?::{2,4}|;;)(?=\s|\Z)\s*")
_BORDER = re.compile(r"[ \t]*=+(?:[ \t]+=+)*[ \t]*")
_CELL = re.compile(r"(?>(?:`[^`\n]*+`|\\.|[^|\\])+)")
_TABBED_CELL = re.compile(r"[^\t]+")


class Shape(StrEnum):
    """What a block looks like."""

    TITLE = "title"
    TEXT = "text"
    ENTRY = "entry"
    CODE = "code"
    """Preformatted: tables without pipes too."""
    ROW = "row"


@dataclass(frozen=True, slots=True)
class SourceBlock:
    """What is shown of one block of a document; the runs of all cells are in order and disjoint."""

    shape: Shape
    cells: tuple[tuple[Run, ...], ...]
    """Those of a row; else one."""
    depth: int = 0
    """Of the list that it stands in, from 1; 0 outside lists."""
    number: str = ""
    """Of an entry of a numbered list, as written ("2.")."""
    is_begun: bool = False
    """Its beginning lies before what is shown of it."""
    goes_on: bool = False
    """Its end lies after what is shown of it."""

    def within(self, span: Span) -> "SourceBlock | None":
        """What of it lies in a range; None where nothing does."""
        cells = tuple(tuple(cut for run in cell if (cut := run.within(span.start, span.end))) for cell in self.cells)
        if not any(cells):
            return None
        runs = [run for cell in self.cells for run in cell]
        begun, goes_on = runs[0].start < span.start, runs[-1].end > span.end
        return replace(self, cells=cells, number="" if begun else self.number, is_begun=begun, goes_on=goes_on)


def read_source(text: str, media_type: str, span: Span) -> tuple[SourceBlock, ...]:
    """The blocks of a range of a document's text, which begins where one of its blocks does.

    The runs' ranges count in `text`, in order and disjoint, all inside `span`. Text without words gives none.
    """
    reader = _Reader(text, media_type, span)
    return tuple(block for block in reader.read() if any(run.text.strip() for cell in block.cells for run in cell))


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
                    yield from self._title(block)
                case BlockKind.CODE:
                    yield self._preformatted(block)
                case BlockKind.TABLE:
                    yield from self._table(block)
                case BlockKind.MARKUP:
                    yield from self._label(block)
                case _:
                    yield from self._prose(block)

    def _runs(self, start: int, end: int) -> tuple[Run, ...]:
        runs = read_runs(self._text, start, end, self._media_type)
        if self._media_type != _MARKDOWN or ">" not in self._text[start:end]:
            return runs
        return tuple(part for run in runs for part in _without_quote_marks(run))

    def _title(self, block: Block) -> Iterator[SourceBlock]:
        if self._text.startswith("..", block.start):
            yield _said(block, block.title, Shape.TITLE)
            return
        for start, end in self._lines(block.start, block.end):
            if not any(map(str.isalnum, self._text[start:end])):
                continue
            is_marked = self._media_type in (_MARKDOWN, _ASCIIDOC, "text/plain")
            mark = _TITLE_MARKS.match(self._text, start, end) if is_marked else None
            closing = _TITLE_END.search(self._text[start:end]) if is_marked else None
            last = start + closing.start() if closing else end
            if mark and mark[0] in ("**", "__"):
                mark = None  # emphasis, which the runs are read with
            yield SourceBlock(Shape.TITLE, (self._runs(mark.end() if mark else start, last),))

    def _label(self, block: Block) -> Iterator[SourceBlock]:
        """A note whose text is blocks of its own."""
        raw = self._text[block.start : block.end]
        name = ""
        if self._media_type == _REST and (directive := _DIRECTIVE.match(raw)):
            name = directive["name"].lower()
        elif self._media_type == _MARKDOWN and (note := _NOTE_MARK.match(raw)):
            name = (note["name"] or note["kind"]).lower()
        if name in _NOTES:
            yield _said(block, _note(name), Shape.TEXT, Style.STRONG)

    def _prose(self, block: Block) -> Iterator[SourceBlock]:
        """Its paragraphs: the first with what marks it taken off or told."""
        at, shape = block.start, Shape.ENTRY if block.kind is BlockKind.LIST_ITEM else Shape.TEXT
        for gap in (*_BLANK_LINES.finditer(self._text, block.start, block.end), None):
            end = gap.start() if gap else block.end
            yield from self._paragraph(at, end, shape, block.level)
            at, shape = (gap.end() if gap else end), Shape.TEXT

    def _paragraph(self, start: int, end: int, shape: Shape, depth: int) -> Iterator[SourceBlock]:
        number = ""
        before: tuple[Run, ...] = ()
        if shape is Shape.ENTRY and (mark := _ENTRY.match(self._text, start, end)):
            start, number = mark.end(), mark["number"] or ""
            if task := _TASK.match(self._text, start, end):
                start = task.end()
        if self._media_type == _REST:
            start, end, before = self._directive(start, end)
            if not before and shape is Shape.TEXT and (line_end := self._hanging_term(start, end)):
                yield SourceBlock(shape, (_styled(self._runs(start, line_end), Style.STRONG),), depth)
                start, depth = line_end, depth + 1
            if self._text.startswith("::", end - 2):
                # What announces code ends in one colon, or in none where it is by itself.
                end -= 1 if end - 3 >= start and not self._text[end - 3].isspace() else 2
        elif self._media_type == _MARKDOWN and (container := _TITLED.match(self._text, start, end)):
            start = container.end()
        elif self._media_type == _ASCIIDOC and shape is Shape.TEXT and re.match(r"\.[^\s.]", self._text[start:end]):
            start += 1
        elif self._media_type == _ASCIIDOC and (term := _TERM.match(self._text, start, end)):
            before = _styled(self._runs(start, term.end("term")), Style.STRONG)
            yield SourceBlock(shape, (before,), depth)
            start, shape, before = term.end(), Shape.TEXT, ()
        yield SourceBlock(shape, ((*before, *self._runs(start, end)),), depth, number)

    def _directive(self, start: int, end: int) -> tuple[int, int, tuple[Run, ...]]:
        """Where the text of a paragraph begins and ends, and what is told of the directive before it."""
        found = _DIRECTIVE.match(self._text, start, end)
        if not found:
            footnote = re.match(r"\.\.[ \t]+(?=\[)", self._text[start:end])
            return start + (footnote.end() if footnote else 0), end, ()
        name, at = found["name"].lower(), found.end()
        if name in _STATED and (version := _VERSION.match(self._text, at, end)):
            label, at = f"{_STATED[name]} {_release(version)}", version.end()
            if name == "deprecated-removed" and (removed := _VERSION.match(self._text, at, end)):
                label, at = f"{label}, removed in {_release(removed)}", removed.end()
            colon = ": " if self._text[at:end].strip() else ""
            return at, end, (Run(start, at, f"{label}{colon}", Style.STRONG, is_said=True),)
        if name in _NOTES:
            return at, end, (Run(start, at, f"{_note(name)}: ", Style.STRONG, is_said=True),)
        if (known := DIRECTIVE_NAMES.fullmatch(name)) and known["signature"]:
            line_end = next((last for _, last in self._lines(at, end)), end)
            return line_end, end, (Run(at, line_end, self._text[at:line_end], Style.CODE),)
        return at, end, ()

    def _hanging_term(self, start: int, end: int) -> int:
        """Where the first line of a definition ends; 0 where there is none."""
        lines = list(self._lines(start, end))[:2]
        if len(lines) < 2 or self._column(lines[1][0]) <= self._column(start):
            return 0
        return lines[0][1]

    def _preformatted(self, block: Block) -> SourceBlock:
        start = block.start - self._column(block.start)
        lines = list(_LINE.finditer(self._text, max(start, self._span.start), block.end))
        if self._media_type == _REST and lines and lines[0][0].strip().startswith((".. ", "::")):
            opening = 1
            while opening < len(lines) and _OPTION.match(lines[opening][0].strip()):
                opening += 1
            lines = lines[opening:]
        elif self._media_type in (_MARKDOWN, _ASCIIDOC) and lines and _FENCE.match(lines[0][0]):
            lines = lines[1 : -1 if len(lines) > 1 and _FENCE.match(lines[-1][0]) else None]
        margin = min((_indent(line[0]) for line in lines if line[0].strip()), default=0)
        # With the line ends before the next one: blank lines in code are code.
        ends = [*(line.start() for line in lines[1:]), lines[-1].end()] if lines else []
        runs: list[Run] = []
        for line, last in zip(lines, ends, strict=True):
            first = min(line.start() + margin, line.end())
            if first < last and not (block.kind is BlockKind.TABLE and _BORDER.fullmatch(line[0])):
                runs.append(Run(first, last, self._text[first:last]))
        return SourceBlock(Shape.CODE, (tuple(runs),), block.level)

    def _table(self, block: Block) -> Iterator[SourceBlock]:
        lines = list(self._lines(block.start, block.end))
        is_piped = self._media_type == _MARKDOWN and all("|" in self._text[start:end] for start, end in lines)
        if not is_piped and self._media_type not in EXTRACTED:
            if self._media_type == _MARKDOWN:
                yield SourceBlock(Shape.TEXT, (self._runs(block.start, block.end),), block.level)
            else:
                yield self._preformatted(block)
            return
        for start, end in lines:
            if any(map(str.isalnum, self._text[start:end])):
                cells = (_CELL if is_piped else _TABBED_CELL).finditer(self._text, start, end)
                words = (trim(self._text, Span(*cell.span())) for cell in cells)
                shown = tuple(self._runs(found.start, found.end) if found else () for found in words)
                yield SourceBlock(Shape.ROW, shown if shown[-1] else shown[:-1], block.level)

    def _lines(self, start: int, end: int) -> Iterator[tuple[int, int]]:
        """The ranges of the lines that aren't blank, without the white space around them."""
        for line in _LINE.finditer(self._text, start, end):
            if words := trim(self._text, Span(*line.span())):
                yield words.start, words.end

    def _column(self, at: int) -> int:
        """Characters before a place on its line."""
        return at - (max(self._text.rfind("\n", 0, at), self._text.rfind("\r", 0, at)) + 1)


def _said(block: Block, words: str, shape: Shape, style: Style = Style.PLAIN) -> SourceBlock:
    return SourceBlock(shape, ((Run(block.start, block.end, words, style, is_said=True),),), block.level)


def _note(name: str) -> str:
    return "See also" if name == "seealso" else name.capitalize()


def _release(version: re.Match[str]) -> str:
    return "the next release" if version["version"] == "next" else version["version"]


def _styled(runs: tuple[Run, ...], style: Style) -> tuple[Run, ...]:
    return tuple(replace(run, style=style) if run.style is Style.PLAIN else run for run in runs)


def _indent(line: str) -> int:
    return len(line) - len(line.lstrip(" \t"))


def _without_quote_marks(run: Run) -> Iterator[Run]:
    """What stands between the `>` that begin a quote's lines."""
    at = run.start
    for mark in _QUOTE_MARK.finditer("" if run.is_said else run.text):
        if before := run.within(at, run.start + mark.start()):
            yield before
        at = run.start + mark.end()
    if run.is_said:
        yield run
    elif rest := run.within(at, run.end):
        yield rest
