"""Keeps the requests being answered: in memory, each name once, a bounded number at a time."""

import asyncio
import logging
import time
from collections.abc import Awaitable, Callable

from corpus.errors import RelnotesError

MAX_OPEN = 1_000  # Unanswered requests, which take minutes to answer; further ones are refused.
REMEMBERED_S = 600.0
"""Slack delivers again at once, after a minute and after five; answers end before, so that none begins twice."""
_MAX_NAMES = 10_000

_log = logging.getLogger("relnotes.slack")


class TooManyOpenError(RelnotesError):
    """Too many requests wait to be answered for another to be answered in time; it can be sent again later."""


class Intake:
    """Begins the answers, each in a task of the running event loop."""

    def __init__(self) -> None:
        self._names: dict[str, float] = {}
        self._tasks: set[asyncio.Task[None]] = set()

    def begin(self, name: str, answer: Callable[[], Awaitable[None]]) -> None:
        """Begin an answer, unless one of the same name was begun within `REMEMBERED_S`, among the last `_MAX_NAMES`.

        Raises:
            TooManyOpenError: `MAX_OPEN` requests aren't answered yet.
        """
        now = time.monotonic()
        while self._names and (len(self._names) >= _MAX_NAMES or now - next(iter(self._names.values())) > REMEMBERED_S):
            del self._names[next(iter(self._names))]
        if name in self._names:
            return
        if len(self._tasks) >= MAX_OPEN:
            raise TooManyOpenError(f"{MAX_OPEN:,} requests wait to be answered already.")
        self._names[name] = now
        task = asyncio.create_task(self._run(answer))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def stop(self, *, drain_s: float) -> None:
        """Return once all requests are answered; cancel the rest after `drain_s` seconds."""
        if self._tasks:
            await asyncio.wait(self._tasks, timeout=drain_s)
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    async def _run(self, answer: Callable[[], Awaitable[None]]) -> None:
        try:
            async with asyncio.timeout(REMEMBERED_S):
                await answer()
        except (RelnotesError, TimeoutError) as error:
            _log.warning("A request from Slack is given up: %s", str(error) or f"it took {REMEMBERED_S:g} s.")
        except Exception:
            _log.exception("A request from Slack met an error that wasn't expected.")
