"""Splits text into lines that aren't blank, with exact ranges; a blank line is only recorded in the line after it."""

import re
import sys
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from corpus.plain_words import unlocked, without_marks
from corpus.source_words import source_words

_LINE = re.compile(r"[^\r\n]+")
_TAB_COLUMNS = 8
MAX_TITLE_CHARACTERS = 1_000  # Longer text is no title, and its markup isn't removed.


def plain_title(markup: str, text: str = "", media_type: str = "") -> str:
    """Return a title of the document `text` on one line, without its markup unless it is too long for a title."""
    if len(markup) <= MAX_TITLE_CHARACTERS:
        markup = unlocked(without_marks(source_words(markup, text, media_type) if media_type else markup))
    return " ".join(markup.split())


class TextLine(NamedTuple):
    """A line with words or marks: `content` is `[start, end)` of the text, without white space around it."""

    start: int
    end: int
    indent: int  # Columns before the first character, a tab reaching to the next multiple of eight.
    content: str
    after_blank: bool  # Whether a blank line precedes it; True for a document's first line.


def split_lines(text: str, begin: int = 0, end: int = sys.maxsize) -> Iterator[TextLine]:
    """Yield the lines of `text` from `begin` to `end` that aren't blank; LF, CRLF, CR end one; a byte order mark is
    skipped."""
    previous_end = 0
    for match in _LINE.finditer(text, begin or int(text.startswith("\ufeff")), end):
        line = match[0]
        content = line.strip()
        if not content:
            continue
        margin = line[: len(line) - len(line.lstrip())]
        start = match.start() + len(margin)
        gap = text[previous_end or start : start]
        after_blank = previous_end == 0 or max(gap.count("\n"), gap.count("\r")) > 1
        previous_end = start + len(content)
        yield TextLine(start, previous_end, len(margin.expandtabs(_TAB_COLUMNS)), content, after_blank)


def end_of_indented(lines: Sequence[TextLine], first: int, *, indent: int, over_blanks: bool = True) -> int:
    """Return the index after the lines that follow line `first` and are indented deeper than `indent`.

    Without `over_blanks` the next blank line ends them.
    """
    index = first + 1
    while index < len(lines) and lines[index].indent > indent and (over_blanks or not lines[index].after_blank):
        index += 1
    return index
