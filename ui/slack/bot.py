"""The bolt app, which takes in Slack's requests and acknowledges them at once; and its endpoint over HTTP."""

import asyncio
import logging
import re
from collections.abc import Awaitable, Callable
from functools import partial
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

from ui.http.guards import SIGNED_PATH
from ui.http.problems import problem_response
from ui.slack.intake import Intake, TooManyOpenError
from ui.slack.payloads import MISSHAPEN, SlackRequest, parse_command, parse_event
from ui.slack.replying import Replier
from ui.slack.web_api import SlackError

COMMAND = "/relnotes"
_READING = "Reading the notes…"
_BUSY_S = 60
_IDENTIFY_S = 2.0  # Slack waits three seconds.

_log = logging.getLogger("relnotes.slack")


class SlackBot:
    """Answers the requests dispatched to its `app`, in the running event loop; callers check that they are Slack's."""

    def __init__(self, replier: Replier) -> None:
        self.intake = Intake()
        self.replier = replier

        async def authorize() -> AuthorizeResult:
            # Slack is asked once, by `_refuse_strangers`.
            return AuthorizeResult(enterprise_id=None, team_id=None, bot_token=self.replier.api.client.token)

        logger = logging.getLogger("relnotes.slack.bolt")
        # Bolt warns of intended things: no token in the environment, events without a listener.
        logger.setLevel(logging.ERROR)
        self.app = app = AsyncApp(
            logger=logger,
            # At each request, bolt copies the level of `logger` to the logger with this name.
            name=logger.name,
            authorize=authorize,
            client=AsyncWebClient(base_url=self.replier.api.client.base_url),
            request_verification_enabled=False,
            # Slack gets its reply only after the listener has taken the request in or refused it.
            process_before_response=True,
        )
        app.error(_answer_fault)
        app.middleware(self._refuse_strangers)
        app.event(re.compile(""))(self._on_event)
        app.command(COMMAND)(self._on_command)

    async def _refuse_strangers(
        self, context: AsyncBoltContext, next_: Callable[[], Awaitable[None]]
    ) -> BoltResponse | None:
        """Pass on requests from the workspace of the bot's token and refuse others, because the signing secret is the
        same for all workspaces with the app. Users of other organisations, in shared channels, are silently ignored."""
        async with asyncio.timeout(_IDENTIFY_S):
            identity = await self.replier.identify()
        home = identity["enterprise_id" if identity["is_enterprise_install"] else "team_id"] or ""
        if home not in (context.team_id, context.enterprise_id):
            _log.warning("A request from Slack is refused: it is of another workspace than the bot's token.")
            return BoltResponse(status=403, body="This is of another workspace than the bot's token.")
        if {home, context.enterprise_id}.isdisjoint(filter(None, (context.actor_team_id, context.actor_enterprise_id))):
            return BoltResponse(status=200)
        await next_()
        return None

    async def _on_event(self, body: dict[str, Any]) -> None:
        self._begin(parse_event(body, bot_user=(await self.replier.identify())["user_id"]))

    async def _on_command(self, ack: AsyncAck, body: dict[str, Any]) -> None:
        self._begin(parse_command(body, bot_user=(await self.replier.identify())["user_id"]))
        await ack(text=_READING, response_type="ephemeral")

    def _begin(self, request: SlackRequest | None) -> None:
        if request is not None:
            self.intake.begin(request.name, partial(self.replier.reply, request))


async def _answer_fault(error: Exception) -> BoltResponse:
    """Return 503 if the bot or Slack is busy, 400 for a payload of the wrong shape, else 500. Slack sends a request
    again by itself: at once, after a minute and after five."""
    if isinstance(error, TooManyOpenError | SlackError | TimeoutError):
        _log.warning("A request from Slack is refused for now: %s", str(error) or "its Web API didn't answer in time.")
        return BoltResponse(status=503, body="Send it again later.", headers={"Retry-After": str(_BUSY_S)})
    is_misshapen = isinstance(error, MISSHAPEN)
    _log.log(logging.WARNING if is_misshapen else logging.ERROR, "A payload can't be taken in.", exc_info=error)
    return BoltResponse(status=400 if is_misshapen else 500, body="This can't be taken in.")


def add_slack_events(web: FastAPI, bot: AsyncApp, *, signing_secret: str) -> None:
    """Answer `/slack/events` of `web`; a request that isn't signed, or was signed over five minutes ago, gets 401."""
    verifier = SignatureVerifier(signing_secret)

    async def receive(request: Request) -> Response:
        body = await request.body()
        try:
            is_signed = verifier.is_valid_request(body, dict(request.headers))
        except (TypeError, ValueError, OverflowError):
            # A time that is no number or too large, or a body or signature that isn't text: never from Slack.
            is_signed = False
        if not is_signed:
            return problem_response(401, "This isn't signed with the app's signing secret, or not within five minutes.")
        try:
            # The app handles errors of its listeners, so an error here is bolt failing to parse the body.
            return to_starlette_response(await bot.async_dispatch(to_async_bolt_request(request, body)))
        except MISSHAPEN:
            return problem_response(400, "The body is neither JSON nor a form with a payload, as Slack sends them.")

    web.add_api_route(SIGNED_PATH, receive, methods=["POST"], include_in_schema=False)
