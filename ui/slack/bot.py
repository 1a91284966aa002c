"""The bolt app, which takes in what Slack sends and acknowledges it once it is on disk; and its way in over HTTP."""

import asyncio
import logging
import re
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Any

from fastapi import FastAPI, Request, Response
from slack_bolt.adapter.starlette.async_handler import to_async_bolt_request, to_starlette_response
from slack_bolt.async_app import AsyncApp
from slack_bolt.authorization import AuthorizeResult
from slack_bolt.context.ack.async_ack import AsyncAck
from slack_bolt.context.async_context import AsyncBoltContext
from slack_bolt.response import BoltResponse
from slack_sdk.signature import SignatureVerifier
from slack_sdk.web.async_client import AsyncWebClient

from corpus.errors import RelnotesError
from ui.feedback.log import FeedbackLog
from ui.http.guards import SIGNED_PATH
from ui.http.problems import problem_response
from ui.rendering.slack import render_slack_text
from ui.slack import controls
from ui.slack.payloads import MISSHAPEN, parse_command, parse_event
from ui.slack.replying import Replier
from ui.slack.request_queue import TooManyWaitingError
from ui.slack.web_api import SlackRefusal, SlackUnreachable
from ui.slack.workers import SlackWorkers

COMMAND = "/relnotes"
_READING = "Reading the notes…"
_BUSY = "I have too many questions waiting right now. Ask me again in a few minutes."
_BUSY_S = 60
_INTRODUCTION_S = 2.0  # Slack waits three seconds.
_THANKS = "Thank you. Your feedback helps to make the answers better."

_log = logging.getLogger("relnotes.slack")


class StrangerError(RelnotesError):
    """A request is of another workspace than the bot's token: one secret signs for all that have the app."""


@dataclass(frozen=True, slots=True)
class Listeners:
    """What is done on each event, command and click; each ends once its request is on disk."""

    workers: SlackWorkers
    replier: Replier
    feedback: FeedbackLog

    async def refuse_strangers(
        self, context: AsyncBoltContext, body: dict[str, Any], next_: Callable[[], Awaitable[None]]
    ) -> BoltResponse | None:
        """Go on with what comes from where the bot's token is installed; Slack is asked where that is, once. What
        people of another organisation say in a channel that is shared with them is taken in, and nothing is done.

        Raises:
            StrangerError: it comes from elsewhere.
            SlackRefusal, SlackUnreachable: Slack hasn't told yet.
        """
        try:
            async with asyncio.timeout(_INTRODUCTION_S):
                home = (await self.replier.introduce()).home
        except TimeoutError:
            raise SlackUnreachable(f"Slack hasn't told in {_INTRODUCTION_S:g} s whose token the bot has.") from None
        if home not in (context.team_id, context.enterprise_id):
            raise StrangerError("This is of another workspace than the bot's token.")
        user = body.get("user")
        own_team = user.get("team_id") if isinstance(user, dict) else None
        if {home, context.enterprise_id}.isdisjoint(
            filter(None, (own_team or context.actor_team_id, context.actor_enterprise_id))
        ):
            return BoltResponse(status=200)
        await next_()
        return None

    async def on_event(self, body: dict[str, Any]) -> None:
        if (request := parse_event(body, bot_user=self.replier.bot_user)) is not None:
            await self.workers.enqueue(request)

    async def on_command(self, ack: AsyncAck, body: dict[str, Any]) -> None:
        try:
            await self.workers.enqueue(parse_command(body))
        except TooManyWaitingError:
            # Slack doesn't send a command again: the person has to.
            await ack(text=_BUSY, response_type="ephemeral")
        else:
            await ack(text=_READING, response_type="ephemeral")

    async def on_more(self, ack: AsyncAck, body: dict[str, Any]) -> None:
        if (request := controls.parse_click(body)) is not None:
            await self.workers.enqueue(request)
        await ack()

    async def on_feedback(self, ack: AsyncAck, body: dict[str, Any]) -> None:
        if (verdict := controls.parse_verdict(body)) is not None:
            reply = _THANKS
            try:
                await self.workers.on_disk(lambda: self.feedback.add(verdict, client=str(body["user"]["id"])))
            except RelnotesError as error:
                reply = str(error)
            if body.get("response_url"):
                (message,) = render_slack_text(reply)
                self.replier.aside(self.replier.api.respond(body["response_url"], message))
        await ack()


def build_app(on: Listeners) -> AsyncApp:
    """Return the app with all of its listeners; whoever hands requests to it has checked that they are Slack's."""

    async def authorize() -> AuthorizeResult:
        # Without asking Slack each time: an event must be taken in even while the Web API is away.
        return AuthorizeResult(
            enterprise_id=None, team_id=None, bot_user_id=on.replier.bot_user, bot_token=on.replier.api.client.token
        )

    logger = logging.getLogger("relnotes.slack.bolt")
    # It warns of what is meant to be so: no token of the environment, events that nobody listens to.
    logger.setLevel(logging.ERROR)
    app = AsyncApp(
        logger=logger,
        # Bolt gives the logger of this name the level of the other, at each request.
        name=logger.name,
        authorize=authorize,
        client=AsyncWebClient(base_url=on.replier.api.client.base_url),
        request_verification_enabled=False,
        ssl_check_enabled=False,
        # `parse_event` tells our own messages.
        ignoring_self_events_enabled=False,
        # A listener ends when its request is on disk, and only then Slack hears that we have it.
        process_before_response=True,
    )
    app.error(_answer_fault)
    app.middleware(on.refuse_strangers)
    app.event(re.compile(""))(on.on_event)
    app.command(COMMAND)(on.on_command)
    app.action(controls.MORE_ACTION)(on.on_more)
    app.action(controls.FEEDBACK_ACTION)(on.on_feedback)
    return app


async def _answer_fault(error: Exception) -> BoltResponse:
    """Refuse a payload that can't be read; what else goes wrong is a fault of ours. What is refused for a while, Slack
    sends again by itself: at once, after a minute and after five."""
    if isinstance(error, StrangerError):
        _log.warning("A request from Slack is refused: %s", error)
        return BoltResponse(status=403, body=str(error))
    if isinstance(error, TooManyWaitingError | SlackRefusal | SlackUnreachable):
        _log.warning("A request from Slack is refused for now: %s", error)
        return BoltResponse(status=503, body=str(error), headers={"Retry-After": str(_BUSY_S)})
    if isinstance(error, MISSHAPEN):
        _log.warning("A payload that isn't shaped as Slack documents it is refused.", exc_info=error)
        return BoltResponse(status=400, body="This isn't shaped as Slack documents it.")
    _log.error("A payload from Slack couldn't be taken in; Slack will send it again.", exc_info=error)
    return BoltResponse(status=500, body="It couldn't be taken in. Send it again.")


def add_slack_events(web: FastAPI, bot: AsyncApp, *, signing_secret: str) -> None:
    """Answer `/slack/events` of `web`; a request that isn't signed, or was signed over five minutes ago, gets 401."""
    verifier = SignatureVerifier(signing_secret)

    async def receive(request: Request) -> Response:
        body = await request.body()
        try:
            is_signed = verifier.is_valid_request(body, dict(request.headers))
        except (TypeError, ValueError, OverflowError):
            # A time that is no number or beyond all numbers, or a body or signature that isn't text: Slack sends none.
            is_signed = False
        if not is_signed:
            return problem_response(401, "This isn't signed with the app's signing secret, or not within five minutes.")
        try:
            # The app answers what its listeners raise; what comes out of it is bolt's own trouble with the body.
            taken = await bot.async_dispatch(to_async_bolt_request(request, body))
        except MISSHAPEN:
            return problem_response(400, "The body is neither JSON nor a form with a payload, as Slack sends them.")
        return to_starlette_response(taken)

    web.add_api_route(SIGNED_PATH, receive, methods=["POST"], include_in_schema=False)
