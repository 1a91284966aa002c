"""Who computes just now: few at once, however many questions are worked on."""

import threading
from collections.abc import Iterator
from contextlib import contextmanager

from retrieval.deadline import left_s
from retrieval.llm.chat import ChatModel, Completion, CompletionError, Prompt

COMPUTING = 2
"""One whose work is outside of Python just now, in the index or the model, and one who goes on meanwhile: Python lets
one thread run at a time. With two places in place of eight, probes took a third of their time under four times what a
server can take, and as much was served."""


_RESERVE_S = 1.0
"""Of a question's time, for what comes after the language model."""


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


class TurnLendingModel:
    """A `ChatModel` whose caller's thread lends its turn while it waits."""

    def __init__(self, model: ChatModel, turns: ComputingTurns) -> None:
        self.name = model.name
        self.timeout_s = model.timeout_s
        self._model = model
        self._turns = turns

    def complete(self, prompt: Prompt, *, within_s: float) -> Completion:
        """See `ChatModel.complete`.

        Raises:
            CompletionError: as the model.
        """
        within_s = min(within_s, left_s() - _RESERVE_S)
        if within_s <= 0:
            raise CompletionError("wasn't asked, for this has waited long already")
        with self._turns.lent():
            return self._model.complete(prompt, within_s=within_s)
