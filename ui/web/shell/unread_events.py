"""What Gradio's queue keeps for visitors, bounded: it keeps what was sent to someone until they read it, or for ever.

The page reads as soon as it has sent something. Whoever doesn't has gone, or was never a page.
"""

import time
from collections import Counter
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager

from gradio.queueing import Queue

_MAX_OF_VISITOR = 16
"""Events of one visitor that aren't answered yet; a page begins with six."""
_MAX_UNREAD = 64
"""Visitors who sent events and don't read; the one who sent longest ago gives way."""
_UNREAD_S = 60.0
_MAX_CHARACTERS = 16 * 1024 * 1024
"""Of all texts whose events aren't done, each of which Gradio holds three times."""


class UnreadEvents:
    """Admits events to `queue` where there is room, and drops what nobody comes to read."""

    def __init__(self, queue: Queue, *, now: Callable[[], float] = time.monotonic) -> None:
        self._queue = queue
        self._now = now
        self._readers = Counter[str]()
        self._unread: dict[str, float] = {}

    async def admit(self, visitor: str) -> bool:
        """Whether a further event of this visitor has room; those who left theirs unread make some."""
        if len(self._queue.pending_event_ids_session.get(visitor, ())) >= _MAX_OF_VISITOR:
            return False
        if not self._readers[visitor]:
            self._left(visitor)
        while self._unread:
            oldest, sent = next(iter(self._unread.items()))
            if len(self._unread) <= _MAX_UNREAD and self._now() - sent < _UNREAD_S:
                break
            await self._forget(oldest)
        events = [event.data for event in self._queue.event_ids_to_events.values() if event.data is not None]
        return sum(len(text or "") for event in events for text in event.data) < _MAX_CHARACTERS

    @asynccontextmanager
    async def reading(self, visitor: str) -> AsyncIterator[None]:
        """While a visitor reads, what is sent to them is theirs; a minute after it, the rest is dropped."""
        self._unread.pop(visitor, None)
        self._readers[visitor] += 1
        try:
            yield
        finally:
            self._readers -= Counter([visitor])
            # Not dropped at once: what they sent meanwhile may have been read with it, and they come to read it still.
            if not self._readers[visitor]:
                self._left(visitor)

    def _left(self, visitor: str) -> None:
        self._unread.pop(visitor, None)
        self._unread[visitor] = self._now()

    async def _forget(self, visitor: str) -> None:
        self._unread.pop(visitor, None)
        # What is still at work for them ends at its next word.
        await self._queue.clean_events(session_hash=visitor)
        self._queue.pending_messages_per_session.pop(visitor, None)
        self._queue.pending_event_ids_session.pop(visitor, None)
