"""A local Slack, which takes everything and answers as it is told to, and requests signed as Slack signs them."""

import hashlib
import hmac
import json
import random
import socket
import ssl
import threading
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, suppress
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

import chat_server
import httpx
from warm_server import WarmServer, running_serve

PLAIN = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
"""For requests on this machine: none is encrypted, and to load the system's certificates costs more than all else."""
BOT, BOT_TOKEN = "U0BOT", "xoxb-relnotes"
SIGNING_SECRET = "8f742231b10e8888abcd99yyyzzz85a5"
TEAM = "T000000001"


@dataclass(frozen=True, slots=True)
class Fault:
    """What goes wrong with one call: another answer, or one that is lost on its way."""

    instead: tuple[int, Mapping[str, str], bytes] | None = None
    is_lost: bool = False


def identity(scopes: str = "", /, **told: object) -> Fault:
    """What Slack answers to whose token it is."""
    said = {"ok": True, "user_id": BOT, "team": "Example", "team_id": TEAM, **told}
    return Fault(instead=(200, {"X_OAuth_Scopes": scopes}, json.dumps(said).encode()))


def signed(body: bytes, *, at: float | None = None, secret: str = SIGNING_SECRET) -> dict[str, str]:
    """The headers that Slack signs a body with."""
    stamp = str(int(time.time() if at is None else at))
    digest = hmac.new(secret.encode(), b"v0:" + stamp.encode() + b":" + body, hashlib.sha256).hexdigest()
    return {"X-Slack-Request-Timestamp": stamp, "X-Slack-Signature": f"v0={digest}"}


def mention(channel: str, ts: str, text: str, **more: str) -> dict[str, Any]:
    """The event of a mention in its envelope."""
    event = {"type": "app_mention", "user": "U1", "channel": channel, "ts": ts, "text": f"<@{BOT}> {text}", **more}
    return {"type": "event_callback", "team_id": TEAM, "event_id": f"Ev{channel}{ts}", "event": event}


def event_request(address: str, payload: Mapping[str, Any], **headers: str) -> httpx.Request:
    """A signed event as a request."""
    body = json.dumps(payload).encode()
    given = {"Content-Type": "application/json", **signed(body), **headers}
    return httpx.Request("POST", f"{address}/slack/events", content=body, headers=given)


def form_request(address: str, fields: Mapping[str, str]) -> httpx.Request:
    """A signed slash command as a request."""
    body = urlencode(fields).encode()
    given = {"Content-Type": "application/x-www-form-urlencoded", **signed(body)}
    return httpx.Request("POST", f"{address}/slack/events", content=body, headers=given)


def free_port() -> int:
    """A port that nobody listens on now, below those that systems give to connections, which come and go."""
    while True:
        port = random.randint(10_000, 30_000)
        with suppress(OSError), socket.create_server(("127.0.0.1", port)):
            return port


def running_server(index: Path, slack: "FaultySlack", **named: str) -> AbstractContextManager[tuple[WarmServer, str]]:
    """A real `relnotes serve` with Slack turned on, and its address; killed at the end if it still runs."""
    named |= {"SLACK_BOT_TOKEN": BOT_TOKEN, "SLACK_SIGNING_SECRET": SIGNING_SECRET}
    return running_serve(index, **named, RELNOTES_SLACK_API_URL=slack.api_url)


class FaultySlack:
    """Takes everything and holds nothing, but for what a test wants to go wrong; tells who the bot is."""

    def __init__(self, faults: Mapping[str, Sequence[Fault]]) -> None:
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
                fault = fault or (identity() if method == "auth.test" else Fault())
                if fault.is_lost:
                    self.close_connection = True
                    return
                said = {"ok": True, "messages": [], "ts": f"1000.{calls.count(method)}"}
                status, headers, content = fault.instead or (200, {}, json.dumps(said).encode())
                chat_server.send(self, content, status=status, **headers)

            def log_message(self, *_: object) -> None:
                """Say nothing."""

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.api_url = f"http://127.0.0.1:{self._server.server_address[1]}/api/"

    def __enter__(self) -> "FaultySlack":
        threading.Thread(target=self._server.serve_forever, args=(0.02,), daemon=True).start()
        return self

    def posted(self, method: str = "chat.postMessage") -> list[dict[str, Any]]:
        """What came with each call of a method."""
        calls = zip(self.calls, self.bodies, strict=False)
        return [json.loads(body) for called, body in calls if called == method]

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
