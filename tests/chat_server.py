"""A local server that speaks the OpenAI chat-completions protocol over real sockets, well or badly, as a test wants."""

import json
import re
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

QUOTE = re.compile(r"<quote (\d+)>\n\((.*?)\)\n(.*?)\n</quote \1>", re.DOTALL)


@dataclass(frozen=True)
class Seen:
    """A request as it came."""

    path: str
    headers: dict[str, str]
    body: dict[str, Any]

    @property
    def prompt(self) -> str:
        """The user's message."""
        return str(self.body["messages"][-1]["content"])

    @property
    def quotes(self) -> list[tuple[int, str, str]]:
        """Number, what it stands under, text: as a model reads them."""
        return [(int(n), about, text) for n, about, text in QUOTE.findall(self.prompt)]


@dataclass
class ChatServer:
    """Where it listens and what it was asked."""

    url: str
    seen: list[Seen] = field(default_factory=list)
    stop: threading.Event = field(default_factory=threading.Event)


Handler = BaseHTTPRequestHandler
Respond = Callable[[Handler, Seen, ChatServer], None]


@contextmanager
def serving(respond: Respond) -> Iterator[ChatServer]:
    """Serve `respond` on a free port of loopback for a `with` block."""

    class Requests(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_POST(self) -> None:
            raw = self.rfile.read(int(self.headers["Content-Length"]))
            seen = Seen(self.path, {name.lower(): value for name, value in self.headers.items()}, json.loads(raw))
            state.seen.append(seen)
            self.close_connection = True
            # A client that hangs up in the middle of an endless answer is what some tests are about.
            with suppress(OSError):
                respond(self, seen, state)

        def log_message(self, *args: object) -> None:
            """Say nothing."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Requests)
    server.daemon_threads = True
    state = ChatServer(f"http://127.0.0.1:{server.server_address[1]}/v1")
    thread = threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True)
    thread.start()
    try:
        yield state
    finally:
        state.stop.set()
        server.shutdown()
        server.server_close()
        thread.join()


def send(handler: Handler, body: bytes, *, status: int = 200, kind: str = "application/json", **headers: str) -> None:
    """One whole response."""
    handler.send_response(status)
    handler.send_header("Content-Type", kind)
    handler.send_header("Content-Length", str(len(body)))
    for name, value in headers.items():
        handler.send_header(name.replace("_", "-"), value)
    handler.end_headers()
    handler.wfile.write(body)


def completion(text: str | None) -> bytes:
    """A completion in one document."""
    choice = {"index": 0, "message": {"role": "assistant", "content": text}, "finish_reason": "stop"}
    return json.dumps({"id": "c1", "object": "chat.completion", "choices": [choice], "usage": {}}).encode()


def says(compose: Callable[[Seen], str]) -> Respond:
    """A model: `compose` makes the reply of what it was asked."""
    return lambda handler, seen, _server: send(handler, completion(compose(seen)))


def faithful(seen: Seen) -> str:
    """What an honest small model says: the first sentence of each quote, and where it stands."""
    lines = []
    for number, about, text in seen.quotes:
        first = re.split(r"(?<=[.!?])\s+", text.strip())[0].rstrip(".")
        lines.append(f"In {about.split(' | ')[0]}: {first} [{number}].")
    return "\n".join(lines)
