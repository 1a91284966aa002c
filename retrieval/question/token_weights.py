"""The weight of each token of a question.

It is the inverse document frequency in the index; a token that the index lacks weighs a little more than the rarest, or
the common words would seem to answer the question. Words for change are listed, because they occur in any subject.
"""

import math
from collections.abc import Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass

from corpus.lexicon import split_tokens
from corpus.model import Act
from corpus.stores.lexical_index import LexicalIndex

_CHANGES = (
    "dropped drop removed removal remove unsupported gone killed discontinued ended eliminated disappear vanish "
    "stop stopped supporting expired",
    "deprecated deprecation deprecate obsolete discouraged legacy",
    "added add new introduced introduce support supports arrive arrived appear appeared first initial landed gained "
    "implemented available stable stabilise stabilised stabilize stabilized",
)
"""Words for removal, deprecation and addition."""
_GROUPS = (
    *_CHANGES,
    "minimum minimal oldest lowest required requires require requirement needs need least supported",
    "faster speed speedup speedups performance quicker optimized optimised improved latency",
    "default defaults",
    "fixed fix fixes bug bugfix crash crashes regression broken repaired",
    "breaking break breaks broke incompatible incompatibility",
    "renamed rename moved replaced replace replacement replaces instead favor favour alternative successor",
    "experimental beta prototype preview unstable provisional",
    "security vulnerability vulnerable exploit cve",
    "argument arg parameter param option keyword kwarg",
    "setting settings configuration config option",
    "environment env variable",
)
_OF_ANY_RELEASE = frozenset(
    split_tokens(
        """version versions release releases released new newer newest change changed changes possible exist exists
        available long much many number happen happened happens mean work works working feature features want run runs
        running built build come comes yet already go officially official natively native directly current currently
        actually first last finally more rest other others anything everything"""
    )
)
"""Words of questions about any release."""
CAME_AND_WENT = {act: frozenset(split_tokens(_CHANGES[n])) for n, act in ((0, Act.REMOVED), (2, Act.ADDED))}
_CHANGING = frozenset(split_tokens(" ".join(_CHANGES)))
_GENERIC = frozenset(split_tokens(" ".join(_GROUPS)))


def is_generic(token: str) -> bool:
    """Return whether a token is a word for change or about releases in general, not specific to a subject."""
    return token in _GENERIC or token in _OF_ANY_RELEASE


def is_change(token: str) -> bool:
    """Return whether a token is a word for addition, deprecation or removal, or about releases in general."""
    return token in _CHANGING or token in _OF_ANY_RELEASE


def inverse_frequency(frequency: int, *, passages: int) -> float:
    """Return the weight of a token that `frequency` of `passages` contain; an unknown one weighs more than the rarest.

    Source: Robertson and Spärck Jones' idf, ln(1 + (N - n + 0.5) / (n + 0.5)).
    """
    return math.log(1 + (passages - frequency + 0.5) / (max(frequency, 1) + 0.5))


@dataclass(frozen=True, slots=True)
class TokenWeights:
    """Distinct tokens of one question with their weights."""

    weights: tuple[tuple[str, float], ...]
    unknown: tuple[str, ...] = ()  # Tokens that no passage contains.

    @classmethod
    def of(cls, tokens: Sequence[str], lexical: LexicalIndex, *, passages: int) -> "TokenWeights":
        """Weigh distinct tokens, in order, by their inverse frequency in the index of so many `passages`."""
        frequencies = [(token, lexical.document_frequency(token)) for token in tokens]
        weights = tuple((token, inverse_frequency(count, passages=passages)) for token, count in frequencies)
        return cls(weights, tuple(token for token, count in frequencies if not count))

    def without(self, tokens: AbstractSet[str]) -> "TokenWeights":
        """Return the weights except those of `tokens`."""
        left = tuple((token, weight) for token, weight in self.weights if token not in tokens)
        return TokenWeights(left, tuple(token for token in self.unknown if token not in tokens))

    @property
    def tokens(self) -> tuple[str, ...]:
        """The tokens, in order."""
        return tuple(token for token, _ in self.weights)

    def coverage(self, tokens: AbstractSet[str]) -> float:
        """Return the share of the total weight that `tokens` cover, 0 to 1; 0 for a question without tokens."""
        total = sum(weight for _, weight in self.weights)
        return sum(weight for token, weight in self.weights if token in tokens) / total if total else 0.0
