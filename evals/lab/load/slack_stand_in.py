"""A stand-in for Slack in a process of its own: it takes what a bot posts, and signs events as Slack does."""

import json
import multiprocessing
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from multiprocessing.connection import Connection
from urllib.parse import parse_qs

from slack_sdk.signature import SignatureVerifier

_SECRET = "0123456789abcdef0123456789abcdef"  # noqa: S105 of the stand-in
_CHANNELS = 10
_FIRST_S = 1_700_000_000
_KEPT_CHARACTERS = 200
"""A pipe that nobody reads for a while must hold some hundred messages."""


@contextmanager
def slack_stand_in() -> Iterator[tuple[dict[str, str], Connection]]:
    """A Web API that takes every message: the environment that leads a server there, and what is posted as it comes.

    Each posted message is the `ts` of its thread and the beginning of its text.
    """
    ours, theirs = multiprocessing.Pipe(duplex=False)
    process = multiprocessing.get_context("spawn").Process(target=_take_messages, args=(theirs,), daemon=True)
    process.start()
    # Ours alone would keep the pipe open, and the wait for an address endless, where the process ends at its start.
    theirs.close()
    try:
        environment = {
            "SLACK_BOT_TOKEN": "xoxb-bench",
            "SLACK_SIGNING_SECRET": _SECRET,
            "RELNOTES_SLACK_API_URL": str(ours.recv()),
        }
        yield environment, ours
    finally:
        process.terminate()
        process.join()


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


def _take_messages(replies: Connection) -> None:
    sending = threading.Lock()

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers.get("Content-Length", 0))).decode()
            answer: dict[str, object] = {"ok": True, "user_id": "UBOT", "team": "T1"}
            if self.path.endswith("chat.postMessage"):
                is_json = "json" in self.headers.get("Content-Type", "")
                message = json.loads(body) if is_json else {name: one[0] for name, one in parse_qs(body).items()}
                with sending:
                    replies.send((message["thread_ts"], str(message.get("text", ""))[:_KEPT_CHARACTERS]))
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
    replies.send(f"http://127.0.0.1:{server.server_address[1]}/api/")
    server.serve_forever()
