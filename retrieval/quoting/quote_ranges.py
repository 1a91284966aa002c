"""The range to quote for an item: its paragraph, its list entry with parent and children, or its code block, as much as
a reader takes in at a glance; the sentence that answers is near the beginning.
"""

import re
from collections.abc import Callable, Container, Iterable
from dataclasses import replace
from itertools import pairwise, takewhile

from corpus.affirming import CORRECTS
from corpus.happenings import first_act
from corpus.index.release_matching import is_page
from corpus.index.stored import StoredPassage
from corpus.item_sentences import is_bare_name, leans_back
from corpus.model import Act, Item, Span
from corpus.plain_words import one_line
from retrieval.quoting.quotes import LEADS_ON, MAX_CODE_CHARACTERS, MAX_QUOTE_CHARACTERS, ItemScore, Quote

SHOWN_CHARACTERS, BEFORE_CHARACTERS, _PARAGRAPH_CHARACTERS = 540, 210, 420
"""Most characters shown, shown before the sentence that answers, and up to which a whole paragraph is quoted."""
_TITLE_CHARACTERS, _SURELY_NOTHING = 80, 0.975
"""Longest line that is a title, and the certainty from which an item counts as saying nothing. Chosen by hand."""
ENDS = (".", "!", "?", ":", ";", ",", "…", ".)")
_YEAR = re.compile(r"\b(?:19|20)\d\d\b")


def named_by_heading(passage: StoredPassage) -> str:
    """Return the code name in the heading of a page's section ("Pool.map(f)" -> "Pool.map"); empty for plain words."""
    title = passage.heading[-1].partition("(")[0].strip("` ") if is_page(passage) and passage.heading[1:] else ""
    return title if title.startswith("-") or (" " not in title and not title.isalpha()) else ""


def stem_above(passage: StoredPassage, number: int, text: str) -> str:
    """Return the line above an entry's list, without colon, if it names a change of all entries; else empty."""
    items, entry = passage.items, passage.items[number]
    if not entry.is_entry:
        return ""
    for item in reversed(items[:number]):
        words = one_line(item.span.slice(text)).strip(" -*+•")
        if item.indent < entry.indent and (item.is_entry or item.opens):
            is_line = len(words) <= _TITLE_CHARACTERS and (words.endswith(":") or not words.endswith(ENDS))
            # A line with a year ("Shipped on 21 March 2024") is about the release.
            is_stem = is_line and not (item.is_code or _YEAR.search(words)) and first_act(words.rstrip(":"))[0]
            return words.rstrip(":") if is_stem else ""
    return ""


def text_after(passage: StoredPassage, span: Span, text: str) -> str:
    """Return the rest of the entry after `span` on one line, behind the next entry's first item if that corrects it."""
    later = [item for item in passage.items if item.span.start >= span.end]
    same_entry = list(takewhile(lambda item: not item.opens, later))
    next_entry = later[len(same_entry)].span.slice(text) if len(same_entry) < len(later) else ""
    rest = " ".join(one_line(item.span.slice(text)) for item in same_entry)
    return f"{next_entry} {rest}" if CORRECTS.match(next_entry) else rest


def quote_item(
    scored: ItemScore, text: str, *, room: int = SHOWN_CHARACTERS, adding: Container[int] = frozenset()
) -> Quote:
    """Return the quote of an item with its context, by `quote_items`."""
    return quote_items(scored.passage, scored.number, scored.number, text, room=room, adding=adding)


def quote_items(
    passage: StoredPassage,
    first: int,
    last: int,
    text: str,
    *,
    room: int = SHOWN_CHARACTERS,
    adding: Container[int] = frozenset(),
) -> Quote:
    """Return the quote of the items `first` to `last` with their context, at most `room` characters to show.

    Context: sentences that refer to them, neighbours numbered in `adding`, the lines that
    introduce them or their list, anything they introduce, the rest of their entry. A retracted item gets none."""
    quoted = _QuotedItems(passage, first, last, text, room)
    if not (passage.items[first].retracted or quoted.is_row(first)):
        quoted.grow(adding)
    first = quoted.first
    spans = tuple(passage.items[number].span for number in sorted(quoted.numbers))
    core = Span(passage.items[first].span.start, passage.items[last].span.end)
    quote = Quote(passage, Span(spans[0].start, spans[-1].end), core, passage.items[first].retracted, shown=spans)
    # Quote the whole paragraph as proof, even if less of it is shown.
    return _grow(quote, room=_PARAGRAPH_CHARACTERS, joins=lambda _, following: not following.opens)


def surround(quote: Quote, *, room: int = MAX_QUOTE_CHARACTERS) -> Quote:
    """Return the quote grown by whole items of its passage, after and before it in turn, as long as they fit in `room`
    characters; it never grows into or out of retracted items."""
    return _grow(quote, room=room, joins=lambda item, following: not item.retracted and not following.retracted)


def _grow(quote: Quote, *, room: int, joins: Callable[[Item, Item], bool]) -> Quote:
    """Return the quote grown by neighbouring items that it `joins`, while its span fits in `room` characters."""
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


class _QuotedItems:
    """The set of items to show, which grows while they fit. Mutable, used within one call."""

    def __init__(self, passage: StoredPassage, first: int, last: int, text: str, room: int) -> None:
        self.items, self.text, self.room = passage.items, text, room
        self.release, self.first, self.last = passage.release, first, last
        self.numbers = set(range(first, last + 1))
        # The paragraphs, entries and blocks of code that the items make up, in order.
        opens = (item.opens or item.is_code or before.is_code for before, item in pairwise(passage.items))
        bounds = [0, *(number for number, opening in enumerate(opens, 1) if opening), len(passage.items)]
        self.units = [range(*ends) for ends in pairwise(bounds)]
        self.at = next(place for place, unit in enumerate(self.units) if first in unit)
        self.end = next(place for place, unit in enumerate(self.units) if last in unit)

    def words(self, number: int) -> str:
        """Return the words of an item on one line, without marks, bullets and link targets."""
        return one_line(self.items[number].span.slice(self.text))

    def is_row(self, number: int) -> bool:
        """Return whether an item is a table row, which needs no context."""
        return self.items[number].span.slice(self.text).lstrip().startswith("|")

    def grow(self, adding: Container[int]) -> None:
        """Add the context, nearest first."""
        unit, end = self.units[self.at], self.units[self.end]
        is_code = self.items[unit[0]].is_code
        (self._add_caption if is_code else self._add_above)(unit)
        after = range(self.last + 1, end[-1] + 1)
        self._add_each(takewhile(lambda number: number in adding or self._continues(number), after))
        self._add_below(end)
        for number in range((min(self.numbers) if not is_code else 0) - 1, -1, -1):
            item = self.items[number + 1]
            is_beside = item.is_code or self.items[number].is_code or not item.opens
            leans = item.is_code or number in adding or leans_back(self.words(number + 1))
            if not (is_beside and leans and self._add([number])):
                return

    def _add_caption(self, code: range) -> None:
        """Add the line right above code, and the nearest sentence that doesn't only introduce code."""
        for unit in reversed(self.units[: self.at]):
            words = self.words(unit[-1])
            is_line = words.endswith(ENDS) and not self.items[unit[0]].is_code
            is_sentence = is_line and not LEADS_ON.search(words)
            if is_sentence or (is_line and unit.stop == code.start):
                self._add(unit)
            if is_sentence:
                return

    def _add_above(self, unit_range: range) -> None:
        """Add the parent entries of a unit, and the line above their list."""
        indent, is_inside = self.items[unit_range[0]].indent, self.items[unit_range[0]].is_entry
        for unit in reversed(self.units[: self.at]):
            words, item = self.words(unit[-1]), self.items[unit[0]]
            if item.is_entry and item.indent < indent:
                # One word ("Features:") is a heading.
                if is_bare_name(words) or " " in words.removesuffix(":"):
                    self._add(unit)
                indent, is_inside = item.indent, True
            elif not item.is_entry and not item.is_code and item.indent <= indent and is_inside:
                if LEADS_ON.search(words) and " " in words:
                    self._add([unit[-1]])
                return
            elif item.is_entry and item.indent == indent == self.items[unit_range[0]].indent and words.endswith(":"):
                return

    def _add_below(self, end: range) -> None:
        """Add units that are introduced, an entry's children, or a paragraph below a title or referring back."""
        below = self.units[self.end + 1 :]
        if max(self.numbers) < end[-1]:
            return
        parent, words = self.items[end[0]], self.words(end[-1])
        # Prose without final punctuation continues in the code below it.
        is_open = not (parent.depth or words.endswith(ENDS)) and any(self.items[unit[0]].is_code for unit in below[:1])
        introduces = LEADS_ON.search(words) or is_open
        for place, unit in enumerate(below):
            item = self.items[unit[0]]
            if introduces:
                is_listed = item.is_entry or (item.is_code and place == 0)
                belongs = is_listed and (not parent.is_entry or item.indent > parent.indent or item.is_code)
            elif parent.is_code:
                # "Instead, write:" and the new code, or what explains an example.
                belongs = (
                    place <= item.is_code
                    and not item.is_entry
                    and (item.is_code or self.words(unit[-1]).endswith(ENDS))
                )
            elif parent.is_entry:
                belongs = item.indent > parent.indent and not item.is_code
            else:
                continues = leans_back(self.words(unit[0]))
                belongs = place == 0 and continues and not (item.is_entry or item.is_code)
            if not belongs or not (self._add(unit) if parent.is_code else self._add_each(unit)):
                return

    def _continues(self, number: int) -> bool:
        """Return whether an item belongs to the one before: in an entry, or in prose that leans back or replaces."""
        item = self.items[number]
        return item.depth > 0 or item.act is Act.REPLACED or _says_nothing(item) or leans_back(self.words(number))

    def _add_each(self, numbers: Iterable[int]) -> bool:
        """Add items in order while they fit, skipping thanks and pointers; return whether all fit."""
        return all(self._add([number]) for number in numbers if not _says_nothing(self.items[number]))

    def _add(self, numbers: Iterable[int]) -> bool:
        """Add items together, if they fit; return whether they do."""
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
    """Return whether an item is surely thanks, a pointer or the like."""
    return item.act is Act.OTHER and item.certainty >= _SURELY_NOTHING


def without_overlaps(quotes: Iterable[Quote]) -> list[Quote]:
    """Return the quotes in order, without those that overlap an earlier one."""
    kept: list[Quote] = []
    for quote in quotes:
        kept += [] if any(map(quote.overlaps, kept)) else [quote]
    return kept
