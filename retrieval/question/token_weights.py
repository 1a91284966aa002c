"""How much each token of a question tells: its inverse document frequency in the index.

A token that the index doesn't know weighs a little more than the rarest one, for a question about an unknown thing
must not look answered by its common words.
"""

import math
from collections.abc import Set as AbstractSet
from dataclasses import dataclass

from corpus.stores.lexical_index import LexicalIndex
from retrieval.question.thesaurus import expand

RELATED_SHARE = 0.6


def inverse_frequency(frequency: int, *, passages: int) -> float:
    """How much a token tells that `frequency` of so many passages hold; an unknown one a little more than the rarest.

    Source: Robertson and Spärck Jones' idf, ln(1 + (N - n + 0.5) / (n + 0.5)).
    """
    return math.log(1 + (passages - frequency + 0.5) / (max(frequency, 1) + 0.5))


@dataclass(frozen=True, slots=True)
class TokenWeights:
    """Tokens of one question with their weights; `total` is their sum."""

    weights: tuple[tuple[str, float], ...]
    total: float
    unknown: tuple[str, ...]
    """Tokens that no passage holds."""
    related: tuple[frozenset[str], ...]
    """For each token what release notes may say instead."""

    @classmethod
    def of(cls, tokens: tuple[str, ...], lexical: LexicalIndex, *, passages: int) -> "TokenWeights":
        """Weigh distinct tokens by their inverse frequency in the index."""
        found = []
        unknown = []
        for token in tokens:
            frequency = lexical.document_frequency(token)
            if not frequency:
                unknown.append(token)
            found.append((token, inverse_frequency(frequency, passages=passages)))
        related = tuple(frozenset(expand((token,))) for token in tokens)
        return cls(tuple(found), sum(weight for _, weight in found), tuple(unknown), related)

    def without(self, tokens: AbstractSet[str]) -> "TokenWeights":
        """The same weights but for some tokens."""
        left = [i for i, (token, _) in enumerate(self.weights) if token not in tokens]
        weights = tuple(self.weights[i] for i in left)
        unknown = tuple(token for token in self.unknown if token not in tokens)
        return TokenWeights(
            weights, sum(weight for _, weight in weights), unknown, tuple(self.related[i] for i in left)
        )

    def coverage(self, tokens: AbstractSet[str]) -> float:
        """The share of the weight that `tokens` hold, 0 to 1; 0 for a question without tokens.

        A related word ("drop" where "unsupported" was asked) holds `RELATED_SHARE` of a token's weight.
        """
        if not self.total:
            return 0.0
        held = 0.0
        for (token, weight), related in zip(self.weights, self.related, strict=True):
            if token in tokens:
                held += weight
            elif not related.isdisjoint(tokens):
                held += RELATED_SHARE * weight
        return held / self.total
