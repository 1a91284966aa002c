"""Checks what clients send before Gradio sees it, and bounds what Gradio keeps of them.

Only Gradio's queue is used; its other routes are closed, because attacks on them worked (Gradio 6.31): it copies or
fetches values that name a path or an address, too few values give a traceback with the question, any session can fill
the memory with unread answers, and a stream never ends for a second reader.
"""

import asyncio
from collections import Counter
from collections.abc import AsyncIterator
from contextlib import suppress
from typing import Annotated

from fastapi import FastAPI, Query, Request
from fastapi.responses import JSONResponse, Response, StreamingResponse
from gradio.data_classes import PredictBodyInternal
from gradio.routes import App
from gradio.server_messages import CloseStreamMessage, EventMessage, HeartbeatMessage, ProcessCompletedMessage
from pydantic import BaseModel, ConfigDict, Field, StringConstraints
from starlette.routing import Route
from starlette.types import Receive, Scope, Send

from ui.http.guards import MAX_BODY_BYTES
from ui.http.problems import busy_response, problem_response
from ui.server.question_desk import CLIENT

CONFIG_PATH, INFO_PATH = "/config", "/gradio_api/info"
JOIN_PATH, DATA_PATH = "/gradio_api/queue/join", "/gradio_api/queue/data"
"""The routes of Gradio's clients; all others (uploads, files, a proxy, a page, monitoring) are refused."""
MAX_EVENTS = 128  # Unread events of all sessions; when full, the oldest session without a reader is dropped.
_MAX_OF_SESSION = 16
_HEARTBEAT_S = 15.0  # The same as Gradio's.
_LONG, _MAX_LONG = "review", 8  # The endpoint whose argument may be as long as over HTTP; limit of its events waiting.
_HEADERS = frozenset((b"host", b"x-forwarded-proto"))
"""The headers passed to Gradio, which would accept any `Origin` and trust any forwarded host."""

_Session = Annotated[str, StringConstraints(pattern="^[A-Za-z0-9-]{1,40}$")]
_Text = Annotated[str, Field(max_length=2 * 1024 * 1024)]
_Value = _Text | bool | int | float | None | Annotated[list[_Text], Field(max_length=32)]


class _Reading(BaseModel):
    # Ignore fields that clients of other versions add.
    model_config = ConfigDict(frozen=True, extra="ignore")

    session_hash: _Session


class _Event(_Reading):
    fn_index: int
    data: Annotated[list[_Value], Field(max_length=8)]


def add_gradio_endpoints(app: FastAPI, gradio: App) -> None:
    """Add the routes of Gradio's clients; invalid requests get a 4xx, and 503 if too many events wait."""
    blocks = gradio.get_blocks()
    events = {number: event for number, event in blocks.fns.items() if event.fn is not None}
    queue = blocks._queue
    queue.set_server_app(gradio)
    pending = queue.pending_event_ids_session
    readers = Counter[str]()

    async def forget(session: str) -> None:
        # Running events of the session end at their next message.
        await queue.clean_events(session_hash=session)
        queue.pending_messages_per_session.pop(session, None)
        pending.pop(session, None)
        del readers[session]

    async def has_room(session: str, *, is_long: bool) -> bool:
        while sum(map(len, pending.values())) >= MAX_EVENTS:
            oldest = next((candidate for candidate in pending if not readers[candidate]), None)
            if oldest is None:
                return False
            await forget(oldest)
        long = sum(event.fn.api_name == _LONG for event in queue.event_ids_to_events.values())
        return len(pending.get(session, ())) < _MAX_OF_SESSION and not (is_long and long >= _MAX_LONG)

    @app.post(JOIN_PATH, include_in_schema=False)
    async def join(sent: _Event, request: Request) -> Response:
        event = events.get(sent.fn_index)
        if event is None:
            return problem_response(404, "There is no such endpoint. `view_api()` lists them.")
        if len(sent.data) != len(event.inputs):
            return problem_response(400, f"/{event.api_name} takes {len(event.inputs)} values, got {len(sent.data)}.")
        is_long = event.api_name == _LONG
        if len(await request.body()) > MAX_BODY_BYTES and not is_long:
            return problem_response(413, f"A request may have {MAX_BODY_BYTES // 1024} KiB at most.")
        if await has_room(sent.session_hash, is_long=is_long):
            forwarded = Request(_forwarded(request.scope))
            body = PredictBodyInternal(**sent.model_dump(), request=forwarded)
            is_taken, event_id, _ = await queue.push(body, forwarded, username=None)
            if is_taken:
                return JSONResponse({"event_id": event_id})
        return busy_response("Too much waits to be done. Try again in a moment.")

    async def messages(session: str) -> AsyncIterator[str]:
        """Yield the messages of a session's events until all are done; if the last reader leaves, drop the session."""
        readers[session] += 1
        try:
            while waiting := pending.get(session):
                message: EventMessage = HeartbeatMessage()
                with suppress(TimeoutError):
                    message = await asyncio.wait_for(queue.pending_messages_per_session[session].get(), _HEARTBEAT_S)
                yield _line(message)
                if isinstance(message, ProcessCompletedMessage):
                    waiting.discard(message.event_id)
        finally:
            readers[session] -= 1
            if not readers[session]:
                await forget(session)
        yield _line(CloseStreamMessage())

    @app.get(DATA_PATH, include_in_schema=False)
    async def read(sent: Annotated[_Reading, Query()]) -> Response:
        if not pending.get(sent.session_hash):
            return problem_response(404, "Nothing waits to be read in this session. Send an event first.")
        return StreamingResponse(messages(sent.session_hash), media_type="text/event-stream")

    for path in (CONFIG_PATH, INFO_PATH):
        app.router.routes.append(Route(path, _Described(gradio), methods=["GET"], include_in_schema=False))


class _Described:
    """Serves Gradio's description of its endpoints."""

    def __init__(self, gradio: App) -> None:
        self._gradio = gradio

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        await self._gradio({**_forwarded(scope), "query_string": b""}, receive, send)


def _forwarded(scope: Scope) -> Scope:
    """Return a scope for Gradio: with few of the headers, and as client the name for the desk (`ui.gradio.app`)."""
    headers = [pair for pair in scope["headers"] if pair[0] in _HEADERS]
    return {**scope, "headers": headers, "client": (CLIENT.get(), 0)}


def _line(message: EventMessage) -> str:
    return f"data: {message.model_dump_json()}\n\n"
