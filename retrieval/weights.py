"""How much each token of a question tells: its inverse document frequency in the index.

A token that the index doesn't know weighs a little more than the rarest one, for a question about an unknown thing
must not look answered by its common words.
"""

import math
from collections.abc import Set as AbstractSet
from dataclasses import dataclass

from corpus.derived import LexicalIndex


@dataclass(frozen=True, slots=True)
class TokenWeights:
    """Tokens of one question with their weights; `total` is their sum."""

    weights: tuple[tuple[str, float], ...]
    total: float
    unknown: tuple[str, ...]
    """Tokens that no passage holds."""

    @classmethod
    def of(cls, tokens: tuple[str, ...], lexical: LexicalIndex, *, passages: int) -> "TokenWeights":
        """Weigh distinct tokens by Robertson and Spärck Jones' idf, ln(1 + (N - n + 0.5) / (n + 0.5))."""
        found = []
        unknown = []
        for token in tokens:
            frequency = lexical.document_frequency(token)
            if not frequency:
                unknown.append(token)
            found.append((token, math.log(1 + (passages - frequency + 0.5) / (max(frequency, 1) + 0.5))))
        return cls(tuple(found), sum(weight for _, weight in found), tuple(unknown))

    def coverage(self, tokens: AbstractSet[str]) -> float:
        """The share of the weight that `tokens` hold, 0 to 1; 0 for a question without tokens."""
        if not self.total:
            return 0.0
        return sum(weight for token, weight in self.weights if token in tokens) / self.total

    def heaviest_missing(self, tokens: AbstractSet[str]) -> float:
        """The share of the heaviest token that `tokens` lack in the heaviest of all, 0 to 1."""
        heaviest = max((weight for _, weight in self.weights), default=0.0)
        missing = max((weight for token, weight in self.weights if token not in tokens), default=0.0)
        return missing / heaviest if heaviest else 0.0

    def missing(self, tokens: AbstractSet[str]) -> tuple[str, ...]:
        """The tokens that `tokens` lack, heaviest first."""
        absent = [(weight, token) for token, weight in self.weights if token not in tokens]
        return tuple(token for _, token in sorted(absent, key=lambda pair: (-pair[0], pair[1])))
