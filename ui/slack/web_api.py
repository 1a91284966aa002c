"""Slack's Web API as the bot uses it: paced as Slack asks, and never posting a reply's part twice."""

import asyncio
import logging
import time
from collections.abc import Awaitable, Callable, Mapping
from functools import partial
from typing import Any

from aiohttp import ClientResponse
from slack_sdk.errors import SlackApiError
from slack_sdk.web.async_client import AsyncWebClient

from corpus.errors import RelnotesError
from ui.rendering.slack_limits import SlackMessage
from ui.slack.settings import SlackSettings, api_base

METADATA_TYPE = "relnotes_reply"
TIMEOUT_S = 10
_PACED_S = 60.0
"""Seconds for which a channel is posted to slowly after Slack has asked for it."""
_PACE_S = 1.0
"""What Slack promises a channel: a message a second."""
_PATIENCE_S = 5.0
"""For so long a call waits its turn; whoever would wait longer is told how long, and can do something else."""
_PAGE = 200
_MAX_PAGES = 10
_TRANSIENT = frozenset(
    ("ratelimited", "internal_error", "fatal_error", "service_unavailable", "request_timeout", "team_added_to_org")
)
BLOCKS_REFUSED = frozenset(("invalid_blocks", "invalid_blocks_format", "msg_blocks_too_long"))
_log = logging.getLogger("relnotes.slack")


class SlackRefusal(RelnotesError):
    """Slack doesn't take it, and won't on another try; `reason` is Slack's own word."""

    def __init__(self, method: str, reason: str) -> None:
        super().__init__(f"Slack refused {method}: {reason}. `relnotes slack --check` says what is missing.")
        self.reason = reason


class SlackUnreachable(RelnotesError):
    """Slack couldn't be reached, or had a fault of its own; another try may go well, and this one may have."""


class SlackBusy(SlackUnreachable):
    """Slack wants to be left alone for `wait_s` seconds; nothing was sent."""

    def __init__(self, method: str, wait_s: float) -> None:
        super().__init__(f"Slack's {method} takes nothing for {wait_s:.0f} s more.")
        self.wait_s = wait_s


class SlackWebApi:
    """The methods that the bot calls; a short limit that Slack tells is waited out, a long one is told.

    Each raises SlackBusy where it would wait long.
    """

    def __init__(self, settings: SlackSettings) -> None:
        token = settings.bot_token.get_secret_value() if settings.bot_token else ""
        # No handlers of the SDK: they send a message again whose first copy may have arrived.
        self.client = AsyncWebClient(
            token=token, base_url=api_base(settings.api_url), timeout=TIMEOUT_S, retry_handlers=[]
        )
        self._paces: dict[str, _Pace] = {}

    async def identify(self) -> tuple[str, str, tuple[str, ...]]:
        """The bot's user id, its workspace's name, and its scopes.

        Raises:
            SlackRefusal, SlackUnreachable: it can't say.
        """
        response = await self._call("auth.test", "", self.client.auth_test)
        headers = {name.lower(): value for name, value in response.headers.items()}
        scopes = tuple(scope.strip() for scope in headers.get("x-oauth-scopes", "").split(",") if scope.strip())
        return str(response["user_id"]), str(response["team"]), scopes

    def check_turn(self, channel: str) -> None:
        """Say before an answer is made whether it could be posted soon.

        Raises:
            SlackBusy: it couldn't.
        """
        if (pace := self._paces.get(f"chat.postMessage {channel}")) is not None and pace.wait_s > _PATIENCE_S:
            raise SlackBusy("chat.postMessage", pace.wait_s)

    async def post(self, channel: str, thread_ts: str, *, message: SlackMessage, key: str, part: int) -> None:
        """Post a part of a reply into a thread, marked with the request it answers.

        Where Slack doesn't take the blocks, the text goes alone.

        Raises:
            SlackRefusal, SlackUnreachable: it isn't there, or nobody knows.
        """
        fields: dict[str, Any] = {
            "channel": channel,
            "thread_ts": thread_ts,
            "text": message.text,
            "metadata": {"event_type": METADATA_TYPE, "event_payload": {"request": key, "part": part}},
            "unfurl_links": False,
            "unfurl_media": False,
        }
        post = self.client.chat_postMessage
        try:
            await self._call("chat.postMessage", channel, lambda: post(**fields, blocks=list(message.blocks)))
        except SlackRefusal as error:
            if error.reason not in BLOCKS_REFUSED:
                raise
            _log.warning("Slack doesn't take the blocks of a reply (%s): its text goes alone.", error.reason)
            await self._call("chat.postMessage", channel, lambda: post(**fields))

    async def thread(self, channel: str, thread_ts: str) -> tuple[Mapping[str, Any], ...]:
        """The messages of a thread, oldest first, with their metadata.

        Raises:
            SlackRefusal, SlackUnreachable: it can't be read.
        """
        messages: list[Mapping[str, Any]] = []
        fields: dict[str, str | int] = {
            "channel": channel,
            "ts": thread_ts,
            "limit": _PAGE,
            "include_all_metadata": "true",
        }
        for _ in range(_MAX_PAGES):
            response = await self._call("conversations.replies", channel, partial(self._replies, dict(fields)))
            messages += response["messages"] or ()
            fields["cursor"] = (response.get("response_metadata") or {}).get("next_cursor", "")
            if not fields["cursor"]:
                break
        return tuple(messages)

    async def _replies(self, fields: dict[str, str | int]) -> Any:
        # The SDK's own method sends a GET, which leaves the channel in logs of addresses.
        return await self.client.api_call("conversations.replies", data=fields)

    async def say_status(self, channel: str, thread_ts: str, status: str) -> None:
        """Show under the thread what the bot is doing, where Slack can; it goes away with the reply."""
        await self._call(
            "assistant.threads.setStatus",
            channel,
            lambda: self.client.assistant_threads_setStatus(channel_id=channel, thread_ts=thread_ts, status=status),
        )

    async def suggest(self, channel: str, thread_ts: str, *, questions: tuple[str, ...]) -> None:
        """Suggest questions in an assistant's thread."""
        prompts = [{"title": question, "message": question} for question in questions]
        await self._call(
            "assistant.threads.setSuggestedPrompts",
            channel,
            lambda: self.client.assistant_threads_setSuggestedPrompts(
                channel_id=channel, thread_ts=thread_ts, prompts=prompts
            ),
        )

    async def open_view(self, trigger_id: str, view: Mapping[str, Any]) -> None:
        """Open a modal; the trigger is good for three seconds."""
        await self._call("views.open", "", lambda: self.client.views_open(trigger_id=trigger_id, view=dict(view)))

    async def _call(self, method: str, channel: str, send: Callable[[], Awaitable[Any]]) -> Any:
        pace = self._paces.setdefault(f"{method} {channel}", _Pace())
        while True:
            if pace.wait_s > _PATIENCE_S:
                raise SlackBusy(method, pace.wait_s)
            await pace.wait()
            try:
                return await send()
            except SlackApiError as error:
                status, reason = api_fault(error)
                if status == 429 or reason == "ratelimited":
                    pace.slow_down(_retry_after_s(error.response.headers))
                    continue
                if status >= 500 or reason in _TRANSIENT:
                    raise SlackUnreachable(f"Slack's {method} failed: {reason}.") from error
                raise SlackRefusal(method, reason) from error
            except Exception as error:
                raise SlackUnreachable(f"Slack couldn't be reached for {method}: {error_words(error)}.") from error


class _Pace:
    """When the next call of one method for one channel may go out: at once, until Slack says otherwise."""

    def __init__(self) -> None:
        self._next = 0.0
        self._slow_until = 0.0

    @property
    def wait_s(self) -> float:
        """Seconds until a call may go out."""
        return max(0.0, self._next - time.monotonic())

    async def wait(self) -> None:
        now = time.monotonic()
        at = max(now, self._next)
        if at < self._slow_until:
            # Whoever comes next gets the place after this one.
            self._next = at + _PACE_S
        if at > now:
            await asyncio.sleep(at - now)

    def slow_down(self, retry_after_s: float) -> None:
        now = time.monotonic()
        self._next = max(self._next, now + retry_after_s)
        self._slow_until = self._next + _PACED_S


def api_fault(error: SlackApiError) -> tuple[int, str]:
    """The HTTP status and Slack's own word, or the status in its place; a proxy's body is no JSON, or not an object."""
    response = error.response
    if isinstance(response, ClientResponse):
        return response.status, f"status {response.status}"
    reason = response.data.get("error") if isinstance(response.data, dict) else None
    return int(response.status_code), str(reason or f"status {response.status_code}")


def _retry_after_s(headers: Mapping[str, str]) -> float:
    for name, value in headers.items():
        if name.lower() == "retry-after":
            try:
                return max(0.0, float(value))
            except ValueError:
                break
    return _PACE_S


def error_words(error: Exception) -> str:
    return str(error) or type(error).__name__
