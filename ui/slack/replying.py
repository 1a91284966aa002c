"""How one request is answered: the thread's history, the answer, and each part of it in the thread once."""

import asyncio
import contextlib
import logging
from collections.abc import Awaitable
from dataclasses import dataclass, field, replace

from corpus.errors import IndexUnavailable, RelnotesError
from ui.rendering.slack import SlackMessage, render_slack_text
from ui.server.question_desk import QuestionDesk, TooManyQuestionsError
from ui.slack.channel_answers import SlackAnswers, SlackReply
from ui.slack.payloads import Payload, earlier_questions, posted_parts
from ui.slack.request_queue import SlackRequest
from ui.slack.web_api import Identity, SlackRefusal, SlackWebApi

_INTRODUCTION_S = 5.0
_LONGEST_PAUSE_S = 600.0  # Between two tries to be known to Slack: a token that is revoked stays so.
_DEFECT = "Something went wrong on my side, so I can't answer this. Ask me again in a few minutes."

_log = logging.getLogger("relnotes.slack")


@dataclass(eq=False)
class Replier:
    """Answers requests in Slack, for one event loop; what it answered is counted at the desk `counted_at`."""

    answers: SlackAnswers
    api: SlackWebApi
    desk: QuestionDesk
    counted_at: QuestionDesk
    identity: Identity | None = None  # Whose token ours is, once Slack has told.
    _introducing: asyncio.Lock = field(default_factory=asyncio.Lock)
    _asides: set[asyncio.Task[None]] = field(default_factory=set)

    @property
    def bot_user(self) -> str | None:
        return self.identity.user if self.identity else None

    async def introduce(self) -> Identity:
        """Return whose token ours is; Slack is asked until it has told."""
        async with self._introducing:
            self.identity = self.identity or await self.api.identify()
            return self.identity

    async def prepare(self) -> None:
        """Load what the first question would wait for."""

        async def introduce_at_last() -> None:
            pause_s = _INTRODUCTION_S
            while True:
                try:
                    await self.introduce()
                    return
                except RelnotesError as error:
                    _log.warning("%s", error)
                    await asyncio.sleep(pause_s)
                    pause_s = min(2 * pause_s, _LONGEST_PAUSE_S)

        self.aside(introduce_at_last())
        with contextlib.suppress(RelnotesError):
            await asyncio.to_thread(self.answers.warm_up)

    async def close(self) -> None:
        """Drop what is done beside the replies, and close the channels' indexes."""
        for task in self._asides:
            task.cancel()
        await asyncio.gather(*self._asides, return_exceptions=True)
        self.answers.close()

    def aside(self, work: Awaitable[None]) -> None:
        """Begin `work` in the background; where it fails, nothing else does."""

        async def unless_it_fails() -> None:
            with contextlib.suppress(RelnotesError):
                await work

        task = asyncio.create_task(unless_it_fails())
        self._asides.add(task)
        task.add_done_callback(self._asides.discard)

    async def reply(self, request: SlackRequest, *, is_again: bool = False, is_last: bool = False) -> None:
        """Answer a request, where it was asked; at the last try, say why not where the index can't answer.

        Where it `is_again` tried, the parts of the answer that are there already aren't posted once more.

        Raises:
            SlackRefusal: it can't be answered there.
            SlackUnreachable, IndexUnavailable, TooManyQuestionsError: another try may go well; of a SlackBusy later.
        """
        if request.thread_ts is not None:
            self.api.check_turn(request.channel)
        thread = await self._read_thread(request, is_again=is_again)
        if request.ts is not None and not request.history:
            history = earlier_questions(
                thread, before_ts=request.ts, bot_user=self.bot_user, is_direct=request.is_direct
            )
            request = replace(request, history=history)
        reply = await self._make_reply(request, is_last=is_last)
        already = posted_parts(thread, name=request.name)
        for part, message in enumerate(reply.messages):
            if part not in already:
                await self._deliver(request, message, part)
        # Not before: an attempt that fails is made again, and would count twice.
        if reply.answer is not None:
            self.counted_at.record(reply.answer.question, reply.answer.status)

    async def _make_reply(self, request: SlackRequest, *, is_last: bool) -> SlackReply:
        try:
            return await self.desk.run(lambda: self.answers.reply(request))
        except RelnotesError as error:
            if isinstance(error, IndexUnavailable | TooManyQuestionsError) and not is_last:
                raise
            return SlackReply(render_slack_text(str(error)))
        except Exception:
            _log.exception("A request from Slack met an error that wasn't expected.")
            return SlackReply(render_slack_text(_DEFECT))

    async def _read_thread(self, request: SlackRequest, *, is_again: bool) -> tuple[Payload, ...]:
        """Read the thread, where it holds something that matters: earlier questions, or parts of a reply."""
        if request.thread_ts is None or not (is_again or (request.is_follow_up and not request.history)):
            return ()
        # Without our own name nobody is known to have asked us.
        with contextlib.suppress(RelnotesError):
            await self.introduce()
        try:
            return await self.api.thread(request.channel, request.thread_ts)
        except SlackRefusal as error:
            _log.warning("A thread can't be read, so its question is answered without it: %s", error)
            return ()

    async def _deliver(self, request: SlackRequest, message: SlackMessage, part: int) -> None:
        if request.thread_ts is not None:
            await self.api.post(request.channel, request.thread_ts, message=message, name=request.name, part=part)
        elif request.response_url is not None:
            await self.api.respond(request.response_url, message)
        else:
            raise SlackRefusal("the response", "no address to answer at")
