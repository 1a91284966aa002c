"""Calls Slack's Web API: slowly enough for its rate limits, and never sending a message twice."""

from dataclasses import asdict
from typing import Any
from urllib.parse import urlsplit

from aiohttp import ClientConnectorError, ClientResponse
from slack_sdk.errors import SlackApiError
from slack_sdk.http_retry import builtin_async_handlers as handlers
from slack_sdk.web.async_client import AsyncWebClient
from slack_sdk.webhook.async_client import AsyncWebhookClient

from corpus.errors import RelnotesError
from ui.rendering.slack import SlackMessage

_TIMEOUT_S = 10
_RETRY_HANDLERS = [
    handlers.AsyncRateLimitErrorRetryHandler(max_retry_count=100),
    handlers.AsyncServerErrorRetryHandler(max_retry_count=4),
    # Only if no connection was made: after a lost reply the message may have arrived, and would appear twice.
    handlers.AsyncConnectionErrorRetryHandler(max_retry_count=4, error_types=[ClientConnectorError]),
]


class SlackError(RelnotesError):
    """Slack refuses a call, or can't be reached."""

    def __init__(self, method: str, reason: str) -> None:
        super().__init__(f"Slack's {method} failed: {reason}. docs/operations.md says what the bot needs.")


class SlackWebApi:
    """The methods that the bot calls, on one event loop; each raises SlackError, after the SDK's own retries."""

    def __init__(self, address: str, token: str | None) -> None:
        self.client = AsyncWebClient(token or "", address, _TIMEOUT_S, retry_handlers=_RETRY_HANDLERS)

    async def call(self, method: str, **arguments: Any) -> Any:
        """Call a method of the Web API and return Slack's reply; raise SlackError for any failure."""
        try:
            return await self.client.api_call(method, **arguments)
        except Exception as error:
            raise SlackError(method, _reason(error)) from error

    async def respond(self, response_url: str, message: SlackMessage) -> None:
        """Send a message that only the user sees, to the `response_url` of a command, which needs no token and works
        five times within half an hour. Raises SlackError, too, if the address isn't Slack's."""
        api = urlsplit(self.client.base_url)
        if not response_url.startswith((f"{api.scheme}://{api.netloc}/", f"{api.scheme}://hooks.{api.netloc}/")):
            raise SlackError("response", "the address isn't Slack's")
        webhook = AsyncWebhookClient(response_url, _TIMEOUT_S, retry_handlers=_RETRY_HANDLERS)
        try:
            response = await webhook.send_dict({"response_type": "ephemeral", **asdict(message)})
        except Exception as error:
            raise SlackError("response", _reason(error)) from error
        # Slack reports some errors with status 200.
        if response.status_code != 200 or '"error"' in response.body:
            raise SlackError("response", f"status {response.status_code} {response.body[:200]}")


def _reason(error: Exception) -> str:
    """Return Slack's error code; else the status (a proxy's body is no JSON object) or the error's message."""
    if not isinstance(error, SlackApiError):
        return str(error) or type(error).__name__
    if isinstance(error.response, ClientResponse):
        return f"status {error.response.status}"
    code = error.response.data.get("error") if isinstance(error.response.data, dict) else None
    # A server that isn't Slack's may say what was sent to it, with the token.
    return code if isinstance(code, str) else f"status {error.response.status_code}"
