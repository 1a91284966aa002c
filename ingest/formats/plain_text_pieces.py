"""A plain text's lines cut into pieces of one shape each, with the list items they hang from, one stanza at a time.

A stanza is a run of lines without a blank one between."""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from enum import Enum, auto
from itertools import pairwise

from corpus.versions import Version
from ingest.formats import line_shapes as shapes
from ingest.formats.line_shapes import HeadingStyle
from ingest.releases.lines import count_fields, read_release_line, read_ruled_release
from ingest.releases.package_entries import opens_package_entry
from ingest.text_lines import TextLine

# Prominence of headings: a smaller number is a higher level. Hash marks and adornments add their own order.
OVERLINED, RULED, HASHED, UNDERLINED, UNADORNED = 0, 15, 20, 40, 60
BARE = UNADORNED + 10 * HeadingStyle.BARE
COLON = UNADORNED + 10 * HeadingStyle.COLON

_LONG_LINE = 150
_MARGIN = 3
_MIN_ENTRIES, _MIN_LABELLED, _MIN_HUNG = 3, 2, 5
_ADORNMENTS = '=#*-~^"+_.'
_DIGIT = re.compile(r"\d")
_LABEL = re.compile(r"[\w/-]{1,12}\s*:\s")
"""What an entry is about, before it ("cli  : faster")."""
_DEBIAN_SIGNATURE = re.compile(r"--\s[^<>]{0,200}<[^<>\s]{1,200}>\s+\w{3}, +\d{1,2} \w{3,9} \d{4}\b.{0,40}")


class Shape(Enum):
    """What a run of lines is, as far as the run itself tells."""

    ADORNED = auto()
    """A title with a rule below, or above and below."""
    CANDIDATE = auto()
    """A line of its own that could be a heading."""
    PARAGRAPH = auto()
    ITEM = auto()
    CONTINUATION = auto()
    """A further paragraph of the list item before it."""
    CODE = auto()
    TABLE = auto()
    MARKUP = auto()


@dataclass(frozen=True, slots=True)
class Piece:
    """A run of lines of one shape, before its neighbours are considered."""

    shape: Shape
    start: int
    end: int
    indent: int
    depth: int = 0
    title: str = ""
    prominence: int = 0
    """Of a heading or candidate: the lower, the higher its level; not yet a level."""


class PieceCutter:
    """Cuts a document's lines into pieces; remembers which list items are open."""

    def __init__(self, lines: Sequence[TextLine]) -> None:
        self._lines = lines
        lengths = [len(line.content) for line in lines]
        # Where most of the text stands in lines too long to be wrapped, a line end ends a paragraph.
        self._unwrapped = 2 * sum(length for length in lengths if length > _LONG_LINE) > sum(lengths)
        self._outlined = any(shapes.outline_stars(line) > 1 for line in lines)
        self._opens_by_versions = sum(map(_is_bare_version, lines)) >= _MIN_ENTRIES
        fields = (line.content for line in lines if line.indent <= _MARGIN and count_fields((line.content,)))
        # A spec has one of "Version: 2.12" and of "Release: 3".
        names = Counter(field.partition(":")[0].casefold() for field in fields)
        self._states_fields = max(names.values(), default=0) > 1
        self._lists_versions = sum(bool(shapes.bulleted_version(line)) for line in lines) > 1
        inside = [line for line in lines if line.indent > _MARGIN]
        self._lists_labels = 2 * sum(_LABEL.match(line.content) is not None for line in inside) > len(inside)
        """Whether most of what is indented are entries with labels: what stands over them is a heading."""
        self._items: list[tuple[int, int]] = []
        """Indent of the marker and of the content, of each open item from the outermost in."""

    def cut(self) -> Iterator[Piece]:
        """Return the pieces of the document, in order; every line lies in one."""
        for stanza in _split_stanzas(self._lines, at_fields=self._states_fields):
            plain_from = 0
            position = 0
            while position < len(stanza):
                title_lines = shapes.adorned_title_length(stanza, position, opens_run=position == plain_from)
                if not title_lines:
                    position += 1
                    continue
                yield from self._cut_run(stanza[plain_from:position])
                yield self._adorned_piece(stanza[position : position + title_lines])
                position = plain_from = position + title_lines
            yield from self._cut_run(stanza[plain_from:])

    def _adorned_piece(self, lines: Sequence[TextLine]) -> Piece:
        if len(lines) == 1:
            self._items.clear()
            return _piece(Shape.MARKUP, lines)
        style, title = (OVERLINED, lines[1:-1]) if len(lines) > 2 else (UNDERLINED, lines[:1])
        prominence = style + _ADORNMENTS.index(lines[-1].content[0])
        return self._heading(lines, " ".join(line.content for line in title), prominence)

    def _heading(self, lines: Sequence[TextLine], title: str, prominence: int) -> Piece:
        self._items.clear()
        return replace(_piece(Shape.ADORNED, lines), title=" ".join(title.split()), prominence=prominence)

    def _cut_run(self, lines: Sequence[TextLine]) -> Iterator[Piece]:
        if self._unwrapped and not shapes.is_code_stanza(lines):
            for line in lines:
                yield from self._cut_stanza((line,))
        elif lines:
            yield from self._cut_stanza(lines)

    def _cut_stanza(self, lines: Sequence[TextLine]) -> Iterator[Piece]:
        position = 0
        if self._states_fields and (count := count_fields([line.content for line in lines[:2]])):
            yield self._heading(lines[:count], " ".join(line.content for line in lines[:count]), RULED)
            position = count
        while position < len(lines) and (opening := self._opening(lines, position)):
            yield opening
            position += 1
        if position < len(lines):
            yield from self._cut_rest(lines[position:])

    def _opening(self, lines: Sequence[TextLine], position: int) -> Piece | None:
        """A stanza's line at `position` as a piece of its own, where it heads what follows."""
        line, here = lines[position], lines[position : position + 2]
        stars = shapes.outline_stars(line) if self._outlined else 0
        if line.indent == 0 and opens_package_entry(line.content):
            # Before anything is taken for code: "apt (2.6.1)", "curl (7.88)" are commands otherwise.
            return self._heading((line,), line.content.removeprefix("* "), HASHED)
        if ruled := read_ruled_release(line.content):
            return self._heading((line,), ruled.label, RULED)
        if self._heads_versions(lines, position):
            return self._heading((line,), shapes.bulleted_version(line), HASHED + 1)
        if stars and shapes.heading_style(title := line.content[stars:].strip()) is not None:
            return self._heading((line,), title, HASHED + stars)
        if len(here) < 2 or not self._is_lead(*here) or shapes.is_code_stanza(lines[position:]):
            return None
        introduces_code = line.content.endswith(":") and shapes.is_code_stanza(lines[position + 1 :])
        return None if introduces_code else self._candidate(line)

    def _cut_rest(self, lines: Sequence[TextLine]) -> Iterator[Piece]:
        first = lines[0]
        if len(lines) == 1 and 0 < first.indent <= 2 and _DEBIAN_SIGNATURE.fullmatch(first.content):
            yield self._inside_items(Shape.MARKUP, lines)
        elif shapes.is_code_stanza(lines):
            yield self._inside_items(Shape.CODE, lines)
        elif len(lines) > 1 and first.content.endswith(":") and shapes.is_code_stanza(lines[1:]):
            yield from self._cut_rest(lines[:1])
            yield self._inside_items(Shape.CODE, lines[1:])
        else:
            yield from self._cut_prose(lines)

    def _heads_versions(self, lines: Sequence[TextLine], position: int) -> bool:
        """Return whether a line is a version's in a list of versions, with a list of another kind below it."""
        if not self._lists_versions or not shapes.bulleted_version(lines[position]):
            return False
        below = next((lines[at] for at in range(position + 1, len(lines)) if shapes.bullet(lines[at])), None)
        return below is not None and lines[position].content[0] != below.content[0]

    def _is_lead(self, first: TextLine, second: TextLine) -> bool:
        """Return whether the first line is a heading set tight on a list, or in capitals or of a version on prose."""
        if self._continues(first) or shapes.bullet(first) or shapes.heading_style(first.content) is None:
            return False
        if shapes.bullet(second):
            return second.indent >= first.indent
        if shapes.is_version_line(first.content):
            return second.indent > first.indent or (self._opens_by_versions and _is_bare_version(first))
        return shapes.is_capitals(first.content) and not shapes.is_capitals(second.content)

    def _cut_prose(self, lines: Sequence[TextLine]) -> Iterator[Piece]:
        position = int(lines[0].content.endswith(":") or shapes.is_version_line(lines[0].content))
        if not self._continues(lines[0]) and (entries := _cut_entries(lines[position:])):
            yield from map(self._candidate, lines[:position])
            self._items.clear()
            yield from (replace(_piece(Shape.ITEM, entry), depth=1) for entry in entries)
            return
        position = 0
        while position < len(lines):
            line = lines[position]
            if (table_lines := shapes.table_length(lines, position)) > 0:
                rows = lines[position : position + table_lines]
                links = all(shapes.LINK_TARGET.match(row.content) for row in rows)
                yield self._inside_items(Shape.MARKUP if links else Shape.TABLE, rows)
                position += table_lines
                continue
            end = position + 1
            while end < len(lines) and not self._breaks(lines, end):
                end += 1
            if self._opens_item(lines, position):
                yield self._item(lines[position:end])
            elif end - position == 1 and len(lines) == 1 and not self._continues(line):
                yield self._candidate(line)
            else:
                yield self._inside_items(Shape.PARAGRAPH, lines[position:end])
            position = end

    def _breaks(self, lines: Sequence[TextLine], position: int) -> bool:
        """Return whether a block begins at this line of a stanza, which isn't its first."""
        long = max(len(line.content) for line in lines[position - 1 : position + 1]) > _LONG_LINE
        return long or self._opens_item(lines, position) or shapes.table_length(lines, position) > 0

    def _opens_item(self, lines: Sequence[TextLine], position: int) -> bool:
        marker = shapes.bullet(lines[position])
        if marker is None:
            return False
        # A wrapped line can begin with a number by chance: only a list's first number interrupts prose.
        in_list = position > 0 and shapes.bullet(lines[0]) is not None
        return position == 0 or in_list or marker.number is None or marker.number == 1

    def _continues(self, line: TextLine) -> bool:
        return any(line.indent >= content for _, content in self._items[:1])

    def _item(self, lines: Sequence[TextLine]) -> Piece:
        marker = shapes.bullet(lines[0])
        assert marker is not None
        while self._items and lines[0].indent < self._items[-1][0] + 2:
            self._items.pop()
        self._items.append((lines[0].indent, marker.content_indent))
        return replace(_piece(Shape.ITEM, lines), depth=len(self._items))

    def _inside_items(self, shape: Shape, lines: Sequence[TextLine]) -> Piece:
        """A piece with the depth of the list item that its indent puts it in; closes the items it has left."""
        indent = min(line.indent for line in lines)
        while self._items and indent < self._items[-1][1]:
            self._items.pop()
        if self._items and shape is Shape.PARAGRAPH:
            shape = Shape.CONTINUATION
        return replace(_piece(shape, lines), depth=len(self._items))

    def _candidate(self, line: TextLine) -> Piece:
        self._items.clear()
        style = shapes.heading_style(line.content)
        is_deep = line.indent > _MARGIN and not (style is HeadingStyle.COLON and self._lists_labels)
        if style is None or is_deep:
            return _piece(Shape.PARAGRAPH, (line,))
        title = " ".join((line.content.rstrip(":") if style is HeadingStyle.COLON else line.content).split())
        return replace(_piece(Shape.CANDIDATE, (line,)), title=title, prominence=UNADORNED + 10 * style)


def _is_bare_version(line: TextLine) -> bool:
    """Return whether a stanza begins with a line that is a version and nothing else."""
    return line.after_blank and "." in line.content and Version.try_parse(line.content) is not None


def _cut_entries(lines: Sequence[TextLine]) -> Sequence[Sequence[TextLine]]:
    """Return the lines of each entry of a stanza that lists entries without bullets; none where it doesn't.

    Either each begins with what it is about, at one indent, and goes on further in; or each begins at the margin, goes
    on further in, and they end where the next one's first word still fitted.
    """
    indent = lines[0].indent if lines else 0
    begins = [at for at, line in enumerate(lines) if line.indent == indent]
    is_table = bool(lines) and shapes.table_length(lines, 0) > 0
    if not is_table and len(begins) >= _MIN_LABELLED and all(_LABEL.match(lines[at].content) for at in begins):
        is_list = min(line.indent for line in lines) == indent
        return [lines[at:end] for at, end in pairwise((*begins, len(lines)))] if is_list else ()
    entries = [lines[at:end] for at, end in pairwise((*begins, len(lines)))]
    if indent or is_table or len(entries) < _MIN_ENTRIES or any(map(shapes.bullet, lines)):
        return ()
    width = max(line.indent + len(line.content) for line in lines)
    ends = sum(
        one[-1].indent + len(one[-1].content) + 1 + len(after[0].content.split()[0]) <= width
        for one, after in pairwise(entries)
    )
    opens = sum(not one[0].content[0].islower() or _LABEL.match(one[0].content) is not None for one in entries)
    # Indented continuation lines show by themselves where the next entry begins.
    is_hung = _MIN_HUNG <= len(entries) < len(lines) and 4 * opens >= 3 * len(entries) and 2 * ends >= len(entries) - 1
    is_list = 4 * ends >= 3 * (len(entries) - 1) and 10 * opens >= 9 * len(entries)
    return entries if is_hung or is_list else ()


def _piece(shape: Shape, lines: Sequence[TextLine]) -> Piece:
    return Piece(shape, lines[0].start, lines[-1].end, min(line.indent for line in lines))


def _split_stanzas(lines: Sequence[TextLine], *, at_fields: bool) -> Iterator[Sequence[TextLine]]:
    """Return the runs of lines between blank ones, and those that a release or a list's title begins, set tight below
    what is before; `at_fields`: a field that states a version begins one, too."""
    begin = 0
    for position in range(1, len(lines)):
        line, above = lines[position], lines[position - 1]
        states = at_fields and line.indent <= _MARGIN and count_fields((line.content,))
        opens = states or _opens_release(line, above=above, first=lines[begin])
        if line.after_blank or opens or _titles_list(lines, position):
            yield lines[begin:position]
            begin = position
    if lines:
        yield lines[begin:]


def _titles_list(lines: Sequence[TextLine], position: int) -> bool:
    """Return whether a line further out than the list above it leads in to another one ("Changes:")."""
    above, line, *below = lines[position - 1 : position + 2]
    is_between = bool(below) and line.indent < min(above.indent, below[0].indent) and bool(shapes.bullet(below[0]))
    return is_between and shapes.heading_style(line.content) is HeadingStyle.COLON


def _opens_release(line: TextLine, *, above: TextLine, first: TextLine) -> bool:
    """Return whether a release begins at a package's line, one between rules, or tight below the last item of the one
    above: with its date, or as that one begins ("v1.2.0", then "v1.1.0").

    `above` is the line before it, `first` that of the stanza.
    """
    if (line.indent == 0 and opens_package_entry(line.content)) or read_ruled_release(line.content):
        return True
    is_below_item = shapes.bullet(above) is not None or above.indent > line.indent
    if not is_below_item or line.indent > first.indent:
        return False
    lines = (line.content, first.content)
    if all(map(shapes.is_version_line, lines)) and len({_DIGIT.split(one)[0] for one in lines}) == 1:
        return True
    subject = read_release_line(line.content)
    return subject is not None and subject.day is not None and subject.version is not None
