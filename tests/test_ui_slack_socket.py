"""The bot over Socket Mode, as a real process."""

import json
import os
import queue
import subprocess
import threading
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any, Self

import pytest
from aiohttp import WSMsgType, web
from anyio.from_thread import start_blocking_portal
from cli_calls import ENVIRONMENT, process
from slack_workspace import BOT, BOT_TOKEN, TEAM, free_port, mention
from waiting import until

pytestmark = pytest.mark.slow

QUESTION = "Is widget.spin deprecated?"


def test_socket_mode_answers_and_comes_back_when_slack_hangs_up(small_index: Path) -> None:
    event = {"type": "events_api", "accepts_response_payload": False, "payload": mention("C1", "1.0", QUESTION)}
    with SocketModeSlack() as slack, running_bot(small_index, slack.api_url) as bot:
        assert slack.deliver(event) == {}
        until(lambda: slack.posted)
        assert slack.deliver(event | {"retry_attempt": 1, "retry_reason": "timeout"}) == {}
        slack.hang_up()
        assert slack.deliver(event | {"payload": mention("C1", "2.0", QUESTION, thread_ts="1.0")}) == {}
        until(lambda: len(slack.posted) > 1)
        command = {"command": "/relnotes", "team_id": TEAM, "text": QUESTION, "channel_id": "C1", "user_id": "U1"}
        more = {"trigger_id": "1.2.3", "response_url": "http://127.0.0.1:9/"}
        acknowledgement = slack.deliver(
            {"type": "slash_commands", "accepts_response_payload": True, "payload": command | more}
        )
        assert acknowledgement["response_type"] == "ephemeral"
        bot.terminate()
        assert bot.wait(60) == 0
    assert [one["thread_ts"] for one in slack.posted] == ["1.0", "1.0"]


@contextmanager
def running_bot(index: Path, api_url: str) -> Iterator[subprocess.Popen[str]]:
    """A real `relnotes slack`, once it is connected."""
    variables = ENVIRONMENT | {
        "SLACK_BOT_TOKEN": BOT_TOKEN,
        "SLACK_APP_TOKEN": "xapp-1-relnotes",
        "RELNOTES_SLACK_API_URL": api_url,
    }
    bot = subprocess.Popen(process("slack", "--index", index), env=variables, stdout=subprocess.PIPE, text=True)
    try:
        assert bot.stdout is not None
        assert "Socket Mode" in bot.stdout.readline()
        yield bot
    finally:
        if bot.poll() is None:
            bot.kill()
        bot.communicate()


class SocketModeSlack:
    """The other side of Socket Mode, as Slack documents it; every other method is taken."""

    def __init__(self) -> None:
        self.posted: list[dict[str, Any]] = []
        """What was posted."""
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
        app.router.add_post("/api/{method}", self._take)
        app.router.add_get("/link", self._link)
        self._runner = web.AppRunner(app, shutdown_timeout=0.5)
        await self._runner.setup()
        await web.TCPSite(self._runner, "127.0.0.1", self._port).start()

    async def _open(self, request: web.Request) -> web.Response:
        assert request.headers["Authorization"] == "Bearer xapp-1-relnotes"
        return web.json_response({"ok": True, "url": f"ws://127.0.0.1:{self._port}/link"})

    async def _take(self, request: web.Request) -> web.Response:
        if request.match_info["method"] == "chat.postMessage":
            self.posted.append(await request.json())
        return web.json_response({"ok": True, "user_id": BOT, "team_id": TEAM, "team": "Example", "messages": []})

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
