"""Terms kept as one array of bytes, so that they can be looked up in a mapped file without reading it whole."""

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray


def term_bytes(term: str) -> bytes:
    """The bytes by which terms are ordered."""
    return term.encode("utf-8", "surrogatepass")


@dataclass(frozen=True, slots=True)
class SortedTerms:
    """Terms in the order of their bytes."""

    text: NDArray[np.uint8]
    """All terms, one after another."""
    ends: NDArray[np.int64]

    @classmethod
    def of(cls, terms: Iterable[bytes]) -> "SortedTerms":
        """Keep `terms`, which are in order."""
        ordered = list(terms)
        ends = np.cumsum([len(term) for term in ordered], dtype=np.int64)
        return cls(np.frombuffer(b"".join(ordered), np.uint8), ends)

    def place(self, term: str) -> int | None:
        """Where in the order `term` is; None where it isn't among them."""
        wanted = term_bytes(term)
        low, high = 0, len(self.ends)
        while low < high:
            middle = (low + high) // 2
            if self._term(middle) < wanted:
                low = middle + 1
            else:
                high = middle
        return low if low < len(self.ends) and self._term(low) == wanted else None

    def _term(self, number: int) -> bytes:
        start = int(self.ends[number - 1]) if number else 0
        return self.text[start : int(self.ends[number])].tobytes()
