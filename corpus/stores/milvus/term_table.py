"""The terms of an index, and BM25 as inner products of sparse vectors.

A passage's vector holds, for each of its tokens, the part of BM25 that depends on the passage; a question's holds the
part that depends on the token. Their inner product is the score of `corpus.stores.lexical_index`: a server's own BM25
has another tokenizer, and counts within each of its segments.
"""

import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from corpus.index.mapped_arrays import map_array, write_array
from corpus.index.sorted_terms import SortedTerms, term_bytes
from corpus.stores.lexical_index import LEXICAL_B, LEXICAL_K1

_REMEMBERED = 1_000_000
"""Numbers of terms kept: when an index is written, each is asked for many times."""
_FILES = ("terms", "term_ends", "frequencies", "counts")


class TermTable:
    """Every token that the passages hold, with its number and in how many of them it is."""

    def __init__(self, terms: SortedTerms, frequencies: NDArray[np.int32], counts: NDArray[np.int64]) -> None:
        self._terms = terms
        self._place = lru_cache(_REMEMBERED)(terms.place)
        self._frequencies = frequencies
        self._counts = counts
        self._passages, self.filled_passages, tokens = (int(count) for count in counts)
        """All passages, and those that hold any token."""
        self._average_length = tokens / max(self._passages, 1)

    @classmethod
    def from_tokens(cls, tokens: Iterable[Sequence[str]]) -> "TermTable":
        """Count one sequence of tokens a passage."""
        frequencies: Counter[str] = Counter()
        counts = np.zeros(3, np.int64)
        for passage in tokens:
            frequencies.update(set(passage))
            counts += (1, bool(passage), len(passage))
        ordered = sorted((term_bytes(term), frequency) for term, frequency in frequencies.items())
        return cls(
            SortedTerms.of(term for term, _ in ordered),
            np.array([frequency for _, frequency in ordered], np.int32),
            counts,
        )

    @classmethod
    def open(cls, folder: Path) -> "TermTable":
        """Map the files that `write` left in `folder`.

        Raises:
            OSError, ValueError: they can't be read.
        """
        terms, ends, frequencies, counts = (map_array(folder / f"{name}.npy") for name in _FILES)
        return cls(SortedTerms(terms, ends), frequencies, counts)

    def write(self, folder: Path) -> None:
        """Write the table's files into `folder`, which exists."""
        arrays: tuple[NDArray[Any], ...] = (self._terms.text, self._terms.ends, self._frequencies, self._counts)
        for name, array in zip(_FILES, arrays, strict=True):
            write_array(folder / f"{name}.npy", array)

    def document_frequency(self, token: str) -> int:
        """How many passages hold `token`."""
        number = self._place(token)
        return 0 if number is None else int(self._frequencies[number])

    def passage_weights(self, tokens: Sequence[str]) -> dict[int, float]:
        """The sparse vector of a passage: by number of a term, between 0 and 1; empty without tokens."""
        length = LEXICAL_K1 * (1 - LEXICAL_B + LEXICAL_B * len(tokens) / (self._average_length or 1.0))
        return {
            number: count / (count + length)
            for token, count in Counter(tokens).items()
            if (number := self._place(token)) is not None
        }

    def question_weights(self, tokens: Mapping[str, float]) -> dict[int, float]:
        """The sparse vector of a question: how rare each known token is, times how much it counts."""
        return {
            number: counts * self._rarity(int(self._frequencies[number]))
            for token, counts in tokens.items()
            if (number := self._place(token)) is not None
        }

    def _rarity(self, frequency: int) -> float:
        return math.log(1 + (self._passages - frequency + 0.5) / (frequency + 0.5))
