"""From hits to quotes: which sentences or entries of the passages answer, and how much around them is needed.

A quote is always one range of one document.
"""

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import takewhile

from corpus.change_kinds import kind_of_heading
from corpus.index.reader import IndexReader
from corpus.index.stored import StoredPassage
from corpus.model import Act, Item, Kind, Span
from corpus.plain_words import one_line
from retrieval.item_sentences import is_bare_name, leans_back
from retrieval.model import Query
from retrieval.question.token_weights import TokenWeights
from retrieval.question.words import Focus
from retrieval.quoting.said_words import change_in_heading, without_connective
from retrieval.search.hits import Hit, HitReading
from retrieval.search.item_forms import code_lines
from retrieval.search.item_ranker import ItemFeatures, ItemRanker, read_item_features

MAX_QUOTE_CHARACTERS = 700
"""Chosen on the questions of docs/decisions/0006."""
MAX_CODE_CHARACTERS = 1600
PROSE_CHARACTERS = 420
"""A quote of prose takes its neighbours up to this length. A matter of display."""

_BULLET = re.compile(r"[-*+•o]|\(?\d{1,3}[.)]|#\.")
_LIST_ENDS = (":", ".", ";", ",", "!", "?")
_COMMENTS = ("# ", "// ", "; ", "-- ")
_SECTION_ACTS: dict[Kind | None, Act] = {Kind.REMOVAL: Act.REMOVED, Kind.DEPRECATION: Act.DEPRECATED}
_TITLE_ACTS = {"Added": Act.ADDED, "Fixed": Act.FIXED}
_ENTRY_CHARACTERS, _SURE, _SURELY_NOTHING = 160, 0.5, 0.95
"""Chosen by hand, never fitted."""
GOES = frozenset({Act.REMOVED, Act.REVERTED})
"""What was there before isn't any more."""
WARNS = frozenset({Act.DEPRECATED, Act.PLANNED})
"""What is there will go."""
_NAMES_SHARE, _VALUE_SHARE, _BARE_PENALTY, _BEHIND_SHARE = 0.1, 0.2, 0.15, 0.4
"""Chosen by hand, never fitted."""


@dataclass(frozen=True, slots=True)
class ItemScore:
    """An item of a hit, with how well it answers by itself."""

    hit: Hit
    number: int
    """Position among the passage's items."""
    features: ItemFeatures | None
    """None where it was chosen without a search."""
    score: float
    """The estimated probability, 0 to 1, that it holds the answer."""
    tokens: frozenset[str] = frozenset()
    """Of the item and its heading path."""
    judged: tuple[float, float] | None = None
    """The log-odds that it holds the answer, by the learned order and by the judge; None where that wasn't asked."""

    @property
    def likeness(self) -> float:
        """How much the item is like what was searched, by meaning and by words: about 0 to 1. What several items say
        together is weighed by this; how likely one answers by itself is `score`."""
        found = self.features
        if found is None:
            return self.score
        words = (found.coverage_own + found.coverage_told) / 2
        extra = _NAMES_SHARE * found.names_told + _VALUE_SHARE * found.value - _BARE_PENALTY * (1 - found.states)
        return (found.cosine + words) / 2 + _BEHIND_SHARE * found.hit_behind + extra

    @property
    def cosine(self) -> float:
        """Of the item with the question; 0 where it was chosen without a search."""
        return self.features.cosine if self.features else 0.0

    @property
    def passage(self) -> StoredPassage:
        return self.hit.passage

    @property
    def item(self) -> Item:
        return self.passage.items[self.number]

    @property
    def act(self) -> Act:
        """What it says happened."""
        return told_act(self.passage, self.number)

    @property
    def quote(self) -> "Quote":
        """The quote of it alone."""
        return Quote(self.passage, self.item.span, self.item.span, self.item.retracted)


@dataclass(frozen=True, slots=True)
class Quote:
    """A range to be quoted; `core` is the part that answers, inside `span`. Not verified yet."""

    passage: StoredPassage
    span: Span
    core: Span
    retracted: bool = False
    """The source takes back what `core` says."""

    def overlaps(self, other: "Quote") -> bool:
        """Whether both have a part of a document in common."""
        return self.passage.document.id == other.passage.document.id and self.span.meets(other.span)

    def shares_core(self, other: "Quote") -> bool:
        """Whether what both say of a document has a part in common."""
        return self.passage.document.id == other.passage.document.id and self.core.meets(other.core)


def told_act(passage: StoredPassage, number: int) -> Act:
    """What the item of a passage says happened; a short one of no sure act says what its section is about."""
    item = passage.items[number]
    if item.act is not Act.OTHER and item.certainty >= _SURE:
        return item.act
    is_entry = len(item.span) <= _ENTRY_CHARACTERS and bool(passage.heading)
    if not is_entry or item.certainty >= _SURELY_NOTHING:
        return item.act
    named = _TITLE_ACTS.get(change_in_heading(passage.heading))
    return named or _SECTION_ACTS.get(kind_of_heading(passage.heading[-1])) or item.act


def score_items(
    query: Query, readings: Sequence[HitReading], weights: TokenWeights, focus: Focus, ranker: ItemRanker
) -> tuple[ItemScore, ...]:
    """Score every item of the hits that were read, the first of them the best one; best first, ties by place."""
    scored: list[ItemScore] = []
    for reading, figures in zip(readings, read_item_features(query, readings, weights, focus), strict=True):
        for number, features in enumerate(figures):
            tokens = frozenset(reading.items[number]) | reading.heading
            scored.append(ItemScore(reading.hit, number, features, ranker.score(features), tokens))
    return best_first(scored)


def best_first(scored: Iterable[ItemScore]) -> tuple[ItemScore, ...]:
    """The items in the order of their scores, ties by place."""
    return tuple(sorted(scored, key=lambda item: (-item.score, item.passage.position, item.number)))


def select_quotes(scored: Sequence[ItemScore], index: IndexReader, *, limit: int, room: int = 0) -> tuple[Quote, ...]:
    """The quotes of the first items, at most `limit`, none overlapping, each with its neighbours up to `room`
    characters. The same words in another place (a fix that went into two patch releases) are quoted once."""
    quotes: list[Quote] = []
    said: set[str] = set()
    for candidate in scored:
        if len(quotes) == limit:
            break
        text = index.text_of(candidate.passage)
        words = one_line(candidate.item.span.slice(text)).casefold()
        # Bare where what stands around it is quoted already.
        wider = surround(widen(candidate, text), room=room)
        quote = replace(wider, span=wider.core) if any(map(wider.overlaps, quotes)) else wider
        if words not in said and not any(map(quote.overlaps, quotes)):
            said.add(words)
            quotes.append(quote)
    return tuple(quotes)


def widen(scored: ItemScore, text: str) -> Quote:
    """The quote of an item with what it can't be read without, within its passage."""
    passage, number = scored.passage, scored.number
    return Quote(passage, widen_items(passage, number, number, text), scored.item.span, scored.item.retracted)


def widen_items(passage: StoredPassage, first: int, last: int, text: str) -> Span:
    """The range of the items `first` to `last` of a passage, with the prose around them, the line that their list
    stands under, and the code that they introduce."""
    span = _grow(
        Span(passage.items[first].span.start, passage.items[last].span.end),
        passage.items,
        joins=lambda _, other: not other.opens,
        fits=lambda wider: len(wider) <= PROSE_CHARACTERS,
    )
    stem = _stem(text, passage.items, first)
    if stem and span.end - stem.span.start <= MAX_QUOTE_CHARACTERS:
        span = Span(stem.span.start, span.end)
    code = _code_after(text, passage.items, last)
    if code and code.span.end - span.start <= MAX_QUOTE_CHARACTERS:
        span = Span(span.start, max(span.end, code.span.end))
    return span


def join_neighbours(quotes: Sequence[Quote]) -> tuple[Quote, ...]:
    """The quotes in their order, those of one passage that fit into one quote together given one span.

    Several entries of one list are then proven by one citation; each keeps its core. What the source takes back is not
    put beside what it holds to.
    """
    joined = list(quotes)
    group: list[int] = []
    for i in sorted(range(len(quotes)), key=lambda i: (quotes[i].passage.position, quotes[i].span)):
        wider, passage = quotes[i].span, quotes[i].passage
        if group and quotes[group[0]].passage.position == passage.position:
            wider = Span(quotes[group[0]].span.start, max(joined[group[0]].span.end, wider.end))
            is_held_to = not any(
                item.retracted and wider.start <= item.span.start < wider.end for item in passage.items
            )
            if len(wider) > MAX_QUOTE_CHARACTERS or not is_held_to:
                group, wider = [], quotes[i].span
        else:
            group = []
        group.append(i)
        for member in group:
            joined[member] = replace(quotes[member], span=wider)
    return tuple(joined)


def surround(quote: Quote, *, room: int) -> Quote:
    """The quote with whole items of its passage after and before it, in turn, as long as they fit; what the source
    takes back is no surroundings of what it holds to."""

    def joins(one: Item, other: Item) -> bool:
        return not one.retracted and not other.retracted

    return replace(
        quote, span=_grow(quote.span, quote.passage.items, joins=joins, fits=lambda wider: len(wider) <= room)
    )


def explain(quote: Quote, text: str, *, room: int, shows_code: bool, adding: frozenset[Span]) -> Quote:
    """The quote with its core grown by those `adding` sentences that stand after and before it, and by what it or they
    introduce, as long as a reader sees no more than `room` characters: what a thing needs, or what to do instead, often
    stands in the next one."""

    def joins(one: Item, other: Item) -> bool:
        introduces = one.span.slice(text).rstrip().endswith(":") and not _begins_entry(text, other)
        introduces = introduces and (shows_code or not other.is_code)
        return (
            not one.retracted
            and not other.retracted
            and (introduces or (not other.opens and {one.span, other.span} <= adding))
        )

    def fits(wider: Span) -> bool:
        return len(one_line(wider.slice(text))) <= room

    items = [item for item in quote.passage.items if quote.span.holds(item.span)]
    return replace(quote, core=_grow(quote.core, items, joins=joins, fits=fits))


def words_alone(quote: Quote, text: str, *, room: int, room_before: int) -> str:
    """The core of a quote with what it can't be read without, out of the quote: the sentence that its "It" leans on,
    or the list that it introduces, up to `room_before` characters a reader sees, or the line that its list stands
    under, up to `room`. Of code the line that introduces it, its comments, or the heading that it stands under;
    "" where it has none."""
    items = [item for item in quote.passage.items if quote.span.holds(item.span)]
    inside = [number for number, item in enumerate(items) if quote.core.holds(item.span)]
    said = without_connective(quote.core.slice(text))
    if not inside or quote.retracted:
        return said
    first, last = inside[0], inside[-1]
    own = (quote.passage.document.title, *filter(None, [quote.passage.release]))
    titles = [title for title in quote.passage.heading[1:] if not any(name in title for name in own)]
    if all(items[number].is_code for number in inside):
        place = quote.passage.items.index(items[first])
        above = quote.passage.items[place - 1] if place else None
        if above and not above.is_code and above.span.slice(text).rstrip().endswith(":"):
            return above.span.slice(text)
        comments = (line.strip() for code in inside for line in code_lines(items[code].span.slice(text)))
        return "; ".join(line.lstrip("#/; ") for line in comments if _is_comment(line)) or "".join(titles[-1:])
    codes = [items[number].span.start for number in inside if items[number].is_code]
    if codes and codes[0] > quote.core.start:
        said = text[quote.core.start : codes[0]].rstrip()
    leans = leans_back(one_line(said))
    above = items[first - 1] if first and not _begins_entry(text, items[first]) else None
    is_sentence = above is not None and one_line(above.span.slice(text)).endswith((".", "!"))
    before = (above if is_sentence else None) if leans else _stem(text, items, first)
    # A table or several paragraphs answer themselves, and shouldn't come late.
    most = room_before if leans and "\n\n" not in said else room
    if before and not before.retracted and len(one_line(f"{before.span.slice(text)} {said}")) <= most:
        stem = before.span.slice(text).rstrip()
        said = f"{stem}{':' * (not leans and not stem.endswith(_LIST_ENDS))}\n{said}"
    elif leans and titles and kind_of_heading(titles[-1]) is None:
        said = f"{titles[-1].rstrip(' :.')}: {said}"
    if said.rstrip().endswith(":"):
        listed = takewhile(lambda item: _begins_entry(text, item) and not item.retracted, items[last + 1 :])
        for number, item in enumerate(listed):
            wider = f"{said}{'' if said.rstrip().endswith(_LIST_ENDS) else ';'}\n{item.span.slice(text)}"
            if number and len(one_line(wider)) > room_before:
                said = said.rstrip() + (" …" if said.rstrip().endswith(_LIST_ENDS) else "; …")
                break
            said = wider
    return said


def code_of(quote: Quote, text: str) -> tuple[str, ...]:
    """The lines of code that the core of a quote is, or introduces within the quote; none else."""
    items = [item for item in quote.passage.items if quote.span.holds(item.span)]
    inside = [number for number, item in enumerate(items) if quote.core.holds(item.span)]
    codes = [items[number] for number in inside if items[number].is_code]
    if inside and not codes and (after := _code_after(text, items, inside[-1])):
        codes = [after]
    lines: list[str] = []
    for code in codes:
        begin = text.rfind("\n", 0, code.span.start) + 1
        # The first line's indent isn't the item's.
        begin = code.span.start if text[begin : code.span.start].strip() else begin
        lines += code_lines(text[begin : code.span.end])
    return () if quote.retracted else tuple(lines)


def _code_after(text: str, items: Sequence[Item], number: int) -> Item | None:
    if number + 1 == len(items) or not items[number].span.slice(text).rstrip().endswith(":"):
        return None
    after = items[number + 1]
    return after if after.is_code and not after.retracted else None


def _stem(text: str, items: Sequence[Item], number: int) -> Item | None:
    """The line with a colon or the bare name that an entry's list stands under; none that is a word ("Features:")."""

    def indent(item: Item) -> int:
        line = text[text.rfind("\n", 0, item.span.start) + 1 : item.span.end]
        return len(line) - len(line.lstrip())

    if not _begins_entry(text, items[number]):
        return None
    level = indent(items[number])
    for at in range(number - 1, -1, -1):
        item, is_entry = items[at], _begins_entry(text, items[at])
        words = item.span.slice(text)
        if words.endswith(":") and indent(item) <= level:
            is_sibling = is_entry and indent(item) == level
            return None if is_sibling or " " not in one_line(words) else item
        if is_entry and indent(item) < level and is_bare_name(words):
            return item
        is_beside = is_entry and indent(item) >= level
        if not is_beside and item.opens:
            return None
    return None


def _grow(
    span: Span, items: Sequence[Item], *, joins: Callable[[Item, Item], bool], fits: Callable[[Span], bool]
) -> Span:
    """A range with the whole items after and before it, in turn, that join those within it, as long as it fits."""
    inside = [number for number, item in enumerate(items) if span.holds(item.span)]
    if not inside:
        return span
    first, last = inside[0], inside[-1]
    grew = True
    while grew:
        grew = False
        for near, far in ((last, last + 1), (first, first - 1)):
            if not 0 <= far < len(items) or not joins(items[min(near, far)], items[max(near, far)]):
                continue
            wider = Span(min(span.start, items[far].span.start), max(span.end, items[far].span.end))
            if fits(wider):
                first, last, span, grew = min(first, far), max(last, far), wider, True
    return span


def _begins_entry(text: str, item: Item) -> bool:
    line_start = text.rfind("\n", 0, item.span.start) + 1
    prefix = text[line_start : item.span.start].strip()
    mark = prefix or item.span.slice(text).partition(" ")[0]
    return _BULLET.fullmatch(mark) is not None


def _is_comment(line: str) -> bool:
    return line.startswith(_COMMENTS) and line.partition(" ")[2].lstrip()[:1].isalnum()
