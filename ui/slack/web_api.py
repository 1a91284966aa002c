"""Slack's Web API as the bot uses it: as slowly as Slack asks, and nothing sent twice."""

import asyncio
from collections import defaultdict
from collections.abc import Sequence
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
    # Not where only Slack's answer is lost: what was sent may have arrived, and would stand there twice.
    handlers.AsyncConnectionErrorRetryHandler(max_retry_count=4, error_types=[ClientConnectorError]),
]


class SlackError(RelnotesError):
    """Slack doesn't take what is sent, or can't be reached."""

    def __init__(self, method: str, reason: str) -> None:
        super().__init__(f"Slack's {method} failed: {reason}. docs/operations.md says what the bot needs.")


class SlackWebApi:
    """The methods that the bot calls, on one event loop; each raises SlackError. The SDK repeats what fails for now."""

    def __init__(self, address: str, token: str | None) -> None:
        self.client = AsyncWebClient(token or "", address, _TIMEOUT_S, retry_handlers=_RETRY_HANDLERS)
        self._turns: defaultdict[str, asyncio.Lock] = defaultdict(asyncio.Lock)

    async def call(self, method: str, **sent: Any) -> Any:
        """Call a method of the Web API; what it answers."""
        try:
            return await self.client.api_call(method, **sent)
        except Exception as error:
            raise SlackError(method, _reason(error)) from error

    async def show(
        self, channel: str, thread_ts: str, messages: Sequence[SlackMessage], *, replaced: Sequence[str] = ()
    ) -> list[str]:
        """Post messages into a thread, in place of those of `replaced`: they are edited, those left over deleted.
        Return the `ts` of each. Posts of a channel go one after the other, for its limit is its own."""
        shown = list(replaced[: len(messages)])
        for ts, message in zip(replaced, messages, strict=False):
            await self.call("chat.update", json={"channel": channel, "ts": ts, **asdict(message)})
        for ts in replaced[len(messages) :]:
            await self.call("chat.delete", json={"channel": channel, "ts": ts})
        fields = {"channel": channel, "thread_ts": thread_ts, "unfurl_links": False, "unfurl_media": False}
        for message in messages[len(replaced) :]:
            async with self._turns[channel]:
                shown.append((await self.call("chat.postMessage", json={**fields, **asdict(message)})).get("ts"))
        return shown

    async def respond(self, response_url: str, message: SlackMessage) -> None:
        """Answer where only the asker sees it, at the address of a command or a click, which needs no token: five times
        within half an hour. Nothing is sent to an address that isn't Slack's."""
        api = urlsplit(self.client.base_url)
        if not response_url.startswith((f"{api.scheme}://{api.netloc}/", f"{api.scheme}://hooks.{api.netloc}/")):
            raise SlackError("response", "the address isn't Slack's")
        webhook = AsyncWebhookClient(response_url, _TIMEOUT_S, retry_handlers=_RETRY_HANDLERS)
        try:
            fields = {"replace_original": False, "response_type": "ephemeral"}
            response = await webhook.send_dict({**fields, **asdict(message)})
        except Exception as error:
            raise SlackError("response", _reason(error)) from error
        # A fault may come with status 200 too.
        if response.status_code != 200 or '"error"' in response.body:
            raise SlackError("response", f"status {response.status_code} {response.body[:200]}")


def _reason(error: Exception) -> str:
    """Return Slack's own word, or the status replaced: a proxy's body is no JSON, or no object."""
    if not isinstance(error, SlackApiError):
        return str(error) or type(error).__name__
    if isinstance(error.response, ClientResponse):
        return f"status {error.response.status}"
    told = error.response.data.get("error") if isinstance(error.response.data, dict) else None
    return str(told or f"status {error.response.status_code}")
