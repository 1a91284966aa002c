"""From hits to quotes: which sentences or entries of the passages answer, and how much around them is needed.

A quote is always one range of one document.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from corpus.change_kinds import kind_of_heading
from corpus.entry_words import change_in_heading
from corpus.index.stored import StoredPassage
from corpus.model import Act, Item, Kind, Span
from retrieval.model import Query
from retrieval.question.token_weights import TokenWeights
from retrieval.question.words import Focus
from retrieval.search.hits import Hit, HitReading
from retrieval.search.item_ranker import ItemFeatures, ItemRanker, read_item_features

MAX_QUOTE_CHARACTERS = 700  # Chosen on the questions of docs/decisions/0006.
MAX_CODE_CHARACTERS = 1600
_SECTION_ACTS: dict[Kind | None, Act] = {Kind.REMOVAL: Act.REMOVED, Kind.DEPRECATION: Act.DEPRECATED}
_TITLE_ACTS = {"Added": Act.ADDED, "Fixed": Act.FIXED}
_ENTRY_CHARACTERS, _SURE, _SURELY_NOTHING = 160, 0.5, 0.95  # Chosen by hand, never fitted.
GOES = frozenset({Act.REMOVED, Act.REVERTED})  # What was there before isn't any more.
WARNS = frozenset({Act.DEPRECATED, Act.PLANNED})  # What is there will go.
_NAMES_SHARE, _VALUE_SHARE, _BARE_PENALTY, _BEHIND_SHARE = 0.1, 0.2, 0.15, 0.4  # Chosen by hand, never fitted.


@dataclass(frozen=True, slots=True)
class ItemScore:
    """An item of a hit, with how well it answers by itself."""

    hit: Hit
    number: int  # Position among the passage's items.
    features: ItemFeatures | None  # None where it was chosen without a search.
    score: float  # The estimated probability, 0 to 1, that it holds the answer.
    tokens: frozenset[str] = frozenset()  # Of the item and its heading path.
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
    def passage(self) -> StoredPassage:
        return self.hit.passage

    @property
    def item(self) -> Item:
        return self.passage.items[self.number]

    @property
    def act(self) -> Act:
        """What it says happened."""
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
    retracted: bool = False  # The source takes back what `core` says.
    shown: tuple[Span, ...] = ()  # What is told of it, in order; the core alone where empty.

    def overlaps(self, other: "Quote") -> bool:
        """Return whether both have a part of a document in common."""
        return self.passage.document.id == other.passage.document.id and self.span.meets(other.span)

    def shares_core(self, other: "Quote") -> bool:
        """Return whether what both say of a document has a part in common."""
        return self.passage.document.id == other.passage.document.id and self.core.meets(other.core)


def act_of_item(passage: StoredPassage, number: int) -> Act:
    """Return what the item of a passage says happened; a short one of no sure act says what its section is about."""
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
    """Return the items in the order of their scores, ties by place."""
    return tuple(sorted(scored, key=lambda item: (-item.score, item.passage.position, item.number)))
