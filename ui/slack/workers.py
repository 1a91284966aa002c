"""The workers that answer remembered requests, a bounded number at once, until they are asked to stop."""

import asyncio
import contextlib
import logging
import random
import sqlite3
from collections.abc import Awaitable, Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from typing import TypeVar

from filelock import FileLock, Timeout

from corpus.errors import IndexUnavailable, RelnotesError
from ui.question_desk import QuestionDesk, TooManyQuestionsError
from ui.rendering.slack import render_slack_text
from ui.rendering.slack_limits import SlackMessage
from ui.slack.answering import SlackAnswers
from ui.slack.memory import Claim, RequestMemory
from ui.slack.requests import RequestKind, Seal, SlackRequest
from ui.slack.threads import earlier_questions, posted_parts
from ui.slack.web_api import SlackRefusal, SlackUnreachable, SlackWebApi

STATUS = "is reading the notes…"
MAX_ATTEMPTS = 8
_POLL_S = 1.0
_STATUS_S = 2.0
_INTRODUCTION_S = 5.0
_TIDY_S = 3600.0
_LONGEST_DELAY_S = 60.0
_NOT_THERE = ("not_in_channel", "channel_not_found")
_DEFECT = "Something went wrong that I didn't expect, so I can't answer this."

_log = logging.getLogger("relnotes.slack")
_Result = TypeVar("_Result")


class SlackWorkers:
    """Answers requests from the memory on disk, each once, in the order in which they came."""

    def __init__(
        self,
        memory: RequestMemory,
        answers: SlackAnswers,
        *,
        api: SlackWebApi,
        seal: Seal,
        desk: QuestionDesk,
        workers: int,
        lock: Path,
    ) -> None:
        self._memory = memory
        self._answers = answers
        self._api = api
        self._seal = seal
        self._desk = desk
        self._workers = workers
        self._lock = FileLock(lock, timeout=0)
        # The memory is one file for one thread; the event loop must not wait for the disk.
        self._disk = ThreadPoolExecutor(max_workers=1, thread_name_prefix="slack-memory")
        self._wake = asyncio.Event()
        self._stop = asyncio.Event()
        self._introduced = asyncio.Event()
        self._tasks: list[asyncio.Task[None]] = []
        self._asides: set[asyncio.Task[None]] = set()
        self.bot_user: str | None = None

    async def take_in(self, names: tuple[str, ...], request: SlackRequest) -> bool:
        """Remember a request on disk; once this returns, it will be answered. Whether it is a new one."""
        is_new = await self.on_disk(lambda: self._memory.take_in(names, self._seal.close(request)))
        if is_new:
            self._wake.set()
        return is_new

    def start(self) -> None:
        """Begin to work in the running event loop."""
        self._tasks = [asyncio.create_task(self._run(), name="slack")]

    async def stop(self, *, drain_s: float) -> None:
        """Answer what waits, for at most `drain_s` seconds; what is left waits for the next start."""
        self._stop.set()
        self._wake.set()
        if self._tasks:
            await asyncio.wait(self._tasks, timeout=drain_s)
        for task in (*self._tasks, *self._asides):
            task.cancel()
        await asyncio.gather(*self._tasks, *self._asides, return_exceptions=True)
        self._lock.release()
        await self.on_disk(self._memory.close)
        self._disk.shutdown(wait=False)

    def aside(self, work: Awaitable[None]) -> asyncio.Task[None]:
        """Do something that may fail, beside everything else."""
        task = asyncio.create_task(_unless_it_fails(work))
        self._asides.add(task)
        task.add_done_callback(self._asides.discard)
        return task

    async def in_thread(self, work: Callable[[], _Result]) -> _Result:
        """Run something that asks the index."""
        return await self._desk.run(work)

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
                self.bot_user = (await self._api.identify())[0]
            except RelnotesError as error:
                _log.warning("%s", error)
                await self._sleep(_INTRODUCTION_S)
            else:
                self._introduced.set()
                return

    async def _tidy(self) -> None:
        while not self._stop.is_set():
            await self.on_disk(self._memory.forget)
            await self._sleep(_TIDY_S)

    async def _work(self) -> None:
        while True:
            # Before looking, so that what comes in meanwhile isn't slept over.
            self._wake.clear()
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

    async def _attempt(self, claim: Claim) -> None:
        try:
            await self._attempt_once(claim)
        except asyncio.CancelledError:
            self._memory_put_back(claim)
            raise
        except Exception:
            _log.exception("A request from Slack met an error that wasn't expected; it is tried again.")
            self._memory_put_back(claim, delay_s=_LONGEST_DELAY_S)

    def _memory_put_back(self, claim: Claim, *, delay_s: float = 0.0) -> None:
        # Not awaited: whoever cancels us has no time. The memory's thread does it before it ends.
        self._disk.submit(self._memory.put_back, claim, delay_s=delay_s)

    async def _attempt_once(self, claim: Claim) -> None:
        request = self._seal.open(claim.sealed)
        if request is None:
            _log.warning("A request from before the bot's token changed can't be read any more; it isn't answered.")
            await self._settle(claim, answered=False)
            return
        try:
            await self._answer(claim, request)
        except SlackRefusal as error:
            _log.warning("%s", error)
            await self._settle(claim, answered=False)
        except (SlackUnreachable, IndexUnavailable, TooManyQuestionsError) as error:
            await self._retry(claim, request, error)
        else:
            await self._settle(claim, answered=True)

    async def _answer(self, claim: Claim, request: SlackRequest) -> None:
        if request.kind is RequestKind.PROMPTS:
            questions = await self.in_thread(lambda: self._answers.suggestions(request.channel))
            if questions and request.thread_ts:
                await self._api.suggest(request.channel, request.thread_ts, questions=questions)
            return
        status = self._show_status(request)
        thread = await self._read_thread(claim, request)
        history = request.history or earlier_questions(
            thread, before_ts=request.ts or "", bot_user=self.bot_user, is_direct=request.is_direct
        )
        complete = replace(request, history=history)
        try:
            messages = await self.in_thread(lambda: self._answers.messages(complete))
        except (IndexUnavailable, TooManyQuestionsError):
            raise
        except RelnotesError as error:
            messages = render_slack_text(str(error))
        except Exception:
            _log.exception("A request from Slack met an error that wasn't expected.")
            messages = render_slack_text(_DEFECT)
        if status is not None:
            # Shown after the reply, it would stay.
            await asyncio.wait((status,), timeout=_STATUS_S)
            status.cancel()
        await self._deliver(claim, request, messages, already=posted_parts(thread, key=claim.key))

    def _show_status(self, request: SlackRequest) -> asyncio.Task[None] | None:
        if request.thread_ts is None:
            return None
        return self.aside(self._api.say_status(request.channel, request.thread_ts, STATUS))

    async def _read_thread(self, claim: Claim, request: SlackRequest) -> tuple[dict[str, object], ...]:
        """The thread, where something in it matters: earlier questions, or parts of a reply that an attempt left."""
        is_again = claim.attempts > 1
        if request.thread_ts is None or not (is_again or (request.is_follow_up and not request.history)):
            return ()
        # Without our own name nobody is known to have asked us.
        with contextlib.suppress(TimeoutError):
            await asyncio.wait_for(self._introduced.wait(), _INTRODUCTION_S)
        try:
            return tuple(dict(message) for message in await self._api.thread(request.channel, request.thread_ts))
        except SlackRefusal as error:
            _log.warning("A thread can't be read, so its question is answered without it: %s", error)
            return ()

    async def _deliver(
        self, claim: Claim, request: SlackRequest, messages: tuple[SlackMessage, ...], *, already: frozenset[int]
    ) -> None:
        for part, message in enumerate(messages):
            if request.thread_ts is None:
                await self._respond(request, message)
            elif part not in already:
                try:
                    await self._api.post(request.channel, request.thread_ts, message=message, key=claim.key, part=part)
                except SlackRefusal as error:
                    # A shortcut works in channels that the bot isn't in.
                    if error.reason not in _NOT_THERE or request.response_url is None:
                        raise
                    await self._respond(request, message)

    async def _respond(self, request: SlackRequest, message: SlackMessage) -> None:
        if request.response_url is None:
            raise SlackRefusal("the response", "no address to answer at")
        await self._api.respond(request.response_url, message)

    async def _retry(self, claim: Claim, request: SlackRequest, error: RelnotesError) -> None:
        if claim.attempts < MAX_ATTEMPTS:
            delay_s = min(_LONGEST_DELAY_S, 2.0 ** (claim.attempts - 1)) * random.uniform(0.5, 1.0)  # noqa: S311
            await self.on_disk(lambda: self._memory.put_back(claim, delay_s=delay_s))
            return
        _log.warning("A request from Slack is given up after %d attempts: %s", claim.attempts, error)
        with contextlib.suppress(RelnotesError):
            await self._deliver(claim, request, render_slack_text(str(error)), already=frozenset())
        await self._settle(claim, answered=False)

    async def _settle(self, claim: Claim, *, answered: bool) -> None:
        await self.on_disk(lambda: self._memory.settle(claim, answered=answered))


async def _unless_it_fails(work: Awaitable[None]) -> None:
    with contextlib.suppress(RelnotesError):
        await work
