"""Exactly one reply when Slack or the process fails in the midst of it; and the bot over Socket Mode."""

import asyncio
import json
import os
import queue
import signal
import subprocess
import threading
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any, Self

import pytest
from aiohttp import ClientSession, WSMsgType, web
from anyio.from_thread import start_blocking_portal
from cli_calls import ENVIRONMENT, process
from slack_workspace import (
    BOT_TOKEN,
    TEAM,
    Fault,
    FaultySlack,
    Workspace,
    free_port,
    open_workers,
    request_of,
    states,
)
from waiting import until

from corpus.errors import IndexUnavailable
from ui.server.live_assistant import LiveAssistant
from ui.server.question_desk import QuestionDesk
from ui.slack.channel_answers import ChannelFile, SlackAnswers, SlackReply
from ui.slack.replying import Replier
from ui.slack.request_queue import SlackRequest
from ui.slack.web_api import SlackWebApi
from ui.slack.workers import SlackWorkers

pytestmark = [pytest.mark.slow, pytest.mark.anyio]

QUESTION = "Is widget.spin deprecated?"
LIMITED = Fault(instead=(429, {"Retry-After": "1"}, b'{"ok": false, "error": "ratelimited"}'))
BROKEN = Fault(instead=(500, {}, b"oops"))
PROXY = Fault(instead=(502, {}, b'"bad gateway"'))
NO_BLOCKS = Fault(instead=(200, {}, b'{"ok": false, "error": "invalid_blocks"}'))
LOST = Fault(after=lambda: None)


class LongAnswers(SlackAnswers):
    """Answers in three messages, so that a failure can come between them."""

    def reply(self, request: SlackRequest) -> SlackReply:
        whole = super().reply(request)
        return replace(whole, messages=tuple(replace(whole.messages[0], text=f"part {part}") for part in range(3)))


async def answer(working: SlackWorkers, folder: Path, events: Sequence[dict[str, Any]]) -> None:
    """Take the events in, and stop once everything is answered."""
    await working.start()
    for event in events:
        await working.enqueue(request_of(event))
    await asyncio.to_thread(until, lambda: set(states(folder)) <= {"answered"})
    await working.stop(drain_s=10)


FAILURES: dict[str, tuple[dict[str, list[Fault]], int]] = {
    "Slack asks to wait": ({"chat.postMessage": [LIMITED]}, 1),
    "Slack is broken": ({"chat.postMessage": [BROKEN]}, 1),
    "something before Slack is broken": ({"chat.postMessage": [PROXY], "auth.test": [PROXY]}, 1),
    "Slack doesn't take the blocks": ({"chat.postMessage": [NO_BLOCKS]}, 1),
    "the answer to a post is lost": ({"chat.postMessage": [LOST]}, 1),
    "and the thread can't be read at once": (
        {"chat.postMessage": [LOST], "conversations.replies": [BROKEN, LIMITED]},
        1,
    ),
    "the answer to the second of three parts is lost": ({"chat.postMessage": [Fault(), LOST]}, 3),
    "the third of three parts fails": ({"chat.postMessage": [Fault(), Fault(), BROKEN]}, 3),
}


@pytest.mark.parametrize(("faults", "parts"), FAILURES.values(), ids=FAILURES.keys())
async def test_a_reply_is_there_once_whatever_fails(
    workspace: Workspace, live: LiveAssistant, tmp_path: Path, faults: dict[str, list[Fault]], parts: int
) -> None:
    channel = workspace.channels[0]
    ts = workspace.say(channel, QUESTION)
    desk = QuestionDesk(max_questions=4, timeout_s=30)
    with FaultySlack(workspace, faults) as slack:
        kind = LongAnswers if parts > 1 else SlackAnswers
        working = open_workers(live, tmp_path, slack.api_url, kind, desk=desk)
        await answer(working, tmp_path, [workspace.mention(channel, QUESTION, ts=ts)])
    replies = workspace.replies(channel, ts)
    assert [reply["metadata"]["event_payload"]["part"] for reply in replies] == list(range(parts))
    assert sum(desk.state.answers.values()) == 1


async def test_after_the_last_attempt_the_reason_is_told_once(workspace: Workspace, tmp_path: Path) -> None:
    channel = workspace.channels[6]
    ts = workspace.say(channel, QUESTION)
    taken = request_of(workspace.mention(channel, QUESTION, ts=ts))
    desk = QuestionDesk(max_questions=1, timeout_s=30)
    missing = LiveAssistant(tmp_path / "none", open_embedder=pytest.fail)
    answers = SlackAnswers(ChannelFile(), main=missing, open_index=pytest.fail)
    replier = Replier(answers, api=SlackWebApi(workspace.api_url, BOT_TOKEN), desk=desk, counted_at=desk)
    with pytest.raises(IndexUnavailable):
        await replier.reply(taken)
    for _ in range(2):
        await replier.reply(taken, is_again=True, is_last=True)
    await replier.close()
    (printed,) = workspace.replies(channel, ts)
    assert "No index at" in printed["text"]


async def test_a_long_limit_of_one_channel_holds_up_no_other(
    workspace: Workspace, live: LiveAssistant, tmp_path: Path
) -> None:
    """More requests wait for the limited channel than there are workers; none of them counts as an attempt."""
    limited, free = workspace.channels[2], workspace.channels[3]
    held = [workspace.say(limited, QUESTION) for _ in range(6)]
    asked = workspace.say(free, QUESTION)
    limit = Fault(instead=(429, {"Retry-After": "3600"}, b'{"ok": false, "error": "ratelimited"}'))
    with FaultySlack(workspace, {"chat.postMessage": [limit]}) as slack:
        working = open_workers(live, tmp_path, slack.api_url)
        await working.start()
        for channel, ts in (*((limited, ts) for ts in held), (free, asked)):
            await working.enqueue(request_of(workspace.mention(channel, QUESTION, ts=ts)))
            if ts == held[0]:
                await asyncio.to_thread(until, lambda: "chat.postMessage" in slack.calls)
        await asyncio.to_thread(workspace.wait_for_replies, free, asked)
        await asyncio.to_thread(until, lambda: sorted(states(tmp_path)) == ["answered", *["waiting"] * 6])
        await working.stop(drain_s=0)
    assert not any(workspace.replies(limited, ts) for ts in held)
    assert working.counts["retried"] == 0


async def test_what_was_taken_in_is_answered_after_the_next_start(
    workspace: Workspace, live: LiveAssistant, tmp_path: Path
) -> None:
    channel = workspace.channels[2]
    ts = workspace.say(channel, QUESTION)
    working = open_workers(live, tmp_path, workspace.api_url)
    assert await working.enqueue(request_of(workspace.mention(channel, QUESTION, ts=ts)))
    await working.stop(drain_s=0)
    assert workspace.replies(channel, ts) == []
    await answer(open_workers(live, tmp_path, workspace.api_url), tmp_path, [])
    assert len(workspace.replies(channel, ts)) == 1


async def test_one_process_at_a_time_answers(workspace: Workspace, live: LiveAssistant, tmp_path: Path) -> None:
    channel = workspace.channels[3]
    asked = [workspace.say(channel, QUESTION) for _ in range(6)]
    events = [workspace.mention(channel, QUESTION, ts=ts) for ts in asked]
    pair = [open_workers(live, tmp_path, workspace.api_url) for _ in range(2)]
    await asyncio.gather(*(answer(process, tmp_path, events) for process in pair))
    assert [len(workspace.replies(channel, ts)) for ts in asked] == [1] * 6


def test_a_process_killed_between_post_and_record_does_not_post_again(
    workspace: Workspace, small_index: Path, tmp_path: Path
) -> None:
    channel = workspace.channels[4]
    ts = workspace.say(channel, QUESTION)
    event = {"type": "events_api", "payload": workspace.mention(channel, QUESTION, ts=ts)}
    victims: list[subprocess.Popen[str]] = []
    acknowledged = threading.Event()

    def kill_once_acknowledged() -> None:
        assert acknowledged.wait(60)
        victims[0].kill()

    kill = Fault(after=kill_once_acknowledged)
    with (
        FaultySlack(workspace, {"chat.postMessage": [kill]}) as slack,
        SocketModeSlack(slack.api_url) as socket,
    ):
        with running_bot(small_index, socket.api_url, tmp_path) as bot:
            victims.append(bot)
            assert socket.deliver(event) == {}
            acknowledged.set()
            assert bot.wait(60) == -signal.SIGKILL
        assert len(workspace.replies(channel, ts)) == 1
        assert states(tmp_path) == ["claimed"]
        with running_bot(small_index, socket.api_url, tmp_path):
            assert socket.deliver(event | {"retry_attempt": 1}) == {}
            until(lambda: states(tmp_path) == ["answered"])
        assert slack.calls.count("chat.postMessage") == 1
    assert len(workspace.replies(channel, ts)) == 1


def test_socket_mode_answers_and_comes_back_when_slack_hangs_up(
    workspace: Workspace, small_index: Path, tmp_path: Path
) -> None:
    channel = workspace.channels[5]
    ts = workspace.say(channel, QUESTION)
    event = {"type": "events_api", "accepts_response_payload": False} | {
        "payload": workspace.mention(channel, QUESTION, ts=ts)
    }
    with SocketModeSlack(workspace.api_url) as slack, running_bot(small_index, slack.api_url, tmp_path) as bot:
        assert slack.deliver(event) == {}
        workspace.wait_for_replies(channel, ts)
        assert slack.deliver(event | {"retry_attempt": 1, "retry_reason": "timeout"}) == {}
        slack.hang_up()
        later = workspace.say(channel, QUESTION, thread_ts=ts)
        follow_up = workspace.mention(channel, QUESTION, ts=later, thread_ts=ts)
        assert slack.deliver(event | {"payload": follow_up}) == {}
        workspace.wait_for_replies(channel, ts, count=2)
        command = {
            "command": "/relnotes",
            "team_id": TEAM,
            "text": QUESTION,
            "channel_id": channel,
            "user_id": workspace.user,
            "trigger_id": "1.2.3",
            "response_url": "http://127.0.0.1:9/",
        }
        acknowledgement = slack.deliver(
            {"type": "slash_commands", "accepts_response_payload": True, "payload": command}
        )
        assert acknowledgement["response_type"] == "ephemeral"
        bot.terminate()
        assert bot.wait(60) == 0
    assert len(workspace.replies(channel, ts)) == 2


@contextmanager
def running_bot(index: Path, api_url: str, folder: Path) -> Iterator[subprocess.Popen[str]]:
    """A real `relnotes slack`, once it is connected."""
    process = started_bot(index, api_url, folder)
    try:
        assert process.stdout is not None
        assert "Socket Mode" in process.stdout.readline()
        yield process
    finally:
        if process.poll() is None:
            process.kill()
        process.communicate()


def started_bot(index: Path, api_url: str, folder: Path) -> subprocess.Popen[str]:
    variables = ENVIRONMENT | {
        "SLACK_BOT_TOKEN": BOT_TOKEN,
        "SLACK_APP_TOKEN": "xapp-1-relnotes",
        "RELNOTES_SLACK_API_URL": api_url,
        "RELNOTES_SLACK_DIR": str(folder),
    }
    return subprocess.Popen(process("slack", "--index", index), env=variables, stdout=subprocess.PIPE, text=True)


class SocketModeSlack:
    """The other side of Socket Mode, as Slack documents it; every other method goes on to the emulator."""

    def __init__(self, target: str) -> None:
        self._target = target
        self._port = free_port()
        self._sockets: list[web.WebSocketResponse] = []
        self._connected = threading.Event()
        self._acknowledged: queue.Queue[dict[str, Any]] = queue.Queue()
        self.api_url = f"http://127.0.0.1:{self._port}/api/"

    def __enter__(self) -> Self:
        self._ending = ExitStack()
        self._portal = self._ending.enter_context(start_blocking_portal())
        self._portal.call(self._start)
        return self

    def __exit__(self, *_: object) -> None:
        self._portal.call(self._runner.cleanup)
        self._ending.close()

    def deliver(self, envelope: dict[str, Any]) -> dict[str, Any]:
        """Send an envelope, and return what it is acknowledged with, once it is."""
        assert self._connected.wait(60)
        name = os.urandom(8).hex()
        self._portal.call(self._sockets[-1].send_json, envelope | {"envelope_id": name})
        acknowledgement = self._acknowledged.get(timeout=60)
        assert acknowledgement["envelope_id"] == name
        return dict(acknowledgement.get("payload") or {})

    def hang_up(self) -> None:
        """Tell the bot to connect again, as Slack does every few hours, and close."""
        self._connected.clear()
        self._portal.call(self._sockets[-1].send_json, {"type": "disconnect", "reason": "refresh_requested"})

    async def _start(self) -> None:
        app = web.Application()
        app.router.add_post("/api/apps.connections.open", self._open)
        app.router.add_post("/api/{method}", self._pass_on)
        app.router.add_get("/link", self._link)
        self._runner = web.AppRunner(app, shutdown_timeout=0.5)
        await self._runner.setup()
        await web.TCPSite(self._runner, "127.0.0.1", self._port).start()

    async def _open(self, request: web.Request) -> web.Response:
        assert request.headers["Authorization"] == "Bearer xapp-1-relnotes"
        return web.json_response({"ok": True, "url": f"ws://127.0.0.1:{self._port}/link"})

    async def _pass_on(self, request: web.Request) -> web.Response:
        kept = {name: request.headers[name] for name in ("Authorization", "Content-Type") if name in request.headers}
        address = f"{self._target}{request.match_info['method']}"
        async with ClientSession() as session, session.post(address, data=await request.read(), headers=kept) as answer:
            return web.Response(status=answer.status, body=await answer.read(), content_type="application/json")

    async def _link(self, request: web.Request) -> web.StreamResponse:
        socket = web.WebSocketResponse()
        await socket.prepare(request)
        await socket.send_json({"type": "hello", "num_connections": 1, "connection_info": {"app_id": "A1"}})
        self._sockets.append(socket)
        self._connected.set()
        async for message in socket:
            if message.type is WSMsgType.TEXT:
                self._acknowledged.put(json.loads(message.data))
        if self._sockets[-1] is socket:
            # Nothing can be delivered until the bot, or the next one, has connected again.
            self._connected.clear()
        return socket
