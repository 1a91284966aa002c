"""Slack's Web API as the bot uses it: as slowly as Slack asks, and never posting a reply's part twice."""

import json
import logging
import time
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias
from urllib.parse import urlsplit

from aiohttp import ClientResponse
from slack_sdk.errors import SlackApiError
from slack_sdk.web.async_client import AsyncWebClient
from slack_sdk.webhook.async_client import AsyncWebhookClient

from corpus.errors import RelnotesError
from ui.rendering.slack import Json, SlackMessage
from ui.slack.payloads import METADATA_TYPE

_TIMEOUT_S = 10
_DEFAULT_WAIT_S = 1.0
"""Where Slack asks for patience and doesn't say for how long: it promises a channel a message a second."""
_PAGE = 200
_MAX_PAGES = 10
_TRANSIENT = frozenset(("internal_error", "fatal_error", "service_unavailable", "request_timeout", "team_added_to_org"))
_BLOCKS_REFUSED = frozenset(("invalid_blocks", "invalid_blocks_format", "msg_blocks_too_long"))
_Send: TypeAlias = Callable[[Sequence[Json]], Awaitable[None]]
_log = logging.getLogger("relnotes.slack")


class SlackRefusal(RelnotesError):
    """Slack doesn't take it, and won't on another try; `reason` is Slack's own word."""

    def __init__(self, method: str, reason: str) -> None:
        super().__init__(f"Slack refused {method}: {reason}. `relnotes slack --check` says what is missing.")
        self.reason = reason


class SlackUnreachable(RelnotesError):
    """Slack couldn't be reached, or had a fault of its own; another try may go well, and this one may have."""


class SlackBusy(SlackUnreachable):
    """Slack takes nothing for `wait_s` seconds; nothing was sent."""

    def __init__(self, method: str, wait_s: float) -> None:
        super().__init__(f"Slack's {method} takes nothing for {wait_s:.0f} s more.")
        self.wait_s = wait_s


@dataclass(frozen=True, slots=True)
class Identity:
    """Whose token it is: the bot's user, its workspace by name, the scopes it has; and `home`, the id of the workspace
    that it is installed in, or of the organisation where it is installed in all of one (Enterprise Grid)."""

    user: str
    workspace: str
    scopes: tuple[str, ...]
    home: str


class SlackWebApi:
    """The methods that the bot calls. Each raises SlackRefusal where Slack doesn't take it, SlackUnreachable where
    nobody knows, and SlackBusy until a limit that Slack told is over."""

    def __init__(self, address: str, token: str | None) -> None:
        # No handlers of the SDK: they send a message again whose first copy may have arrived, and one that waits for a
        # limit to be over holds up what other channels asked.
        self.client = AsyncWebClient(
            token=token or "", base_url=f"{address.removesuffix('/')}/", timeout=_TIMEOUT_S, retry_handlers=[]
        )
        self._limited_until: dict[tuple[str, str], float] = {}

    async def identify(self) -> Identity:
        """Ask Slack whose token this is."""
        response = await self._call("auth.test", {})
        headers = {name.lower(): value for name, value in response.headers.items()}
        scopes = tuple(scope.strip() for scope in headers.get("x-oauth-scopes", "").split(",") if scope.strip())
        home = response["enterprise_id" if response["is_enterprise_install"] else "team_id"]
        return Identity(str(response["user_id"]), str(response["team"]), scopes, home=str(home or ""))

    async def check_app_token(self) -> None:
        """Ask for an address of a Socket Mode connection, which shows that the token is an app's."""
        await self._call("apps.connections.open", {})

    def check_turn(self, channel: str, method: str = "chat.postMessage") -> None:
        """Say, before an answer is made, whether it could be posted now.

        Raises:
            SlackBusy: it couldn't.
        """
        wait_s = self._limited_until.get((method, channel), 0.0) - time.monotonic()
        if wait_s > 0:
            raise SlackBusy(method, wait_s)

    async def post(self, channel: str, thread_ts: str, *, message: SlackMessage, name: str, part: int) -> None:
        """Post a part of a reply into a thread, marked with the name of the request it answers."""
        fields = {
            "channel": channel,
            "thread_ts": thread_ts,
            "text": message.text,
            "metadata": {"event_type": METADATA_TYPE, "event_payload": {"request": name, "part": part}},
            "unfurl_links": False,
            "unfurl_media": False,
        }

        async def send(blocks: Sequence[Json]) -> None:
            await self._call("chat.postMessage", {**fields, "blocks": list(blocks)} if blocks else fields)

        await _with_blocks_or_without(message, send)

    async def respond(self, response_url: str, message: SlackMessage) -> None:
        """Answer where only the asker sees it, at the address of a command or a click, which needs no token: five times
        within half an hour. Nothing is sent to an address that isn't Slack's."""
        if not self._is_slacks(response_url):
            raise SlackRefusal("the response", "the address isn't Slack's")
        webhook = AsyncWebhookClient(response_url, timeout=_TIMEOUT_S, retry_handlers=[])

        async def send(blocks: Sequence[Json]) -> None:
            try:
                response = await webhook.send(
                    text=message.text, blocks=list(blocks) or None, response_type="ephemeral", replace_original=False
                )
            except Exception as error:
                raise SlackUnreachable(f"Slack's response address couldn't be reached: {_words(error)}.") from error
            reason = _refusal(response.body)
            if reason not in _BLOCKS_REFUSED and (response.status_code >= 500 or response.status_code == 429):
                raise SlackUnreachable(f"Slack's response address answered {response.status_code}.")
            if response.status_code != 200 or reason is not None:
                raise SlackRefusal("the response", reason or f"status {response.status_code}")

        await _with_blocks_or_without(message, send)

    def _is_slacks(self, address: str) -> bool:
        """Return whether an address is on the Web API's host, or on that for answers beside it (`hooks.slack.com`)."""
        api = urlsplit(self.client.base_url)
        try:
            given = urlsplit(address)
            is_port = given.port == api.port
        except ValueError:
            return False
        return given.scheme == api.scheme and is_port and given.hostname in (api.hostname, f"hooks.{api.hostname}")

    async def thread(self, channel: str, thread_ts: str) -> tuple[Mapping[str, Any], ...]:
        """Return the messages of a thread, oldest first, with their metadata."""
        messages: list[Mapping[str, Any]] = []
        fields = {"channel": channel, "ts": thread_ts, "limit": _PAGE, "include_all_metadata": "true", "cursor": ""}
        for _ in range(_MAX_PAGES):
            # As a form, for it takes no JSON; the SDK's own method sends a GET, which leaves the channel in logs.
            response = await self._call("conversations.replies", dict(fields), as_form=True)
            messages += response["messages"] or ()
            fields["cursor"] = (response.get("response_metadata") or {}).get("next_cursor", "")
            if not fields["cursor"]:
                break
        return tuple(messages)

    async def _call(self, method: str, fields: dict[str, Any], *, as_form: bool = False) -> Any:
        channel = fields.get("channel", "")
        self.check_turn(channel, method)
        try:
            return await self.client.api_call(
                method, data=fields if as_form else None, json=None if as_form else fields
            )
        except SlackApiError as error:
            status, reason = _fault(error)
            if status == 429 or reason == "ratelimited":
                stated = {name.lower(): value for name, value in error.response.headers.items()}.get("retry-after", "")
                wait_s = float(stated) if stated.isdecimal() else _DEFAULT_WAIT_S
                self._limited_until[method, channel] = time.monotonic() + wait_s
                raise SlackBusy(method, wait_s) from error
            if status >= 500 or reason in _TRANSIENT:
                raise SlackUnreachable(f"Slack's {method} failed: {reason}.") from error
            raise SlackRefusal(method, reason) from error
        except Exception as error:
            raise SlackUnreachable(f"Slack couldn't be reached for {method}: {_words(error)}.") from error


async def _with_blocks_or_without(message: SlackMessage, send: _Send) -> None:
    """Where Slack doesn't take the blocks, the text goes alone."""
    try:
        await send(message.blocks)
    except SlackRefusal as error:
        if error.reason not in _BLOCKS_REFUSED:
            raise
        _log.warning("Slack doesn't take the blocks of a reply (%s): its text goes alone.", error.reason)
        await send(())


def _fault(error: SlackApiError) -> tuple[int, str]:
    """Return the HTTP status and Slack's own word, or the status instead; a proxy's body is no JSON, or no object."""
    response = error.response
    if isinstance(response, ClientResponse):
        return response.status, f"status {response.status}"
    reason = response.data.get("error") if isinstance(response.data, dict) else None
    return int(response.status_code), str(reason or f"status {response.status_code}")


def _refusal(body: str) -> str | None:
    """Return Slack's error code, which may come with status 200 too; None where the body has none."""
    try:
        reply = json.loads(body)
    except (ValueError, RecursionError):
        return None
    return str(reply.get("error")) if isinstance(reply, dict) and reply.get("ok") is False else None


def _words(error: Exception) -> str:
    return str(error) or type(error).__name__
