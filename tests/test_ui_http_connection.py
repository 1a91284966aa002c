"""Connections over real sockets: requests that come in slowly, half, too large, or aren't HTTP."""

import asyncio
import json
import select
import socket
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress

import pytest
from http_apps import serving
from starlette.types import Message, Receive, Scope, Send

from ui.http.connection import TimedProtocol
from ui.http.guards import MAX_BODY_BYTES, BodyLimit
from ui.http.problems import busy_response
from ui.http.request_record import OVERLOADED
from ui.server.binding import listen

LONG = b"x" * 20_000_000
"""More than the system holds for a client."""


class _Hasty(TimedProtocol):
    REQUEST_TIMEOUT_S = 0.2
    TAKEN_WITHIN_S = 0.3
    MAX_CONNECTIONS = 3


class _Patient(TimedProtocol):
    """Hangs up on nobody whose process is only kept waiting by others."""

    REQUEST_TIMEOUT_S = 60.0
    TAKEN_WITHIN_S = 1.0
    MAX_CONNECTIONS = 3
    SPARE_CONNECTIONS = 2


async def _reads_its_body(scope: Scope, receive: Receive, send: Send) -> None:
    if scope["state"].get(OVERLOADED):
        await busy_response("Too many.", closes=True)(scope, receive, send)
        return
    while (await receive()).get("more_body"):
        pass
    if scope["path"] == "/long":
        await send({"type": "http.response.start", "status": 200, "headers": []})
        await send({"type": "http.response.body", "body": LONG})
        return
    await asyncio.sleep(0.35)
    await send({"type": "http.response.start", "status": 204, "headers": []})
    await send({"type": "http.response.body", "body": b""})


LIMITS = {"lifespan": "off", "timeout_keep_alive": 60, "h11_max_incomplete_event_size": 4096}


@pytest.fixture(scope="module")
def hasty_port() -> Iterator[int]:
    with serving(BodyLimit(_reads_its_body), http=_Hasty, **LIMITS) as port:
        yield port


@pytest.fixture
def patient_port() -> Iterator[int]:
    with serving(BodyLimit(_reads_its_body), http=_Patient, **LIMITS) as port:
        yield port


def test_the_last_piece_of_a_reply_waits_for_no_acknowledgement() -> None:
    with listen("127.0.0.1", 0) as listener, _connected(listener.getsockname()[1]), listener.accept()[0] as taken:
        assert taken.getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY)


def _connected(port: int) -> socket.socket:
    return socket.create_connection(("127.0.0.1", port), timeout=60)


@contextmanager
def _held(port: int, count: int) -> Iterator[list[socket.socket]]:
    with ExitStack() as stack:
        yield [stack.enter_context(_connected(port)) for _ in range(count)]


def _read_on(connection: socket.socket) -> bytes:
    """Everything until the server hangs up."""
    read = b""
    while piece := connection.recv(4096):
        read += piece
    return read


def _refused(answer: bytes, status: int) -> None:
    """The answer is a problem document with this status, and the last one on its connection."""
    head, _, body = answer.partition(b"\r\n\r\n")
    assert head.startswith(b"HTTP/1.1 %d " % status)
    assert b"content-type: application/problem+json" in head.lower()
    assert b"connection: close" in head.lower()
    problem = json.loads(body)
    assert (problem["type"], problem["status"]) == ("about:blank", status)
    assert problem["title"]
    assert problem["detail"]


LARGE = b"x" * (40 * MAX_BODY_BYTES)
PIECE = b"%x\r\n%s\r\n" % (MAX_BODY_BYTES, b"x" * MAX_BODY_BYTES)
REFUSED = {
    "half a line": (b"GET / HT", 408),
    "half the headers": (b"GET / HTTP/1.1\r\nHost: localhost\r\n", 408),
    "half a body": (b"POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 9\r\n\r\nhalf", 408),
    "half a piece": (b"POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n9\r\nhalf", 408),
    "no HTTP": (b"\x16\x03\x01\x02\x00\x01\r\n\r\n", 400),
    "no host": (b"GET / HTTP/1.1\r\n\r\n", 400),
    "two lengths": (b"POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nxx", 400),
    "length that is none": (b"POST / HTTP/1.1\r\nHost: a\r\nContent-Length: -1\r\n\r\n", 400),
    "NUL in a header": (b"GET / HTTP/1.1\r\nHost: a\r\nX: \x00\r\n\r\n", 400),
    "large header": (b"GET / HTTP/1.1\r\nHost: a\r\nX: " + b"x" * 5_000, 431),
    "large header at once": (b"GET / HTTP/1.1\r\nHost: a\r\nX: " + b"x" * 5_000 + b"\r\n\r\n", 431),
    "blanks at once": (b"GET / HTTP/1.1\r\nHost: a\r\nX:" + b" " * 5_000 + b"x\r\n\r\n", 431),
    "long path at once": (b"GET /" + b"x" * 5_000 + b" HTTP/1.1\r\nHost: a\r\n\r\n", 431),
    "a length and pieces": (
        b"POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
        400,
    ),
    "long path": (b"GET /" + b"x" * 5_000, 431),
    "many headers": (b"GET / HTTP/1.1\r\n" + b"X: x\r\n" * 2_000, 431),
    # Its client can read why, though it sends on for long.
    "far too much": (b"POST / HTTP/1.1\r\nHost: a\r\nContent-Length: %d\r\n\r\n" % len(LARGE) + LARGE, 413),
    # It needn't be sent at all.
    "far too much, asked for": (
        b"POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 1000000000\r\nExpect: 100-continue\r\n\r\n",
        413,
    ),
    "a body over the limit in pieces": (
        b"POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n" + 2 * PIECE + b"0\r\n\r\n",
        413,
    ),
}


@pytest.mark.parametrize(("request_bytes", "status"), REFUSED.values(), ids=REFUSED.keys())
def test_what_is_no_whole_request_within_the_limits_is_refused(
    hasty_port: int, request_bytes: bytes, status: int
) -> None:
    with _connected(hasty_port) as connection:
        connection.sendall(request_bytes)
        _refused(_read_on(connection), status)


def test_a_request_that_trickles_in_is_timed_out(hasty_port: int) -> None:
    with _connected(hasty_port) as connection:
        connection.sendall(b"GET / HTTP/1.1\r\n")
        connection.settimeout(0.1)
        answer = b""
        for number in range(500):
            try:
                answer = connection.recv(4096)
                break
            except TimeoutError:
                connection.sendall(b"X-%d: x\r\n" % number)
        assert answer.startswith(b"HTTP/1.1 408 ")


def test_a_connection_that_says_nothing_is_closed(hasty_port: int) -> None:
    with _connected(hasty_port) as connection:
        assert _read_on(connection) == b""


def test_what_is_let_in_by_one_read_is_what_is_let_in_by_many(hasty_port: int) -> None:
    """Up to the limit to the byte, a second request in the same read included; one byte more is refused."""
    frame = b"GET / HTTP/1.1\r\nHost: localhost\r\nX: %s\r\n\r\n"
    fits = frame % (b"x" * (4096 - len(frame % b"")))
    with _connected(hasty_port) as connection:
        connection.sendall(fits + fits)
        for _ in range(2):
            assert connection.recv(1000).startswith(b"HTTP/1.1 204")
        connection.sendall(fits.replace(b"x", b"xx", 1))
        _refused(_read_on(connection), 431)


def test_a_head_is_refused_without_a_body(hasty_port: int) -> None:
    with _connected(hasty_port) as connection:
        connection.sendall(b"HEAD /" + b"x" * 5_000 + b" HTTP/1.1\r\nHost: a\r\n\r\n")
        answer = _read_on(connection)
        assert answer.startswith(b"HTTP/1.1 431 ")
        assert answer.endswith(b"\r\n\r\n")


def test_pieces_are_counted_together_however_small_each_is() -> None:
    pieces = [{"type": "http.request", "body": b"x" * 1024, "more_body": True} for _ in range(MAX_BODY_BYTES // 1024)]
    pieces.append({"type": "http.request", "body": b"x", "more_body": False})
    sent: list[Message] = []

    async def receive() -> Message:
        return pieces.pop(0)

    async def send(message: Message) -> None:
        sent.append(message)

    scope: Scope = {"type": "http", "method": "POST", "path": "/", "headers": [], "state": {}}
    asyncio.run(BodyLimit(_reads_its_body)(scope, receive, send))
    assert (sent[0]["status"], pieces) == (413, [])


def test_a_whole_request_may_take_longer_to_answer_and_the_connection_is_kept(hasty_port: int) -> None:
    with _connected(hasty_port) as connection:
        for _ in range(2):
            connection.sendall(b"GET / HTTP/1.1\r\nHost: localhost\r\n\r\n")
            assert connection.recv(1000).startswith(b"HTTP/1.1 204")
        connection.sendall(b"GET / HT")
        _refused(_read_on(connection), 408)


def test_a_client_that_does_not_read_is_dropped(hasty_port: int) -> None:
    with _held(hasty_port, _Hasty.MAX_CONNECTIONS) as held:
        for connection in held:
            connection.sendall(b"GET /long HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
        for _ in range(1_000):
            with _connected(hasty_port) as one_more:
                one_more.sendall(b"GET / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
                answer = _read_on(one_more)
            if answer.startswith(b"HTTP/1.1 204"):
                break
            time.sleep(0.05)
        assert answer.startswith(b"HTTP/1.1 204")
        for connection in held:
            assert len(_read_on(connection)) < len(LONG)


def test_a_client_that_reads_slowly_gets_all_of_it(patient_port: int) -> None:
    with _connected(patient_port) as connection:
        connection.sendall(b"GET /long HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
        read = 0
        while piece := connection.recv(400_000):
            read += len(piece)
            time.sleep(0.03)
        assert read > len(LONG)


def test_a_connection_too_many_is_refused_and_the_others_are_served(patient_port: int) -> None:
    with _held(patient_port, 3) as held:
        with _connected(patient_port) as one_more:
            one_more.sendall(b"GET / HTTP/1.1\r\nHost: localhost\r\n\r\n")
            answer = _read_on(one_more)
            _refused(answer, 503)
            assert b"retry-after" in answer.lower()
        held[0].sendall(b"GET / HTTP/1.1\r\nHost: localhost\r\n\r\n")
        assert held[0].recv(1000).startswith(b"HTTP/1.1 204")


def test_a_connection_too_many_takes_the_place_of_an_idle_one(patient_port: int) -> None:
    with _held(patient_port, 3) as held:
        for connection in held:
            connection.sendall(b"GET / HTTP/1.1\r\nHost: localhost\r\n\r\n")
        for connection in held:
            assert connection.recv(1000).startswith(b"HTTP/1.1 204")
        with _connected(patient_port) as one_more:
            one_more.sendall(b"GET / HTTP/1.1\r\nHost: localhost\r\n\r\n")
            assert one_more.recv(1000).startswith(b"HTTP/1.1 204")
        (closed,) = select.select(held, [], [], 0)[0]
        assert _read_on(closed) == b""


def test_connections_beyond_all_measure_are_cut_off_unheard(patient_port: int) -> None:
    with _held(patient_port, 5) as held:
        with _connected(patient_port) as one_more, suppress(ConnectionError):
            one_more.sendall(b"GET / HTTP/1.1\r\nHost: localhost\r\n\r\n")
            assert _read_on(one_more) == b""
        # Who was let in is heard still.
        held[0].sendall(b"GET / HTTP/1.1\r\nHost: localhost\r\n\r\n")
        assert held[0].recv(1000).startswith(b"HTTP/1.1 204")
