"""The terms of an index, and BM25 as inner products of sparse vectors.

A passage's vector holds, for each of its tokens, the part of BM25 that depends on the passage; a question's holds the
part that depends on the token. Their inner product is the score of `corpus.lexical_index`: a server's own BM25 has
another tokenizer, and counts within each of its segments.
"""

import json
import math
from collections import Counter
from collections.abc import Iterable, Sequence
from pathlib import Path

from corpus.derived import LEXICAL_B, LEXICAL_K1


class TermTable:
    """Every token that the passages hold, with its number and in how many of them it is."""

    def __init__(self, frequencies: dict[str, int], *, passages: int, filled: int, average_length: float) -> None:
        self.filled_passages = filled
        """How many passages hold any token."""
        self._frequencies = frequencies
        self._numbers = {token: number for number, token in enumerate(frequencies)}
        self._passages = passages
        self._average_length = average_length

    @classmethod
    def from_tokens(cls, tokens: Iterable[Sequence[str]]) -> "TermTable":
        """Count one sequence of tokens a passage."""
        frequencies: Counter[str] = Counter()
        passages = filled = total = 0
        for passage in tokens:
            frequencies.update(dict.fromkeys(passage, 1))
            passages += 1
            filled += bool(passage)
            total += len(passage)
        return cls(dict(frequencies), passages=passages, filled=filled, average_length=total / max(passages, 1))

    def write(self, path: Path) -> None:
        """Write the table into one JSON file."""
        content = {
            "passages": self._passages,
            "filled": self.filled_passages,
            "average_length": self._average_length,
            "terms": self._frequencies,
        }
        path.write_text(json.dumps(content), encoding="utf-8")

    @classmethod
    def read(cls, path: Path) -> "TermTable":
        """Read what `write` wrote.

        Raises:
            ValueError, TypeError, KeyError: it isn't that.
        """
        content = json.loads(path.read_text(encoding="utf-8"))
        return cls(
            content["terms"],
            passages=content["passages"],
            filled=content["filled"],
            average_length=content["average_length"],
        )

    def document_frequency(self, token: str) -> int:
        """How many passages hold `token`."""
        return self._frequencies.get(token, 0)

    def passage_weights(self, tokens: Sequence[str]) -> dict[int, float]:
        """The sparse vector of a passage: by number of a term, between 0 and 1; empty without tokens."""
        length = LEXICAL_K1 * (1 - LEXICAL_B + LEXICAL_B * len(tokens) / (self._average_length or 1.0))
        return {self._numbers[token]: count / (count + length) for token, count in Counter(tokens).items()}

    def question_weights(self, tokens: Sequence[str]) -> dict[int, float]:
        """The sparse vector of a question: how rare each known token is, times how often it is asked."""
        return {
            self._numbers[token]: count * self._rarity(self._frequencies[token])
            for token, count in Counter(tokens).items()
            if token in self._numbers
        }

    def _rarity(self, frequency: int) -> float:
        return math.log(1 + (self._passages - frequency + 0.5) / (frequency + 0.5))
