"""What clients send to Gradio, checked before Gradio sees it, and what it keeps of them, bounded.

Gradio looks into every value of every event and takes an object that names a path or an address for a file: it copies
the one and fetches the other. So an event brings text, numbers, yes or no, nothing, or lists of text, as many as the
endpoint takes. Its queue keeps what was sent to a session until somebody reads it, or for ever; clients read as soon as
they have sent something, so whoever doesn't has gone.

The queue is Gradio's; the endpoints before it are not. Gradio's takes an event in after a hop through a thread, so that
nothing that was counted before is true any more; its stream never ends for who has nothing to wait for, and is a defect
in the log where two read one; and cancelling one event there ends all of the session's, which then never answer.
"""

import asyncio
import time
from collections import Counter
from collections.abc import AsyncIterator, Callable
from typing import Annotated

from fastapi import FastAPI, Query, Request
from fastapi.responses import JSONResponse, Response, StreamingResponse
from gradio.data_classes import PredictBodyInternal
from gradio.queueing import Queue
from gradio.routes import App
from gradio.server_messages import CloseStreamMessage, EventMessage, HeartbeatMessage, ProcessCompletedMessage
from pydantic import BaseModel, ConfigDict, Field, StringConstraints
from starlette.routing import Route
from starlette.types import Receive, Scope, Send

from ui.http.guards import MAX_BODY_BYTES
from ui.http.problems import busy_response, problem_response

CONFIG_PATH, INFO_PATH = "/config", "/gradio_api/info"
JOIN_PATH, DATA_PATH, CANCEL_PATH = "/gradio_api/queue/join", "/gradio_api/queue/data", "/gradio_api/cancel"
"""Where Gradio's clients go: everything else that Gradio brings along (uploads, files, a proxy, a page, monitoring) is
refused."""
_LONG = "review"  # The endpoint whose argument may be as long as a request of it over HTTP.
_HEADERS = frozenset((b"host", b"x-forwarded-proto"))
"""What Gradio needs. It would answer to any `Origin`, and believe whatever names of itself a client forwards."""
_MAX_OF_SESSION = 16  # Events of one session whose answers aren't read yet.
_MAX_EVENTS = 128  # Of all sessions; those that don't read give way, first the one that sent longest ago.
_UNREAD_S = 60.0
_MAX_STREAMS = 128  # That are read at once.
_HEARTBEAT_S = 15.0  # As Gradio's own.
_MAX_CHARACTERS = 16 * 1024 * 1024  # Of all texts whose events aren't done, each of which Gradio holds three times.

_Session = Annotated[str, StringConstraints(pattern="^[A-Za-z0-9-]{1,40}$")]
_Text = Annotated[str, Field(max_length=2 * 1024 * 1024)]
_Value = _Text | bool | int | float | None | Annotated[list[_Text], Field(max_length=32)]


class _Reading(BaseModel):
    # What clients of other versions send besides isn't looked at.
    model_config = ConfigDict(frozen=True, extra="ignore")

    session_hash: _Session


class _Event(_Reading):
    fn_index: int
    data: Annotated[list[_Value], Field(max_length=8)]


class _Cancelled(_Reading):
    event_id: Annotated[str, StringConstraints(pattern="^[0-9a-f]{32}$")]


def add_gradio_endpoints(app: FastAPI, gradio: App) -> None:
    """Add what Gradio's clients ask for: 4xx for what none of them sends, 503 where too much waits."""
    blocks = gradio.get_blocks()
    events = {number: event for number, event in blocks.fns.items() if event.fn is not None}
    sessions = Sessions(blocks._queue)
    blocks._queue.set_server_app(gradio)

    @app.post(JOIN_PATH, include_in_schema=False)
    async def join(sent: _Event, request: Request) -> Response:
        event = events.get(sent.fn_index)
        if event is None:
            return problem_response(404, "There is no such endpoint. `view_api()` lists them.")
        if len(sent.data) != len(event.inputs):
            return problem_response(400, f"/{event.api_name} takes {len(event.inputs)} values, got {len(sent.data)}.")
        if len(await request.body()) > MAX_BODY_BYTES and event.api_name != _LONG:
            return problem_response(413, f"A request may have {MAX_BODY_BYTES // 1024} KiB at most.")
        event_id = await sessions.take(sent, Request(_told(request.scope)))
        if event_id is None:
            return busy_response("Too much waits to be done. Try again in a moment.")
        return JSONResponse({"event_id": event_id})

    @app.get(DATA_PATH, include_in_schema=False)
    async def read(sent: Annotated[_Reading, Query()]) -> Response:
        if not sessions.waits(sent.session_hash):
            return problem_response(404, "Nothing waits to be read in this session. Send an event first.")
        if sessions.streams >= _MAX_STREAMS:
            return busy_response("Too many clients read at once. Try again in a moment.")
        return StreamingResponse(sessions.read(sent.session_hash), media_type="text/event-stream")

    @app.post(CANCEL_PATH, include_in_schema=False)
    async def cancel(sent: _Cancelled) -> Response:
        if not await sessions.cancel(sent.session_hash, sent.event_id):
            return problem_response(404, "There is no such event, or it is done.")
        return JSONResponse({"success": True})

    for path in (CONFIG_PATH, INFO_PATH):
        app.router.routes.append(Route(path, _Described(gradio), methods=["GET"], include_in_schema=False))


class _Described:
    """What Gradio says of itself."""

    def __init__(self, gradio: App) -> None:
        self._gradio = gradio

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        await self._gradio({**_told(scope), "query_string": b""}, receive, send)


def _told(scope: Scope) -> Scope:
    return {**scope, "headers": [pair for pair in scope["headers"] if pair[0] in _HEADERS]}


class Sessions:
    """What Gradio's queue keeps of its sessions: events until they are done, and answers until they are read."""

    def __init__(self, queue: Queue, *, now: Callable[[], float] = time.monotonic) -> None:
        self._queue = queue
        self._now = now
        self._readers = Counter[str]()
        self._unread: dict[str, float] = {}

    @property
    def streams(self) -> int:
        return self._readers.total()

    def waits(self, session: str) -> bool:
        """Whether there is an event whose answer the session hasn't read."""
        return bool(self._queue.pending_event_ids_session.get(session))

    async def take(self, sent: _Event, request: Request) -> str | None:
        """Put an event into the queue, and return its id; None where there is no room."""
        # Nothing from here on waits for anything: whatever came in meanwhile would have been counted by nobody.
        if not await self._has_room(sent.session_hash):
            return None
        body = PredictBodyInternal(**sent.model_dump(), request=request)
        _, event_id, _ = await self._queue.push(body, request, username=None)
        return str(event_id)

    async def read(self, session: str) -> AsyncIterator[str]:
        """What becomes of the session's events, until all are done; whoever leaves before comes for nothing more."""
        queue = self._queue
        self._unread.pop(session, None)
        self._readers[session] += 1
        try:
            while pending := queue.pending_event_ids_session.get(session):
                messages = queue.pending_messages_per_session[session]
                try:
                    message = await asyncio.wait_for(messages.get(), _HEARTBEAT_S)
                except TimeoutError:
                    message = HeartbeatMessage()
                yield _line(message)
                if isinstance(message, ProcessCompletedMessage):
                    pending.discard(message.event_id)
        finally:
            self._readers -= Counter([session])
            if not self._readers[session]:
                await self._forget(session)
        yield _line(CloseStreamMessage())

    async def cancel(self, session: str, event_id: str) -> bool:
        """End an event of this session, and say so to who reads; whether there was one to end."""
        # One that was answered and read is among these for a moment still.
        event = self._queue.event_ids_to_events.get(event_id)
        if event is None or not event.alive or event_id not in self._queue.pending_event_ids_session.get(session, ()):
            return False
        await self._queue.clean_events(event_id=event_id)
        for task in self._queue._asyncio_tasks:
            if task.get_name().endswith(event_id):
                task.cancel()
        ended = ProcessCompletedMessage(output={}, success=True, event_id=event_id)
        self._queue.pending_messages_per_session[session].put_nowait(ended)
        return True

    async def _has_room(self, session: str) -> bool:
        """Whether a further event of this session has room; those who left theirs unread make some."""
        pending = self._queue.pending_event_ids_session
        while self._unread:
            oldest, sent = next(iter(self._unread.items()))
            if self._events < _MAX_EVENTS and self._now() - sent < _UNREAD_S:
                break
            await self._forget(oldest)
        if self._events >= _MAX_EVENTS or len(pending.get(session, ())) >= _MAX_OF_SESSION:
            return False
        events = [event.data for event in self._queue.event_ids_to_events.values() if event.data is not None]
        values = (value for event in events for value in event.data)
        texts = (text for value in values for text in (value if isinstance(value, list) else [value]))
        if sum(len(text) for text in texts if isinstance(text, str)) >= _MAX_CHARACTERS:
            return False
        if not self._readers[session]:
            self._unread.pop(session, None)
            self._unread[session] = self._now()
        return True

    @property
    def _events(self) -> int:
        return sum(map(len, self._queue.pending_event_ids_session.values()))

    async def _forget(self, session: str) -> None:
        self._unread.pop(session, None)
        # What is still at work for them ends at its next word.
        await self._queue.clean_events(session_hash=session)
        self._queue.pending_messages_per_session.pop(session, None)
        self._queue.pending_event_ids_session.pop(session, None)


def _line(message: EventMessage) -> str:
    return f"data: {message.model_dump_json()}\n\n"
