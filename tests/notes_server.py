"""A real HTTP server on loopback that behaves as sites, GitHub and package indexes do, for tests of what fetches."""

import gzip
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from types import TracebackType


@dataclass(frozen=True)
class Asked:
    """One request as the server saw it."""

    path: str
    headers: Mapping[str, str]


@dataclass(frozen=True)
class Answer:
    """What a path is answered with; an ETag is checked against the request's."""

    body: bytes = b""
    status: int = 200
    headers: Mapping[str, str] = field(default_factory=dict)
    etag: str = ""
    pause: float = 0.0
    """Seconds between two bytes of the body."""


def page(body: str, media_type: str = "text/markdown", *, etag: str = "", **headers: str) -> Answer:
    """A text with its type."""
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    return Answer(body.encode(), headers={"Content-Type": media_type, **named}, etag=etag)


def redirect(place: str, status: int = 302) -> Answer:
    """A redirect."""
    return Answer(status=status, headers={"Location": place})


def zeros(megabytes: int) -> Answer:
    """A small answer that unfolds to many megabytes."""
    folded = gzip.compress(bytes(megabytes * 2**20))
    return Answer(folded, headers={"Content-Type": "text/plain", "Content-Encoding": "gzip"})


class NotesServer:
    """Answers what `pages` holds by path with query, or else without; 404 for anything else."""

    def __init__(self) -> None:
        self.pages: dict[str, Answer | Callable[[Asked], Answer]] = {}
        self.asked: list[Asked] = []
        self.ending = threading.Event()
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), _handler(self))
        self._server.daemon_threads = True
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.02,), daemon=True)

    @property
    def port(self) -> int:
        return self._server.server_address[1]

    @property
    def host(self) -> str:
        return f"127.0.0.1:{self.port}"

    def url(self, path: str) -> str:
        return f"http://{self.host}{path}"

    def paths(self) -> list[str]:
        """The paths that were asked for, in order."""
        return [request.path for request in self.asked]

    def __enter__(self) -> "NotesServer":
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.ending.set()
        self._server.shutdown()
        self._server.server_close()


@contextmanager
def serving(pages: Mapping[str, Answer | Callable[[Asked], Answer]]) -> Iterator[NotesServer]:
    """A server of these pages, for a `with` block."""
    with NotesServer() as server:
        server.pages.update(pages)
        yield server


def _handler(server: NotesServer) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_GET(self) -> None:
            asked = Asked(self.path, {name.lower(): value for name, value in self.headers.items()})
            server.asked.append(asked)
            found = server.pages.get(self.path) or server.pages.get(self.path.partition("?")[0])
            answer = found(asked) if callable(found) else found or Answer(b"nothing here", status=404)
            try:
                self._send(answer, asked)
            except OSError:
                self.close_connection = True

        def _send(self, answer: Answer, asked: Asked) -> None:
            is_known = bool(answer.etag) and asked.headers.get("if-none-match") == answer.etag
            self.send_response(304 if is_known else answer.status)
            for name, value in answer.headers.items():
                self.send_header(name, value)
            if answer.etag:
                self.send_header("ETag", answer.etag)
            body = b"" if is_known else answer.body
            if "Content-Length" not in answer.headers:
                self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            if not answer.pause:
                self.wfile.write(body)
                return
            for byte in body:
                if server.ending.is_set():
                    return
                self.wfile.write(bytes([byte]))
                self.wfile.flush()
                time.sleep(answer.pause)

        def log_message(self, format: str, *args: object) -> None:  # noqa: A002 its name in the standard library
            pass

    return Handler
