"""What the Slack bot does where Slack's own answers aren't as they should be, and what it asks of Slack."""

import re
import time
from contextlib import nullcontext
from pathlib import Path
from typing import Any

import pytest
import yaml
from cli_calls import run
from slack_sdk.webhook import WebhookResponse
from slack_sdk.webhook.async_client import AsyncWebhookClient
from slack_served import MENTION, serving
from slack_workspace import BOT_TOKEN, TEAM, Fault, identity
from waiting import until

from ui.rendering.slack import render_slack_text
from ui.server.live_assistant import LiveAssistant
from ui.slack import manifest_text, web_api
from ui.slack.bot import COMMAND
from ui.slack.web_api import SlackError, SlackWebApi

pytestmark = pytest.mark.anyio
PAYLOAD = {"type": "event_callback", "team_id": TEAM, "event": MENTION}


def refusal(reason: str, status: int = 200, **headers: str) -> Fault:
    return Fault(instead=(status, headers, f'{{"ok": false, "error": "{reason}"}}'.encode()))


LIMITED = refusal("ratelimited", 429, Retry_After="0")
BROKEN = Fault(instead=(500, {"kind": "text/html"}, b"oops"))
LOST = Fault(is_lost=True)
FAILURES: dict[str, tuple[list[Fault], int, str]] = {
    "Slack asks to wait": ([LIMITED] * 3, 4, "answered"),
    "Slack is broken": ([BROKEN], 2, "answered"),
    "Slack is overloaded": ([refusal("service_unavailable", 503)] * 2, 3, "answered"),
    "Slack doesn't take it": ([refusal("channel_not_found")], 1, "given_up"),
    "something before Slack refuses": ([Fault(instead=(403, {}, b'"no"'))], 1, "given_up"),
    "Slack's answer is lost, and the post isn't made twice": ([LOST], 1, "given_up"),
}


@pytest.mark.parametrize(("faults", "posts", "became"), FAILURES.values(), ids=FAILURES.keys())
def test_a_reply_is_posted_until_slack_has_it_and_no_more(
    live: LiveAssistant,
    tmp_path: Path,
    caplog: pytest.LogCaptureFixture,
    faults: list[Fault],
    posts: int,
    became: str,
) -> None:
    with serving(live, tmp_path, faults={"chat.postMessage": faults}) as served:
        assert served.post(PAYLOAD).status_code == 200
        assert len(served.posted()) == posts
        assert ("is given up" in caplog.text) == (became == "given_up")


def test_a_long_limit_of_one_channel_holds_up_no_other(live: LiveAssistant, tmp_path: Path) -> None:
    with serving(
        live, tmp_path, faults={"chat.postMessage": [refusal("ratelimited", 429, Retry_After="3600")]}
    ) as served:
        for number in range(6):
            served.deliver(PAYLOAD | {"event": MENTION | {"ts": f"{number}.0"}})
        until(lambda: "chat.postMessage" in served.slack.calls)
        served.deliver(PAYLOAD | {"event": MENTION | {"channel": "C2"}})
        until(lambda: "C2" in [message["channel"] for message in served.slack.posted("chat.postMessage")])
        began = time.monotonic()
        served.client.portal.call(lambda: served.bot.intake.stop(drain_s=0.1))  # type: ignore[union-attr]
        assert time.monotonic() - began < 5
        assert not served.bot.intake._tasks


def test_a_token_that_slack_refuses_is_told_and_tried_again(
    live: LiveAssistant, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    with serving(live, tmp_path, faults={"auth.test": [refusal("invalid_auth"), identity()]}) as served:
        assert [served.post(PAYLOAD).status_code for _ in range(2)] == [503, 200]
    assert "Slack's auth.test failed: invalid_auth." in caplog.text


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

    async def send(webhook: AsyncWebhookClient, _: dict[str, Any]) -> WebhookResponse:
        sent.append(webhook.url)
        return WebhookResponse(url=webhook.url, status_code=200, body="ok", headers={})

    monkeypatch.setattr(AsyncWebhookClient, "send_dict", send)
    (message,) = render_slack_text("x")
    with nullcontext() if is_sent else pytest.raises(SlackError, match="isn't Slack's"):
        await SlackWebApi(api_url, BOT_TOKEN).respond(address, message)
    assert sent == [address] * is_sent


SCOPES_OF_EVENTS = {"app_mention": "app_mentions:read", "message.im": "im:history", "message.mpim": "mpim:history"}
SCOPES_OF_METHODS = {
    "auth.test": (),
    "apps.connections.open": (),
    "chat.postMessage": ("chat:write",),
    "conversations.replies": ("channels:history", "groups:history", "im:history", "mpim:history"),
}


def test_the_manifest_names_what_the_code_listens_to_and_asks_for_the_scopes_that_are_used_alone() -> None:
    sources = "".join(path.read_text(encoding="utf-8") for path in Path(web_api.__file__).parent.glob("*.py"))
    assert set(re.findall(r'call\(\s*"([\w.]+)"', sources)) == SCOPES_OF_METHODS.keys()
    manifest = yaml.safe_load(manifest_text())
    assert [command["command"] for command in manifest["features"]["slash_commands"]] == [COMMAND]
    assert set(manifest["settings"]["event_subscriptions"]["bot_events"]) == SCOPES_OF_EVENTS.keys()
    of_methods = {scope for scopes in SCOPES_OF_METHODS.values() for scope in scopes}
    printed = run("slack", "--manifest")
    assert (printed.exit_code, printed.stdout) == (0, manifest_text())
    # Slash commands need "commands".
    assert set(manifest["oauth_config"]["scopes"]["bot"]) == {"commands", *SCOPES_OF_EVENTS.values(), *of_methods}
