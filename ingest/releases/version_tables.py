"""Reads tables that are logs: each row is a release, with its version, possibly its date, and its changes."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import zip_longest

from corpus.ages import SUPPORT_END
from corpus.dates import find_dates, without_dates
from corpus.happenings import first_act
from corpus.item_sentences import SENTENCE_END, leans_back
from ingest.blocks import Block, BlockKind, ParsedText
from ingest.releases.release_headings import MIN_IN_ORDER, are_in_order, read_release_heading
from ingest.releases.version_lines import PARTIAL_DATE, RELEASE_WORDS, folded_words
from ingest.text_lines import plain_title

_SYNTAXES = (
    (re.compile(r"\n"), re.compile(r"(?<!\\)\||\t")),
    (re.compile(r"\n[ \t]*\n"), re.compile(r"\n?[ \t]*\|")),
    (re.compile(r"<tr\b[^<>]*>", re.I), re.compile(r"</?t(?:[dhr]|able|body|head)\b[^<>]*>", re.I)),
    (re.compile(r"(?m)^[ \t]*\* +(?=- )"), re.compile(r"(?m)^[ \t]*- |(?<=\* )- ")),
)
"""Separators of rows and of cells: lines (Markdown, extracted text), blank lines (AsciiDoc), tags, stars."""
_LOG = frozenset("changelog changelogs changes history log notes releases versions".split())
"""The heading or line above such a table has one of these words, unless the table is most of the document."""
_LINE_BREAK = re.compile(r"<br ?/?>|(?<=\s)•\s", re.IGNORECASE)
_LEAD_CHARACTERS = 80
_MIN_ROWS, _MIN_WORDS = 2, 2
_WORD = re.compile(r"\w")


@dataclass(frozen=True, slots=True)
class _Row:
    """A row's non-empty cells, as trimmed ranges of the text; the first `heads` of them head a release."""

    cells: tuple[tuple[int, int], ...]
    heads: int
    columns: tuple[str, ...] = ()


def with_release_rows(parsed: ParsedText) -> ParsedText:
    """Return the document with each row of its release tables as a heading above the row's changes; unchanged if two
    headings open releases. A short table counts only if it is half of the text. Offsets stay as they were."""
    headings = [block for block in parsed.blocks if block.kind is BlockKind.HEADING]
    tables = any(block.kind is BlockKind.TABLE for block in parsed.blocks)
    subjects = (read_release_heading(block.title) for block in headings) if tables else ()
    if not tables or sum(subject is not None and subject.version is not None for subject in subjects) > 1:
        return parsed
    blocks: list[Block] = []
    above: Block | None = None
    lead = ""
    for block in parsed.blocks:
        above = block if block.kind is BlockKind.HEADING else above
        rows = _release_rows(parsed.text, block) if block.kind is BlockKind.TABLE else ()
        # A few version rows in a document about something else are that document's history.
        is_log = above is None or not _LOG.isdisjoint(folded_words(f"{above.title} {lead}"))
        lead = parsed.text[block.start : block.end] if block.end - block.start <= _LEAD_CHARACTERS else ""
        is_long = is_log and sum(row.heads > 0 for row in rows) >= MIN_IN_ORDER
        rows = rows if is_long or 2 * (block.end - block.start) > len(parsed.text) else ()
        blocks += _as_blocks(parsed.text, rows, level=above.level + 1 if above else 2) if rows else (block,)
    return replace(parsed, blocks=tuple(blocks))


def _release_rows(text: str, table: Block) -> Sequence[_Row]:
    """Return the rows of a table of releases, with versions in order and words next to most of them; else none."""
    for row_ends, cell_ends in _SYNTAXES:
        split = [*_row_cells(text, table, row_ends, cell_ends)]
        columns = (
            [text[start:end] if SUPPORT_END.match(text, start, end) else "" for start, end in split[0]] if split else []
        )
        rows = [_read_row(text, cells, columns if len(cells) == len(columns) else ()) for cells in split]
        release_rows = [row for row in rows if row.heads]
        subjects = [read_release_heading(_row_title(text, row)) for row in release_rows]
        versions = [subject.version for subject in subjects if subject and subject.version]
        described = sum(
            any(sum(map(str.isalpha, text[slice(*cell)].split())) >= _MIN_WORDS for cell in row.cells[row.heads :])
            for row in release_rows
        )
        if are_in_order(versions, may_rise=True, least=_MIN_ROWS) and 2 * described >= len(release_rows):
            return rows
    return ()


def _row_cells(
    text: str, table: Block, row_ends: re.Pattern[str], cell_ends: re.Pattern[str]
) -> Iterator[tuple[tuple[int, int], ...]]:
    """Yield for each row the trimmed ranges of its cells with words; rows without any are left out."""
    for start, end in _worded_pieces(text, table.start, table.end, row_ends):
        cells = tuple(_worded_pieces(text, start, end, cell_ends))
        if cells:
            yield cells


def _worded_pieces(text: str, start: int, end: int, separator: re.Pattern[str]) -> Iterator[tuple[int, int]]:
    """Yield the trimmed ranges between separators that have a word."""
    marks = [(mark.start(), mark.end()) for mark in separator.finditer(text, start, end)]
    for begin, close in zip(
        (start, *(after for _, after in marks)), (*(before for before, _ in marks), end), strict=True
    ):
        words = text[begin:close]
        if _WORD.search(words):
            yield begin + len(words) - len(words.lstrip()), begin + len(words.rstrip())


def _read_row(text: str, cells: tuple[tuple[int, int], ...], columns: Sequence[str]) -> _Row:
    """Return a row; it opens a release if its first cells are a version, and possibly a date and words without content.
    `columns` are the titles of those columns that state the end of support."""
    heads = 0
    for begin, end in cells:
        cell = plain_title(text[begin:end])
        cell = without_dates(cell, find_dates(cell))
        if not (read_release_heading(cell) or RELEASE_WORDS.issuperset(folded_words(PARTIAL_DATE.sub("", cell)))):
            break
        heads += 1
    row = _Row(cells, heads, tuple(columns))
    return row if heads and read_release_heading(_row_title(text, row)) else replace(row, heads=0)


def _row_title(text: str, row: _Row) -> str:
    """Return the cells that head a release as one line, with the titles of their columns."""
    named = zip_longest(row.columns[: row.heads], row.cells[: row.heads], fillvalue="")
    return " ".join(f"{column} {plain_title(text[slice(*cell)])}".strip() for column, cell in named)


def _as_blocks(text: str, rows: Sequence[_Row], *, level: int) -> Iterator[Block]:
    """Yield a heading for each release, a list item for each further cell, and markup for the columns' titles."""
    is_open = False
    for row in rows:
        is_open = is_open or row.heads > 0
        if not is_open:
            yield Block(BlockKind.MARKUP, row.cells[0][0], row.cells[-1][1])
            continue
        if row.heads:
            yield Block(BlockKind.HEADING, row.cells[0][0], row.cells[row.heads - 1][1], level, _row_title(text, row))
        for start, end in (entry for cell in row.cells[row.heads :] for entry in _cell_entries(text, *cell)):
            yield Block(BlockKind.LIST_ITEM, start, end, 1)


def _cell_entries(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    """Yield the ranges of a cell's lines, cut before each sentence that reports another change."""
    for begin, stop in _worded_pieces(text, start, end, _LINE_BREAK):
        for sentence in SENTENCE_END.finditer(text, begin, stop):
            rest = text[sentence.end() : stop]
            if not leans_back(rest) and first_act(rest, at_once=True)[0]:
                yield begin, sentence.start()
                begin = sentence.end()
        yield begin, stop
