"""Answers one request: reads the thread's history, asks under the channel's rules, and posts the reply."""

import asyncio
import logging
from dataclasses import dataclass, field, replace
from typing import Any, TypeAlias

from corpus.errors import RelnotesError
from retrieval.model import MAX_QUESTION_LENGTH, Answer
from ui.rendering.slack import SlackMessage, render_slack_answer, render_slack_passages, render_slack_text
from ui.server.live_assistant import LiveAssistant
from ui.server.question_desk import CLIENT, QuestionDesk
from ui.slack.channels import ChannelFile
from ui.slack.controls import answer_controls, uncited_passages
from ui.slack.payloads import SlackRequest, earlier_questions
from ui.slack.web_api import SlackError, SlackWebApi

_SILENT = "I'm not set up to answer in this channel. Whoever runs me can change that."
_NOT_INDEXED = "I have no release notes yet of the product that this channel is for. Whoever runs me can add some."
_DEFECT = "Something went wrong on my side, so I can't answer this. Ask me again in a few minutes."
_AT_ONCE = 4  # Questions from Slack at the desk; the time limit of those that wait hasn't begun.
_LISTED = 20
_MORE = 5
_THREAD = 1_000  # Messages read of a thread: Slack's limit for one call.
_Reply: TypeAlias = tuple[tuple[SlackMessage, ...], Answer | None]  # The messages to post, and the answer in them.

_log = logging.getLogger("relnotes.slack")


@dataclass(eq=False)
class Replier:
    """Answers requests in Slack, for one event loop."""

    api: SlackWebApi
    desk: QuestionDesk
    channels: ChannelFile
    main: LiveAssistant
    _identity: Any = None
    _identifying: asyncio.Lock = field(default_factory=asyncio.Lock)
    _turns: asyncio.Semaphore = field(default_factory=lambda: asyncio.Semaphore(_AT_ONCE))

    async def identify(self) -> Any:
        """Return Slack's description of the bot's token, cached after the first call. Raises SlackError on failure."""
        async with self._identifying:
            self._identity = self._identity or await self.api.call("auth.test", json={})
            return self._identity

    async def reply(self, request: SlackRequest) -> None:
        """Post the answer to a request, or the reason why there is none, in its thread or to its user. Raises
        SlackError if posting fails."""
        if request.ts not in (None, request.thread_ts):
            request = replace(request, history=await self._read_history(request))
        async with self._turns:
            # A user who asks much delays only their own questions, as elsewhere.
            CLIENT.set(f"Slack: {request.user}")
            messages, answer = await self._make_reply(request)
        for message in messages:
            if request.thread_ts is not None:
                await self.api.post(request.channel, request.thread_ts, message)
            else:
                await self.api.respond(str(request.response_url), message)
        if answer is not None:
            self.desk.record(answer.question, answer.status)

    async def _read_history(self, request: SlackRequest) -> tuple[str, ...]:
        """Return the earlier questions in the request's thread; none if it can't be read."""
        try:
            bot_user = (await self.identify())["user_id"]
            # As a form, because the method takes no JSON; the SDK's own sends a GET, which leaves the channel in logs.
            fields = {"channel": request.channel, "ts": request.thread_ts, "limit": _THREAD}
            thread = (await self.api.call("conversations.replies", data=fields))["messages"]
        except SlackError as error:
            _log.warning("A question is answered without its thread, which can't be read. %s", error)
            return ()
        return earlier_questions(thread, before_ts=request.ts, bot_user=bot_user, is_direct=request.is_direct)

    async def _make_reply(self, request: SlackRequest) -> _Reply:
        try:
            return await self.desk.run(lambda: self._answer(request))
        except RelnotesError as error:
            return render_slack_text(str(error)), None
        except Exception:
            _log.exception("A request from Slack met an error that wasn't expected.")
            return render_slack_text(_DEFECT), None

    def _answer(self, request: SlackRequest) -> _Reply:
        rules = self.channels.rules_for(request.channel)
        if not rules.answers:
            return render_slack_text(_SILENT), None
        history = [question for question in request.history if 0 < len(question) <= MAX_QUESTION_LENGTH]
        with self.main.borrow() as assistant:
            if rules.product and not any(product.is_called(rules.product) for product in assistant.catalogue()):
                # Doesn't name the indexed products, which the channel may not see.
                return render_slack_text(_NOT_INDEXED), None
            understood = assistant.understand(request.text, history=history, product=rules.product)
            version = rules.version if understood.constraint is None else None
            answer = assistant.ask(request.text, history=history, product=rules.product, version=version, limit=_LISTED)
        if request.wants_more:
            return render_slack_passages(uncited_passages(answer)[:_MORE]), None
        return render_slack_answer(answer, answer_controls(answer, request)), answer
