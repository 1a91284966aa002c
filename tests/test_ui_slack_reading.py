"""The Slack bot with a language model, whose reading its answers wait for."""

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
    PLAIN,
    TEAM,
    Fault,
    FaultySlack,
    event_request,
    form_request,
    mention,
    running_server,
)
from waiting import until

from corpus.embedding import Embedder
from retrieval.model import Status
from ui.slack.bot import COMMAND

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


def test_one_message_is_posted_when_the_model_has_read(open_bot: OpenBot) -> None:
    def respond(handler: Handler, seen: Seen, server: ChatServer) -> None:
        # Slack delivers again what it isn't told in time was taken in.
        again = MENTION | {"channel": "C1", "ts": "1.0", "text": f"<@U0BOT> {QUESTION}"}
        assert served.post({"type": "event_callback", "team_id": TEAM, "event": again}).status_code == 200
        READS(handler, seen, server)

    with open_bot(respond) as (served, _):
        text = served.answer(QUESTION, "C1")
        assert CHOSEN in text
        assert "chose the quotes" in text
        assert len(served.posted()) == 1
        assert sum(map(served.bot.replier.answering.desk.count, Status)) == 1


FAILING = {
    "it refuses": (refuse, "refused with status 403"),
    "it doesn't answer in time": (stall, "didn't answer within 3 s"),
    "it writes prose": (says(lambda _: "Yes, since 2.0."), "This is the answer without one."),
    "it chooses what isn't there": (says(reply("no such words")), "This is the answer without one."),
}


@pytest.mark.parametrize(("respond", "told"), FAILING.values(), ids=FAILING)
def test_of_a_model_that_fails_the_message_says_why(open_bot: OpenBot, respond: Respond, told: str) -> None:
    with open_bot(respond) as (served, _):
        text = served.answer(QUESTION)
    assert told in text
    assert "widget.spin" in text


UNREAD = {
    "small talk": "hello",
    "the catalogue knows it": "Which versions of widget are there?",
    "a release that isn't there": "What changed in widget 99.9?",
}


@pytest.mark.parametrize("question", UNREAD.values(), ids=UNREAD)
def test_what_no_model_reads_is_posted(open_bot: OpenBot, question: str) -> None:
    with open_bot(READS) as (served, chat):
        served.answer(question)
        assert (len(served.posted()), chat.seen) == (1, [])


def test_what_only_the_asker_sees_is_said_once(open_bot: OpenBot) -> None:
    with open_bot(READS) as (served, _):
        address = f"{served.slack.api_url}respond"
        command = {"command": COMMAND, "team_id": TEAM, "text": QUESTION, "response_url": address}
        more = {"channel_id": "C1", "user_id": "U1", "trigger_id": "1.2.3"}
        served.send(form_request("http://localhost", command | more))
        (told,) = served.posted("respond")
        assert CHOSEN in str(told)
        assert served.posted() == []


@pytest.mark.slow
def test_a_server_that_is_to_end_does_not_wait_for_a_model(own_index: Path) -> None:
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
    assert "chat.postMessage" not in slack.calls
