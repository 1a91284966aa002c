"""`POST /slack/events`: everything that Slack sends over HTTP, each request checked to be Slack's."""

import time

from fastapi import FastAPI, Request, Response
from slack_bolt.adapter.starlette.async_handler import to_async_bolt_request, to_starlette_response
from slack_sdk.signature import SignatureVerifier

from ui.http.guards import SIGNED_PATH
from ui.http.problems import problem_response
from ui.slack.intake import MISSHAPEN
from ui.slack.service import SlackService


def add_slack_events(app: FastAPI, service: SlackService, *, signing_secret: str) -> None:
    """Answer `/slack/events` of `app`; a request that isn't signed, or was signed over five minutes ago, gets 401."""
    verifier = SignatureVerifier(signing_secret)

    async def take(request: Request) -> Response:
        """Take in an event, a command or a click from Slack."""
        body = await request.body()
        stamp = request.headers.get("x-slack-request-timestamp", "")
        signature = request.headers.get("x-slack-signature", "")
        # The verifier fails on what isn't a number or isn't UTF-8, which is nothing that Slack sends.
        if not stamp.isdecimal() or not stamp.isascii() or len(stamp) > len(str(int(time.time()))) + 1:
            return _refusal()
        try:
            text = body.decode()
        except UnicodeDecodeError:
            return _refusal()
        if not signature.isascii() or not verifier.is_valid(text, stamp, signature):
            return _refusal()
        try:
            # The app answers what its listeners raise; what comes out of it is bolt's own trouble with the body.
            taken = await service.app.async_dispatch(to_async_bolt_request(request, body))
        except MISSHAPEN:
            return problem_response(400, "The body is neither JSON nor a form with a payload, as Slack sends them.")
        return to_starlette_response(taken)

    app.add_api_route(SIGNED_PATH, take, methods=["POST"], include_in_schema=False)


def _refusal() -> Response:
    return problem_response(401, "This isn't signed with the app's signing secret, or not within five minutes.")
