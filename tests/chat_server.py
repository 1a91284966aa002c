"""A local server that speaks the OpenAI chat-completions protocol over real sockets, well or badly, as a test wants."""

import json
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

from corpus.embedding import Embedder
from retrieval.llm.client import ChatClient, ChatEndpoint
from ui.server.live_assistant import LiveAssistant


@dataclass(frozen=True)
class Seen:
    """A request as it came."""

    path: str
    headers: dict[str, str]
    body: dict[str, Any]

    @property
    def asked(self) -> dict[str, Any]:
        """The question with its passages: the user's message. Empty where that is none of ours."""
        try:
            value, _ = json.JSONDecoder().raw_decode(str(self.body["messages"][-1]["content"]))
        except ValueError:
            return {}
        return dict(value)


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


def completion(text: str | None, *, tokens: tuple[int, int] = (0, 0)) -> bytes:
    """A completion in one document."""
    choice = {"index": 0, "message": {"role": "assistant", "content": text}, "finish_reason": "stop"}
    usage = {"prompt_tokens": tokens[0], "completion_tokens": tokens[1]}
    return json.dumps({"id": "c1", "object": "chat.completion", "choices": [choice], "usage": usage}).encode()


@contextmanager
def live_with_model(index: Path, embedder: Embedder, respond: Respond) -> Iterator[tuple[LiveAssistant, ChatServer]]:
    """What a server over `index` answers from, with a model that responds so within three seconds, and its server."""
    with serving(respond) as chat:
        model = ChatClient(ChatEndpoint(chat.url, "tiny", timeout_s=3.0))
        live = LiveAssistant(index, open_embedder=lambda: embedder, model=model)
        yield live, chat
        live.close()


Compose = Callable[[Mapping[str, Any]], str]
"""Makes a reply of the question with its passages."""


def says(compose: Compose) -> Respond:
    """A model that replies so."""
    return lambda handler, seen, _server: send(handler, completion(compose(seen.asked), tokens=(900, 80)))


def items_shown(asked: Mapping[str, Any]) -> Mapping[int, str]:
    """The entries that a model was shown, by their numbers."""
    return {int(name): text for told in asked["entries"] for name, text in told.items() if name.isdigit()}


def reply(*words: str, search: str = "", **others: str) -> Compose:
    """A reply that chooses the first item with each of these words, and of others; without any, nothing was found."""

    def compose(asked: Mapping[str, Any]) -> str:
        shown, chosen = items_shown(asked).items(), {"answer": words} | {name: (one,) for name, one in others.items()}
        told = {of: [next((n for n, text in shown if one in text), 999) for one in some] for of, some in chosen.items()}
        return json.dumps({"search": search, **told})

    return compose


def faithful(asked: Mapping[str, Any]) -> str:
    """What an honest small model says: the first item."""
    return reply(items_shown(asked)[1])(asked)
