"""What sets of tokens hold of a question: few of a text's tokens are the question's, and the same few recur, so each
set of those is looked at once.
"""

from collections.abc import Callable, Iterable
from collections.abc import Set as AbstractSet

from retrieval.question.token_weights import TokenWeights
from retrieval.question.words import Focus

Figure = Callable[[AbstractSet[str]], float]
"""Of a text's tokens; it looks for none but those that `Holding` keeps."""


class Holding:
    """Some figures of sets of tokens, each set's worked out once."""

    def __init__(self, focus: Focus, weights: TokenWeights, *figures: Figure) -> None:
        words = (*focus.names, *focus.telling)
        self._asked = frozenset(
            (
                *(token for token, _ in weights.weights),
                *(token for word in words for token in (*word.tokens, *word.related)),
                *(token for related in weights.related for token in related),
            )
        )
        self._figures = figures
        self._known: dict[frozenset[str], tuple[float, ...]] = {}

    def asked(self, tokens: Iterable[str]) -> frozenset[str]:
        """Those of the tokens that the question turns on."""
        return self._asked.intersection(tokens)

    def of(self, asked: frozenset[str]) -> tuple[float, ...]:
        """The figures of these tokens, in their order."""
        known = self._known.get(asked)
        if known is None:
            known = self._known[asked] = tuple(figure(asked) for figure in self._figures)
        return known
