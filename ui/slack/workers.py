"""The workers that answer remembered requests, a bounded number at once, until they are asked to stop."""

import asyncio
import contextlib
import logging
import random
import sqlite3
import time
from collections import Counter, deque
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from enum import StrEnum
from pathlib import Path
from typing import TypeVar

from filelock import AsyncFileLock

from corpus.errors import RelnotesError
from ui.slack.replying import Replier
from ui.slack.request_queue import Claim, RequestQueue, SlackRequest
from ui.slack.web_api import SlackBusy, SlackRefusal

MAX_ATTEMPTS = 8
_POLL_S = 1.0
_TIDY_S = 3600.0
_LONGEST_DELAY_S = 60.0
_LULL_S = 0.25
_LULL_PATIENCE_S = 3.0

_log = logging.getLogger("relnotes.slack")
_Result = TypeVar("_Result")


class SlackEvent(StrEnum):
    """What can happen to a request, as it is counted; of one request several things do."""

    TAKEN_IN = "taken_in"  # Remembered, and acknowledged.
    REPEATED = "repeated"  # Delivered once more; nothing is done for it.
    ANSWERED = "answered"
    RETRIED = "retried"  # An attempt failed; there will be another.
    POSTPONED = "postponed"  # Slack wants to be left alone for longer.
    GIVEN_UP = "given_up"


class SlackWorkers:
    """Answers requests from the memory on disk, each once, in the order in which they came."""

    def __init__(self, memory: RequestQueue, replier: Replier, *, workers: int, lock: Path) -> None:
        self.counts = Counter(dict.fromkeys(map(str, SlackEvent), 0))
        """How often each `SlackEvent` happened since the process began."""
        self._memory = memory
        self._replier = replier
        self._workers = workers
        self._lock = AsyncFileLock(lock)
        # The memory is one file for one thread; the event loop must not wait for the disk.
        self._disk = ThreadPoolExecutor(max_workers=1, thread_name_prefix="slack-memory")
        self._wake = asyncio.Event()
        self._stop = asyncio.Event()
        self._task: asyncio.Task[None] | None = None
        self._arrived: deque[tuple[SlackRequest, Future[bool]]] = deque()
        self._arriving = 0
        self._arrived_at = -_LULL_S

    async def enqueue(self, request: SlackRequest) -> bool:
        """Remember a request on disk; once this returns, it will be answered. Whether it is a new one, meant for us.

        Raises:
            TooManyWaitingError: too many others wait.
        """
        self._arriving += 1
        outcome: Future[bool] = Future()
        self._arrived.append((request, outcome))
        try:
            await self.on_disk(self._remember)
            is_new = outcome.result()
        finally:
            self._arriving -= 1
            self._arrived_at = time.monotonic()
        self.counts[SlackEvent.TAKEN_IN if is_new else SlackEvent.REPEATED] += 1
        if is_new:
            self._wake.set()
        return is_new

    def _remember(self) -> None:
        """Remember what has arrived, as much at once as there is: a burst must not wait for the disk once for each."""
        arrived = [self._arrived.popleft() for _ in range(len(self._arrived))]
        if not arrived:
            return
        outcomes: list[bool | Exception] = []
        try:
            with self._memory.together():
                for request, _ in arrived:
                    try:
                        outcomes.append(self._memory.enqueue(request))
                    except (RelnotesError, ValueError) as error:
                        # Those that it came with are taken in.
                        outcomes.append(error)
        except Exception as error:
            outcomes = [error] * len(arrived)
        for (_, waiting), outcome in zip(arrived, outcomes, strict=True):
            if isinstance(outcome, Exception):
                waiting.set_exception(outcome)
            else:
                waiting.set_result(outcome)

    async def start(self) -> None:
        """Begin to work in the running event loop, first of all what an earlier process left."""
        await self._replier.prepare()
        self._task = asyncio.create_task(self._run(), name="slack")

    async def stop(self, *, drain_s: float) -> None:
        """Stop after the events that wait are answered, or after `drain_s` seconds; those left are answered at the next
        start."""
        self._stop.set()
        self._wake.set()
        if self._task is not None:
            await asyncio.wait((self._task,), timeout=drain_s if self._lock.is_locked else 0)
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)
        await self._replier.close()
        await self.on_disk(self._memory.close)
        self._disk.shutdown(wait=False)

    async def on_disk(self, work: Callable[[], _Result]) -> _Result:
        """Run something that reads or writes the bot's folder."""
        return await asyncio.get_running_loop().run_in_executor(self._disk, work)

    async def _note(self, work: Callable[[], _Result]) -> _Result:
        """Like `on_disk`, until it goes well: a locked file stops no worker, and what is answered is recorded."""
        while True:
            try:
                return await self.on_disk(work)
            except sqlite3.Error:
                _log.exception("The memory of Slack's requests can't be read or written; trying again.")
                await asyncio.sleep(_POLL_S)

    async def _run(self) -> None:
        while not self._stop.is_set():
            try:
                await self._work_alone()
            except Exception:
                _log.exception("Slack's requests can't be worked off; trying again.")
                await self._sleep(_POLL_S)

    async def _work_alone(self) -> None:
        # Another process may be at work still, such as the one before us; its requests are ours when it ends.
        async with self._lock:
            await self._note(self._memory.requeue_claimed)
            async with asyncio.TaskGroup() as group:
                for _ in range(self._workers):
                    group.create_task(self._work())
                group.create_task(self._tidy())

    async def _tidy(self) -> None:
        while not self._stop.is_set():
            await self._note(self._memory.forget)
            await self._sleep(_TIDY_S)

    async def _work(self) -> None:
        while True:
            # Before looking, so that what comes in meanwhile isn't slept over.
            self._wake.clear()
            await self._lull()
            claim = await self._note(self._memory.claim)
            if claim is not None:
                await self._attempt(claim)
            elif self._stop.is_set():
                return
            else:
                with contextlib.suppress(TimeoutError):
                    await asyncio.wait_for(self._wake.wait(), _POLL_S)

    async def _lull(self) -> None:
        """Return once nothing has arrived for a moment; after some seconds in any case, so that all are answered.

        Slack gives three seconds to acknowledge an event, and answers that compute meanwhile hold up the event loop.
        """
        deadline = time.monotonic() + _LULL_PATIENCE_S
        while (self._arriving or time.monotonic() - self._arrived_at < _LULL_S) and time.monotonic() < deadline:
            await asyncio.sleep(_LULL_S / 4)

    async def _sleep(self, seconds: float) -> None:
        with contextlib.suppress(TimeoutError):
            await asyncio.wait_for(self._stop.wait(), seconds)

    async def _attempt(self, claim: Claim) -> None:
        if claim.request is None:
            _log.warning("A request of another token or version of the bot can't be read any more; it isn't answered.")
            await self._settle(claim, answered=False)
            return
        is_last = claim.attempts >= MAX_ATTEMPTS
        try:
            await self._replier.reply(claim.request, is_again=claim.attempts > 1, is_last=is_last)
        except SlackBusy as error:
            # No fault of the request's: its place is free for one in another channel.
            delay_s = error.wait_s
            self.counts[SlackEvent.POSTPONED] += 1
            await self._note(lambda: self._memory.put_back(claim, delay_s=delay_s, is_attempt=False))
        except Exception as error:
            if not isinstance(error, RelnotesError):
                _log.exception("A request from Slack met an error that wasn't expected.")
            if isinstance(error, SlackRefusal) or is_last:
                # What another error says may quote the question.
                reason = error if isinstance(error, RelnotesError) else type(error).__name__
                _log.warning("A request from Slack is given up after %d attempts: %s", claim.attempts, reason)
                await self._settle(claim, answered=False)
                return
            longest_s = min(_LONGEST_DELAY_S, 2.0 ** (claim.attempts - 1))
            self.counts[SlackEvent.RETRIED] += 1
            await self._note(
                lambda: self._memory.put_back(claim, delay_s=longest_s * random.uniform(0.5, 1.0))  # noqa: S311
            )
        else:
            await self._settle(claim, answered=True)

    async def _settle(self, claim: Claim, *, answered: bool) -> None:
        self.counts[SlackEvent.ANSWERED if answered else SlackEvent.GIVEN_UP] += 1
        await self._note(lambda: self._memory.settle(claim, answered=answered))
