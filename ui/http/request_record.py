"""Around each request: its id, its metrics, its line in the log, its span, and what becomes of a defect."""

import asyncio
import logging
import time
from collections.abc import Callable
from contextlib import nullcontext

from starlette.datastructures import Headers, MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from ui.http.problems import defect_response, ending_response, overload_response
from ui.http.request_id import HEADER, REQUEST_ID, choose_request_id
from ui.server.metrics import ServerMetrics
from ui.server.tracing import NoSpan, Tracing

_LOG = logging.getLogger("relnotes.requests")
OVERLOADED = "overloaded"
"""Set in the state of requests that come in over a connection too many (`ui.http.connection`)."""
PROBE_PATHS = frozenset({"/healthz", "/readyz", "/metrics"})
"""Answered over a connection too many, too: a busy server isn't to be taken for a dead one, and ended."""
_METHODS = frozenset({"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE"})
_CLIENT_GONE = 499
"""What is logged where nobody was left to answer to; never sent."""


class RequestRecord:
    """Records each request by its route, never by its path, query or body: those may hold what was asked."""

    def __init__(
        self, app: ASGIApp, *, route_of: Callable[[Scope], str], metrics: ServerMetrics, tracing: Tracing | None
    ) -> None:
        self._app = app
        self._route_of = route_of
        self._metrics = metrics
        self._tracing = tracing

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass the request on; a defect is logged and answered with 500."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        headers, route = Headers(scope=scope), self._route_of(scope)
        # Anyone can make up a method, of any length; a series of metrics for each would fill the memory.
        method = scope["method"] if scope["method"] in _METHODS else "other"
        request_id = choose_request_id(headers.get(HEADER))
        reset = REQUEST_ID.set(request_id)
        started = time.perf_counter()
        response = _Response(send, request_id)
        span_of = self._tracing.request_span if self._tracing is not None else _no_span
        try:
            with self._metrics.in_flight(), span_of(method=method, route=route, headers=headers) as span:
                try:
                    await self._answer(scope, receive, response)
                finally:
                    seconds = time.perf_counter() - started
                    self._metrics.observe_request(method=method, route=route, status=response.status, seconds=seconds)
                    span.end(response.status)
                    _LOG.info(
                        "request",
                        extra={
                            "method": method,
                            "route": route,
                            "status": response.status,
                            "ms": round(seconds * 1000, 1),
                            "token": scope.get("state", {}).get("token_name"),
                            "trace_id": span.trace_id,
                        },
                    )
        finally:
            REQUEST_ID.reset(reset)

    async def _answer(self, scope: Scope, receive: Receive, response: "_Response") -> None:
        if scope.get("state", {}).get(OVERLOADED) and scope["path"] not in PROBE_PATHS:
            await overload_response()(scope, receive, response.send)
            return
        try:
            await self._app(scope, receive, response.send)
        except asyncio.CancelledError:
            # The server ends, and this one has outlasted the grace that it gives.
            if not response.has_begun:
                await ending_response()(scope, receive, response.send)
            raise
        except Exception:
            _LOG.exception("defect")
            if not response.has_begun:
                await defect_response()(scope, receive, response.send)
            elif not response.is_complete:
                # Whoever reads it must not take it for whole; the server cuts the connection.
                raise


class _Response:
    """What has been sent so far; adds the request's id."""

    def __init__(self, send: Send, request_id: str) -> None:
        self._send = send
        self._request_id = request_id
        self.status = _CLIENT_GONE
        self.has_begun = False
        self.is_complete = False

    async def send(self, message: Message) -> None:
        if message["type"] == "http.response.start":
            self.has_begun = True
            self.status = message["status"]
            MutableHeaders(scope=message)[HEADER] = self._request_id
        elif message["type"] == "http.response.body":
            self.is_complete = not message.get("more_body", False)
        await self._send(message)


def _no_span(**_about: object) -> nullcontext[NoSpan]:
    return nullcontext(NoSpan())
