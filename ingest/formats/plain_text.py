"""Parses plain text into blocks: each line has a kind by its looks, and its neighbours decide its block.

Nothing is marked, so every block is an inference: a short line alone above prose is a heading, the same line at the end
of a document is not. A line that no rule recognises is a paragraph.
"""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import groupby, pairwise
from typing import NamedTuple

from corpus.dates import find_dates
from corpus.sections import is_category
from corpus.versions import Version
from ingest.blocks import CODE, HEADING, LIST_ITEM, MARKUP, PARAGRAPH, TABLE, Block, BlockKind, ParsedText
from ingest.formats.flat_text import FLAT_CHARACTERS, cut_flat
from ingest.formats.front_matter import split_front_matter
from ingest.formats.line_kinds import BULLET, RULE, TEXTILE, LineKind, classify_line, classify_title
from ingest.releases.lines import count_fields
from ingest.releases.release_headings import read_heading, read_version_lead
from ingest.text_lines import TextLine, split_lines

# Ranks of headings: the lower, the higher their level. To the first three, the number of stars or the place of the
# rule's character is added, to the last the line's kind.
_OVERLINED, _OUTLINED, _UNDERLINED, _UNMARKED = 1, 20, 40, 60
_RELEASE, _CAPITALS = _UNMARKED + LineKind.RELEASE, _UNMARKED + LineKind.CAPITALS
_BARE, _COLON = _UNMARKED + LineKind.BARE, _UNMARKED + LineKind.COLON
_ADORNMENTS = '=#*-~^"+_.'
_MAX_TITLE_CHARACTERS, _MAX_HEADINGS_IN_A_ROW, _MAX_CODE_OUTSIDERS = 100, 3, 0.25
_LONG_LINE, _MARGIN, _MIN_BARE_VERSIONS, _MIN_VERBS, _MIN_LABELS, _FAR_LINES = 150, 3, 3, 3, 10, 100
_LATER_NUMBER = re.compile(r"(?!1[.)])\d{1,3}[.)]")
_LISTED_VERSION = re.compile(r"(?i)[*-]\s+(?:(?:version|release)\s+|v)?\d")
_ENTRY = re.compile(
    r"(?!(?:Also|As|But|For|If|In|It|Note|Please|See|Thanks|That|The(?:re|se|y)|This|To|You)\b)[A-Z]\w*(?= \S)(?!.*:$)"
)  # A sentence in a list whose lines begin with verbs.
_NUMBERED_TITLE = re.compile(r"\d{1,2}[.)]\s+[A-Z][^.:]*")  # Above a list without numbers.
_STARS = re.compile(r"\*{1,4}(?=\s+\S)")
_VERB = re.compile(
    r"(?!Releas|Updated on|Upload|Publish|Dat|Bas|Relat|Unit)(?:[A-Z][a-z]{1,12}ed(?:/[a-z]+)?|(?:Add|Chang|Fix)ing|Add"
    r"|Allow|Avoid|Bump|Change|Clarify|Clean up|Correct|Disable|Do not|Document|Don't|Drop|Enable|Ensure|Extend|Fix"
    r"|Implement|Improve|Introduce|Make|Move|New|Prevent|Remove|Rename|Replace|Return|Revert|Skip|Support|Switch|Treat|Update"
    r"|Upgrade|[a-z][\w./+#-]{0,19} ?:)(?= \S)(?! by\b|.*:$| (?:\S+ ){0,2}(?i:apis?|bugs?|changes|classes|features?"
    r"|fixes|functions?|functionality|issues?|items|methods|options|problems?|things|(?:enhance|improve)ments)\W*$)"
)
"""Matches the verb or the name that leads an entry in a list without bullets ("Fixed …", "cpp : …")."""
_LABEL = re.compile(r"(?!(?i:note|warning)\b)[A-Za-z][\w./+#-]{0,19}(?:[ ,/]{1,2}[\w.+#-]{1,15}){0,2} ?:(?= \S)")
_MARKER = re.compile(rf"{BULLET.pattern}|{_VERB.pattern}|{_LABEL.pattern}|{_ENTRY.pattern}")
_DIGIT, _WORD = re.compile(r"\d"), re.compile(r"\w")


def parse_plain_text(text: str) -> ParsedText:
    """Infer the structure of plain text.

    The document's title has level 1, other headings 2 or deeper by their styles. Hard-wrapped lines are one block; if
    paragraphs are single long lines, each line is a block. An empty text has no blocks. Never raises.
    """
    front_matter, begin = split_front_matter(text)
    pieces = _with_headings(tuple(_PieceCutter(list(split_lines(text, begin))).cut()))
    blocks = [unit for block in _merged_blocks(text, pieces) for unit in _unflattened(text, block)]
    return ParsedText(text, "text/plain", tuple(blocks), front_matter)


def _unflattened(text: str, block: Block) -> Sequence[Block]:
    """Return a long line cut into the headings, items and paragraphs that it once was; any other block as it is."""
    is_long = block.kind is PARAGRAPH and block.end - block.start >= FLAT_CHARACTERS
    units = cut_flat(text, block.start, block.end) if is_long and "\n" not in text[block.start : block.end] else ()
    return units if any(unit.kind is not PARAGRAPH for unit in units) else (block,)


class _Piece(NamedTuple):
    """A block before its neighbours are considered."""

    kind: BlockKind
    start: int
    end: int
    indent: int
    depth: int
    rank: int = 0  # Of a heading; 0 for another piece.
    title: str = ""


class _PieceCutter:
    """Cuts a document's lines into pieces; remembers which list items are open.

    A stanza is a run of lines without a blank line between. Lines are given by their positions, `end` is a stanza's.
    """

    def __init__(self, lines: Sequence[TextLine]) -> None:
        self._lines = lines
        self._kinds = [classify_line(line) for line in lines]
        fields = [at for at, line in enumerate(lines) if line.indent <= _MARGIN and count_fields((line.content,))]
        names = Counter(lines[at].content.partition(":")[0].casefold() for at in fields)
        if max(names.values(), default=0) > 1:  # A spec has "Version: 2.12" and "Release: 3" once each.
            for at in fields:
                self._kinds[at] = LineKind.RELEASE
        lengths = [len(line.content) for line in lines]
        # If most of the text is in lines too long to be wrapped, a line end ends a paragraph.
        self._unwrapped = 2 * sum(length for length in lengths if length > _LONG_LINE) > sum(lengths)
        self._read_stars()
        self._opens_by_versions = sum(map(_is_bare_version, lines)) >= _MIN_BARE_VERSIONS
        self._lists_versions = sum(map(_lists_version, lines)) > 1
        labels = {at: label[0] for at, line in enumerate(lines) if (label := _LABEL.match(line.content))}
        counts = Counter(labels.values())
        marked = self._kinds.count(LineKind.BULLET)
        are_named = sum(counts[label] > 2 for label in labels.values()) >= max(_MIN_LABELS, marked)
        verbs = [at for at, line in enumerate(lines) if _VERB.match(line.content)]
        is_list = sum(not lines[at].after_blank for at in verbs) >= max(_MIN_VERBS, marked)
        # If lines begin with names of a project's parts ("cpp : …") or with verbs, each is an entry.
        for at in (*(labels if are_named else ()), *(verbs if is_list else ())):
            if self._kinds[at] >= LineKind.BARE:
                self._kinds[at] = LineKind.BULLET
        is_led = False
        for at, (line, below) in enumerate(pairwise(lines)):
            is_led = is_list and (self._kinds[at] is LineKind.BULLET or (is_led and not line.after_blank))
            ends = is_led and not below.after_blank and line.indent >= below.indent and line.content[-1] in ".)]"
            if ends and self._kinds[at + 1] >= LineKind.BARE and _ENTRY.match(below.content):
                self._kinds[at + 1] = LineKind.BULLET
            heads = self._kinds[at + 1] is LineKind.BULLET and not below.content[0].isdigit()
            if heads and line.indent >= below.indent and below.after_blank and _NUMBERED_TITLE.fullmatch(line.content):
                self._kinds[at] = LineKind.CAPITALS
        self._items: list[tuple[int, int]] = []
        """Indent of the marker and of the content, of each open item from the outermost in."""

    def _read_stars(self) -> None:
        """Learn whether stars lead parts and which of them open releases; see to "o" as a word."""
        stars = [line.content for line in self._lines if not line.indent and _STARS.match(line.content)]
        self._is_textile = any(TEXTILE.match(line.content) for line in self._lines)
        self._outlined = not self._is_textile and any(line.startswith("** ") for line in stars)
        self._release_leads = Counter(map(_release_lead, stars))
        self._is_outline = self._outlined and stars[0][1] == " " and any(map(read_heading, stars))
        """Whether all text is below some starred line, at the margin, too, as in Emacs's outlines."""
        # An "o" at the margin is a word, unless such lines stand below each other.
        letters = [at for at, line in enumerate(self._lines) if not line.indent and line.content[:2] == "o "]
        if 3 * sum(above + 1 == below for above, below in pairwise(letters)) < len(letters):
            for at in letters:
                self._kinds[at] = LineKind.PROSE

    def cut(self) -> Iterator[_Piece]:
        """Yield the pieces of the document, in order; every line is in one."""
        begin = 0
        while begin < len(self._lines):
            end = begin + 1
            while end < len(self._lines) and not self._opens_stanza(end, first=begin):
                end += 1
            if self._unwrapped and not self._count_code(begin, end):
                end = begin + 1
            is_opening = True
            while begin < end:
                piece = self._adorned_piece(begin, end, is_opening=is_opening)
                if piece is None and is_opening:
                    piece = self._leading_piece(begin, end)
                leads = piece is not None
                piece = piece or self._body_piece(begin, end, is_opening=is_opening)
                is_opening = leads
                yield piece
                while begin < end and self._lines[begin].start < piece.end:
                    begin += 1

    def _opens_stanza(self, at: int, *, first: int) -> bool:
        """Return whether a line follows a blank one, or opens a release or a list right below another list."""
        line, above, kind = self._lines[at], self._lines[at - 1], self._kinds[at]
        if line.after_blank or kind is LineKind.RELEASE or self._is_part(line):
            return True
        is_below_item = self._kinds[at - 1] is LineKind.BULLET or above.indent > line.indent
        if kind is LineKind.COLON:
            heads_list = at + 1 < len(self._lines) and self._kinds[at + 1] is LineKind.BULLET
            is_apart = line.indent < above.indent or (line.indent > above.indent and not is_below_item)
            return heads_list and is_apart and line.indent <= self._lines[at + 1].indent
        if kind is not LineKind.VERSION or not is_below_item or line.indent > self._lines[first].indent:
            return False
        # Below the last item of the release above, dated or written like that release ("v1.2.0", then "v1.1.0").
        begins_alike = _DIGIT.split(line.content)[0] == _DIGIT.split(self._lines[first].content)[0]
        return begins_alike or bool(find_dates(line.content))

    def _adorned_piece(self, at: int, end: int, *, is_opening: bool) -> _Piece | None:
        """Return a title with its rules, or a rule or mark by itself; else None.

        Between two rules a title's day may follow it. A line above a rule is a title only if it opens a stanza.
        """
        first, kind = self._lines[at], self._kinds[at]
        rules = [self._kinds[line] is LineKind.RULE for line in range(at, min(end, at + 4))]
        closing = rules.index(True, 1) if any(rules[1:]) else 0
        rule = self._lines[at + closing].content
        is_closed = closing == 2 or (closing == 3 and bool(find_dates(self._lines[at + 2].content)))
        if rules[0] and is_closed and rule[0] == first.content[0]:
            return self._heading_piece(at, at + closing + 1, _OVERLINED + _ADORNMENTS.index(rule[0]))
        if rules[0] or kind is LineKind.MARK:
            self._items = [] if rules[0] and self._is_outline else self._items
            return self._piece(MARKUP, at, at + 1)
        is_underlined = is_opening and closing == 1 and kind is not LineKind.BULLET
        if is_underlined and len(first.content) <= min(_MAX_TITLE_CHARACTERS, 2 * len(rule)):
            return self._heading_piece(at, at + 2, _UNDERLINED + _ADORNMENTS.index(rule[0]))
        return None

    def _leading_piece(self, at: int, end: int) -> _Piece | None:
        """Return a stanza's first line, or its release's fields, as a heading if it heads the rest, else None."""
        line, kind = self._lines[at], self._kinds[at]
        if marked := TEXTILE.match(line.content):
            return self._heading_piece(at, at + 1, _OUTLINED + int(marked["level"]))
        stars = _STARS.match(line.content) if self._outlined and not line.indent else None
        if stars and self._heads_outline(at, end, stars.end()):
            return self._heading_piece(at, at + 1, _OUTLINED + stars.end())
        if self._lists_versions and _lists_version(line):
            bullets = (place for place in range(at + 1, end) if self._kinds[place] is LineKind.BULLET)
            below = self._lines[next(bullets, at)].content
            return self._heading_piece(at, at + 1, _RELEASE) if below[0] != line.content[0] else None
        fields = [place.content for place in self._lines[at : min(end, at + 2)]]
        if kind is LineKind.RELEASE and (count := count_fields(fields)):
            return self._heading_piece(at, at + count, _RELEASE)
        if at + 1 == end or kind > LineKind.COLON or (self._continues(line) and kind is not LineKind.RELEASE):
            return None
        return self._possible_heading(at) if self._heads_stanza(at, end) else None

    def _is_part(self, line: TextLine) -> bool:
        """Return whether a line begins a part of an outline."""
        return self._is_outline and not line.indent and _STARS.match(line.content) is not None

    def _heads_outline(self, at: int, end: int, depth: int) -> bool:
        """Return whether a line behind `depth` stars is a title alone above its list or a stanza of its own."""
        title, after = self._lines[at].content[depth:].strip(), self._lines[at + 1 : at + _FAR_LINES]
        if at + 1 < end and self._kinds[at + 1] is not LineKind.BULLET:
            return False
        if self._is_outline:
            lead = _release_lead(self._lines[at].content)
            parts = [line for line in after if self._is_part(line)]
            if (lead is not None and self._release_leads[lead] > 1) or (parts and parts[0].content.index(" ") > depth):
                return True
            if after[:1] == parts[:1] or not (after[0].indent or is_category(title)):
                return False
        below = _STARS.match(after[0].content) if after else None
        return not (below and 1 < below.end() <= depth) and classify_title(title) <= LineKind.COLON

    def _heads_stanza(self, at: int, end: int) -> bool:
        """Return whether a line that may be a heading heads the rest of its stanza."""
        (line, below), (kind, next_kind) = self._lines[at : at + 2], self._kinds[at : at + 2]
        if next_kind is LineKind.BULLET:
            return below.indent >= line.indent
        if kind is LineKind.COLON:
            return self._count_code(at + 1, end) > 0
        if kind is LineKind.VERSION:
            # A version right above prose is left to `with_release_lines`, which compares all such lines.
            return below.indent > line.indent or (self._opens_by_versions and _is_bare_version(line))
        return kind <= LineKind.CAPITALS and next_kind is not kind and not below.content.isupper()

    def _body_piece(self, at: int, end: int, *, is_opening: bool) -> _Piece:
        """Return the piece that begins at a line and isn't a heading by its looks alone."""
        kind = self._kinds[at]
        if count := self._count_code(at, end) if is_opening else 0:
            return self._piece(CODE, at, at + count)
        if count := self._count_rows(at, end):
            is_link = self._lines[at].content[0] == "["
            return self._piece(MARKUP if is_link else TABLE, at, at + count)
        last = at + 1
        while last < end and not self._ends_block(last, end, in_list=kind is LineKind.BULLET):
            last += 1
        is_alone = is_opening and last == end == at + 1
        if kind is not LineKind.BULLET:
            return self._possible_heading(at) if is_alone else self._piece(PARAGRAPH, at, last)
        return self._item_piece(at, last)

    def _ends_block(self, at: int, end: int, *, in_list: bool) -> bool:
        """Return whether the block above ends before this line."""
        if self._kinds[at] is LineKind.BULLET:
            # A wrapped line can begin with a number by chance: only a list's first number interrupts prose.
            return in_list or not _LATER_NUMBER.match(self._lines[at].content)
        is_long = max(len(self._lines[place].content) for place in (at - 1, at)) > _LONG_LINE
        return is_long or self._kinds[at] in (LineKind.RULE, LineKind.MARK) or self._count_rows(at, end) > 0

    def _count_rows(self, at: int, end: int) -> int:
        """Return how many lines from `at` on are rows of a table, two or more, or a single link target; else 0."""
        last = at
        while last < end and self._kinds[last] is LineKind.ROW:
            last += 1
        return last - at if last - at > 1 or "://" in self._lines[at].content else 0

    def _count_code(self, begin: int, end: int) -> int:
        """Return how many lines up to a rule are code, most by their looks; 0 if the first isn't, or too few are."""
        if self._kinds[begin] is not LineKind.CODE:
            return 0
        last = begin
        while last < end and self._kinds[last] is not LineKind.RULE:
            last += 1
        not_code = [self._lines[at] for at in range(begin, last) if self._kinds[at] is not LineKind.CODE]
        outsiders = sum(line.indent <= self._lines[begin].indent for line in not_code)
        return last - begin if outsiders <= _MAX_CODE_OUTSIDERS * (last - begin) else 0

    def _continues(self, line: TextLine) -> bool:
        """Return whether a line's indent puts it inside an open list item."""
        return bool(self._items) and line.indent >= self._items[0][1]

    def _possible_heading(self, at: int) -> _Piece:
        """Return a line as a heading if its kind and indent allow, else as a paragraph."""
        line, kind = self._lines[at], self._kinds[at]
        is_deep = (line.indent > _MARGIN and line.content[0] != "[") or self._continues(line)
        if kind > LineKind.COLON or (is_deep and kind is not LineKind.RELEASE):
            return self._piece(PARAGRAPH, at, at + 1)
        return self._heading_piece(at, at + 1, _UNMARKED + kind)

    def _heading_piece(self, begin: int, end: int, rank: int) -> _Piece:
        self._items.clear()
        words = " ".join(
            TEXTILE.sub("", line.content) for line in self._lines[begin:end] if not RULE.match(line.content)
        )
        marks = {_RELEASE: "*=-#~ ", _CAPITALS: "*=-#~ ", _COLON: ": []"}.get(rank, "* ")
        title = " ".join(words.strip(marks).split())
        return self._piece(HEADING, begin, end)._replace(rank=rank, title=title)

    def _item_piece(self, begin: int, end: int) -> _Piece:
        line, marker = self._lines[begin], _MARKER.match(self._lines[begin].content)
        assert marker is not None
        # What is at the margin, too, belongs to an outline's line.
        is_starred = self._is_textile or self._is_part(line)
        indent = 2 * line.content.index(" ") - _OUTLINED * self._is_outline if is_starred else line.indent
        while self._items and indent < self._items[-1][0] + 2:
            self._items.pop()
        self._items.append((indent, indent + marker.end()))
        return _Piece(LIST_ITEM, line.start, self._lines[end - 1].end, line.indent, len(self._items))

    def _piece(self, kind: BlockKind, begin: int, end: int) -> _Piece:
        """Return a piece, its depth that of the list item around it by its indent; close the items that it ends."""
        indent = min(line.indent for line in self._lines[begin:end])
        while self._items and indent < self._items[-1][1]:
            self._items.pop()
        return _Piece(kind, self._lines[begin].start, self._lines[end - 1].end, indent, len(self._items))


def _release_lead(line: str) -> str | None:
    """Return the words before the version in a line behind one star, which may open a release; None for any other."""
    reading = read_version_lead(line) if line[1] == " " else None
    return reading[0] if reading else None


def _is_bare_version(line: TextLine) -> bool:
    """Return whether a line begins a stanza and is only a version."""
    return line.after_blank and "." in line.content and Version.try_parse(line.content) is not None


def _lists_version(line: TextLine) -> bool:
    """Return whether a line is a version in an outline ("* Version 1.0.2")."""
    is_listed = line.indent < 2 and _LISTED_VERSION.match(line.content) is not None
    return is_listed and classify_title(line.content[1:].strip()) is LineKind.VERSION


def _with_headings(pieces: Sequence[_Piece]) -> Sequence[_Piece]:
    """Return the pieces; a possible heading becomes a paragraph if it heads nothing: in a menu, or as the last line."""
    demoted: set[int] = set()
    for at, (piece, below) in enumerate(pairwise(pieces)):
        is_listing = below.kind in (LIST_ITEM, TABLE, MARKUP)
        if piece.rank == _COLON and not is_listing and below.indent <= piece.indent:
            demoted.add(at)
    for is_row, places in groupby(range(len(pieces)), lambda at: pieces[at].rank >= _RELEASE):
        row = list(places) if is_row else []
        if row and row[-1] == len(pieces) - 1:
            demoted.update(row)  # A title with nothing below it is a statement.
        elif len(row) > _MAX_HEADINGS_IN_A_ROW:
            # A long row of short lines is a menu.
            demoted.update(at for at in row[:-1] if at and pieces[at].rank == _BARE)
    decided = [piece._replace(kind=PARAGRAPH, rank=0) if at in demoted else piece for at, piece in enumerate(pieces)]
    # Bare lines right above others head them, if the document has several such.
    bare = [piece.rank == _BARE for piece in decided]
    heads = [at for at in range(1, len(bare) - 1) if bare[at] and bare[at + 1] and (at == 1 or not bare[at - 1])]
    for at in heads if len(heads) > 1 else ():
        decided[at] = decided[at]._replace(rank=_UNMARKED + LineKind.SECTION)
    return decided


def _merged_blocks(text: str, pieces: Sequence[_Piece]) -> Iterator[Block]:
    """Yield the pieces that have words as blocks: adjacent code, and the paragraphs of one list item, joined."""
    levels = _heading_levels(pieces)
    joined = {(CODE, CODE), (LIST_ITEM, PARAGRAPH)}
    last: Block | None = None
    above = 1
    for at, piece in enumerate(pieces):
        kind, level = piece.kind, piece.depth
        if kind is HEADING:
            above = above if piece.rank == _COLON else levels[piece.rank] if at else levels[0]
            level = above + (piece.rank == _COLON)
        goes_on = last is not None and last.level == level and (last.kind, kind) in joined
        if last and goes_on and (level or kind is CODE):
            last = Block(last.kind, last.start, piece.end, level)
            continue
        if last:
            yield last
        has_words = _WORD.search(text, piece.start, piece.end)
        last = Block(kind, piece.start, piece.end, level, piece.title if piece.rank else "") if has_words else None
    if last:
        yield last


def _heading_levels(pieces: Sequence[_Piece]) -> dict[int, int]:
    """Return the level of each rank of heading; under 0 that of a heading that opens the document."""
    ranks = [piece.rank for piece in pieces if piece.rank and piece.rank != _COLON] or [0]
    first, later = ranks[0], ranks[1:]
    opens = bool(pieces) and pieces[0].kind is HEADING
    # It is above the others if its style is unique, unmarked, or followed by a higher one.
    titled = opens and (first not in later or min(later) < first or first >= _CAPITALS)
    titled = titled and not _heads_log([piece.title for piece in pieces if piece.rank == first])
    levels = {rank: level for level, rank in enumerate(sorted(set(later) if titled else set(ranks)), 2)}
    return levels | {0: 1 if titled else levels.get(first, 1)}


def _heads_log(titles: Sequence[str]) -> bool:
    """Return whether the first of these headings of one style opens a release, and a later one an older release."""
    newest, *older = [subject.version if (subject := read_heading(title)) else None for title in titles] or [None]
    return newest is not None and any(old and old < newest and len(old.release) == len(newest.release) for old in older)
