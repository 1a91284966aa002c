"""Middleware that gives each request an id, records its metrics and log line, and handles unexpected errors."""

import asyncio
import logging
import time
from collections.abc import Callable
from uuid import uuid4

from starlette.datastructures import MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from ui.http.problems import busy_response, defect_response
from ui.log import REQUEST_ID
from ui.server.metrics import ServerMetrics

_LOG = logging.getLogger("relnotes.requests")
_HEADER = "X-Request-ID"
_METHODS = frozenset({"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE"})
_ENDING = "The server is being stopped. Ask again when it is back."
_CLIENT_GONE = 499  # Logged if the client left before the response; never sent.


class RequestRecord:
    """Records each request by its route, never by its path, query or body, which may contain the question."""

    def __init__(self, app: ASGIApp, *, route_of: Callable[[Scope], str], metrics: ServerMetrics) -> None:
        self._app = app
        self._route_of = route_of
        self._metrics = metrics

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        route = self._route_of(scope)
        # Clients can invent methods of any length, and a metrics series for each would fill the memory.
        method = scope["method"] if scope["method"] in _METHODS else "other"
        request_id = uuid4().hex
        reset = REQUEST_ID.set(request_id)
        started = time.perf_counter()
        response = _Response(send, request_id)
        about = {"method": method, "route": route}
        try:
            await self._answer(scope, receive, response)
        finally:
            status, seconds = response.status, time.perf_counter() - started
            self._metrics.observe_request(**about, status=status, seconds=seconds)
            _LOG.info("request", extra={**about, "status": status, "ms": round(seconds * 1000, 1)})
            REQUEST_ID.reset(reset)

    async def _answer(self, scope: Scope, receive: Receive, response: "_Response") -> None:
        try:
            await self._app(scope, receive, response.send)
        except asyncio.CancelledError:
            # The server is stopping, and this request has outlasted its grace period.
            if not response.has_begun:
                await busy_response(_ENDING, closes=True)(scope, receive, response.send)
            raise
        except Exception:
            _LOG.exception("defect")
            if not response.has_begun:
                await defect_response()(scope, receive, response.send)
            elif not response.is_complete:
                # Raising makes the server cut the connection, so that the client sees the response is incomplete.
                raise


class _Response:
    """Sends a response, adds the request's id to it, and records how much has been sent."""

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
            MutableHeaders(scope=message)[_HEADER] = self._request_id
        elif message["type"] == "http.response.body":
            self.is_complete = not message.get("more_body", False)
        await self._send(message)
