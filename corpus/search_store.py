"""What ranks the passages of an index: the seam between retrieval and wherever vectors and postings are kept."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Protocol

import faiss
import numpy as np
from numpy.typing import NDArray

from corpus.item_search import Nearest, open_item_search
from corpus.lexical_index import LexicalIndex
from corpus.stored import PassageTable

_MASKS = 4
"""Of filters asked for lately; one takes a byte an item."""


@dataclass(frozen=True, slots=True)
class PassageFilter:
    """Which passages may be found; boilerplate never is."""

    products: tuple[int, ...] | None = None
    """Positions in `IndexReader.products`; None for all."""
    versions: tuple[int, ...] | None = None
    """Positions in `PassageTable.distinct_versions`; None for all."""

    def mask(self, table: PassageTable) -> NDArray[np.bool_]:
        """The passages that it lets through: shape (passages,)."""
        allowed: NDArray[np.bool_] = ~table.boilerplate
        if self.products is not None:
            allowed &= np.isin(table.products, self.products)
        if self.versions is not None:
            allowed &= np.isin(table.version_codes, self.versions)
        return allowed


class LexicalSearch(Protocol):
    """BM25 over passages."""

    def scores(self, tokens: Sequence[str]) -> NDArray[np.float32]:
        """BM25 of every passage for `tokens`: shape (passages,), 0 where nothing matches."""
        ...

    def document_frequency(self, token: str) -> int:
        """How many passages hold `token`."""
        ...


class SearchStore(Protocol):
    """Vectors of items and postings of passages; safe to share between threads."""

    @property
    def lexical(self) -> LexicalSearch:
        """The lexical leg, over all passages."""
        ...

    def lexical_scores(self, tokens: Sequence[str], wanted: PassageFilter) -> NDArray[np.float32]:
        """BM25 as `lexical.scores` gives it, of the passages that `wanted` lets through; 0 for the others."""
        ...

    def nearest_items(self, vector: NDArray[np.float32], wanted: PassageFilter, *, limit: int) -> Nearest:
        """The `limit` items nearest to `vector` (dimensions,) of passages that `wanted` lets through.

        Items are rows: those of passage i are item_offsets[i] … item_offsets[i + 1] - 1 of the passage table.
        """
        ...

    def close(self) -> None:
        """Let connections go; the store can't be used afterwards."""
        ...


class EmbeddedStore:
    """The store in the index's own folder: FAISS and mapped postings."""

    def __init__(
        self,
        vectors: faiss.Index,
        lexical: LexicalIndex,
        table: PassageTable,
        load: Callable[[NDArray[np.int64]], NDArray[np.float32]],
    ) -> None:
        self.vectors = vectors
        self.lexical = lexical
        self._table = table
        self._items = open_item_search(vectors, load)
        self._passage_mask = lru_cache(_MASKS)(lambda wanted: wanted.mask(table))
        self._bounds = lru_cache(_MASKS)(self._allowed_bounds)
        self._mask = lru_cache(_MASKS)(self._allowed_items)

    def lexical_scores(self, tokens: Sequence[str], wanted: PassageFilter) -> NDArray[np.float32]:
        """See `SearchStore.lexical_scores`."""
        scores = self.lexical.scores(tokens, within=self._bounds(wanted))
        # In place, and no branch for each of a million passages.
        scores *= self._passage_mask(wanted)
        return scores

    def close(self) -> None:
        """Let the mapped files go."""
        vars(self).clear()

    def nearest_items(self, vector: NDArray[np.float32], wanted: PassageFilter, *, limit: int) -> Nearest:
        """See `SearchStore.nearest_items`."""
        return self._items.nearest(vector, self._mask(wanted), limit=limit)

    def _allowed_bounds(self, wanted: PassageFilter) -> tuple[int, int]:
        """The first passage that `wanted` lets through, and the one after the last."""
        allowed = self._passage_mask(wanted)
        if not allowed.any():
            return 0, 0
        return int(allowed.argmax()), len(allowed) - int(allowed[::-1].argmax())

    def _allowed_items(self, wanted: PassageFilter) -> NDArray[np.bool_]:
        """By runs of passages, for a product's lie together: a look at each of millions of items takes longer."""
        offsets = self._table.item_offsets
        allowed = np.zeros(int(offsets[-1]), np.bool_)
        ends = np.flatnonzero(np.diff(self._passage_mask(wanted), prepend=False, append=False))
        for first, end in offsets[ends].reshape(-1, 2).tolist():
            allowed[first:end] = True
        return allowed
