"""Connections that bound how long a request may take to come in and a response to go out, and how many there are.

uvicorn has no settings for these: `limit_concurrency` refuses probes too and closes no idle connection,
`timeout_keep_alive` begins after a response, and `h11_max_incomplete_event_size` passes a head that comes in at once.
What is overridden are hooks of asyncio's protocols and `H11Protocol.send_400_response`, `conn` and `cycle`; where
uvicorn changes these, `tests/test_ui_http_connection.py` fails.
"""

import asyncio
import contextlib
import sys
from typing import Any

import h11
from uvicorn.protocols.http.h11_impl import H11Protocol

from ui.http.problems import problem_response
from ui.http.request_record import OVERLOADED


class _AmbiguousLengthError(h11.RemoteProtocolError):
    """A request says in two ways where it ends: a proxy before this server may have believed the other."""


class _StrictConnection(h11.Connection):
    """Refuses what h11 lets pass: a head over the limit that comes in at once, and a body of two lengths."""

    def next_event(self) -> h11.Event | type[h11.NEED_DATA] | type[h11.PAUSED]:
        """The next event, as h11 has it.

        Raises:
            h11.RemoteProtocolError: the client sent what isn't taken.
        """
        before = len(self._receive_buffer)
        event = super().next_event()
        if isinstance(event, h11.Request):
            if before - len(self._receive_buffer) > self._max_incomplete_event_size:
                raise h11.RemoteProtocolError("too large a head", error_status_hint=431)
            if {b"content-length", b"transfer-encoding"} <= {name for name, _ in event.headers}:
                raise _AmbiguousLengthError("A request has a Content-Length or a Transfer-Encoding, not both.")
        return event


class TimedProtocol(H11Protocol):
    """HTTP/1.1 whose clients have `REQUEST_TIMEOUT_S` seconds to send a request, headers and body; then it hangs up."""

    REQUEST_TIMEOUT_S = 15.0
    TAKEN_WITHIN_S = 15.0
    """So often it is looked at whether a client takes what it was sent: at least `TAKEN_BYTES`, or all of it."""
    TAKEN_BYTES = 16 * 1024
    MAX_CONNECTIONS = 512  # Half of the files that a process may usually open; a page holds two to six.
    SPARE_CONNECTIONS = 128
    """Beyond those, for refusals and probes; more are cut off unheard, or the files would run out."""

    _deadline: asyncio.TimerHandle | None = None
    _has_begun = False
    _watch: asyncio.TimerHandle | None = None

    def connection_made(self, transport: Any) -> None:
        """Start the clock of the first request; one connection too many takes an idle one's place, or is refused."""
        super().connection_made(transport)
        self.conn = _StrictConnection(h11.SERVER, self.conn._max_incomplete_event_size)
        # So that `pause_writing` is called for whatever the system doesn't take at once.
        transport.set_write_buffer_limits(high=0)
        if len(self.connections) > self.MAX_CONNECTIONS:
            others = (other for other in self.connections if isinstance(other, TimedProtocol) and other is not self)
            if (idle := next((other for other in others if other.is_idle), None)) is not None:
                idle.transport.close()
            elif len(self.connections) > self.MAX_CONNECTIONS + self.SPARE_CONNECTIONS:
                transport.abort()
            else:
                self.app_state = {**self.app_state, OVERLOADED: True}
        self._deadline = self.loop.call_later(self.REQUEST_TIMEOUT_S, self._hang_up)

    def data_received(self, data: bytes) -> None:
        """Take in a piece of a request; the clock runs from its first piece to its last."""
        self._has_begun = True
        super().data_received(data)
        if self.conn.their_state not in (h11.IDLE, h11.SEND_BODY):
            self._stop_clock()
        elif self._deadline is None:
            self._deadline = self.loop.call_later(self.REQUEST_TIMEOUT_S, self._hang_up)

    def connection_lost(self, exc: Exception | None) -> None:
        self._stop_clock()
        self._stop_watch()
        super().connection_lost(exc)

    def pause_writing(self) -> None:
        """Watch whether the client takes what is left; one that doesn't would keep its connection for ever."""
        super().pause_writing()
        self._watch_client()

    def resume_writing(self) -> None:
        super().resume_writing()
        self._stop_watch()

    def send_400_response(self, msg: str) -> None:
        """Refuse what isn't HTTP, or has larger headers than we take, and hang up."""
        self._stop_clock()
        error = sys.exception()
        if isinstance(error, h11.RemoteProtocolError) and error.error_status_hint == 431:
            self._refuse(431, "The request line and headers are too large.")
        else:
            self._refuse(400, str(error) if isinstance(error, _AmbiguousLengthError) else msg)

    @property
    def is_idle(self) -> bool:
        """Whether it is kept between two requests."""
        return self.conn.their_state is h11.IDLE and self._deadline is None and not self.transport.is_closing()

    @property
    def is_streaming(self) -> bool:
        """Whether a response has begun and isn't done."""
        return self.cycle is not None and self.cycle.response_started and not self.cycle.response_complete

    def _hang_up(self) -> None:
        if self._has_begun:
            self._refuse(408, f"A request must be in within {self.REQUEST_TIMEOUT_S:g} seconds.")
        else:
            self.transport.close()

    def _refuse(self, status: int, detail: str) -> None:
        """Answer with a problem document, unless an answer has begun already, and hang up."""
        if self.conn.our_state in (h11.IDLE, h11.SEND_RESPONSE):
            response = problem_response(status, detail, headers={"Connection": "close"})
            # A HEAD has no body to be answered with.
            with contextlib.suppress(h11.LocalProtocolError):
                for event in (
                    h11.Response(status_code=status, headers=response.raw_headers),
                    h11.Data(data=bytes(response.body)),
                    h11.EndOfMessage(),
                ):
                    self.transport.write(self.conn.send(event) or b"")
        self.transport.close()

    def _watch_client(self) -> None:
        left = self.transport.get_write_buffer_size()
        self._watch = self.loop.call_later(self.TAKEN_WITHIN_S, self._drop_unless_taken, left - self.TAKEN_BYTES)

    def _drop_unless_taken(self, most: int) -> None:
        if self.transport.get_write_buffer_size() > most:
            # Closing would wait until the rest is taken.
            self.transport.abort()
        else:
            self._watch_client()

    def _stop_watch(self) -> None:
        if self._watch is not None:
            self._watch.cancel()
            self._watch = None

    def _stop_clock(self) -> None:
        if self._deadline is not None:
            self._deadline.cancel()
            self._deadline = None
