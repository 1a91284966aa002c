"""What arrives goes before what waits: Slack gives three seconds to acknowledge an event, a person waits for longer.

An answer computes in a thread that shares Python's lock with the event loop, so a few of them at once can hold up a
burst of events by seconds. While one comes in, no further answer is begun.
"""

import asyncio
import time
from collections.abc import Iterator
from contextlib import contextmanager

_LULL_S = 0.25
_PATIENCE_S = 3.0


class Arrivals:
    """Counts what is being taken in, for one event loop."""

    def __init__(self) -> None:
        self._open = 0
        self._last_ended = -_LULL_S

    @contextmanager
    def one(self) -> Iterator[None]:
        """While something is being taken in."""
        self._open += 1
        try:
            yield
        finally:
            self._open -= 1
            self._last_ended = time.monotonic()

    async def lull(self) -> None:
        """Return once nothing has arrived for a moment; after some seconds in any case, so that all are answered."""
        deadline = time.monotonic() + _PATIENCE_S
        while (self._open or time.monotonic() - self._last_ended < _LULL_S) and time.monotonic() < deadline:
            await asyncio.sleep(_LULL_S / 4)
