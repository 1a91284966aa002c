"""The Slack bot's parts without Slack: what it takes in and remembers, what a channel sees, who may speak to it."""

import json
import logging
import re
import sqlite3
import time
import tomllib
from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Any
from unittest.mock import Mock

import pytest
from fastapi import FastAPI
from fastapi.testclient import TestClient
from slack_workspace import (
    NOWHERE,
    SIGNING_SECRET,
    TEAM,
    Fault,
    FaultySlack,
    clicked,
    event_request,
    form_request,
    identity,
    signed,
    states,
)
from ui_small_index import index_notes
from waiting import until

import ui.slack.check
import ui.slack.request_queue
from corpus.embedding import Embedder
from corpus.errors import RelnotesError, UsageError
from ui.feedback.log import FeedbackLog
from ui.http.guards import BodyLimit, Guard, host_check, token_check
from ui.rendering.slack import SlackMessage
from ui.server.live_assistant import LiveAssistant
from ui.settings import load_server_settings
from ui.slack.bot import COMMAND, add_slack_events
from ui.slack.channel_answers import ChannelFile, ChannelRules, SlackAnswers, SlackReply, load_channels
from ui.slack.controls import FEEDBACK_ACTION
from ui.slack.payloads import earlier_questions, parse_event, readable_text
from ui.slack.request_queue import KEPT_S, WAITS_S, Claim, RequestKind, RequestQueue, SlackRequest
from ui.slack.service import open_service
from ui.slack.web_api import SlackWebApi

BOT = "U0BOT"
MENTION = {"type": "app_mention", "user": "U1", "channel": "C1", "ts": "5.6", "text": f"<@{BOT}> Is it gone?"}
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


TEXTS = {
    "mention": (f"<@{BOT}> what changed", "what changed"),
    "mention in the middle": (f"hey <@{BOT}>, what changed", "hey , what changed"),
    "somebody else": (f"<@{BOT}> ask <@U9>", "ask @U9"),
    "link": ("see <https://widget.example/2.0>", "see https://widget.example/2.0"),
    "everybody": ("<!here> what", "@here what"),
    "entities": ("a &lt;b&gt; &amp; c", "a <b> & c"),
    "lines": ("a\n b", "a b"),
    "half a character": ("a \ud800 b", "a ? b"),
}


@pytest.mark.parametrize(("text", "read"), TEXTS.values(), ids=TEXTS.keys())
def test_a_message_is_read_as_a_person_reads_it(text: str, read: str) -> None:
    assert readable_text(text, bot_user=BOT) == read


class Clock:
    """Time that passes when it is told to."""

    def __init__(self) -> None:
        self.seconds = 1_000_000.0

    def __call__(self) -> float:
        return self.seconds


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def memory(tmp_path: Path, clock: Clock) -> Iterator[RequestQueue]:
    memory = RequestQueue(tmp_path / "requests.sqlite", token="xoxb-1", now=clock)
    yield memory
    memory.close()


def named(name: str, **more: Any) -> SlackRequest:
    text = "Is the secret project gone?"
    return SlackRequest(name=name, kind=RequestKind.QUESTION, channel="C", user="U1", text=text, **more)


def claimed(memory: RequestQueue) -> Claim:
    claim = memory.claim()
    assert claim is not None
    return claim


def test_a_request_of_the_same_name_is_the_same(memory: RequestQueue) -> None:
    first, second = named("message:C:1", history=("a", "b")), named("message:C:2")
    assert [memory.enqueue(request) for request in (first, first, second)] == [True, False, True]
    assert [claimed(memory).request for _ in range(2)] == [first, second]
    assert memory.claim() is None


def test_a_request_whose_process_died_is_taken_up_again_and_an_answered_one_is_not(memory: RequestQueue) -> None:
    memory.enqueue(named("a"))
    memory.enqueue(named("b"))
    memory.settle(claimed(memory), answered=True)
    memory.claim()
    assert not memory.enqueue(named("b"))
    assert memory.claim() is None
    memory.requeue_claimed()
    again = claimed(memory)
    assert (again.request, again.attempts) == (named("b"), 2)
    assert not memory.enqueue(named("a"))
    # One that was given up waits again when it is delivered again.
    memory.settle(again, answered=False)
    assert memory.claim() is None
    assert memory.enqueue(named("b"))
    assert claimed(memory).attempts == 3


def test_what_is_put_back_waits_as_long_as_it_is_told_and_uses_up_no_attempt_where_slack_postpones_it(
    memory: RequestQueue, clock: Clock
) -> None:
    memory.enqueue(named("a"))
    for _ in range(10):
        memory.put_back(claimed(memory), delay_s=5, is_attempt=False)
        assert memory.claim() is None
        clock.seconds += 5
    # Beyond the first: a part of the reply may be there.
    assert claimed(memory).attempts == 2


def test_what_is_old_is_forgotten(memory: RequestQueue, clock: Clock) -> None:
    memory.enqueue(named("answered"))
    memory.settle(claimed(memory), answered=True)
    memory.enqueue(named("waiting"))
    clock.seconds += WAITS_S + 1
    memory.forget()
    assert memory.claim() is None
    assert not memory.enqueue(named("answered"))
    clock.seconds += KEPT_S
    memory.forget()
    assert memory.enqueue(named("answered"))


def test_what_is_taken_in_is_on_the_disk_before_slack_is_told_so(memory: RequestQueue) -> None:
    assert memory._db.execute("PRAGMA synchronous").fetchone() == (2,)


def test_nothing_that_was_asked_lies_readable_on_disk(tmp_path: Path, memory: RequestQueue) -> None:
    memory.enqueue(named("a"))
    files = b"".join(path.read_bytes() for path in tmp_path.iterdir())
    assert b"secret project" not in files
    other = RequestQueue(tmp_path / "requests.sqlite", token="xoxb-2")
    assert claimed(other).request is None
    other.requeue_claimed()
    other.close()
    memory.settle(claimed(memory), answered=True)
    with sqlite3.connect(tmp_path / "requests.sqlite") as db:
        assert db.execute("SELECT count(*) FROM requests WHERE sealed IS NOT NULL").fetchone() == (0,)
    db.close()


def test_what_was_asked_leaves_no_trace_once_it_is_answered(tmp_path: Path, memory: RequestQueue) -> None:
    path = tmp_path / "requests.sqlite"
    memory.enqueue(named("a", history=("Is it?",) * 1_000))  # more than a page of the file
    with closing(sqlite3.connect(path)) as db:
        ((sealed,),) = db.execute("SELECT sealed FROM requests")
    memory.settle(claimed(memory), answered=True)
    memory.close()
    left = path.read_bytes()
    assert [at for at in range(0, len(sealed), 100) if sealed[at : at + 100] in left] == []


WRONG_CHANNELS = {
    "not TOML": ("[channels", "not valid TOML"),
    "arrays without end": ("channels = " + "[" * 30_000, "not valid TOML"),
    "a number without end": ("channels = " + "1" * 5_000, "not valid TOML"),
    "unknown key": ("[default]\nprodukt = 'x'", "default.produkt"),
    "no channel id": ("[channels.general]\nproduct = 'x'", "channels.general"),
    "wrong type": ("[channels.C0123]\nanswers = 'perhaps'", "channels.C0123.answers"),
}


@pytest.mark.parametrize(("text", "fault"), WRONG_CHANNELS.values(), ids=WRONG_CHANNELS.keys())
def test_a_wrong_file_of_channels_is_told(tmp_path: Path, text: str, fault: str) -> None:
    path = tmp_path / "channels.toml"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(UsageError, match=re.escape(fault)):
        load_channels(path)


def test_an_index_of_a_rule_is_found_from_the_folder_of_the_file(tmp_path: Path) -> None:
    (tmp_path / "channels.toml").write_text('[default]\nindex = "a"\n[channels.C0123]\nindex = "b"\n')
    rules = load_channels(tmp_path / "channels.toml")
    assert (rules.default.index, rules.channels["C0123"].index) == (tmp_path / "a", tmp_path / "b")


def asked(text: str, channel: str = "C0123", **more: Any) -> SlackRequest:
    given = {"name": "a", "kind": RequestKind.QUESTION, "user": "U1", "ts": "1.2", "thread_ts": "1.2", **more}
    return SlackRequest(channel=channel, text=text, **given)


def answers_over(live: LiveAssistant, **channels: ChannelRules) -> SlackAnswers:
    """What Slack is answered over an index, with these rules of channels and no index besides."""
    return SlackAnswers(ChannelFile(channels=channels), main=live, open_index=pytest.fail)


def shown(reply: SlackReply) -> str:
    return json.dumps([message.blocks for message in reply.messages], ensure_ascii=False)


def test_a_channel_sees_only_its_product_whatever_is_asked(live: LiveAssistant) -> None:
    answers = answers_over(live, C0123=ChannelRules(product="widget"), C0456=ChannelRules(answers=False))
    question = "Where is the cache of Gadget kept?"
    assert "SQLite" in shown(answers.reply(asked(question, "C0999")))
    for request in (asked(question), replace(asked(question), kind=RequestKind.MORE)):
        assert "SQLite" not in shown(answers.reply(request))
    assert "not set up to answer" in shown(answers.reply(asked(question, "C0456")))


def test_a_channels_version_holds_unless_the_words_name_another(live: LiveAssistant) -> None:
    answers = answers_over(live, C0123=ChannelRules(product="widget", version="1.5.0"))
    assert "1.5.0" in shown(answers.reply(asked("What changed?")))
    assert "Python 3.7" not in shown(answers.reply(asked("What changed?")))
    for text in ("What was removed in 2.0.0?", "What was removed in widget 2.0.0?"):
        assert "Python 3.7" in shown(answers.reply(asked(text)))


def test_a_channel_whose_product_is_not_indexed_does_not_learn_what_is(live: LiveAssistant) -> None:
    answers = answers_over(live, C0123=ChannelRules(product="wigdet"))
    for kind in (RequestKind.QUESTION, RequestKind.MORE):
        said = shown(answers.reply(replace(asked("What was added?"), kind=kind)))
        assert "no release notes yet" in said
        assert "widget" not in said.lower()


def test_a_channel_with_an_index_of_its_own_sees_nothing_of_the_others(
    live: LiveAssistant, default_embedder: Embedder, tmp_path: Path
) -> None:
    notes = {"sprocket/changes.md": "# Sprocket 1.0\n\n- `sprocket.turn` was added.\n"}
    index = index_notes(tmp_path, default_embedder, notes)
    rules = ChannelFile(channels={"C0123": ChannelRules(index=index)})
    answers = SlackAnswers(
        rules, main=live, open_index=lambda index: LiveAssistant(index, open_embedder=lambda: default_embedder)
    )
    own, elsewhere = (
        shown(answers.reply(asked("When was sprocket.turn added?", channel))) for channel in ("C0123", "C0999")
    )
    assert "sprocket.turn` was added" in own
    assert "was added" not in elsewhere
    assert "widget" not in shown(answers.reply(asked("Is widget.spin deprecated?"))).replace("widget.spin", "")
    answers.close()


@pytest.mark.parametrize("text", ["", "help", "Hi!", "thank you."])
def test_who_asks_nothing_is_told_what_to_ask(live: LiveAssistant, text: str) -> None:
    answers = answers_over(live, C0123=ChannelRules(product="widget"))
    said = shown(answers.reply(asked(text)))
    assert "Ask me what changed" in said
    assert "I have notes of widget." in said


def events_of(live: LiveAssistant, index: Path, folder: Path, api_url: str) -> TestClient:
    """The endpoint behind every guard; nothing works requests off."""
    settings = load_server_settings(
        index=index,
        slack_bot_token="xoxb-1",
        slack_signing_secret=SIGNING_SECRET,
        slack_dir=folder,
        slack_api_url=api_url,
    )
    app = FastAPI()
    app.add_middleware(BodyLimit)
    app.add_middleware(Guard, check=token_check({"x": "a token that Slack does not know"}))
    app.add_middleware(Guard, check=host_check(("localhost",)))
    add_slack_events(app, open_service(settings, main=live)[0], signing_secret=SIGNING_SECRET)
    return TestClient(app, base_url="https://relnotes.tunnel.example", raise_server_exceptions=False)


@pytest.fixture
def events(live: LiveAssistant, small_index: Path, tmp_path: Path) -> Iterator[TestClient]:
    with FaultySlack(NOWHERE, {"auth.test": [identity()]}) as slack:
        yield events_of(live, small_index, tmp_path, slack.api_url)


def post(client: TestClient, payload: dict[str, Any]) -> Any:
    return send(client, event_request("http://localhost", payload))


def send(client: TestClient, request: Any) -> Any:
    return client.post("/slack/events", content=request.content, headers=dict(request.headers))


def test_a_signed_event_is_acknowledged_once_it_is_on_disk(events: TestClient, tmp_path: Path) -> None:
    payload = {"type": "event_callback", "team_id": TEAM, "event_id": "Ev1", "event": DIRECT}
    level = logging.getLogger("relnotes").level
    challenge = {"type": "url_verification", "challenge": "3eZbrw1aB"}
    assert post(events, challenge).json() == {"challenge": "3eZbrw1aB"}
    assert post(events, payload).status_code == 200
    assert logging.getLogger("relnotes").level == level
    with sqlite3.connect(tmp_path / "requests.sqlite") as db:
        assert db.execute("SELECT key, state FROM requests").fetchall() == [("message:D1:5.6", "waiting")]
    db.close()


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
    told: Fault, sender: dict[str, Any], status: int, live: LiveAssistant, small_index: Path, tmp_path: Path
) -> None:
    with FaultySlack(NOWHERE, {"auth.test": [told]}) as slack:
        events = events_of(live, small_index, tmp_path, slack.api_url)
        answered = post(events, {"type": "event_callback", "event_id": "Ev1", "event": DIRECT, **sender})
    assert (answered.status_code, "retry-after" in answered.headers) == (status, status == 503)
    assert len(states(tmp_path)) == (status == 200)


STRANGERS: dict[str, dict[str, Any]] = {
    "a message": {"event": DIRECT | {"team": "T_OTHER"}},
    "a mention": {
        "event": DIRECT | {"type": "app_mention", "text": f"<@{BOT}> hi", "team": TEAM, "user_team": "T_OTHER"}
    },
    "of an organisation": {"event": DIRECT | {"user_team": "E_OTHER", "team": "E_OTHER"}},
    "of an organisation beside ours": {"enterprise_id": "E1", "event": DIRECT | {"user_team": "E_OTHER"}},
    "of nobody": {"event": DIRECT},
}


@pytest.mark.parametrize("said", STRANGERS.values(), ids=STRANGERS)
def test_people_of_another_organisation_in_a_shared_channel_are_taken_in_and_not_answered(
    events: TestClient, tmp_path: Path, said: dict[str, Any]
) -> None:
    shared = {"type": "event_callback", "team_id": TEAM, "event_id": "Ev1", "is_ext_shared_channel": True}
    assert post(events, shared | said).status_code == 200
    assert states(tmp_path) == []


def test_a_click_of_another_organisation_in_a_shared_channel_does_nothing(events: TestClient, tmp_path: Path) -> None:
    click = {"team": {"id": TEAM}, "user": {"id": "U9", "team_id": "T_OTHER"}}
    fields = {"payload": json.dumps(PAYLOADS["click"] | click)}
    assert send(events, form_request("http://localhost", fields)).status_code == 200
    assert states(tmp_path) == []


@pytest.mark.parametrize("body", ["command", "click"])
def test_nothing_of_another_workspace_is_done(events: TestClient, tmp_path: Path, body: str) -> None:
    command = {"command": COMMAND, "text": "x", "channel_id": "C1", "user_id": "U1", "team_id": "T_OTHER"}
    fields = command if body == "command" else {"payload": json.dumps(PAYLOADS[body] | {"team": {"id": "T_OTHER"}})}
    assert send(events, form_request("http://localhost", fields)).status_code == 403
    assert states(tmp_path) == []


@pytest.mark.parametrize("refusal", [None, RelnotesError("There is no room.")], ids=["kept", "refused"])
def test_who_clicks_on_feedback_is_a_client_and_is_told_what_became_of_it(
    events: TestClient, refusal: RelnotesError | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    add, said = Mock(side_effect=refusal), []

    async def respond(_api: SlackWebApi, _address: str, message: SlackMessage) -> None:
        said.append(message.text)

    monkeypatch.setattr(FeedbackLog, "add", add)
    monkeypatch.setattr(SlackWebApi, "respond", respond)
    value = json.dumps({"up": True, "status": "answered", "confidence": 0.5})
    action = {"type": "feedback_buttons", "action_id": FEEDBACK_ACTION, "value": value}
    click = json.dumps(clicked("C1", action, user="U7", response_url="https://hooks.slack.com/x"))
    with events:  # What is said comes after the acknowledgement.
        assert send(events, form_request("http://localhost", {"payload": click})).status_code == 200
        until(lambda: said)
    assert add.call_args.kwargs == {"client": "U7"}
    assert ("no room" in said[0]) is (refusal is not None)


def test_what_is_too_much_is_left_to_slack_to_send_again(
    events: TestClient, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(ui.slack.request_queue, "MAX_WAITING", 1)
    first, second = (
        {"type": "event_callback", "team_id": TEAM, "event_id": f"Ev{ts}", "event": DIRECT | {"ts": ts}}
        for ts in ("5.6", "5.7")
    )
    assert post(events, first).status_code == 200
    refused = post(events, second)
    assert (refused.status_code, refused.headers["retry-after"]) == (503, "60")
    # One that waits already isn't one more.
    assert post(events, first).status_code == 200
    command = {"command": COMMAND, "text": "what is new?", "channel_id": "C1", "user_id": "U1", "team_id": TEAM}
    request = form_request("http://localhost", command | {"response_url": "http://127.0.0.1:9/", "trigger_id": "t1"})
    said = send(events, request)
    assert (said.status_code, said.json()["response_type"]) == (200, "ephemeral")
    assert "Ask me again in a few minutes" in said.json()["text"]
    with sqlite3.connect(tmp_path / "requests.sqlite") as db:
        assert db.execute("SELECT key FROM requests").fetchall() == [("message:D1:5.6",)]
    db.close()


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
    events: TestClient, body: bytes, sign: Callable[[bytes], dict[str, str]], status: int
) -> None:
    # Signed just now: a signature made when the tests were collected is stale by the end of a long run.
    given = {name: value.encode("latin-1") for name, value in sign(body).items()}
    given["Content-Type"] = b"application/json"
    assert events.post("/slack/events", content=body, headers=given).status_code == status  # type: ignore[arg-type]


PAYLOADS: dict[str, dict[str, Any]] = {
    "mention": {"type": "event_callback", "team_id": TEAM, "event_id": "Ev1", "event": MENTION},
    "click": clicked("C1", {"type": "button", "action_id": "relnotes_more", "value": '{"q": "x"}'}),
}
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


@pytest.mark.parametrize("payload", PAYLOADS.values(), ids=PAYLOADS.keys())
def test_whatever_shape_a_signed_payload_has_it_is_no_fault_of_ours(
    events: TestClient, payload: dict[str, Any]
) -> None:
    for shape in misshapen(payload):
        if payload["type"] == "event_callback":
            request = event_request("http://localhost", shape)
        else:
            request = form_request("http://localhost", {"payload": json.dumps(shape)})
        assert send(events, request).status_code in (200, 400, 403, 404), shape


def test_the_example_file_of_channels_in_the_documentation_is_valid(tmp_path: Path) -> None:
    page = (Path(__file__).parents[1] / "docs" / "operations.md").read_text(encoding="utf-8")
    (example,) = re.findall(r"^```toml\n(.*?)^```$", page, re.MULTILINE | re.DOTALL)
    assert ChannelFile.model_validate(tomllib.loads(example)).channels
