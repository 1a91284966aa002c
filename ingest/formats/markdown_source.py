"""The source of a Markdown document by its lines: ranges of code points for the line numbers of tokens."""

import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence

_LINE_END = re.compile(r"\r\n|\n|\r")
TABLE_TAG = re.compile(r"<(/?)table\b[^<>]*>?", re.I)


class MarkdownSource:
    """A document's text with the offsets of its lines; line 0 is the first of the body."""

    def __init__(self, text: str, begin: int) -> None:
        self.text = text
        self._line_starts = [begin, *(match.end() for match in _LINE_END.finditer(text, begin)), len(text)]
        self._table_ends = tuple(_table_ends(text, begin))

    def span(self, lines: Sequence[int], quotes: int = 0) -> tuple[int, int]:
        """The range of lines `[first, last)` without white space around it or up to `quotes` leading `>`."""
        last = len(self._line_starts) - 1
        start, end = trimmed(self.text, self._line_starts[min(lines[0], last)], self._line_starts[min(lines[1], last)])
        for _ in range(quotes):
            if start < end and self.text[start] == ">":
                start, end = trimmed(self.text, start + 1, end)
        return start, end

    def line_at(self, offset: int) -> int:
        """The line that holds the offset."""
        return bisect_right(self._line_starts, offset) - 1

    def table_end(self, start: int, end: int) -> int:
        """Where the last HTML table that opens in `[start, end)` closes; `end` where none reaches beyond it."""
        low = bisect_right(self._table_ends, (start, -1))
        high = bisect_right(self._table_ends, (end, -1))
        return max((close for _, close in self._table_ends[low:high]), default=end)


def _table_ends(text: str, begin: int) -> Iterator[tuple[int, int]]:
    opened: list[int] = []
    for tag in TABLE_TAG.finditer(text, begin):
        if not tag[1]:
            opened.append(tag.start())
        elif opened:
            start = opened.pop()
            if not opened:
                yield start, tag.end()


def trimmed(text: str, start: int, end: int) -> tuple[int, int]:
    """The range `[start, end)` without the white space at its ends."""
    written = text[start:end].rstrip()
    end = start + len(written)
    return end - len(written.lstrip()), end
