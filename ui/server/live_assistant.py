"""The assistant over the newest state of the index, for a server that keeps running while others ingest."""

import contextlib
import logging
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from corpus.catalogue import largest_first
from corpus.embedding import Embedder
from corpus.errors import IndexUnavailable, ModelError
from corpus.index.layout import newest_manifest
from corpus.manifest import Manifest
from retrieval.assistant import Assistant
from retrieval.judge.model import Task, load_cross_encoder
from retrieval.llm import ChatModel

_LOG = logging.getLogger("relnotes.index")
_JUDGES: tuple[Task, ...] = ("answers", "yes_no")
_FIRST_QUESTIONS = ("What is new?", "Was support for the old option removed?", "How do I set the default?")
_PROBE_PATIENCE_S = 0.5
"""How long a probe waits for an index to open: most open faster, and probes have longer timeouts."""


@dataclass(frozen=True, slots=True)
class Readiness:
    """The manifest of the state served, or None, and whether a newer state is being opened."""

    manifest: Manifest | None
    is_loading: bool


@dataclass(slots=True)
class _Lease:
    """An open assistant and the number of questions using it; mutable, guarded by the lock of its owner."""

    assistant: Assistant
    users: int = 0


class LiveAssistant:
    """Lends an assistant that is open on the newest committed state; safe to share between threads. The first borrower
    to see a newer state opens it, and the others wait for that."""

    def __init__(self, index: Path, *, open_embedder: Callable[[], Embedder], model: ChatModel | None = None) -> None:
        self._index = index
        self._model = model
        self._open_embedder = open_embedder
        self._embedder: Embedder | None = None
        self._lock = threading.Lock()
        self._current: _Lease | None = None
        self._unservable: Manifest | None = None

    @contextmanager
    def borrow(self) -> Iterator[Assistant]:
        """Lend the assistant for a `with` block, on one state of the index throughout.

        Raises:
            IndexUnavailable, ModelError: the index or the model can't be opened.
        """
        with self._lock:
            lease = self._open_newest()
            lease.users += 1
        try:
            yield lease.assistant
        finally:
            with self._lock:
                lease.users -= 1
                if lease is not self._current and not lease.users:
                    lease.assistant.close()

    def readiness(self) -> Readiness:
        """Return the state served, within a second; start to open a newer state in the background.

        Raises:
            IndexUnavailable: there is no index, or it can't be served.
        """
        newest = newest_manifest(self._index)
        if self._served != newest and not self._lock.locked():
            opener = threading.Thread(target=self._open_quietly, name="open index", daemon=True)
            opener.start()
            opener.join(_PROBE_PATIENCE_S)
        if self._unservable == newest:
            raise IndexUnavailable("The index can't be served. Ask a question to learn why.")
        served = self._served
        return Readiness(served, is_loading=served != newest)

    def close(self) -> None:
        with self._lock:
            self._retire()

    @property
    def _served(self) -> Manifest | None:
        lease = self._current
        return lease.assistant.index.manifest if lease else None

    def _open_newest(self) -> _Lease:
        """Return the lease of the newest state, opened if it isn't; the caller has the lock."""
        newest = newest_manifest(self._index)
        if self._current is None or self._served != newest:
            try:
                if self._embedder is None:
                    self._embedder = self._open_embedder()
                assistant = Assistant.open(self._index, embedder=self._embedder, model=self._model)
            except (IndexUnavailable, ModelError):
                self._unservable = newest
                raise
            self._retire()
            self._unservable = None
            self._current = _Lease(assistant)
        return self._current

    def _open_quietly(self) -> None:
        with contextlib.suppress(IndexUnavailable, ModelError), self.borrow():
            pass

    def _retire(self) -> None:
        lease, self._current = self._current, None
        if lease is not None and not lease.users:
            lease.assistant.close()


def prepare(assistant: Assistant) -> None:
    """Warm up the assistant: compile the judge, import modules, read pages of the index and fill caches. Questions may
    be asked meanwhile. A failure is logged; it only makes the first questions slow."""
    try:
        for task in _JUDGES:
            load_cross_encoder(task).compile()
        for product in largest_first(assistant.catalogue())[:1]:
            for question in _FIRST_QUESTIONS:
                assistant.ask(question, product=product.name, read=False)
    except Exception:
        _LOG.debug("The first questions weren't prepared", exc_info=True)
