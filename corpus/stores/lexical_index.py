"""BM25 over passages (Lucene's variant; Kamphuis et al., "Which BM25 Do You Mean?", 2020), read from mapped files.

A question reads the postings of its own words only, so that a process that asks once never reads the files whole.
"""

from array import array
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import pairwise, takewhile
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from corpus.stores.mapped_arrays import map_array

_REMEMBERED = 50_000  # Terms in a cache that all questions share.


@dataclass(frozen=True, slots=True)
class _Postings:
    """Terms in the order of their UTF-8 bytes, and the postings of each."""

    terms: NDArray[np.uint8]  # All terms, one after another.
    term_ends: NDArray[np.int64]
    term_rows: NDArray[np.int32]  # The number of each term: its place in `starts`.
    starts: NDArray[np.int64]
    passages: NDArray[np.int32]  # Ascending for each term.
    weights: NDArray[np.float32]

    def find(self, term: str) -> int | None:
        """Return the number of `term`; None if no passage contains it."""
        encoded, count = _term_bytes(term), len(self.term_ends)
        rank = bisect_left(range(count), encoded, key=self._term)
        return int(self.term_rows[rank]) if rank < count and self._term(rank) == encoded else None

    def terms_from(self, prefix: bytes) -> Iterator[str]:
        """Yield the terms that begin with `prefix`, in order."""
        count = len(self.term_ends)
        terms = map(self._term, range(bisect_left(range(count), prefix, key=self._term), count))
        begun = takewhile(lambda term: term.startswith(prefix), terms)
        return (term.decode("utf-8", "surrogatepass") for term in begun)

    def _term(self, rank: int) -> bytes:
        start = int(self.term_ends[rank - 1]) if rank else 0
        return self.terms[start : int(self.term_ends[rank])].tobytes()


class LexicalIndex:
    """BM25 over passages, in passage order; safe to share between threads."""

    def __init__(self, postings: _Postings, passages: int) -> None:
        self._postings = postings
        self._passages = passages
        self._find = lru_cache(_REMEMBERED)(postings.find)

    @classmethod
    def from_tokens(cls, tokens: Iterable[Sequence[str]]) -> "LexicalIndex":
        """Index one sequence of tokens for each passage; with none, the index matches nothing."""
        vocabulary: dict[str, int] = {}
        # Arrays, because a list stores each number as an object.
        ids = [array("i", [vocabulary.setdefault(token, len(vocabulary)) for token in passage]) for passage in tokens]
        terms = sorted((_term_bytes(term), number) for term, number in vocabulary.items())
        weights: dict[str, NDArray[np.generic]] = {}
        if vocabulary:
            # Imported here, because it imports scipy, which no question needs.
            import bm25s

            retriever = bm25s.BM25(method="lucene", k1=1.2, b=0.75)
            retriever.index((ids, vocabulary), create_empty_token=False, show_progress=False)
            weights = retriever.scores
        return cls(
            _Postings(
                terms=np.frombuffer(b"".join(term for term, _ in terms), np.uint8),
                term_ends=np.cumsum([len(term) for term, _ in terms], dtype=np.int64),
                term_rows=np.array([number for _, number in terms], np.int32),
                starts=np.asarray(weights.get("indptr", [0]), np.int64),
                passages=np.asarray(weights.get("indices", []), np.int32),
                weights=np.asarray(weights.get("data", []), np.float32),
            ),
            len(ids),
        )

    @classmethod
    def open(cls, folder: Path, *, passages: int) -> "LexicalIndex":
        """Map the files that `write` wrote for so many `passages` into `folder`; `passages` isn't checked.

        Raises:
            OSError, ValueError: they can't be read.
        """
        arrays = {name: map_array(folder / f"{name}.npy") for name in _Postings.__slots__}
        return cls(_Postings(**arrays), passages)

    def write(self, folder: Path) -> None:
        """Write the index's files into the existing `folder`; raise OSError if that fails."""
        for name in _Postings.__slots__:
            np.save(folder / f"{name}.npy", getattr(self._postings, name), allow_pickle=False)

    def scores(self, tokens: Mapping[str, float]) -> NDArray[np.float32]:
        """Return all passages' BM25 scores, summed over `tokens` times their weights: float32, 0 without a match."""
        scores = np.zeros(self._passages, dtype=np.float32)
        for number, weight in self.question_vector(tokens).items():
            term_postings = slice(*self._postings.starts[number : number + 2].tolist())
            weights = self._postings.weights[term_postings]
            scores[self._postings.passages[term_postings]] += weights if weight == 1 else np.float32(weight) * weights
        return scores

    def document_frequency(self, token: str) -> int:
        """Return how many passages contain `token`; 0 for an unknown one."""
        number = self._find(token)
        return 0 if number is None else int(self._postings.starts[number + 1] - self._postings.starts[number])

    def terms_from(self, prefix: str) -> Iterator[str]:
        """Yield the terms that begin with `prefix`, in the order of their bytes."""
        return self._postings.terms_from(_term_bytes(prefix))

    def question_vector(self, tokens: Mapping[str, float]) -> dict[int, float]:
        """Return the weight of each known token, by the number of its term; unknown tokens are left out."""
        return {number: float(weight) for token, weight in tokens.items() if (number := self._find(token)) is not None}

    def passage_vectors(self) -> Iterator[dict[int, float]]:
        """Yield for each passage, in order, the BM25 weight of each term number; `{}` for a passage without tokens. A
        passage's score is its inner product with `question_vector`."""
        postings = self._postings
        numbers = np.repeat(np.arange(len(postings.starts) - 1), np.diff(postings.starts))
        order = np.argsort(postings.passages, kind="stable")
        bounds = np.searchsorted(postings.passages[order], np.arange(self._passages + 1))
        for first, end in pairwise(bounds.tolist()):
            rows = order[first:end]
            yield dict(zip(numbers[rows].tolist(), postings.weights[rows].tolist(), strict=True))

    def without_postings(self) -> "LexicalIndex":
        """Return the terms alone, with their document frequencies; `scores` doesn't work on the result."""
        empty = replace(self._postings, passages=np.zeros(0, np.int32), weights=np.zeros(0, np.float32))
        return LexicalIndex(empty, self._passages)


def _term_bytes(term: str) -> bytes:
    return term.encode("utf-8", "surrogatepass")
