"""The input of drafting an answer: the query, the items found for it, and the index to quote from."""

from dataclasses import dataclass, field, replace
from typing import Protocol

from corpus.catalogue import CatalogueProduct
from corpus.index.reader import IndexReader
from corpus.index.stored import StoredPassage
from corpus.versions import VersionMatch
from retrieval.model import Query
from retrieval.question.token_weights import TokenWeights
from retrieval.question.words import Focus
from retrieval.quoting.quotes import ItemScore, Quote
from retrieval.search.hits import Hit, RankedHits, SearchOutcome


class _OfPassage(Protocol):
    @property
    def passage(self) -> StoredPassage: ...


@dataclass(frozen=True, slots=True)
class Findings:
    """The results of one search, with their items scored."""

    query: Query
    ranking: RankedHits
    scored: tuple[ItemScore, ...]  # Items of the first hits, best first.
    index: IndexReader
    earlier: tuple[Quote, ...] = ()  # Quotes of earlier answers, if the question asks for "more".
    before: tuple[ItemScore, ...] = ()  # What the answer to the question before began with, for a language model.
    tells_now: bool = False  # Whether the best item states how things are now.
    verdict: bool | None = None  # The yes or no that this item implies.
    fitting: tuple[ItemScore, ...] = field(init=False)
    """The items that may answer, best first: from the requested release or its series, about the query's references or
    in the entries that hold its names of code."""

    def __post_init__(self) -> None:
        references = set(self.query.references)
        about = [scored for scored in self.scored if references & set(scored.passage.references)] if references else []
        named = [scored for scored in about or self.scored if self.is_named(scored)]
        groups = (tuple(scored for scored in group if self.fits(scored.hit)) for group in (named, about or self.scored))
        object.__setattr__(self, "fitting", next(filter(None, groups), ()))

    @property
    def outcome(self) -> SearchOutcome:
        """The hits in their order."""
        return self.ranking.outcome

    @property
    def weights(self) -> TokenWeights:
        """The weight of each token of the question."""
        return self.ranking.weights

    @property
    def focus(self) -> Focus:
        """The question's words and the kind of value it asks for."""
        return self.ranking.focus

    @property
    def products(self) -> tuple[CatalogueProduct, ...]:
        """The catalogue's entries for the query's products; all entries if it has none."""
        return self.index.products_named(self.query.products) or self.index.products

    def is_named(self, scored: ItemScore) -> bool:
        """Return whether an item's entry holds the question's names of code."""
        return (scored.passage.position, scored.number) in self.outcome.named

    @property
    def is_sure(self) -> bool:
        """Whether what may answer is an entry that holds the question's names of code."""
        return bool(self.fitting) and self.is_named(self.fitting[0])

    def text_of(self, part: _OfPassage) -> str:
        """Return the text of the document that contains `part`."""
        return self.index.text_of(part.passage)

    def words_of(self, scored: ItemScore) -> str:
        """Return an item's text as written."""
        return scored.item.span.slice(self.text_of(scored))

    def core_of(self, quote: Quote) -> str:
        """Return the text of a quote's core, as written."""
        return quote.core.slice(self.text_of(quote))

    def led_by(self, item: ItemScore) -> "Findings":
        """Return the findings with `item` moved to the top."""
        best = replace(item, score=max(item.score, self.fitting[0].score))
        named = self.outcome.named and self.outcome.named | {(item.passage.position, item.number)}
        ranking = replace(self.ranking, outcome=replace(self.outcome, named=named))
        return replace(self, ranking=ranking, scored=(best, *(other for other in self.scored if other is not item)))

    def fits(self, hit: Hit) -> bool:
        """Return whether a hit is from a requested release, its series, or a release relevant to it (not OUTSIDE)."""
        return hit.match is not VersionMatch.OUTSIDE
