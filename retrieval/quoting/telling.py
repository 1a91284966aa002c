"""What is told of an item: the paragraph, the entry with its stem and what belongs to it, or the code that it is a part
of, as far as a reader takes it in at a glance; the sentence that tells stands near its beginning.
"""

import re
from collections.abc import Callable, Container, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import takewhile

from corpus.index.reader import IndexReader
from corpus.index.stored import StoredPassage
from corpus.item_sentences import is_bare_name, leans_back
from corpus.model import Act, Item, Span
from corpus.plain_words import one_line
from retrieval.quoting.quotes import MAX_CODE_CHARACTERS, MAX_QUOTE_CHARACTERS, ItemScore, Quote

TOLD_CHARACTERS, BEFORE_CHARACTERS, _PARAGRAPH_CHARACTERS = 540, 210, 420
"""What is told at most, what of it stands before the sentence that tells, and up to where a quote is a paragraph. A
matter of display."""
_TITLE_CHARACTERS, _SURELY_NOTHING = 80, 0.975
"""Of a line that is a title, and how surely what tells nothing was read. Chosen by hand, never fitted."""
ENDS = (".", "!", "?", ":", ";", ",", "…")
_BULLET = re.compile(r"[-*+•o]|\(?\d{1,3}[.)]|#\.")


@dataclass(frozen=True, slots=True)
class Unit:
    """The items of a paragraph, an entry's own paragraph or a block of code: `first` to `last`."""

    first: int
    last: int
    indent: int
    is_entry: bool
    is_code: bool

    @property
    def numbers(self) -> range:
        return range(self.first, self.last + 1)


def tell_item(
    scored: ItemScore, text: str, *, room: int = TOLD_CHARACTERS, adding: Container[int] = frozenset()
) -> Quote:
    """The quote of an item with what is told with it, within its passage."""
    return tell_items(scored.passage, scored.number, scored.number, text, room=room, adding=adding)


def tell_items(
    passage: StoredPassage,
    first: int,
    last: int,
    text: str,
    *,
    room: int = TOLD_CHARACTERS,
    adding: Container[int] = frozenset(),
) -> Quote:
    """The quote of the items `first` to `last` with what is told with them: what goes on from them in their paragraph,
    what stands before them there where they lean on it or it is among those `adding` to them, what they introduce, the
    line that their list stands under, and what belongs to the entry, up to `room` characters that a reader sees;
    nothing beside what the source takes back."""
    told = _Telling(passage, first, last, text, room)
    if not (passage.items[first].retracted or told.is_row(first)):
        told.grow(adding)
    first = told.first
    spans = tuple(passage.items[number].span for number in sorted(told.numbers))
    core = Span(passage.items[first].span.start, passage.items[last].span.end)
    quote = Quote(passage, Span(spans[0].start, spans[-1].end), core, passage.items[first].retracted, told=spans)
    # Its paragraph proves it, whatever is told of that.
    return _grown(quote, room=_PARAGRAPH_CHARACTERS, joins=lambda _, other: not other.opens)


def surround(quote: Quote, *, room: int = MAX_QUOTE_CHARACTERS) -> Quote:
    """The quote with whole items of its passage after and before it, in turn, as long as they fit; what the source
    takes back is no surroundings of what it holds to."""
    return _grown(quote, room=room, joins=lambda one, other: not one.retracted and not other.retracted)


def _grown(quote: Quote, *, room: int, joins: Callable[[Item, Item], bool]) -> Quote:
    items, span = quote.passage.items, quote.span
    inside = [number for number, item in enumerate(items) if span.holds(item.span)]
    first, last = inside[0], inside[-1]
    grew = True
    while grew:
        grew = False
        for near, far in ((last, last + 1), (first, first - 1)):
            if 0 <= far < len(items) and joins(items[min(near, far)], items[max(near, far)]):
                wider = Span(min(span.start, items[far].span.start), max(span.end, items[far].span.end))
                if len(wider) <= room:
                    first, last, span, grew = min(first, far), max(last, far), wider, True
    return replace(quote, span=span)


class _Telling:
    """The items that are told; grows while they fit. Mutable, of one call."""

    def __init__(self, passage: StoredPassage, first: int, last: int, text: str, room: int) -> None:
        self.items, self.text, self.room = passage.items, text, room
        self.release = passage.release or ""
        self.first, self.last = first, last
        self.numbers = set(range(first, last + 1))
        self.units = tuple(units_of(passage.items, text))
        self.at = next(place for place, unit in enumerate(self.units) if first in unit.numbers)
        self.end = next(place for place, unit in enumerate(self.units) if last in unit.numbers)

    def words(self, number: int) -> str:
        """The words of an item on one line."""
        return one_line(self.items[number].span.slice(self.text))

    def is_row(self, number: int) -> bool:
        """Whether an item is a row of a table, which tells by itself."""
        return self.items[number].span.slice(self.text).lstrip().startswith("|")

    def grow(self, adding: Container[int]) -> None:
        """Take in what belongs to what tells, the nearest first."""
        own, end = self.units[self.at], self.units[self.end]
        self._add_leant_on(self.first)
        if not own.is_code:
            self._add_above(own)
        self._add_each(range(self.last + 1, end.last + 1))
        self._add_each(takewhile(adding.__contains__, range(min(self.numbers) - 1, own.first - 1, -1)))
        if not own.is_code and min(self.numbers) == own.first:
            self._add_leant_on(own.first)
        self._add_below(end)

    def _add_leant_on(self, number: int) -> None:
        """What stands before a sentence that only that explains; before code the line that introduces it."""
        unit = next(unit for unit in self.units if number in unit.numbers)
        before = self.units[self.units.index(unit) - 1] if unit is not self.units[0] else None
        if unit.is_code:
            if before and not before.is_code and self.words(before.last).endswith(":"):
                self._add([before.last])
        elif number > unit.first:
            if leans_back(self.words(number)) and not self._add([number - 1]):
                # What is too long to stand before what tells tells with it.
                self.first = number - 1
                if not self._add([number - 1]):
                    self.first = number
        elif before and not before.is_code and not unit.is_entry:
            leans = leans_back(self.words(number)) and self.words(before.last).endswith((".", "!"))
            goes_on = self.words(number).endswith((".", "!", "?", ":"))
            if leans or (goes_on and self._is_title(before)):
                self._add(before.numbers) or self._add([before.last])

    def _add_above(self, own: Unit) -> None:
        """The entries that one belongs to, and the line that their list stands under."""
        indent = own.indent
        is_inside = own.is_entry
        for unit in reversed(self.units[: self.at]):
            words = self.words(unit.last)
            if unit.is_entry and unit.indent < indent:
                # One word ("Features:") is a heading.
                if is_bare_name(words) or " " in words.removesuffix(":"):
                    self._add(unit.numbers)
                indent, is_inside = unit.indent, True
            elif not unit.is_entry and not unit.is_code and unit.indent <= indent and is_inside:
                if words.endswith(":") and " " in words:
                    self._add([unit.last])
                return
            elif unit.is_entry and unit.indent == indent and words.endswith(":") and own.indent == indent:
                return

    def _add_below(self, end: Unit) -> None:
        """What a colon introduces, what belongs to an entry, what goes on from a title or leans on what is told."""
        below = self.units[self.end + 1 :]
        if max(self.numbers) < end.last:
            return
        introduces = self.words(end.last).endswith(":")
        for place, unit in enumerate(below):
            if introduces:
                is_listed = unit.is_entry or (unit.is_code and place == 0)
                belongs = is_listed and (not end.is_entry or unit.indent > end.indent or unit.is_code)
            elif end.is_entry:
                belongs = unit.indent > end.indent and not unit.is_code
            else:
                goes_on = self._is_title(end) or leans_back(self.words(unit.first))
                belongs = place == 0 and goes_on and not unit.is_entry and not unit.is_code and not end.is_code
            if not belongs or not self._add_each(unit.numbers):
                return

    def _is_title(self, unit: Unit) -> bool:
        """Whether a unit is a line that names what the paragraph below it is about."""
        words = self.words(unit.last)
        is_line = unit.first == unit.last and not unit.is_code and len(words) <= _TITLE_CHARACTERS
        names_release = bool(self.release) and self.release in words
        return is_line and not (names_release or self.is_row(unit.first) or ": " in words or words.endswith(ENDS))

    def _add_each(self, numbers: Iterable[int]) -> bool:
        """Add items in their order as long as they fit, but thanks and pointers; whether all do."""
        return all(self._add([number]) for number in numbers if not _says_nothing(self.items[number]))

    def _add(self, numbers: Iterable[int]) -> bool:
        wider = self.numbers | set(numbers)
        if any(self.items[number].retracted for number in wider):
            return False
        prose = [number for number in wider if not self.items[number].is_code]
        before = sum(len(self.words(number)) + 1 for number in prose if number < self.first)
        size = sum(len(self.words(number)) + 1 for number in prose)
        has_code = len(prose) < len(wider)
        hull = self.items[max(wider)].span.end - self.items[min(wider)].span.start
        fits = size <= self.room and before <= BEFORE_CHARACTERS
        if not fits or hull > (MAX_CODE_CHARACTERS if has_code else MAX_QUOTE_CHARACTERS):
            return False
        self.numbers = wider
        return True


def _says_nothing(item: Item) -> bool:
    return item.act is Act.OTHER and item.certainty >= _SURELY_NOTHING


def units_of(items: Sequence[Item], text: str) -> Iterator[Unit]:
    """The paragraphs, entries and blocks of code that some items make up, in order."""
    begins = [
        number
        for number, item in enumerate(items)
        if number == 0 or item.opens or item.is_code or items[number - 1].is_code
    ]
    for first, after in zip(begins, [*begins[1:], len(items)], strict=True):
        item = items[first]
        line = text[text.rfind("\n", 0, item.span.start) + 1 : item.span.end]
        yield Unit(first, after - 1, len(line) - len(line.lstrip()), begins_entry(text, item), item.is_code)


def begins_entry(text: str, item: Item) -> bool:
    """Whether an item is the beginning of an entry of a list."""
    line_start = text.rfind("\n", 0, item.span.start) + 1
    prefix = text[line_start : item.span.start].strip()
    mark = prefix or item.span.slice(text).partition(" ")[0]
    return _BULLET.fullmatch(mark) is not None


def select_quotes(
    scored: Sequence[ItemScore], index: IndexReader, *, limit: int, room: int = TOLD_CHARACTERS
) -> tuple[Quote, ...]:
    """The quotes of the first items, at most `limit`, none overlapping, each with what is told with it. The same words
    in another place (a fix that went into two patch releases) are quoted once."""
    quotes: list[Quote] = []
    said: set[str] = set()
    for candidate in scored:
        if len(quotes) == limit:
            break
        text = index.text_of(candidate.passage)
        words = one_line(candidate.item.span.slice(text)).casefold()
        # Bare where what stands around it is quoted already.
        wider = tell_item(candidate, text, room=room)
        quote = candidate.quote if any(map(wider.overlaps, quotes)) else wider
        if words not in said and not any(map(quote.overlaps, quotes)):
            said.add(words)
            quotes.append(quote)
    return tuple(quotes)
