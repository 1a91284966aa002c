"""A search's hits, the first of them read."""

from dataclasses import dataclass, replace

from corpus.index.reader import IndexReader
from retrieval.model import Query
from retrieval.question.token_weights import TokenWeights
from retrieval.question.words import Focus
from retrieval.search.hits import Hit, HitReading, SearchOutcome, read_hits


@dataclass(frozen=True, slots=True)
class RankedHits:
    """A search's outcome with its first hits read, in the outcome's order; `searched` are all that were found, also
    those that were cut."""

    outcome: SearchOutcome
    readings: tuple[HitReading, ...]
    weights: TokenWeights
    focus: Focus
    searched: tuple[Hit, ...]

    def cut(self, limit: int) -> "RankedHits":
        """The first `limit` hits."""
        return replace(
            self, outcome=replace(self.outcome, hits=self.outcome.hits[:limit]), readings=self.readings[:limit]
        )


def rank_hits(query: Query, outcome: SearchOutcome, index: IndexReader, *, read: int) -> RankedHits:
    """Read the first `read` hits of a search."""
    lexical, passages = index.lexical, index.manifest.passages
    weights = TokenWeights.of(outcome.tokens, lexical, passages=passages)
    focus = Focus.of(query, lexical, products=index.products_named(query.products), passages=passages)
    readings = read_hits(outcome.hits[:read], outcome.vector, index)
    return RankedHits(outcome, readings, weights, focus, outcome.hits)
