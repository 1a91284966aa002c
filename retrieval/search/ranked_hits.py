"""A search's hits, read and put in the order that the learned ranker gives them."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from corpus.index.reader import IndexReader
from retrieval.model import Query
from retrieval.question.token_weights import TokenWeights
from retrieval.question.words import Focus
from retrieval.search.hits import Hit, HitReading, SearchOutcome, read_hits
from retrieval.search.ranker import Ranker
from retrieval.search.reading_features import ReadingFeatures, read_features
from retrieval.search.weights import RANKED_HITS


@dataclass(frozen=True, slots=True)
class RankedHits:
    """A search's outcome with its first hits read, in the outcome's order; `features` belong to `ranked`, the hits as
    they were before the ranker."""

    outcome: SearchOutcome
    readings: tuple[HitReading, ...]
    weights: TokenWeights
    focus: Focus
    ranked: tuple[Hit, ...]
    features: tuple[ReadingFeatures, ...]

    def reordered(self, hits: Sequence[Hit]) -> "RankedHits":
        """The same hits in another order and with other scores; what was read must stay before what wasn't."""
        read = {reading.hit.passage.position: reading for reading in self.readings}
        readings = tuple(replace(read[hit.passage.position], hit=hit) for hit in hits if hit.passage.position in read)
        return replace(self, outcome=replace(self.outcome, hits=tuple(hits)), readings=readings)

    def cut(self, limit: int) -> "RankedHits":
        """The first `limit` hits."""
        return replace(
            self, outcome=replace(self.outcome, hits=self.outcome.hits[:limit]), readings=self.readings[:limit]
        )


def rank_hits(query: Query, outcome: SearchOutcome, index: IndexReader, ranker: Ranker, *, read: int = 0) -> RankedHits:
    """Read the first hits of a search, at least `read`, and rank `RANKED_HITS` of them anew."""
    lexical, passages = index.lexical, index.manifest.passages
    weights = TokenWeights.of(outcome.tokens, lexical, passages=passages)
    focus = Focus.of(query, lexical, products=index.products_named(query.products), passages=passages)
    readings = read_hits(outcome.hits[: max(read, RANKED_HITS)], outcome.vector, index)
    features = read_features(query, readings[:RANKED_HITS], focus, weights, index)
    found = RankedHits(outcome, readings, weights, focus, outcome.hits[: len(features)], features)
    return found.reordered(ranker.rank(outcome.hits, features))
