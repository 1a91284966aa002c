"""What the Slack bot does when clocks, disks, other apps and Slack's own answers aren't as they should be."""

import asyncio
import re
import sqlite3
from collections.abc import Callable
from contextlib import nullcontext
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import yaml
from cli_calls import run
from slack_sdk.webhook import WebhookResponse
from slack_sdk.webhook.async_client import AsyncWebhookClient
from slack_workspace import BOT_TOKEN, NOWHERE, Fault, FaultySlack, identity, open_workers, states
from waiting import until

from corpus.errors import RelnotesError
from ui.rendering.slack import render_slack_text
from ui.server.live_assistant import LiveAssistant
from ui.settings import load_server_settings
from ui.slack import manifest_text, replying, web_api
from ui.slack import workers as working
from ui.slack.bot import COMMAND
from ui.slack.replying import Replier
from ui.slack.request_queue import RequestKind, RequestQueue, SlackRequest
from ui.slack.service import open_service
from ui.slack.web_api import SlackRefusal, SlackWebApi

pytestmark = pytest.mark.anyio
REQUEST = SlackRequest(name="a", kind=RequestKind.QUESTION, channel="C1", user="U1", text="?")


def test_a_damaged_memory_is_told_with_what_to_do(tmp_path: Path) -> None:
    (tmp_path / "requests.sqlite").write_bytes(b"no database at all " * 100)
    settings = load_server_settings(index=tmp_path / "index", slack_bot_token=BOT_TOKEN, slack_dir=tmp_path)
    main = LiveAssistant(tmp_path / "index", open_embedder=lambda: pytest.fail("it isn't asked anything"))
    with pytest.raises(RelnotesError, match=r"not a database.*RELNOTES_SLACK_DIR"):
        open_service(settings, main=main)


REFUSED_TOKEN = Fault(instead=(200, {}, b'{"ok": false, "error": "invalid_auth"}'))


async def once(is_so: Callable[[], object]) -> None:
    await asyncio.to_thread(until, is_so)


async def test_a_token_that_slack_refuses_is_told_at_the_start_and_tried_again(
    live: LiveAssistant, tmp_path: Path, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(replying, "_INTRODUCTION_S", 0.01)
    with FaultySlack(NOWHERE, {"auth.test": [REFUSED_TOKEN, identity()]}) as slack:
        workers = open_workers(live, tmp_path, slack.api_url)
        await workers.start()
        await once(lambda: slack.calls.count("auth.test") == 2)
        await workers.stop(drain_s=0)
    assert [record.message for record in caplog.records if "auth.test" in record.message] == [
        "Slack refused auth.test: invalid_auth. `relnotes slack --check` says what is missing."
    ]


class StumblingMemory:
    """The memory of the bot, locked by somebody else at the first of each call."""

    def __init__(self, memory: RequestQueue) -> None:
        self._memory = memory
        self._stumbled: set[str] = set()

    def __getattr__(self, name: str) -> Any:
        whole = getattr(self._memory, name)
        if name not in ("claim", "settle", "put_back", "forget", "requeue_claimed"):
            return whole

        def stumble(*given: Any, **more: Any) -> Any:
            if name not in self._stumbled:
                self._stumbled.add(name)
                raise sqlite3.OperationalError("database is locked")
            return whole(*given, **more)

        return stumble


async def test_a_locked_memory_stops_no_worker_and_posts_no_answer_twice(
    live: LiveAssistant, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(working, "_POLL_S", 0.01)
    broken, taken = Fault(instead=(503, {}, b"oops")), Fault(instead=(200, {}, b"ok"))
    with FaultySlack(NOWHERE, {"auth.test": [identity()], "respond": [broken, taken, taken]}) as slack:
        workers = open_workers(live, tmp_path, slack.api_url)
        workers._memory = StumblingMemory(workers._memory)  # type: ignore[assignment]
        await workers.start()
        asked = replace(REQUEST, kind=RequestKind.COMMAND, response_url=f"{slack.api_url}respond")
        await workers.enqueue(asked)
        await asyncio.to_thread(until, lambda: states(tmp_path) == ["answered"], timeout_s=6)
        await workers.stop(drain_s=0)
    assert (workers.counts["retried"], workers.counts["answered"]) == (1, 1)
    assert slack.calls.count("respond") == 2


async def test_an_error_that_nobody_expected_is_logged_to_the_end_without_the_question(
    live: LiveAssistant, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(working, "MAX_ATTEMPTS", 1)

    async def fail(_replier: Replier, request: SlackRequest, **_: object) -> None:
        raise KeyError(request.text)

    monkeypatch.setattr(Replier, "reply", fail)
    with FaultySlack(NOWHERE, {"auth.test": [identity()]}) as slack:
        workers = open_workers(live, tmp_path, slack.api_url)
        await workers.start()
        await workers.enqueue(replace(REQUEST, text="the secret project"))
        await once(lambda: states(tmp_path) == ["given up"])
        await workers.stop(drain_s=0)
    logged = [record for record in caplog.records if record.name == "relnotes.slack"]
    assert [record.exc_info is not None for record in logged] == [True, False]
    assert logged[-1].message == "A request from Slack is given up after 1 attempts: KeyError"


ADDRESSES = {
    "https://hooks.slack.com/commands/T1/2/x": ("https://slack.com/api/", True),
    "https://slack.com/x": ("https://slack.com/api/", True),
    "https://hooks.slack-gov.com/x": ("https://slack-gov.com/api/", True),
    "http://127.0.0.1:8000/x": ("http://127.0.0.1:8000/api/", True),
    "http://127.0.0.1:7997/x": ("http://127.0.0.1:8000/api/", False),
    "http://hooks.slack.com/x": ("https://slack.com/api/", False),
    "http://127.0.0.1:7997/steal": ("https://slack.com/api/", False),
    "https://127.0.0.1/x": ("http://127.0.0.1:8000/api/", False),
    "https://hooks.slack.com@evil.example/x": ("https://slack.com/api/", False),
    "https://hooks.slack.com.evil.example/x": ("https://slack.com/api/", False),
    "https://evilhooks.slack.com/x": ("https://slack.com/api/", False),
    "https://evil.example/hooks.slack.com": ("https://slack.com/api/", False),
    "https://hooks.slack.com:8443/x": ("https://slack.com/api/", False),
    "https://hooks.slack.com:x/": ("https://slack.com/api/", False),
    "https://[hooks.slack.com/x": ("https://slack.com/api/", False),
    "": ("https://slack.com/api/", False),
}


@pytest.mark.parametrize(("address", "api_url", "is_sent"), [(one, *of) for one, of in ADDRESSES.items()])
async def test_an_answer_goes_to_slacks_own_addresses_alone(
    address: str, api_url: str, is_sent: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    sent: list[str] = []

    async def send(webhook: AsyncWebhookClient, **_: object) -> WebhookResponse:
        sent.append(webhook.url)
        return WebhookResponse(url=webhook.url, status_code=200, body="ok", headers={})

    monkeypatch.setattr(AsyncWebhookClient, "send", send)
    (message,) = render_slack_text("x")
    with nullcontext() if is_sent else pytest.raises(SlackRefusal, match="isn't Slack's"):
        await SlackWebApi(api_url, BOT_TOKEN).respond(address, message)
    assert sent == [address] * is_sent


SCOPES_OF_EVENTS = {
    "app_mention": "app_mentions:read",
    "message.im": "im:history",
    "message.mpim": "mpim:history",
}
SCOPES_OF_METHODS = {
    "auth.test": (),
    "apps.connections.open": (),
    "chat.postMessage": ("chat:write",),
    "conversations.replies": ("channels:history", "groups:history", "im:history", "mpim:history"),
}


def test_the_manifest_names_what_the_code_listens_to_and_asks_for_the_scopes_that_are_used_alone() -> None:
    source = Path(web_api.__file__).read_text(encoding="utf-8")
    assert set(re.findall(r'_call\(\s*"([\w.]+)"', source)) == SCOPES_OF_METHODS.keys()
    manifest = yaml.safe_load(manifest_text())
    assert [command["command"] for command in manifest["features"]["slash_commands"]] == [COMMAND]
    assert set(manifest["settings"]["event_subscriptions"]["bot_events"]) == SCOPES_OF_EVENTS.keys()
    of_methods = {scope for scopes in SCOPES_OF_METHODS.values() for scope in scopes}
    printed = run("slack", "--manifest")
    assert (printed.exit_code, printed.stdout) == (0, manifest_text())
    # Slash commands need "commands".
    assert set(manifest["oauth_config"]["scopes"]["bot"]) == {"commands", *SCOPES_OF_EVENTS.values(), *of_methods}
