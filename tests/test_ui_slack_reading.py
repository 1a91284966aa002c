"""The Slack bot with a language model: the answer without it is posted, and edited once when it has read."""

import asyncio
import signal
import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from typing import TypeAlias

import httpx
import pytest
from chat_server import ChatServer, Handler, Respond, Seen, live_with_model, reply, says, send
from chat_server import serving as serving_model
from slack_served import MENTION, Served, serving
from slack_workspace import (
    BOT_TOKEN,
    PLAIN,
    TEAM,
    Fault,
    FaultySlack,
    event_request,
    form_request,
    mention,
    running_server,
    shown_texts,
)
from waiting import until

from corpus.embedding import Embedder
from retrieval.llm.reader import Reader, Reading
from retrieval.model import Status
from ui.rendering.slack import render_slack_text
from ui.slack.bot import COMMAND
from ui.slack.web_api import SlackWebApi

QUESTION = "Is widget.spin deprecated?"
CHOSEN = "rotates a widget by an angle"
READS = says(reply("`widget.turn` rotates a widget by an angle given in degrees."))
OpenBot: TypeAlias = Callable[..., AbstractContextManager[tuple[Served, ChatServer]]]


def refuse(handler: Handler, _seen: Seen, _server: ChatServer) -> None:
    send(handler, b"no", status=403)


def stall(_handler: Handler, _seen: Seen, server: ChatServer) -> None:
    server.stop.wait(60)


@pytest.fixture
def open_bot(small_index: Path, default_embedder: Embedder, tmp_path: Path) -> OpenBot:
    """Opens the bot over a model that responds so."""

    @contextmanager
    def opened(respond: Respond, **faults: list[Fault]) -> Iterator[tuple[Served, ChatServer]]:
        with (
            live_with_model(small_index, default_embedder, respond) as (live, chat),
            serving(live, tmp_path, faults=faults) as served,
        ):
            yield served, chat

    return opened


def edits(served: Served) -> list[str]:
    return ["".join(shown_texts(message)) for message in served.posted("chat.update")]


def test_one_message_is_posted_and_edited_once_when_the_model_has_read(open_bot: OpenBot) -> None:
    stood: list[list[str]] = []

    def respond(handler: Handler, seen: Seen, server: ChatServer) -> None:
        stood.append(served.slack.calls.copy())
        # Slack delivers again what it isn't told in time was taken in.
        again = MENTION | {"channel": "C1", "ts": "1.0", "text": f"<@U0BOT> {QUESTION}"}
        assert served.post({"type": "event_callback", "team_id": TEAM, "event": again}).status_code == 200
        READS(handler, seen, server)

    with open_bot(respond) as (served, _):
        assert CHOSEN not in served.answer(QUESTION, "C1")
        assert [calls.count("chat.postMessage") for calls in stood] == [1]
        (edit,), (text,) = served.posted("chat.update"), edits(served)
        assert (edit["channel"], edit["ts"], len(served.posted())) == ("C1", "1000.1", 1)
        assert CHOSEN in text
        assert "chose the quotes" in text
        assert served.counts() == {"taken_in": 1, "repeated": 1, "answered": 1, "given_up": 0}
        assert sum(map(served.bot.replier.desk.count, Status)) == 1


FAILING = {
    "it refuses": (refuse, "refused with status 403"),
    "it doesn't answer in time": (stall, "didn't answer within 3 s"),
    "it writes prose": (says(lambda _: "Yes, since 2.0."), "This is the answer without one."),
    "it chooses what isn't there": (says(reply("no such words")), "This is the answer without one."),
}


@pytest.mark.parametrize(("respond", "told"), FAILING.values(), ids=FAILING)
def test_of_a_model_that_fails_the_message_says_why(open_bot: OpenBot, respond: Respond, told: str) -> None:
    with open_bot(respond) as (served, _):
        first = served.answer(QUESTION)
        (text,) = edits(served)
    assert told in text
    assert "This is the answer without one." not in first
    assert "widget.spin" in first
    assert text.startswith(first[:40])


UNEDITED = {
    "small talk": "hello",
    "the catalogue knows it": "Which versions of widget are there?",
    "a release that isn't there": "What changed in widget 99.9?",
}


@pytest.mark.parametrize("question", UNEDITED.values(), ids=UNEDITED)
def test_what_no_model_reads_is_posted_and_left_alone(open_bot: OpenBot, question: str) -> None:
    with open_bot(READS) as (served, chat):
        served.answer(question)
        assert (len(served.posted()), edits(served), chat.seen) == (1, [], [])


def test_a_reading_that_changes_nothing_edits_nothing(open_bot: OpenBot, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Reader, "read", lambda _, findings, draft, _search: Reading(draft, findings, is_read=True))
    with open_bot(READS) as (served, _):
        served.answer(QUESTION)
        assert (len(served.posted()), edits(served)) == (1, [])


def test_an_edit_that_slack_refuses_leaves_the_answer_there_was(open_bot: OpenBot) -> None:
    refused = Fault(instead=(200, {}, b'{"ok": false, "error": "cant_update_message"}'))
    with open_bot(READS, **{"chat.update": [refused]}) as (served, _):
        assert "widget.spin" in served.answer(QUESTION)
        assert served.counts()["answered"] == 1
        assert len(served.posted("chat.update")) == 1


def test_what_only_the_asker_sees_is_said_once(open_bot: OpenBot) -> None:
    with open_bot(READS) as (served, _):
        address = f"{served.slack.api_url}respond"
        command = {"command": COMMAND, "team_id": TEAM, "text": QUESTION, "response_url": address}
        more = {"channel_id": "C1", "user_id": "U1", "trigger_id": "1.2.3"}
        served.send(form_request("http://localhost", command | more))
        (told,) = served.posted("respond")
        assert CHOSEN in str(told)
        assert (served.posted(), edits(served)) == ([], [])


LENGTHS = {"as long": (2, 2), "longer": (1, 3), "shorter": (3, 1)}


@pytest.mark.anyio
@pytest.mark.parametrize(("before", "after"), LENGTHS.values(), ids=LENGTHS)
async def test_an_answer_of_several_messages_is_replaced_by_as_many_as_it_has_now(before: int, after: int) -> None:
    with FaultySlack({}) as slack:
        api = SlackWebApi(slack.api_url, BOT_TOKEN)
        first, then = ([render_slack_text(f"{word} {number}")[0] for number in range(count)]
                       for word, count in (("first", before), ("then", after)))  # fmt: skip
        await api.show("C1", "1.0", then, replaced=await api.show("C1", "1.0", first))
    standing = {f"1000.{number + 1}": message["text"] for number, message in enumerate(slack.posted())}
    standing |= {one["ts"]: one["text"] for one in slack.posted("chat.update")}
    for one in slack.posted("chat.delete"):
        del standing[one["ts"]]
    assert list(standing.values()) == [f"then {number}" for number in range(after)]


@pytest.mark.slow
def test_a_server_that_is_to_end_leaves_the_answer_without_a_model_that_is_reading(own_index: Path) -> None:
    async def deliver(address: str) -> None:
        async with httpx.AsyncClient(timeout=60, verify=PLAIN) as client:
            await client.send(event_request(address, mention("C1", "1.0", QUESTION)))

    with serving_model(stall) as chat, FaultySlack({}) as slack:
        model = {"RELNOTES_LLM_BASE_URL": chat.url, "RELNOTES_LLM_MODEL": "tiny"}
        with running_server(own_index, slack, **model) as (process, address):
            asyncio.run(deliver(address))
            until(lambda: chat.seen)
            began = time.monotonic()
            process.send_signal(signal.SIGTERM)
            assert process.wait() == 0
            assert time.monotonic() - began < 15
    assert [slack.calls.count(method) for method in ("chat.postMessage", "chat.update")] == [1, 0]
