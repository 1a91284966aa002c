"""Answers one request: reads the thread's history, asks within the channel's product, and posts the reply."""

import asyncio
import logging
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, replace
from typing import Any

from corpus.errors import RelnotesError
from retrieval.model import MAX_QUESTION_LENGTH
from ui.http.answering import Answering
from ui.rendering.slack import SlackMessage, render_slack_answer, render_slack_text
from ui.slack.payloads import SlackRequest, earlier_questions
from ui.slack.web_api import SlackError, SlackWebApi

_DEFECT = "Something went wrong on my side, so I can't answer this. Ask me again in a few minutes."
_AT_ONCE = 4  # Questions from Slack at the desk; the time limit of those that wait hasn't begun.
_THREAD = 1_000  # Messages read of a thread: Slack's limit for one call.

_log = logging.getLogger("relnotes.slack")


@dataclass(eq=False)
class Replier:
    """Answers requests in Slack, for one event loop."""

    api: SlackWebApi
    answering: Answering
    products: Mapping[str, str]  # The product that a channel, by its id, asks about; others ask about all.
    _identity: Any = None
    _identifying: asyncio.Lock = field(default_factory=asyncio.Lock)
    _turns: asyncio.Semaphore = field(default_factory=lambda: asyncio.Semaphore(_AT_ONCE))

    async def identify(self) -> Any:
        """Return Slack's description of the bot's token, cached after the first call. Raises SlackError on failure."""
        async with self._identifying:
            self._identity = self._identity or await self.api.call("auth.test", json={})
            return self._identity

    async def reply(self, request: SlackRequest) -> None:
        """Answer a request where it was asked, or give the reason why not. Raises SlackError if posting fails."""
        if request.ts not in (None, request.thread_ts):
            request = replace(request, history=await self._read_history(request))
        messages = await self._make_reply(request)
        to = {"channel": request.channel, "thread_ts": request.thread_ts, "unfurl_links": False, "unfurl_media": False}
        for message in messages:
            if request.thread_ts is None:
                await self.api.respond(str(request.response_url), message)
            else:
                await self.api.call("chat.postMessage", json={**to, **asdict(message)})

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

    async def _make_reply(self, request: SlackRequest) -> tuple[SlackMessage, ...]:
        history = [question for question in request.history if 0 < len(question) <= MAX_QUESTION_LENGTH]
        product = self.products.get(request.channel)
        try:
            async with self._turns:
                answer = await self.answering.answer(request.text, history=history, product=product)
        except RelnotesError as error:
            return render_slack_text(str(error))
        except Exception:
            _log.exception("A request from Slack met an error that wasn't expected.")
            return render_slack_text(_DEFECT)
        return render_slack_answer(answer)
