"""A local Slack: the `emulate` package from npm, and requests signed as Slack signs them.

It speaks the Web API as documented; events are posted by the tests themselves.
"""

import hashlib
import hmac
import json
import os
import random
import socket
import ssl
import subprocess
import threading
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager, suppress
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

import chat_server
import httpx
from npm_packages import npm_command
from waiting import until
from warm_server import WarmServer, running_serve

PLAIN = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
"""For requests on this machine: none is encrypted, and to load the system's certificates costs more than all else."""
BOT_TOKEN = "xoxb-relnotes"
USER_TOKEN = "xoxp-ada"
SIGNING_SECRET = "8f742231b10e8888abcd99yyyzzz85a5"
TEAM = "T000000001"  # The workspace of the local Slack.
CHANNELS = tuple(f"releases-{number}" for number in range(10))

_SEED = {
    "slack": {
        "users": [{"name": "ada"}, {"name": "relnotes"}],
        "channels": [{"name": name} for name in CHANNELS],
        "tokens": [
            {"token": BOT_TOKEN, "user": "relnotes", "type": "bot"},
            {"token": USER_TOKEN, "user": "ada"},
        ],
    }
}


@dataclass(frozen=True, slots=True)
class Workspace:
    """The emulator at work, with the people and channels in it."""

    url: str
    bot_user: str
    user: str
    channels: tuple[str, ...]
    direct: str

    @property
    def api_url(self) -> str:
        return f"{self.url}/api/"

    def call(self, method: str, token: str = USER_TOKEN, **fields: object) -> dict[str, Any]:
        """Call a method of the Web API."""
        headers = {"Authorization": f"Bearer {token}"}
        answer = httpx.post(f"{self.api_url}{method}", headers=headers, data=fields, timeout=60, verify=PLAIN).json()
        assert answer["ok"], answer
        return dict(answer)

    def say(self, channel: str, text: str, *, thread_ts: str | None = None) -> str:
        """Write a message as a person does; its ts."""
        thread = {"thread_ts": thread_ts} if thread_ts else {}
        return str(self.call("chat.postMessage", channel=channel, text=text, **thread)["ts"])

    def replies(self, channel: str, thread_ts: str) -> list[dict[str, Any]]:
        """The bot's messages in a thread, oldest first."""
        messages = self.call("conversations.replies", BOT_TOKEN, channel=channel, ts=thread_ts)["messages"]
        return [message for message in messages if message["user"] == self.bot_user]

    def wait_for_replies(self, channel: str, thread_ts: str, *, count: int = 1) -> list[dict[str, Any]]:
        """The bot's messages in a thread, once there are `count`."""
        until(lambda: len(self.replies(channel, thread_ts)) >= count)
        return self.replies(channel, thread_ts)

    def mention(self, channel: str, text: str, *, ts: str, thread_ts: str | None = None) -> dict[str, Any]:
        """The event of a mention."""
        event = {"type": "app_mention", "channel": channel, "text": f"<@{self.bot_user}> {text}"}
        return self.event({**event, "user": self.user, "ts": ts} | ({"thread_ts": thread_ts} if thread_ts else {}))

    def event(self, event: Mapping[str, Any]) -> dict[str, Any]:
        """An event in its envelope, with an id of its own."""
        return {
            "type": "event_callback",
            "team_id": TEAM,
            "api_app_id": "A000000001",
            "event_id": f"Ev{os.urandom(8).hex()}",
            "event_time": int(time.time()),
            "authorizations": [{"team_id": TEAM, "user_id": self.bot_user, "is_bot": True}],
            "event": dict(event),
        }


NOWHERE = Workspace(url="http://127.0.0.1:9", bot_user="", user="", channels=(), direct="")
"""A Slack that takes everything and holds nothing."""


@contextmanager
def running_emulator(folder: Path) -> Iterator[Workspace]:
    """Start a workspace with a person, a bot and some channels; skips where npm can't install it."""
    command = npm_command("emulate", "dist", "index.js")
    seed = folder / "seed.json"
    seed.write_text(json.dumps(_SEED), encoding="utf-8")
    port = free_port()
    with (folder / "emulate.log").open("w", encoding="utf-8") as log:
        start = [*command, "start", "--service", "slack", "--port", str(port), "--seed", str(seed)]
        process = subprocess.Popen(start, stdout=log, stderr=log, cwd=folder)
    try:
        url = f"http://127.0.0.1:{port}"
        until(lambda: _is_up(f"{url}/api/auth.test", process))
        yield _workspace(url)
    finally:
        process.kill()
        process.wait()


def _is_up(url: str, process: subprocess.Popen[bytes]) -> bool:
    assert process.poll() is None, "the emulator ended"
    try:
        httpx.post(url, timeout=2, verify=PLAIN)
    except httpx.TransportError:
        return False
    return True


def _workspace(url: str) -> Workspace:
    bare = Workspace(url=url, bot_user="", user="", channels=(), direct="")
    people = {person["name"]: person["id"] for person in bare.call("users.list")["members"]}
    rooms = {room["name"]: room["id"] for room in bare.call("conversations.list", limit=200)["channels"]}
    direct = bare.call("conversations.open", BOT_TOKEN, users=people["ada"])["channel"]["id"]
    return Workspace(
        url=url,
        bot_user=people["relnotes"],
        user=people["ada"],
        channels=tuple(rooms[name] for name in CHANNELS),
        direct=direct,
    )


@dataclass(frozen=True, slots=True)
class Fault:
    """What goes wrong with one call: an answer instead of Slack's, or one that is lost on its way."""

    instead: tuple[int, Mapping[str, str], bytes] | None = None
    is_lost: bool = False


def identity(scopes: str = "", /, **told: object) -> Fault:
    """What Slack answers to whose token it is."""
    said = {"ok": True, "user_id": "U0BOT", "team": "Example", "team_id": TEAM, **told}
    return Fault(instead=(200, {"X_OAuth_Scopes": scopes}, json.dumps(said).encode()))


def signed(body: bytes, *, at: float | None = None, secret: str = SIGNING_SECRET) -> dict[str, str]:
    """The headers that Slack signs a body with."""
    stamp = str(int(time.time() if at is None else at))
    digest = hmac.new(secret.encode(), b"v0:" + stamp.encode() + b":" + body, hashlib.sha256).hexdigest()
    return {"X-Slack-Request-Timestamp": stamp, "X-Slack-Signature": f"v0={digest}"}


def event_request(address: str, payload: Mapping[str, Any], **headers: str) -> httpx.Request:
    """A signed event as a request."""
    body = json.dumps(payload).encode()
    given = {"Content-Type": "application/json", **signed(body), **headers}
    return httpx.Request("POST", f"{address}/slack/events", content=body, headers=given)


def form_request(address: str, fields: Mapping[str, str]) -> httpx.Request:
    """A signed slash command or click as a request."""
    body = urlencode(fields).encode()
    given = {"Content-Type": "application/x-www-form-urlencoded", **signed(body)}
    return httpx.Request("POST", f"{address}/slack/events", content=body, headers=given)


def clicked(channel: str, action: Mapping[str, Any], *, user: str = "U1", **more: Any) -> dict[str, Any]:
    """The payload of a click on a part of a message."""
    message = {"ts": "2.0", **more.get("message", {})}
    container = {"type": "message", "message_ts": message["ts"], "channel_id": channel, "is_ephemeral": False}
    body = {
        "type": "block_actions",
        "team": {"id": TEAM},
        "user": {"id": user},
        "channel": {"id": channel},
        "container": container,
    }
    return {**body, "trigger_id": "1.2.3", **more, "actions": [dict(action)]}


def send(request: httpx.Request) -> httpx.Response:
    """Send a request on a connection of its own."""
    with httpx.Client(timeout=60, verify=PLAIN) as client:
        return client.send(request)


def free_port() -> int:
    """A port that nobody listens on now, below those that systems give to connections, which come and go."""
    while True:
        port = random.randint(10_000, 30_000)
        with suppress(OSError), socket.create_server(("127.0.0.1", port)):
            return port


def running_server(
    index: Path, workspace: Workspace, **environment: str
) -> AbstractContextManager[tuple[WarmServer, str]]:
    """A real `relnotes serve` with Slack turned on, and its address; killed at the end if it still runs."""
    slack = {
        "SLACK_BOT_TOKEN": BOT_TOKEN,
        "SLACK_SIGNING_SECRET": SIGNING_SECRET,
        "RELNOTES_SLACK_API_URL": workspace.api_url,
    }
    return running_serve(index, **slack, **environment)


class FaultySlack:
    """Stands before the emulator and lets everything through, but for what a test wants to go wrong."""

    def __init__(self, workspace: Workspace, faults: Mapping[str, Sequence[Fault]]) -> None:
        self.calls: list[str] = []
        """Each call's method."""
        self.bodies: list[bytes] = []
        """What came with each."""
        calls, bodies = self.calls, self.bodies
        waiting = {method: list(todo) for method, todo in faults.items()}
        lock = threading.Lock()

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                method = self.path.rpartition("/")[2]
                body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
                with lock:
                    calls.append(method)
                    bodies.append(body)
                    fault = waiting[method].pop(0) if waiting.get(method) else None
                if fault is not None and fault.instead is not None:
                    status, headers, content = fault.instead
                    chat_server.send(self, content, status=status, **headers)
                    return
                kept = {name: self.headers[name] for name in ("Authorization", "Content-Type") if name in self.headers}
                answer = httpx.Response(200, content=b'{"ok": true, "messages": []}')
                if workspace is not NOWHERE:
                    url = f"{workspace.api_url}{method}"
                    answer = httpx.post(url, content=body, headers=kept, timeout=60, verify=PLAIN)
                if fault is not None and fault.is_lost:
                    self.close_connection = True
                    return
                chat_server.send(self, answer.content, status=answer.status_code)

            def log_message(self, *_: object) -> None:
                """Say nothing."""

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.api_url = f"http://127.0.0.1:{self._server.server_address[1]}/api/"

    def __enter__(self) -> "FaultySlack":
        threading.Thread(target=self._server.serve_forever, args=(0.02,), daemon=True).start()
        return self

    def __exit__(self, *_: object) -> None:
        self._server.shutdown()
        self._server.server_close()


def shown_texts(value: object) -> Iterator[str]:
    """Everything that a person reads in blocks, in order."""
    if isinstance(value, dict):
        if isinstance(value.get("text"), str):
            yield value["text"]
        value = tuple(value.values())
    if isinstance(value, list | tuple):
        for part in value:
            yield from shown_texts(part)
