"""What an answer is drafted from: the query, what was found for it, and the index to quote from."""

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
    """One search with its items scored."""

    query: Query
    ranking: RankedHits
    scored: tuple[ItemScore, ...]  # Items of the first hits, best first.
    index: IndexReader
    earlier: tuple[Quote, ...] = ()  # What the answers before quoted, where the question goes on with theirs.
    tells_now: bool = False  # Its best item tells how things are now,
    verdict: bool | None = None  # and with it whether what is asked is so.
    fitting: tuple[ItemScore, ...] = field(init=False)
    """Those that may answer, best first: of the asked release or its series, about the asked record ("CVE-2024-1")."""

    def __post_init__(self) -> None:
        asked = set(self.query.references)
        about = [scored for scored in self.scored if asked & set(scored.passage.references)] if asked else []
        fitting = tuple(scored for scored in about or self.scored if self.fits(scored.hit))
        object.__setattr__(self, "fitting", fitting)

    @property
    def outcome(self) -> SearchOutcome:
        """The hits in their order."""
        return self.ranking.outcome

    @property
    def weights(self) -> TokenWeights:
        """What each token of the question tells."""
        return self.ranking.weights

    @property
    def focus(self) -> Focus:
        """What the question turns on."""
        return self.ranking.focus

    @property
    def products(self) -> tuple[CatalogueProduct, ...]:
        """The catalogue's entries for the products the question means; all where it names none."""
        return self.index.products_named(self.query.products) or self.index.products

    def text_of(self, part: _OfPassage) -> str:
        """Return the text of the document that something is a part of."""
        return self.index.text_of(part.passage)

    def words_of(self, scored: ItemScore) -> str:
        """Return the words of an item as written."""
        return scored.item.span.slice(self.text_of(scored))

    def core_of(self, quote: Quote) -> str:
        """Return the words of a quote that answer, as written."""
        return quote.core.slice(self.text_of(quote))

    def led_by(self, one: ItemScore) -> "Findings":
        """Return the same with one item as the best."""
        best = replace(one, score=max(one.score, self.fitting[0].score))
        return replace(self, scored=(best, *(other for other in self.scored if other is not one)))

    def fits(self, hit: Hit) -> bool:
        """Return whether a hit is of an asked release or its series."""
        return hit.match is not VersionMatch.OUTSIDE
