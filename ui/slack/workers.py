"""The workers that answer remembered requests, a bounded number at once, until they are asked to stop."""

import asyncio
import contextlib
import logging
import random
import sqlite3
from collections import Counter
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path
from typing import TypeVar

from filelock import FileLock, Timeout

from corpus.errors import RelnotesError
from ui.slack.arrivals import Arrivals
from ui.slack.counts import SlackCounts, SlackEvent
from ui.slack.intake import TakenIn
from ui.slack.memory import RequestMemory, TakenRequest
from ui.slack.replying import Replier
from ui.slack.requests import Seal, SlackRequest
from ui.slack.web_api import SlackBusy, SlackRefusal

MAX_ATTEMPTS = 8
MAX_WAITING = 1_000
"""Requests that wait to be answered; one more is refused. They take minutes to work off: nobody waits for longer."""
_POLL_S = 1.0
_INTRODUCTION_S = 5.0
_TIDY_S = 3600.0
_LONGEST_DELAY_S = 60.0

_log = logging.getLogger("relnotes.slack")
_Result = TypeVar("_Result")


class TooManyWaitingError(RelnotesError):
    """So many requests wait already that a further one would be answered too late; it can be sent again."""


class SlackWorkers:
    """Answers requests from the memory on disk, each once, in the order in which they came."""

    def __init__(
        self,
        memory: RequestMemory,
        replier: Replier,
        *,
        seal: Seal,
        workers: int,
        lock: Path,
    ) -> None:
        self.counts = SlackCounts()
        self._memory = memory
        self._replier = replier
        self._seal = seal
        self._workers = workers
        self._lock = FileLock(lock, timeout=0)
        self._arrivals = Arrivals()
        # The memory is one file for one thread; the event loop must not wait for the disk.
        self._disk = ThreadPoolExecutor(max_workers=1, thread_name_prefix="slack-memory")
        self._wake = asyncio.Event()
        self._stop = asyncio.Event()
        self._tasks: list[asyncio.Task[None]] = []
        self._arrived: list[tuple[TakenIn, asyncio.Future[bool]]] = []
        self._writing: asyncio.Task[None] | None = None
        self._postponed: Counter[int] = Counter()

    async def take_in(self, taken: TakenIn) -> bool:
        """Remember a request on disk; once this returns, it will be answered. Whether it is a new one, meant for us.

        Raises:
            TooManyWaitingError: `MAX_WAITING` others wait.
        """
        outcome: asyncio.Future[bool] = asyncio.get_running_loop().create_future()
        self._arrived.append((taken, outcome))
        if self._writing is None or self._writing.done():
            self._writing = asyncio.create_task(self._write(), name="slack-intake")
        with self._arrivals.one():
            is_new = await outcome
        self.counts.add(SlackEvent.TAKEN_IN if is_new else SlackEvent.REPEATED)
        if is_new:
            self._wake.set()
        return is_new

    async def _write(self) -> None:
        """Remember what has arrived, as much at once as there is: a burst must not wait for the disk once for each."""
        while self._arrived:
            arrived, self._arrived = self._arrived, []
            try:
                outcomes = await self.on_disk(partial(self._remember, tuple(taken for taken, _ in arrived)))
            except Exception as error:
                outcomes = (error,) * len(arrived)
            for (_, waiting), outcome in zip(arrived, outcomes, strict=True):
                if waiting.done():
                    continue
                if isinstance(outcome, Exception):
                    waiting.set_exception(outcome)
                else:
                    waiting.set_result(outcome)

    def _remember(self, arrived: tuple[TakenIn, ...]) -> tuple[bool | Exception, ...]:
        try:
            with self._memory.together():
                return tuple(self._take_in(taken) for taken in arrived)
        except Exception as error:
            if len(arrived) == 1:
                return (error,)
        # Whichever of them is at fault, the others aren't.
        return tuple(outcome for taken in arrived for outcome in self._remember((taken,)))

    def _take_in(self, taken: TakenIn) -> bool | Exception:
        if taken.follows is not None and not self._memory.knows(taken.follows):
            return False
        if self._memory.is_full(MAX_WAITING) and not any(map(self._memory.knows, taken.names)):
            # Not raised: those that it came with are taken in together.
            return TooManyWaitingError(f"{MAX_WAITING:,} requests wait to be answered already.")
        return self._memory.take_in(taken.names, self._seal.close(taken.request))

    def start(self) -> None:
        """Begin to work in the running event loop."""
        self._tasks = [asyncio.create_task(self._run(), name="slack")]

    async def stop(self, *, drain_s: float) -> None:
        """Answer what waits, for at most `drain_s` seconds; what is left waits for the next start."""
        self._stop.set()
        self._wake.set()
        if self._tasks:
            await asyncio.wait(self._tasks, timeout=drain_s)
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, self._replier.close(), return_exceptions=True)
        self._lock.release(force=True)
        await self.on_disk(self._memory.close)
        self._disk.shutdown(wait=False)

    async def on_disk(self, work: Callable[[], _Result]) -> _Result:
        """Run something that reads or writes the bot's folder."""
        return await asyncio.get_running_loop().run_in_executor(self._disk, work)

    async def _run(self) -> None:
        while not self._stop.is_set():
            try:
                await self._work_alone()
            except Exception:
                _log.exception("Slack's requests can't be worked off; trying again.")
                await self._sleep(_POLL_S)

    async def _work_alone(self) -> None:
        # Another process may be at work still, such as the one before us; its requests are ours when it ends.
        while not self._try_lock():
            await self._sleep(_POLL_S / 4)
            if self._stop.is_set():
                return
        await self.on_disk(self._memory.take_over)
        async with asyncio.TaskGroup() as group:
            for _ in range(self._workers):
                group.create_task(self._work())
            group.create_task(self._introduce())
            group.create_task(self._tidy())

    def _try_lock(self) -> bool:
        try:
            self._lock.acquire()
        except Timeout:
            return False
        return True

    async def _introduce(self) -> None:
        while not self._stop.is_set():
            try:
                await self._replier.introduce()
            except RelnotesError as error:
                _log.warning("%s", error)
                await self._sleep(_INTRODUCTION_S)
            else:
                return

    async def _tidy(self) -> None:
        while not self._stop.is_set():
            await self.on_disk(self._memory.forget)
            await self._sleep(_TIDY_S)

    async def _work(self) -> None:
        while True:
            # Before looking, so that what comes in meanwhile isn't slept over.
            self._wake.clear()
            await self._arrivals.lull()
            try:
                claim = await self.on_disk(self._memory.claim)
            except sqlite3.Error:
                _log.exception("The memory of Slack's requests can't be read; trying again.")
                claim = None
            if claim is not None:
                await self._attempt(claim)
            elif self._stop.is_set():
                return
            else:
                with contextlib.suppress(TimeoutError):
                    await asyncio.wait_for(self._wake.wait(), _POLL_S)

    async def _sleep(self, seconds: float) -> None:
        with contextlib.suppress(TimeoutError):
            await asyncio.wait_for(self._stop.wait(), seconds)

    async def _attempt(self, claim: TakenRequest) -> None:
        try:
            await self._attempt_once(claim)
        except asyncio.CancelledError:
            self._put_back(claim)
            raise
        except Exception:
            _log.exception("A request from Slack met an error that wasn't expected.")
            if claim.attempts - self._postponed[claim.id] < MAX_ATTEMPTS:
                self.counts.add(SlackEvent.RETRIED)
                self._put_back(claim, delay_s=_LONGEST_DELAY_S)
            else:
                await self._settle(claim, answered=False)

    def _put_back(self, claim: TakenRequest, *, delay_s: float = 0.0) -> None:
        # Not awaited: whoever cancels us has no time. The memory's thread does it before it ends.
        self._disk.submit(self._memory.put_back, claim, delay_s=delay_s)

    async def _attempt_once(self, claim: TakenRequest) -> None:
        request = self._seal.open(claim.sealed)
        if request is None:
            _log.warning("A request from before the bot's token changed can't be read any more; it isn't answered.")
            await self._settle(claim, answered=False)
            return
        try:
            await self._replier.reply(claim, request)
        except SlackRefusal as error:
            _log.warning("%s", error)
            await self._settle(claim, answered=False)
        except RelnotesError as error:
            await self._retry(claim, request, error)
        else:
            await self._settle(claim, answered=True)

    async def _retry(self, claim: TakenRequest, request: SlackRequest, error: RelnotesError) -> None:
        if isinstance(error, SlackBusy):
            # No fault of the request's: it counts as no attempt, and its place is free for one in another channel.
            self._postponed[claim.id] += 1
            self.counts.add(SlackEvent.POSTPONED)
            await self.on_disk(lambda: self._memory.put_back(claim, delay_s=error.wait_s))
            return
        if claim.attempts - self._postponed[claim.id] < MAX_ATTEMPTS:
            self.counts.add(SlackEvent.RETRIED)
            delay_s = min(_LONGEST_DELAY_S, 2.0 ** (claim.attempts - 1)) * random.uniform(0.5, 1.0)  # noqa: S311
            await self.on_disk(lambda: self._memory.put_back(claim, delay_s=delay_s))
            return
        _log.warning("A request from Slack is given up after %d attempts: %s", claim.attempts, error)
        with contextlib.suppress(RelnotesError):
            await self._replier.excuse(claim, request, str(error))
        await self._settle(claim, answered=False)

    async def _settle(self, claim: TakenRequest, *, answered: bool) -> None:
        self._postponed.pop(claim.id, None)
        self.counts.add(SlackEvent.ANSWERED if answered else SlackEvent.GIVEN_UP)
        await self.on_disk(lambda: self._memory.settle(claim, answered=answered))
