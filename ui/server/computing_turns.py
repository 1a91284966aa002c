"""Who computes just now: few at once, however many questions are worked on.

Python lets one thread run at a time. More of them answer nothing sooner, and whatever has to be fast (probes, refusals,
Slack's acknowledgements) waits for its turn behind them all, again and again.
"""

import threading
from collections import deque
from collections.abc import Iterator
from contextlib import contextmanager

COMPUTING = 2
"""One whose work is outside of Python just now, in the index or the model, and one who goes on meanwhile, whatever the
number of processors. With two places in place of eight, probes took a third of their time under four times what a
server can take, and as much was served."""


class ComputingTurns:
    """So many turns, first come first served; safe to share between threads and desks."""

    def __init__(self, most: int = COMPUTING) -> None:
        self._free = most
        self._lock = threading.Lock()
        self._line: deque[threading.Lock] = deque()
        """Each held until its thread's turn has come."""
        self._held = threading.local()

    @contextmanager
    def one(self) -> Iterator[None]:
        """Have a turn for a `with` block; its thread waits until there is one."""
        self._take(is_first=False)
        self._held.here = True
        try:
            yield
        finally:
            self._held.here = False
            self._give()

    @contextmanager
    def lent(self) -> Iterator[None]:
        """Let another have this thread's turn for a `with` block, and have the next one after it; nothing where this
        thread has none."""
        if not getattr(self._held, "here", False):
            yield
            return
        self._held.here = False
        self._give()
        try:
            yield
        finally:
            self._take(is_first=True)
            self._held.here = True

    def _take(self, *, is_first: bool) -> None:
        with self._lock:
            if self._free:
                self._free -= 1
                return
            turn = threading.Lock()
            turn.acquire()
            if is_first:
                self._line.appendleft(turn)
            else:
                self._line.append(turn)
        turn.acquire()

    def _give(self) -> None:
        # Handed over: a turn laid down could be taken by whoever comes in between.
        with self._lock:
            if self._line:
                self._line.popleft().release()
            else:
                self._free += 1
