"""What was taken in and is being answered: in memory, each name once, a bounded number at a time."""

import asyncio
import logging
import time
from collections import Counter
from collections.abc import Awaitable, Callable

from corpus.errors import RelnotesError

MAX_OPEN = 1_000  # Requests that aren't answered yet; one more is refused. They take minutes to work off.
REMEMBERED_S = 600.0
"""Slack delivers again at once, after a minute and after five. No answer takes longer, so that none is begun again."""
_MAX_NAMES = 10_000
EVENTS = ("taken_in", "repeated", "answered", "given_up")  # Of one that is repeated, nothing more is done.

_log = logging.getLogger("relnotes.slack")


class TooManyOpenError(RelnotesError):
    """So many requests are open already that a further one would be answered too late; it can be sent again."""


class Intake:
    """Begins what is asked for, each in a task of the running event loop."""

    def __init__(self) -> None:
        self.counts = Counter(dict.fromkeys(EVENTS, 0))
        """How often each of `EVENTS` happened since the process began."""
        self._names: dict[str, float] = {}
        self._tasks: set[asyncio.Task[None]] = set()

    def take_in(self, name: str, answer: Callable[[], Awaitable[None]]) -> None:
        """Begin an answer, unless one of the same name was begun within `REMEMBERED_S`.

        Raises:
            TooManyOpenError: `MAX_OPEN` others aren't answered yet.
        """
        now = time.monotonic()
        while self._names and (len(self._names) >= _MAX_NAMES or now - next(iter(self._names.values())) > REMEMBERED_S):
            del self._names[next(iter(self._names))]
        if name in self._names:
            self.counts["repeated"] += 1
            return
        if len(self._tasks) >= MAX_OPEN:
            raise TooManyOpenError(f"{MAX_OPEN:,} requests wait to be answered already.")
        self._names[name] = now
        self.counts["taken_in"] += 1
        task = asyncio.create_task(self._work(answer))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def stop(self, *, drain_s: float) -> None:
        """Return once all is answered, or after `drain_s` seconds; what is left then is given up."""
        if self._tasks:
            await asyncio.wait(self._tasks, timeout=drain_s)
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    async def _work(self, answer: Callable[[], Awaitable[None]]) -> None:
        became = "given_up"
        try:
            async with asyncio.timeout(REMEMBERED_S):
                await answer()
            became = "answered"
        except (RelnotesError, TimeoutError) as error:
            _log.warning("A request from Slack is given up: %s", str(error) or f"it took {REMEMBERED_S:g} s.")
        except Exception:
            _log.exception("A request from Slack met an error that wasn't expected.")
        finally:
            self.counts[became] += 1
