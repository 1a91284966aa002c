"""The assistant over whatever state the index is in now, for a server that runs on while others ingest."""

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from corpus.embedding import Embedder
from corpus.index_layout import Manifest, connect, read_manifest
from retrieval.assistant import Assistant
from retrieval.llm import SentenceWriter
from retrieval.rerank import Reranker


@dataclass(slots=True)
class _Lease:
    """An open assistant and how many questions hold it; mutable, guarded by the lock of its owner."""

    assistant: Assistant
    manifest: Manifest
    users: int = 0


class LiveAssistant:
    """Lends out an assistant that is open on the newest committed state; safe to share between threads."""

    def __init__(
        self,
        index: Path,
        *,
        open_embedder: Callable[[], Embedder],
        open_reranker: Callable[[], Reranker | None] = lambda: None,
        writer: SentenceWriter | None = None,
    ) -> None:
        self._index = index
        self._writer = writer
        self._open_embedder = open_embedder
        self._open_reranker = open_reranker
        self._embedder: Embedder | None = None
        self._reranker: Reranker | None = None
        self._lock = threading.Lock()
        self._current: _Lease | None = None

    @contextmanager
    def borrow(self) -> Iterator[Assistant]:
        """Lend the assistant for a `with` block; it stays on one state of the index throughout.

        Raises:
            IndexUnavailable: there is no index yet, or it can't be served with this model.
            ModelError: the model is missing, altered or can't be loaded.
        """
        with self._lock:
            lease = self._newest()
            lease.users += 1
        try:
            yield lease.assistant
        finally:
            with self._lock:
                lease.users -= 1
                if lease is not self._current and not lease.users:
                    lease.assistant.close()

    def close(self) -> None:
        """Let the index go once the last borrower is done."""
        with self._lock:
            self._retire()

    def _newest(self) -> _Lease:
        manifest = _peek_manifest(self._index)
        if self._current is None or self._current.manifest != manifest:
            if self._embedder is None:
                # Last, for it says that both are there.
                self._reranker = self._open_reranker()
                self._embedder = self._open_embedder()
            assistant = Assistant.open(
                self._index, embedder=self._embedder, writer=self._writer, reranker=self._reranker
            )
            self._retire()
            self._current = _Lease(assistant, assistant.index.manifest)
        return self._current

    def _retire(self) -> None:
        lease, self._current = self._current, None
        if lease is not None and not lease.users:
            lease.assistant.close()


def _peek_manifest(index: Path) -> Manifest:
    connection = connect(index)
    try:
        return read_manifest(connection, index)
    finally:
        connection.close()
