"""What runs of lines of plain text look like: titles with their rules, code, tables.

A stanza is a run of lines without a blank one between. Shapes only, told by the lines themselves; which of
them end a list or begin a section is found by `ingest.formats.plain_text_pieces`.
"""

from collections.abc import Callable, Iterator, Sequence

from ingest.formats import code_shapes
from ingest.formats import line_shapes as shapes
from ingest.formats.line_shapes import MarkupLine
from ingest.releases.dates import find_dates

_MAX_UNDERLINED_CHARACTERS = 120
_MAX_CODE_OUTSIDERS = 0.25
_DATED_TITLE_LINES = 4


def split_stanzas(lines: Sequence[MarkupLine]) -> Iterator[tuple[MarkupLine, ...]]:
    """The runs of lines between blank ones, in order, none empty."""
    stanza: list[MarkupLine] = []
    for line in lines:
        if line.text:
            if stanza and _opens_release(stanza, line):
                yield tuple(stanza)
                stanza = []
            stanza.append(line)
        elif stanza:
            yield tuple(stanza)
            stanza = []
    if stanza:
        yield tuple(stanza)


def _opens_release(stanza: Sequence[MarkupLine], line: MarkupLine) -> bool:
    """Whether a release begins tight below the last item of the one above it."""
    above = shapes.bullet(stanza[-1]) is not None or stanza[-1].indent > line.indent
    return above and line.indent <= stanza[0].indent and shapes.is_dated_release(line.text)


def adorned_title_length(stanza: Sequence[MarkupLine], position: int, *, opens_run: bool) -> int:
    """How many lines of `stanza` from `position` are a title with its rules, or a rule by itself; else 0.

    A line that has only a rule below it is a title where it `opens_run`, elsewhere the end of a paragraph.
    """
    below = [shapes.rule_character(line.text) for line in stanza[position : position + 3]]
    if shapes.is_editor_line(stanza[position].text):
        return 1
    if below[0] is not None:
        if _is_dated_title(stanza[position : position + _DATED_TITLE_LINES]):
            return _DATED_TITLE_LINES
        return 3 if len(below) == 3 and below[1] is None and below[2] == below[0] else 1
    title = stanza[position]
    if not opens_run or len(below) < 2 or below[1] is None or len(title) > _MAX_UNDERLINED_CHARACTERS:
        return 0
    return 2 if shapes.bullet(title) is None and 2 * len(stanza[position + 1]) >= len(title) else 0


def _is_dated_title(lines: Sequence[MarkupLine]) -> bool:
    """Whether the lines are a title and a date between two rules of one kind."""
    if len(lines) < _DATED_TITLE_LINES or any(shapes.rule_character(line.text) for line in lines[1:3]):
        return False
    days = find_dates(lines[2].text)
    is_day = len(days) == 1 and days[0].span.slice(lines[2].text) == lines[2].text.strip()
    return is_day and shapes.rule_character(lines[0].text) == shapes.rule_character(lines[3].text)


def is_code_stanza(lines: Sequence[MarkupLine]) -> bool:
    """Whether the lines are code: nearly all read as such, hang below such a line, or comment on it."""
    if not lines or shapes.bullet(lines[0]) is not None:
        return False
    comments = [code_shapes.is_comment(line.text) for line in lines]
    if all(comments):
        return len(lines) > 1
    statements = [code_shapes.is_code(line.text) for line in lines]
    if not any(statements) or not (comments[0] or statements[0]):
        return False
    base = lines[0].indent
    outsiders = sum(
        not (comment or statement or line.indent > base or code_shapes.is_closing(line.text))
        for line, comment, statement in zip(lines, comments, statements, strict=True)
    )
    return outsiders <= _MAX_CODE_OUTSIDERS * len(lines)


def table_length(lines: Sequence[MarkupLine], position: int) -> int:
    """How many lines from `position` are the rows of one table, 0 where there is none."""
    first = lines[position].text
    if shapes.is_link_target(first):
        return _run_length(lines, position, shapes.is_link_target)
    for belongs in (shapes.is_entry, shapes.is_grid, shapes.is_field):
        if belongs(first) and shapes.bullet(lines[position]) is None:
            rows = _run_length(lines, position, belongs)
            return rows if rows > 1 else 0
    return 0


def _run_length(lines: Sequence[MarkupLine], position: int, belongs: Callable[[str], bool]) -> int:
    """How many lines from `position` belong, lines that hang below one included; 1 where only one line does."""
    end, rows = position + 1, 1
    while end < len(lines):
        if belongs(lines[end].text):
            rows += 1
        elif lines[end].indent <= lines[position].indent or shapes.bullet(lines[end]) is not None:
            break
        end += 1
    return end - position if rows > 1 else 1
