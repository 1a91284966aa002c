"""From hits to quotes: which sentences or entries of the passages answer, and how much around them is needed.

A quote is always one range of one document. A bare sentence is often too short ("This also works on Windows."), so
prose is quoted with its neighbours and a heading or a line that ends in a colon with what it introduces. List entries
and code blocks stand alone where an answer has many quotes; where it has one or two, each shows what stands around it.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from corpus.index_store import IndexReader
from corpus.model import Item, Span
from corpus.plain_words import one_line
from corpus.stored import StoredPassage
from retrieval.focus import Focus
from retrieval.hit_reading import HitReading
from retrieval.hits import Hit
from retrieval.item_features import ItemFeatures, read_item_features
from retrieval.item_forms import is_bare_title, is_code
from retrieval.item_ranker import ItemRanker
from retrieval.model import Query
from retrieval.statements import leans_back, states_something
from retrieval.weights import TokenWeights

MAX_QUOTE_CHARACTERS = 700
MAX_CODE_CHARACTERS = 1600
PROSE_CHARACTERS = 420
"""A quote of prose takes its neighbours up to this length."""

_BULLET = re.compile(r"[-*+•o]|\(?\d{1,3}[.)]|#\.")
_ENTRY = re.compile(r"(?:[-*+•]|\(?\d{1,3}[.)]|#\.)\s")


_NAMES_SHARE, _VALUE_SHARE, _BARE_PENALTY, _BEHIND_SHARE = 0.1, 0.2, 0.15, 0.4


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
    def item(self) -> Item:
        return self.hit.passage.items[self.number]


@dataclass(frozen=True, slots=True)
class Quote:
    """A range to be quoted; `core` is the part that answers, inside `span`. Not verified yet."""

    passage: StoredPassage
    span: Span
    core: Span
    retracted: bool
    """The source takes back what `core` says."""


def score_items(
    query: Query, readings: Sequence[HitReading], weights: TokenWeights, focus: Focus, ranker: ItemRanker
) -> tuple[ItemScore, ...]:
    """Score every item of the hits that were read, the first of them the best one; best first, ties by place."""
    scored: list[ItemScore] = []
    for reading, figures in zip(readings, read_item_features(query, readings, weights, focus), strict=True):
        for number, features in enumerate(figures):
            tokens = frozenset(reading.items[number]) | reading.heading
            scored.append(ItemScore(reading.hit, number, features, ranker.score(features), tokens))
    scored.sort(key=lambda one: (-one.score, one.hit.passage.position, one.number))
    return tuple(scored)


def select_quotes(
    scored: Sequence[ItemScore], index: IndexReader, *, limit: int, min_share: float, room: int = 0
) -> tuple[Quote, ...]:
    """The quotes of the best items, at most `limit`, none overlapping, each scoring `min_share` of the first at least.

    Each takes its neighbours of any kind up to `room` characters: one quote with what stands around it proves more
    than several without. The first item is always quoted, whatever its score. The same words in another place (a fix
    that went into two patch releases) are quoted once.
    """
    quotes: list[Quote] = []
    said: set[str] = set()
    for candidate in scored:
        if len(quotes) == limit or (quotes and candidate.score < min_share * scored[0].score):
            break
        text = index.text_of(candidate.hit.passage)
        words = one_line(candidate.item.span.slice(text)).casefold()
        quote = surround(widen(candidate, text), room=room)
        if any(_overlaps(other, quote) for other in quotes):
            quote = replace(quote, span=quote.core)
        if words in said or any(_overlaps(other, quote) for other in quotes):
            continue
        said.add(words)
        quotes.append(quote)
    return tuple(quotes)


def widen(scored: ItemScore, text: str) -> Quote:
    """The quote of an item with what it needs around it, within its passage.

    Lines of code are proof of what stands above them; said on one line, they would be no words.
    """
    items = scored.hit.passage.items
    first = last = scored.number
    core = scored.item.span
    if is_code(text, core) and (introduced := _introduction_of_code(items, first, text)) is not None:
        first = introduced
        core = items[first].span
    elif (
        is_bare_title(scored.hit.passage, core.slice(text)) or _is_introduction(text, items, first)
    ) and last + 1 < len(items):
        last += 1
        following = items[last].span
        if core.slice(text).endswith(":") and following.end - core.start <= MAX_QUOTE_CHARACTERS:
            core = core if is_code(text, following) else Span(core.start, following.end)
        elif states_something(following.slice(text)):
            core = following
    grew = True
    while grew:
        grew = False
        if first > 0 and is_same_prose(text, items[first - 1], items[first]):
            room = MAX_QUOTE_CHARACTERS if leans_back(items[first].span.slice(text)) else PROSE_CHARACTERS
            if items[last].span.end - items[first - 1].span.start <= room:
                first, grew = first - 1, True
        follows = last + 1 < len(items) and is_same_prose(text, items[last], items[last + 1])
        if follows and items[last + 1].span.end - items[first].span.start <= PROSE_CHARACTERS:
            last, grew = last + 1, True
    span = Span(items[first].span.start, items[last].span.end)
    if len(span) > MAX_QUOTE_CHARACTERS:
        span = core
    retracted = any(item.retracted for item in items if core.start <= item.span.start < core.end)
    return Quote(scored.hit.passage, span, core, retracted)


def _introduction_of_code(items: Sequence[Item], number: int, text: str) -> int | None:
    """The place of the nearest words above code that say something ("After:" says nothing), near enough to be quoted
    with it, else of what stands right above it."""
    above = [
        place
        for place in reversed(range(number))
        if items[number].span.end - items[place].span.start <= MAX_QUOTE_CHARACTERS
    ]
    words = (place for place in above if not is_code(text, items[place].span))
    stating = (place for place in words if states_something(items[place].span.slice(text)))
    return next(stating, above[0] if above else None)


def join_neighbours(quotes: Sequence[Quote]) -> tuple[Quote, ...]:
    """The quotes in their order, those of one passage that fit into one quote together given one span.

    Several entries of one list are then proven by one citation; each keeps its core. What the source takes back is not
    put beside what it holds to.
    """
    joined: dict[int, Quote] = {}
    order = sorted(range(len(quotes)), key=lambda i: (quotes[i].passage.position, quotes[i].span))
    group: list[int] = []
    for i in order:
        wider = Span(quotes[group[0]].span.start, max(joined[group[0]].span.end, quotes[i].span.end)) if group else None
        if wider is None or not _may_join(quotes[group[0]], quotes[i], wider):
            group, wider = [], quotes[i].span
        group.append(i)
        for member in group:
            joined[member] = replace(quotes[member], span=wider)
    return tuple(joined[i] for i in range(len(quotes)))


def _may_join(one: Quote, other: Quote, span: Span) -> bool:
    return (
        one.passage.position == other.passage.position
        and len(span) <= MAX_QUOTE_CHARACTERS
        and not any(item.retracted for item in one.passage.items if span.start <= item.span.start < span.end)
    )


def surround(quote: Quote, *, room: int) -> Quote:
    """The quote with whole items of its passage after and before it, in turn, as long as they fit; what the source
    takes back is no surroundings of what it holds to."""
    span = quote.span
    before = [item for item in quote.passage.items if item.span.start < span.start]
    after = [item for item in reversed(quote.passage.items) if item.span.end > span.end]
    grew = True
    while grew:
        grew = False
        for neighbours in (after, before):
            if neighbours and not neighbours[-1].retracted:
                wider = Span(min(span.start, neighbours[-1].span.start), max(span.end, neighbours[-1].span.end))
                if len(wider) <= room:
                    span, grew = wider, True
                    neighbours.pop()
    return replace(quote, span=span)


def _overlaps(one: Quote, other: Quote) -> bool:
    same = one.passage.document.id == other.passage.document.id
    return same and one.span.start < other.span.end and other.span.start < one.span.end


def _is_introduction(text: str, items: Sequence[Item], number: int) -> bool:
    """A heading, a question, a line that ends in a colon: what follows belongs to it."""
    span = items[number].span
    words = span.slice(text).rstrip()
    if words.endswith((":", "?")):
        return True
    follows = text[span.end : items[number + 1].span.start] if number + 1 < len(items) else ""
    stands_alone = _begins_entry(text, items[number]) or words[-1:] in ".!?;)`"
    return number == 0 and len(span) < 120 and "\n" in follows and not stands_alone


def is_same_prose(text: str, before: Item, after: Item) -> bool:
    """Whether an item follows another in one paragraph, or one entry of a list."""
    between = text[before.span.end : after.span.start]
    return "\n\n" not in between.replace("\r", "") and not between.strip() and not _begins_entry(text, after)


def _begins_entry(text: str, item: Item) -> bool:
    line_start = text.rfind("\n", 0, item.span.start) + 1
    prefix = text[line_start : item.span.start].strip()
    return bool(_BULLET.fullmatch(prefix) or (not prefix and _ENTRY.match(text, item.span.start)))
