"""Around each request: its id, its metrics, its line in the log, and what becomes of a defect."""

import asyncio
import logging
import re
import time
from collections.abc import Callable
from uuid import uuid4

from starlette.datastructures import Headers, MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from ui.http.problems import busy_response, defect_response
from ui.log import REQUEST_ID
from ui.server.metrics import ServerMetrics
from ui.server.question_desk import CLIENT

_LOG = logging.getLogger("relnotes.requests")
_HEADER = "X-Request-ID"
# What goes into a log must not be able to break out of it, nor fill it.
_ACCEPTED_ID = re.compile(r"[A-Za-z0-9._-]{1,64}")
_METHODS = frozenset({"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE"})
_ENDING = "The server is being stopped. Ask again when it is back."
_CLIENT_GONE = 499  # What is logged where nobody was left to answer to; never sent.


class RequestRecord:
    """Records each request by its route, never by its path, query or body: those may hold what was asked."""

    def __init__(self, app: ASGIApp, *, route_of: Callable[[Scope], str], metrics: ServerMetrics) -> None:
        self._app = app
        self._route_of = route_of
        self._metrics = metrics

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        headers, route = Headers(scope=scope), self._route_of(scope)
        # Anyone can make up a method, of any length; a series of metrics for each would fill the memory.
        method = scope["method"] if scope["method"] in _METHODS else "other"
        presented = headers.get(_HEADER, "")
        request_id = presented if _ACCEPTED_ID.fullmatch(presented) else uuid4().hex
        reset = REQUEST_ID.set(request_id)
        CLIENT.set((scope.get("client") or ("",))[0])
        started = time.perf_counter()
        response = _Response(send, request_id)
        about = {"method": method, "route": route}
        try:
            with self._metrics.in_flight.track_inprogress():
                try:
                    await self._answer(scope, receive, response)
                finally:
                    status, seconds = response.status, time.perf_counter() - started
                    self._metrics.observe_request(**about, status=status, seconds=seconds)
                    token = scope.get("state", {}).get("token_name")
                    outcome = {"status": status, "ms": round(seconds * 1000, 1), "token": token}
                    _LOG.info("request", extra={**about, **outcome})
        finally:
            REQUEST_ID.reset(reset)

    async def _answer(self, scope: Scope, receive: Receive, response: "_Response") -> None:
        try:
            await self._app(scope, receive, response.send)
        except asyncio.CancelledError:
            # The server ends, and this one has outlasted the grace that it gives.
            if not response.has_begun:
                await busy_response(_ENDING, closes=True)(scope, receive, response.send)
            raise
        except Exception:
            _LOG.exception("defect")
            if not response.has_begun:
                await defect_response()(scope, receive, response.send)
            elif not response.is_complete:
                # The client must not take it for whole; the server cuts the connection.
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
            MutableHeaders(scope=message)[_HEADER] = self._request_id
        elif message["type"] == "http.response.body":
            self.is_complete = not message.get("more_body", False)
        await self._send(message)
