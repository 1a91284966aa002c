"""The Slack bot's endpoint over the SDK's own client: what it takes in, what a channel sees, who may speak to it."""

import json
import logging
import time
from collections.abc import Callable, Iterator
from contextlib import nullcontext
from pathlib import Path
from typing import Any

import pytest
from case_files import read_rows
from slack_served import BOT, MENTION, Served, serving
from slack_workspace import TEAM, Fault, event_request, form_request, identity, signed

import ui.slack.intake
from corpus.errors import UsageError
from ui.server.live_assistant import LiveAssistant
from ui.settings import load_server_settings
from ui.slack.bot import COMMAND
from ui.slack.payloads import earlier_questions, parse_event, readable_text

DIRECT = {"type": "message", "channel_type": "im", "user": "U1", "channel": "D1", "ts": "5.6", "text": "Is it gone?"}

EVENTS: dict[str, tuple[dict[str, Any], str | None]] = {
    "mention": (MENTION, "Is it gone?"),
    "mention in a thread": (MENTION | {"thread_ts": "1.2"}, "Is it gone?"),
    "the same mention as a message": (MENTION | {"type": "message", "channel_type": "channel"}, "Is it gone?"),
    "direct message": (DIRECT, "Is it gone?"),
    "direct message with a file": (DIRECT | {"subtype": "file_share"}, "Is it gone?"),
    "message of a channel": (MENTION | {"type": "message", "text": "Is it gone?"}, None),
    "bot": (MENTION | {"bot_id": "B1"}, None),
    "ourselves": (DIRECT | {"user": BOT}, None),
    "edit": ({**DIRECT, "subtype": "message_changed", "message": DIRECT}, None),
    "mention put in by an edit": (MENTION | {"edited": {"user": "U1", "ts": "6.0"}}, None),
    "deletion": (DIRECT | {"subtype": "message_deleted", "hidden": True}, None),
    "nobody": (DIRECT | {"user": None}, None),
    "a question in a thread, without a mention": (MENTION | {"type": "message", "thread_ts": "1.2", "text": "?"}, None),
}


@pytest.mark.parametrize(("event", "question"), EVENTS.values(), ids=EVENTS.keys())
def test_only_what_a_person_says_to_the_bot_is_a_request(event: dict[str, Any], question: str | None) -> None:
    taken = parse_event({"event_id": "Ev1", "event": event}, bot_user=BOT)
    assert (taken.text if taken else None) == question


def test_of_a_long_thread_the_newest_questions_come_along() -> None:
    thread = [DIRECT | {"text": str(number), "ts": f"{number}.0"} for number in range(12)]
    asked = earlier_questions(thread, before_ts="11.0", bot_user=BOT, is_direct=True)
    assert asked == tuple(map(str, range(1, 11)))


@pytest.mark.parametrize(("text", "read"), read_rows("ui-a-message-is-read-as-a-person-reads-it"))
def test_a_message_is_read_as_a_person_reads_it(text: str, read: str) -> None:
    assert readable_text(text, bot_user=BOT) == read


@pytest.fixture
def served(live: LiveAssistant, tmp_path: Path) -> Iterator[Served]:
    with serving(live, tmp_path) as served:
        yield served


def test_a_channel_asks_about_its_product_whatever_is_asked(live: LiveAssistant, tmp_path: Path) -> None:
    question = "Where is the cache of Gadget kept?"
    with serving(live, tmp_path, products="C0123=widget, C0456=wigdet") as served:
        assert "SQLite" in served.answer(question, "C0999")
        assert "SQLite" not in served.answer(question)
        assert "wigdet" in served.answer(question, "C0456")


@pytest.mark.parametrize("text", ["", "C0123", "C0123=", "=widget", "C0123=widget,"])
def test_wrong_products_of_channels_are_refused(text: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RELNOTES_SLACK_PRODUCTS", text)
    with nullcontext() if not text else pytest.raises(UsageError, match="must be CHANNEL=PRODUCT"):
        assert load_server_settings().slack_products == {}


@pytest.mark.parametrize("text", ["", "help", "Hi!", "thank you."])
def test_who_asks_nothing_is_told_what_to_ask(live: LiveAssistant, tmp_path: Path, text: str) -> None:
    with serving(live, tmp_path, products="C0123=widget") as served:
        said = served.answer(text)
    assert "Ask me about widget" in said
    assert "Gadget" not in said


def test_a_signed_event_is_acknowledged_and_answered_in_its_thread(served: Served) -> None:
    level = logging.getLogger("relnotes").level
    challenge = {"type": "url_verification", "challenge": "3eZbrw1aB"}
    assert served.post(challenge).json() == {"challenge": "3eZbrw1aB"}
    event = DIRECT | {"text": "Is widget.spin deprecated?"}
    assert served.post({"type": "event_callback", "team_id": TEAM, "event": event}).status_code == 200
    assert logging.getLogger("relnotes").level == level
    (message,) = served.posted()
    assert (message["channel"], message["thread_ts"]) == ("D1", "5.6")
    assert "widget.spin" in message["text"]


@pytest.mark.parametrize("is_slacks", [True, False], ids=["Slack's", "elsewhere"])
def test_a_slash_command_is_answered_at_its_own_address_where_that_is_slacks(served: Served, is_slacks: bool) -> None:
    address = f"{served.slack.api_url if is_slacks else 'http://127.0.0.1:9/'}respond"
    command = {"command": COMMAND, "team_id": TEAM, "text": "Is widget.spin deprecated?", "response_url": address}
    more = {"channel_id": "C1", "user_id": "U1", "trigger_id": "1.2.3"}
    answered = served.send(form_request("http://localhost", command | more))
    assert (answered.status_code, answered.json()["response_type"]) == (200, "ephemeral")
    said = served.posted("respond")
    assert [(one["response_type"], "widget.spin" in one["text"]) for one in said] == [("ephemeral", True)] * is_slacks


def test_a_follow_up_is_understood_by_its_thread(live: LiveAssistant, tmp_path: Path) -> None:
    before = {"user": "U1", "ts": "1.0", "text": f"<@{BOT}> Is widget.spin deprecated?"}
    told = json.dumps({"ok": True, "messages": [before, {"user": BOT, "ts": "1.1", "text": "Yes"}]}).encode()
    with serving(live, tmp_path, faults={"conversations.replies": [Fault(instead=(200, {}, told))]}) as served:
        event = MENTION | {"thread_ts": "1.0", "text": f"<@{BOT}> since when?"}
        served.post({"type": "event_callback", "team_id": TEAM, "event": event})
        assert "widget.spin" in str(served.posted())


def test_what_is_delivered_again_is_answered_once_within_ten_minutes(
    served: Served, monkeypatch: pytest.MonkeyPatch
) -> None:
    payload = {"type": "event_callback", "team_id": TEAM, "event": MENTION}
    as_message = payload | {"event": MENTION | {"type": "message", "channel_type": "channel"}}
    for again in (payload, as_message, payload):
        assert served.post(again).status_code == 200
    assert len(served.posted()) == 1
    now = time.monotonic()
    monkeypatch.setattr(time, "monotonic", lambda: now + 601)
    served.post(payload)
    assert len(served.posted()) == 2


def test_names_are_remembered_in_bounded_memory(served: Served, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ui.slack.intake, "_MAX_NAMES", 2)
    for ts in ("1.0", "2.0", "3.0", "3.0", "1.0"):
        served.post({"type": "event_callback", "team_id": TEAM, "event": MENTION | {"ts": ts}})
    assert len(served.posted()) == 4
    assert len(served.bot.intake._names) == 2


WORKSPACES: dict[str, tuple[Fault, dict[str, Any], int]] = {
    "its own": (identity(), {"team_id": TEAM}, 200),
    "another": (identity(), {"team_id": "T_OTHER"}, 403),
    "another in the same organisation": (identity(), {"team_id": "T_OTHER", "enterprise_id": "E1"}, 403),
    "none": (identity(), {}, 403),
    "its own, in a channel shared with another": (
        identity(),
        {"team_id": "T_OTHER", "authorizations": [{"team_id": TEAM, "user_id": BOT, "is_bot": True}]},
        200,
    ),
    **{
        f"a colleague {told}, in a channel shared with another": (
            identity(**installed),
            {"team_id": TEAM, "enterprise_id": org, "is_ext_shared_channel": True, "event": DIRECT | said},
            200,
        )
        for told, installed, org, said in (
            ("of the workspace", {}, None, {"team": TEAM}),
            ("of the workspace, said twice", {}, None, {"team": "T_OTHER", "user_team": TEAM}),
            ("of its organisation", {}, "E1", {"team": "E1", "user_team": "E1"}),
            ("of the organisation", {"enterprise_id": "E1", "is_enterprise_install": True}, "E1", {"user_team": "E1"}),
        )
    },
    "one of the organisation that it is installed in": (
        identity(enterprise_id="E1", is_enterprise_install=True),
        {"team_id": "T_OTHER", "enterprise_id": "E1"},
        200,
    ),
    "one of another organisation": (
        identity(enterprise_id="E1", is_enterprise_install=True),
        {"team_id": TEAM, "enterprise_id": "E2"},
        403,
    ),
    "any, where Slack doesn't tell its own": (identity(team_id=None), {"team_id": ""}, 403),
    "its own, where Slack can't be asked": (Fault(instead=(500, {}, b"oops")), {"team_id": TEAM}, 503),
}


@pytest.mark.parametrize(("told", "sender", "status"), WORKSPACES.values(), ids=WORKSPACES.keys())
def test_only_the_workspace_of_the_token_is_listened_to(
    told: Fault, sender: dict[str, Any], status: int, live: LiveAssistant, tmp_path: Path
) -> None:
    with serving(live, tmp_path, faults={"auth.test": [told]}) as served:
        answered = served.post({"type": "event_callback", "event_id": "Ev1", "event": DIRECT, **sender})
        assert (answered.status_code, "retry-after" in answered.headers) == (status, status == 503)
        assert len(served.posted()) == (status == 200)


@pytest.mark.parametrize("said", read_rows("ui-people-of-another-organisation-in-a-shared-channel-are"))
def test_people_of_another_organisation_in_a_shared_channel_are_taken_in_and_not_answered(
    served: Served, said: dict[str, Any]
) -> None:
    shared = {"type": "event_callback", "team_id": TEAM, "event_id": "Ev1", "is_ext_shared_channel": True}
    assert served.post(shared | said).status_code == 200
    assert served.posted() == []


def test_nothing_of_another_workspace_is_done(served: Served) -> None:
    command = {"command": COMMAND, "text": "x", "channel_id": "C1", "user_id": "U1", "team_id": "T_OTHER"}
    assert served.send(form_request("http://localhost", command)).status_code == 403
    assert served.posted() == []


def test_what_is_too_much_is_left_to_slack_to_send_again(served: Served, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ui.slack.intake, "MAX_OPEN", 0)
    payload = {"type": "event_callback", "team_id": TEAM, "event": MENTION}
    refused = served.post(payload)
    assert (refused.status_code, refused.headers["retry-after"]) == (503, "60")
    monkeypatch.setattr(ui.slack.intake, "MAX_OPEN", 1)
    assert served.post(payload).status_code == 200
    assert len(served.posted()) == 1


REFUSED: dict[str, tuple[bytes, Callable[[bytes], dict[str, str]], int]] = {
    "no signature": (b"{}", lambda _: {}, 401),
    "signature of another secret": (b"{}", lambda body: signed(body, secret="x" * 32), 401),
    "signature of another body": (b"{}", lambda _: signed(b"[]"), 401),
    "six minutes old": (b"{}", lambda body: signed(body, at=time.time() - 360), 401),
    "six minutes ahead": (b"{}", lambda body: signed(body, at=time.time() + 360), 401),
    "time that is no number": (b"{}", lambda body: signed(body) | {"X-Slack-Request-Timestamp": "²"}, 401),
    "time beyond all numbers": (b"{}", lambda body: signed(body) | {"X-Slack-Request-Timestamp": "9" * 400}, 401),
    "signature that isn't ASCII": (b"{}", lambda body: signed(body) | {"X-Slack-Signature": "v0=é"}, 401),
    "not UTF-8": (b"\xff", signed, 401),
    "not JSON": (b"{", signed, 400),
    "nested beyond all measure": (b"[" * 100_000, signed, 400),
    "too large": (b" " * 1_100_000, lambda _: {}, 413),
}


@pytest.mark.parametrize(("body", "sign", "status"), REFUSED.values(), ids=REFUSED.keys())
def test_what_is_not_slacks_is_refused(
    served: Served, body: bytes, sign: Callable[[bytes], dict[str, str]], status: int
) -> None:
    # Signed just now: a signature made when the tests were collected is stale by the end of a long run.
    given = {name: value.encode("latin-1") for name, value in sign(body).items()}
    given["Content-Type"] = b"application/json"
    refused = served.client.post("/slack/events", content=body, headers=given)  # type: ignore[arg-type]
    assert refused.status_code == status


PAYLOAD = {"type": "event_callback", "team_id": TEAM, "event_id": "Ev1", "event": MENTION}
ODD: tuple[object, ...] = (None, 1, "x", [], {}, "\ud800")


def misshapen(value: Any) -> Iterator[Any]:
    """`value` with one part of it, at any depth, left out or in another shape."""
    yield from ODD
    keys: Any = list(value) if isinstance(value, dict) else range(len(value) if isinstance(value, list) else 0)
    for key in keys:
        for odd in misshapen(value[key]):
            copy = value.copy()
            copy[key] = odd
            yield copy
        if isinstance(value, dict):
            yield {name: part for name, part in value.items() if name != key}


def test_whatever_shape_a_signed_payload_has_it_is_no_fault_of_ours(served: Served) -> None:
    for shape in misshapen(PAYLOAD):
        assert served.send(event_request("http://localhost", shape)).status_code in (200, 400, 403, 404), shape
