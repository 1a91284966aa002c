"""Who computes just now: few at once, however many questions are worked on."""

import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from retrieval.llm import SentenceWriter
from retrieval.model import Citation

COMPUTING = 2
"""One whose work is outside of Python just now, in the index or the model, and one who goes on meanwhile: Python lets
one thread run at a time. With two places in place of eight, probes took a third of their time under four times what a
server can take, and as much was served."""


class ComputingTurns:
    """So many turns; safe to share between threads and desks."""

    def __init__(self, most: int = COMPUTING) -> None:
        self._free = threading.Semaphore(most)
        self._thread = threading.local()

    @contextmanager
    def one(self) -> Iterator[None]:
        """Have a turn for a `with` block; its thread waits until there is one."""
        with self._free:
            self._thread.has_turn = True
            try:
                yield
            finally:
                self._thread.has_turn = False

    @contextmanager
    def lent(self) -> Iterator[None]:
        """Let another thread have this one's turn for a `with` block; nothing where this thread has none."""
        if not getattr(self._thread, "has_turn", False):
            yield
            return
        self._free.release()
        try:
            yield
        finally:
            self._free.acquire()


class TurnLendingWriter:
    """A `SentenceWriter` whose thread lends its turn while it waits for the language model."""

    def __init__(self, writer: SentenceWriter, turns: ComputingTurns) -> None:
        self.name = writer.name
        self._writer = writer
        self._turns = turns

    def write(self, question: str, citations: Sequence[Citation]) -> str:
        """See `SentenceWriter.write`.

        Raises:
            WriterError: as the writer.
        """
        with self._turns.lent():
            return self._writer.write(question, citations)
