"""Items embedded in a thread of their own while further documents are parsed."""

from collections import deque
from collections.abc import Callable
from concurrent.futures import CancelledError, Future, ThreadPoolExecutor, wait
from threading import Event

import numpy as np
from numpy.typing import NDArray

from corpus.embedding import Embedder
from corpus.model import ParsedDocument
from ingest.passages.enrichment import embedded_text

_EMBED_BATCH = 1024
"""Texts handed over at once, longest first: of so many, those of like length fill a batch without padding."""
_LISTEN_S = 0.1


class ItemEmbedding:
    """Takes documents in any number of steps and gives the vectors of all their items; a context manager."""

    def __init__(self, embedder: Embedder) -> None:
        """Nothing is computed before `add`."""
        self._embedder = embedder
        self._pool = ThreadPoolExecutor(1, thread_name_prefix="embedding")
        self._waiting: list[str] = []
        self._batches: deque[Future[NDArray[np.float32]]] = deque()
        self._embedded = 0
        self._is_over = Event()
        self.items = 0
        """Of all documents that were added."""

    def __enter__(self) -> "ItemEmbedding":
        return self

    def __exit__(self, *_: object) -> None:
        """Wait for the few texts that are in the model; those that aren't yet are left out."""
        self._is_over.set()
        self._pool.shutdown(cancel_futures=True)

    def add(self, document: ParsedDocument) -> None:
        """Embed the document's items, in the order of its passages, after those that came before."""
        text = document.document.text
        texts = [embedded_text(text, item) for passage in document.passages for item in passage.items]
        self.items += len(texts)
        self._waiting += texts
        while len(self._waiting) >= _EMBED_BATCH:
            self._batches.append(self._pool.submit(self._embed, self._waiting[:_EMBED_BATCH]))
            del self._waiting[:_EMBED_BATCH]

    def finish(self, advance: Callable[[int], None] | None = None) -> NDArray[np.float32]:
        """The vectors of all items, rows in the order that they came in; `advance` hears how many more are done.

        Raises:
            ModelError: the model can't be used.
        """
        if self._waiting:
            self._batches.append(self._pool.submit(self._embed, self._waiting))
        vectors = np.empty((self.items, self._embedder.dimensions), np.float32)
        row = told = 0
        # Each batch is dropped when it is copied, so that memory never holds all vectors twice.
        while self._batches:
            batch = self._batches.popleft()
            is_done = False
            while not is_done:
                is_done = bool(wait([batch], timeout=_LISTEN_S).done)
                if advance and (more := self._embedded - told):
                    advance(more)
                    told += more
            computed = batch.result()
            vectors[row : row + len(computed)] = computed
            row += len(computed)
        return vectors

    def _embed(self, texts: list[str]) -> NDArray[np.float32]:
        order = sorted(range(len(texts)), key=lambda row: len(texts[row]), reverse=True)
        vectors = np.empty((len(texts), self._embedder.dimensions), dtype=np.float32)
        vectors[order] = self._embedder.embed([texts[row] for row in order], progress=self._count)
        return vectors

    def _count(self, count: int) -> None:
        if self._is_over.is_set():
            raise CancelledError
        self._embedded += count
