"""What Gradio keeps of each visitor of its tabs, bounded: what was sent to them and isn't read yet, and little more.

Gradio would also keep a description of every control with all that was ever shown in it, for a link to that very state
of the page, which ours doesn't offer: most of a visitor's memory, and several milliseconds of the event loop for each
visitor and each answer. And its queue keeps what was sent to someone until they read it, or for ever; the page reads as
soon as it has sent something, so whoever doesn't has gone, or was never a page.
"""

import time
from collections import Counter
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from copy import copy
from datetime import datetime, timedelta
from typing import Any

from gradio.blocks import Blocks
from gradio.queueing import Queue
from gradio.state_holder import SessionState, StateHolder

_KEPT = timedelta(hours=12)
_KEPT_WHEN_CLOSED = timedelta(hours=1)
_MAX_OF_VISITOR = 16
"""Events of one visitor that aren't answered yet; a page begins with six."""
_MAX_UNREAD = 64
"""Visitors who sent events and don't read; the one who sent longest ago gives way."""
_UNREAD_S = 60.0
_MAX_CHARACTERS = 16 * 1024 * 1024
"""Of all texts whose events aren't done, each of which Gradio holds three times."""


class PageSessions(StateHolder):  # type: ignore[misc]  # to mypy, Gradio is untyped
    """The visitors of a page, each with a state of their own.

    The one away longest gives way to one too many, and who was away for half a day, or closed the page an hour ago,
    begins anew.
    """

    def set_blocks(self, blocks: Blocks) -> None:
        """Take the page that the visitors are of."""
        super().set_blocks(blocks)
        self._first = SessionState(blocks)

    def __getitem__(self, session_id: str) -> SessionState:
        """A visitor's state; whoever wasn't here before has a new one."""
        if session_id not in self.session_data:
            self.session_data[session_id] = self._begin()
        return super().__getitem__(session_id)

    def delete_all_expired_state(self) -> None:
        """Forget who was away too long; Gradio calls it every second."""
        now = datetime.now()
        for visitor, last in list(self.time_last_used.items()):
            session = self.session_data.get(visitor)
            if session is None or now - last > (_KEPT_WHEN_CLOSED if session.is_closed else _KEPT):
                self.session_data.pop(visitor, None)
                self.time_last_used.pop(visitor, None)

    def _begin(self) -> SessionState:
        session = copy(self._first)
        session.blocks_config = copy(self.blocks.default_config)
        session.blocks_config.config_for_block = _describe
        session.config_values, session.state_data, session._state_ttl = {}, {}, {}
        return session


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


def _describe(_number: int, *_about: object) -> dict[str, Any]:
    """A control's description: none, in which Gradio then finds no place for what is shown."""
    return {}
