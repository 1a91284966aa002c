"""Connections that bound how long a request may take to come in; uvicorn itself waits for ever."""

import asyncio
from typing import Any

import h11
from uvicorn.protocols.http.h11_impl import H11Protocol


class TimedProtocol(H11Protocol):
    """HTTP/1.1 whose clients have `REQUEST_TIMEOUT_S` seconds to send a request, headers and body; then it hangs up."""

    REQUEST_TIMEOUT_S = 15.0

    _deadline: asyncio.TimerHandle | None = None

    def connection_made(self, transport: Any) -> None:
        """Start the clock of the first request."""
        super().connection_made(transport)
        self._deadline = self.loop.call_later(self.REQUEST_TIMEOUT_S, self.transport.close)

    def data_received(self, data: bytes) -> None:
        """Take in a piece of a request; the clock runs from its first piece to its last."""
        super().data_received(data)
        if self.conn.their_state not in (h11.IDLE, h11.SEND_BODY):
            self._stop_clock()
        elif self._deadline is None:
            self._deadline = self.loop.call_later(self.REQUEST_TIMEOUT_S, self.transport.close)

    def connection_lost(self, exc: Exception | None) -> None:
        """Stop the clock."""
        self._stop_clock()
        super().connection_lost(exc)

    @property
    def is_streaming(self) -> bool:
        """Whether a response has begun and isn't done."""
        return self.cycle is not None and self.cycle.response_started and not self.cycle.response_complete

    def _stop_clock(self) -> None:
        if self._deadline is not None:
            self._deadline.cancel()
            self._deadline = None
