"""A stand-in for Slack: it takes what a bot posts and counts it by thread, and signs events as Slack does."""

import json
import threading
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import parse_qs

from slack_sdk.signature import SignatureVerifier

_SECRET = "0123456789abcdef0123456789abcdef"  # noqa: S105 of the stand-in
_CHANNELS = 10
_FIRST_S = 1_700_000_000
_DEFECT = "Something went wrong"


@dataclass
class SlackThreads:
    """What the bot has posted: messages by thread, and those among them that say that something went wrong."""

    posted: Counter[str] = field(default_factory=Counter)
    defects: int = 0
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def add(self, thread: str, text: str) -> None:
        """Count a message."""
        with self._lock:
            self.posted[thread] += 1
            self.defects += text.startswith(_DEFECT)

    def wait_for(self, threads: set[str], *, seconds: float) -> set[str]:
        """Those of `threads` that are still without a message once all have one, or time is up."""
        deadline = time.monotonic() + seconds
        while (left := {thread for thread in threads if not self.posted[thread]}) and time.monotonic() < deadline:
            time.sleep(0.2)
        return left


@contextmanager
def slack_stand_in() -> Iterator[tuple[dict[str, str], SlackThreads]]:
    """A Web API that takes every message: the environment that leads a server there, and what is posted."""
    threads = SlackThreads()

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers.get("Content-Length", 0))).decode()
            answer: dict[str, object] = {"ok": True, "user_id": "UBOT", "team": "Example", "team_id": "T1"}
            if self.path.endswith("chat.postMessage"):
                is_json = "json" in self.headers.get("Content-Type", "")
                message = json.loads(body) if is_json else {name: one[0] for name, one in parse_qs(body).items()}
                threads.add(message["thread_ts"], str(message.get("text", "")))
                answer = {"ok": True, "ts": f"{time.time():.6f}"}
            content = json.dumps(answer).encode()
            self.send_response(200)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(content)))
            self.end_headers()
            self.wfile.write(content)

        def log_message(self, *_: object) -> None:
            """Say nothing."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    threading.Thread(target=server.serve_forever, name="slack stand-in", daemon=True).start()
    try:
        environment = {
            "SLACK_BOT_TOKEN": "xoxb-bench",
            "SLACK_SIGNING_SECRET": _SECRET,
            "RELNOTES_SLACK_API_URL": f"http://127.0.0.1:{server.server_port}/api/",
        }
        yield environment, threads
    finally:
        server.shutdown()
        # The bot's connections are kept open, so there is no waiting for their threads.
        server.socket.close()


def mention(number: int, question: str) -> bytes:
    """The body of an event in which somebody mentions the bot; `number` tells it from all others."""
    event = {
        "type": "event_callback",
        "team_id": "T1",
        "api_app_id": "A1",
        "event_id": f"Ev{number}",
        "event_time": int(time.time()),
        "authorizations": [{"team_id": "T1", "user_id": "UBOT", "is_bot": True}],
        "event": {
            "type": "app_mention",
            "channel": f"C{number % _CHANNELS}",
            "user": "UADA",
            "text": f"<@UBOT> {question}",
            "ts": thread_of(number),
        },
    }
    return json.dumps(event).encode()


def thread_of(number: int) -> str:
    """The `ts` of the thread in which a mention is answered."""
    return f"{_FIRST_S + number // 1_000_000}.{number % 1_000_000:06}"


def signed_headers(body: bytes) -> dict[str, str]:
    """The headers that Slack sends with a body, now."""
    stamp = str(int(time.time()))
    signature = SignatureVerifier(_SECRET).generate_signature(timestamp=stamp, body=body)
    return {
        "Content-Type": "application/json",
        "X-Slack-Request-Timestamp": stamp,
        "X-Slack-Signature": str(signature),
    }
