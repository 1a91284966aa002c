"""How one request is answered: its status, the thread's history, the answer, and each part of it in the thread once."""

import asyncio
import contextlib
import logging
from collections.abc import Awaitable
from dataclasses import replace

from corpus.errors import IndexUnavailable, RelnotesError
from ui.rendering.slack import render_slack_text
from ui.rendering.slack_limits import SlackMessage
from ui.server.question_desk import QuestionDesk, TooManyQuestionsError
from ui.slack.answering import SlackAnswers, SlackReply
from ui.slack.memory import TakenRequest
from ui.slack.requests import RequestKind, SlackRequest
from ui.slack.response_urls import respond
from ui.slack.threads import earlier_questions, posted_parts
from ui.slack.web_api import SlackRefusal, SlackWebApi

STATUS = "is reading the notes…"
_STATUS_S = 2.0
_INTRODUCTION_S = 5.0
_NOT_THERE = ("not_in_channel", "channel_not_found")
_EXCUSE = -1
"""An excuse's part: no part of the answer, which is still wanted when the request comes again."""
_DEFECT = "Something went wrong that I didn't expect, so I can't answer this."

_log = logging.getLogger("relnotes.slack")


class Replier:
    """Answers requests in Slack, for one event loop; what it answered is counted at the desk `counted_at`."""

    def __init__(
        self, answers: SlackAnswers, *, api: SlackWebApi, desk: QuestionDesk, counted_at: QuestionDesk
    ) -> None:
        self._answers = answers
        self._api = api
        self._desk = desk
        self._counted_at = counted_at
        self._introduced = asyncio.Event()
        self._asides: set[asyncio.Task[None]] = set()
        self.bot_user: str | None = None
        """Our own user, once Slack has told."""

    async def introduce(self) -> None:
        """Ask Slack who we are.

        Raises:
            SlackRefusal, SlackUnreachable: it can't say.
        """
        self.bot_user = (await self._api.identify())[0]
        self._introduced.set()

    async def close(self) -> None:
        """Drop what is done beside the replies."""
        for task in self._asides:
            task.cancel()
        await asyncio.gather(*self._asides, return_exceptions=True)

    def aside(self, work: Awaitable[None]) -> asyncio.Task[None]:
        """Do something that may fail, beside everything else."""
        task = asyncio.create_task(_unless_it_fails(work))
        self._asides.add(task)
        task.add_done_callback(self._asides.discard)
        return task

    async def reply(self, claim: TakenRequest, request: SlackRequest) -> None:
        """Answer a request, where it was asked.

        Raises:
            SlackRefusal: it can't be answered there.
            SlackUnreachable, IndexUnavailable, TooManyQuestionsError: another try may go well; of a SlackBusy later.
        """
        if request.thread_ts is not None:
            self._api.check_turn(request.channel)
        if request.kind is RequestKind.PROMPTS:
            questions = await self._desk.run(lambda: self._answers.suggestions(request.channel))
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
            reply = await self._desk.run(lambda: self._answers.reply(complete))
        except (IndexUnavailable, TooManyQuestionsError):
            raise
        except RelnotesError as error:
            reply = SlackReply(render_slack_text(str(error)))
        except Exception:
            _log.exception("A request from Slack met an error that wasn't expected.")
            reply = SlackReply(render_slack_text(_DEFECT))
        if status is not None:
            # Shown after the reply, it would stay.
            await asyncio.wait((status,), timeout=_STATUS_S)
            status.cancel()
        await self._deliver(claim, request, reply.messages, already=posted_parts(thread, key=claim.key))
        # Not before: an attempt that fails is made again, and would count twice.
        if reply.answer is not None:
            self._counted_at.record(reply.answer.question, reply.answer.status)

    async def excuse(self, claim: TakenRequest, request: SlackRequest, reason: str) -> None:
        """Say in place of an answer why there is none.

        Raises:
            SlackRefusal, SlackUnreachable: it can't be said.
        """
        already = posted_parts(await self._read_thread(claim, request), key=claim.key)
        await self._deliver(claim, request, render_slack_text(reason), already=already, first_part=_EXCUSE)

    def _show_status(self, request: SlackRequest) -> asyncio.Task[None] | None:
        # The reply takes it away, and an aside may get none.
        if request.thread_ts is None or request.is_aside:
            return None
        return self.aside(self._api.say_status(request.channel, request.thread_ts, STATUS))

    async def _read_thread(self, claim: TakenRequest, request: SlackRequest) -> tuple[dict[str, object], ...]:
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
        self,
        claim: TakenRequest,
        request: SlackRequest,
        messages: tuple[SlackMessage, ...],
        *,
        already: frozenset[int],
        first_part: int = 0,
    ) -> None:
        for part, message in enumerate(messages, start=first_part):
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
        await respond(request.response_url, message)


async def _unless_it_fails(work: Awaitable[None]) -> None:
    with contextlib.suppress(RelnotesError):
        await work
