"""Scored items and quotes: which sentences or entries of the hits answer.

A quote is always one range of one document.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice

from corpus.change_kinds import kind_of_heading
from corpus.entry_words import change_in_heading
from corpus.index.stored import StoredPassage
from corpus.model import Act, Item, Kind, Span
from corpus.versions import VersionMatch
from retrieval.model import Query
from retrieval.question.token_weights import TokenWeights
from retrieval.question.words import Focus
from retrieval.search.hits import Hit, HitReading
from retrieval.search.item_ranker import ItemFeatures, ItemRanker, read_item_features

MAX_QUOTE_CHARACTERS = 700  # Chosen on the questions of docs/decisions/0006.
MAX_CODE_CHARACTERS = 1600
LEADS_ON = re.compile(
    r":$|(?P<word>\b(?:including|such as|namely|e\.g\.|for (?:example|instance)))[,:]?$|\b(?:following|like)$", re.I
)
"""The end of words that continue in the list or code below; if that isn't shown, the `word` is dropped."""
_SECTION_ACTS: dict[Kind | None, Act] = {Kind.REMOVAL: Act.REMOVED, Kind.DEPRECATION: Act.DEPRECATED}
_TITLE_ACTS = {"Added": Act.ADDED, "Fixed": Act.FIXED}
_ENTRY_CHARACTERS, _SURE, _SURELY_NOTHING = 160, 0.5, 0.95  # Chosen by hand, never fitted.
REMOVES = frozenset({Act.REMOVED, Act.REVERTED})  # Acts after which the thing no longer exists.
WARNS = frozenset({Act.DEPRECATED, Act.PLANNED})  # Acts after which it still exists, but will change or go.
_NAMES_SHARE, _VALUE_SHARE, _BARE_PENALTY, _BEHIND_SHARE = 0.1, 0.2, 0.15, 0.4  # Chosen by hand, never fitted.


@dataclass(frozen=True, slots=True)
class ItemScore:
    """An item of a hit, with the probability that it answers."""

    hit: Hit
    number: int  # Position among the passage's items.
    features: ItemFeatures | None  # None if it was chosen without a search.
    score: float  # The estimated probability, 0 to 1, that it contains the answer.
    tokens: frozenset[str] = frozenset()  # Tokens of the item and its heading path.
    judged: tuple[float, float] | None = None
    """The log-odds that it contains the answer, by the ranker and by the judge; None if the judge didn't read it."""

    @property
    def likeness(self) -> float:
        """Similarity to the search text by meaning and words, about 0 to 1; `score` is the probability of answering."""
        features = self.features
        if features is None:
            return self.score
        words = (features.coverage_own + features.coverage_told) / 2
        extra = (
            _NAMES_SHARE * features.names_told + _VALUE_SHARE * features.value - _BARE_PENALTY * (1 - features.states)
        )
        return (features.cosine + words) / 2 + _BEHIND_SHARE * features.hit_behind + extra

    @property
    def passage(self) -> StoredPassage:
        return self.hit.passage

    @property
    def item(self) -> Item:
        return self.passage.items[self.number]

    @property
    def act(self) -> Act:
        """The kind of event that it reports."""
        return act_of_item(self.passage, self.number)

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
    retracted: bool = False  # Whether the source itself retracts `core`.
    shown: tuple[Span, ...] = ()  # The ranges to show, in order; empty: only the core.

    def overlaps(self, other: "Quote") -> bool:
        """Return whether both ranges share a part of one document."""
        return self.passage.document.id == other.passage.document.id and self.span.meets(other.span)

    def shares_core(self, other: "Quote") -> bool:
        """Return whether both cores share a part of one document."""
        return self.passage.document.id == other.passage.document.id and self.core.meets(other.core)


def items_of(quotes: Iterable[Quote]) -> Iterator[ItemScore]:
    """Yield the first item of each quote, with scores of 0."""
    for quote in quotes:
        meeting = (number for number, item in enumerate(quote.passage.items) if item.span.meets(quote.core))
        for number in islice(meeting, 1):
            yield ItemScore(Hit(quote.passage, 0.0, 0.0, VersionMatch.EXACT), number, None, 0.0)


def act_of_item(passage: StoredPassage, number: int) -> Act:
    """Return the act that an item reports; for a short item whose act is unsure, its heading's if that has one."""
    item = passage.items[number]
    if item.act is not Act.OTHER and item.certainty >= _SURE:
        return item.act
    is_entry = len(item.span) <= _ENTRY_CHARACTERS and bool(passage.heading)
    if not is_entry or item.certainty >= _SURELY_NOTHING:
        return item.act
    title_act = _TITLE_ACTS.get(change_in_heading(passage.heading))
    return title_act or _SECTION_ACTS.get(kind_of_heading(passage.heading[-1])) or item.act


def score_items(
    query: Query, readings: Sequence[HitReading], weights: TokenWeights, focus: Focus, ranker: ItemRanker
) -> tuple[ItemScore, ...]:
    """Score every item of the hits read, given best first; return them best first, ties by position."""
    scored: list[ItemScore] = []
    for reading, item_features in zip(readings, read_item_features(query, readings, weights, focus), strict=True):
        for number, features in enumerate(item_features):
            tokens = frozenset(reading.items[number]) | reading.heading
            scored.append(ItemScore(reading.hit, number, features, ranker.score(features), tokens))
    return best_first(scored)


def best_first(scored: Iterable[ItemScore]) -> tuple[ItemScore, ...]:
    """Return the items by descending score, ties by position."""
    return tuple(sorted(scored, key=lambda item: (-item.score, item.passage.position, item.number)))
