"""What clients send to Gradio, checked before Gradio sees it, and what it keeps of them, bounded.

Gradio looks into every value of every event and takes an object that names a path or an address for a file: it copies
the one and fetches the other. So an event brings text, numbers, yes or no, nothing, or lists of text, is one that there
is, and all that Gradio gets is written anew from what was checked. Its queue keeps what was sent to a session until
somebody reads it, or for ever; clients read as soon as they have sent something, so whoever doesn't has gone.
"""

import time
from collections import Counter
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import Annotated

from gradio.blocks import Blocks
from gradio.queueing import Queue
from pydantic import BaseModel, ConfigDict, Field, StringConstraints, ValidationError
from starlette.datastructures import QueryParams
from starlette.responses import Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from ui.http.guards import MAX_BODY_BYTES
from ui.http.problems import busy_response, problem_response

CONFIG_PATH, INFO_PATH = "/config", "/gradio_api/info"
JOIN_PATH, DATA_PATH, CANCEL_PATH = "/gradio_api/queue/join", "/gradio_api/queue/data", "/gradio_api/cancel"
PATHS = {CONFIG_PATH: "GET", INFO_PATH: "GET", JOIN_PATH: "POST", DATA_PATH: "GET", CANCEL_PATH: "POST"}
"""Where Gradio's clients go: everything else that Gradio brings along (uploads, files, a proxy, a page, monitoring) is
refused."""
_LONG = "review"  # The endpoint whose argument may be as long as a request of it over HTTP.
_HEADERS = frozenset((b"content-type", b"host", b"x-forwarded-proto"))
"""What Gradio needs. It would answer to any `Origin`, and believe whatever names of itself a client forwards."""
_MISFIT = "No client of Gradio sends such a request. Use gradio_client."
_MAX_OF_SESSION = 16  # Events of one session that aren't answered yet.
_MAX_UNREAD = 64  # Sessions that sent events and don't read; the one that sent longest ago gives way.
_UNREAD_S = 60.0
_MAX_STREAMS = 128  # Sessions that read at once.
_MAX_CHARACTERS = 16 * 1024 * 1024  # Of all texts whose events aren't done, each of which Gradio holds three times.

_Session = Annotated[str, StringConstraints(pattern="^[A-Za-z0-9-]{1,40}$")]
_Text = Annotated[str, Field(max_length=2 * 1024 * 1024)]
_Value = _Text | bool | int | float | None | Annotated[tuple[_Text, ...], Field(max_length=32)]


class _Sent(BaseModel):
    # What clients of other versions send besides isn't passed on.
    model_config = ConfigDict(frozen=True, extra="ignore")

    session_hash: _Session


class _Event(_Sent):
    fn_index: int
    data: Annotated[tuple[_Value, ...], Field(max_length=8)]


class _Cancelled(_Sent):
    fn_index: int
    event_id: Annotated[str, StringConstraints(pattern="^[0-9a-f]{32}$")]


_SENT: dict[str, type[_Sent]] = {JOIN_PATH: _Event, CANCEL_PATH: _Cancelled}


class GradioBounds:
    """Passes on to Gradio's app what its clients send, and answers 4xx to anything else; 503 where too much waits."""

    def __init__(self, gradio: ASGIApp, blocks: Blocks) -> None:
        self._gradio = gradio
        self._events = {number: event for number, event in blocks.fns.items() if event.fn is not None}
        self._unread = UnreadEvents(blocks._queue)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        asked = {**scope, "headers": [pair for pair in scope["headers"] if pair[0] in _HEADERS]}
        if scope["method"] == "POST":
            await self._take(asked, receive, send)
        elif scope["path"] == DATA_PATH:
            await self._read(asked, receive, send)
        else:
            await self._gradio({**asked, "query_string": b""}, receive, send)

    async def _take(self, scope: Scope, receive: Receive, send: Send) -> None:
        # Whole and bounded: `ui.http.guards.BodyLimit` has read it.
        body = (await receive()).get("body", b"")
        try:
            sent = _SENT[scope["path"]].model_validate_json(body)
        except ValidationError:
            await problem_response(400, _MISFIT)(scope, receive, send)
            return
        refusal = await self._refusal(sent, size=len(body)) if isinstance(sent, _Event) else None
        if refusal is not None:
            await refusal(scope, receive, send)
            return
        checked: list[Message] = [{"type": "http.request", "body": sent.model_dump_json().encode()}]
        await self._gradio(scope, lambda: _next(checked, receive), send)

    async def _refusal(self, sent: _Event, *, size: int) -> Response | None:
        event = self._events.get(sent.fn_index)
        if event is None:
            return problem_response(404, "There is no such endpoint. `view_api()` lists them.")
        if len(sent.data) > len(event.inputs):
            return problem_response(400, _MISFIT)
        if size > MAX_BODY_BYTES and event.api_name != _LONG:
            return problem_response(413, f"A request may have {MAX_BODY_BYTES // 1024} KiB at most.")
        if not await self._unread.admit(sent.session_hash):
            return busy_response("Too much waits to be done. Try again in a moment.")
        return None

    async def _read(self, scope: Scope, receive: Receive, send: Send) -> None:
        asked = QueryParams(scope["query_string"])
        try:
            session = _Sent.model_validate(dict(asked)).session_hash
        except ValidationError:
            await problem_response(400, _MISFIT)(scope, receive, send)
            return
        if self._unread.streams >= _MAX_STREAMS:
            await busy_response("Too many clients read at once. Try again in a moment.")(scope, receive, send)
            return
        async with self._unread.reading(session):
            query = f"session_hash={session}".encode()
            await self._gradio({**scope, "query_string": query}, receive, send)


async def _next(checked: list[Message], receive: Receive) -> Message:
    return checked.pop() if checked else await receive()


class UnreadEvents:
    """Admits events to `queue` where there is room, and drops what nobody comes to read."""

    def __init__(self, queue: Queue, *, now: Callable[[], float] = time.monotonic) -> None:
        self._queue = queue
        self._now = now
        self._readers = Counter[str]()
        self._unread: dict[str, float] = {}

    @property
    def streams(self) -> int:
        return self._readers.total()

    async def admit(self, session: str) -> bool:
        """Whether a further event of this session has room; those who left theirs unread make some."""
        if len(self._queue.pending_event_ids_session.get(session, ())) >= _MAX_OF_SESSION:
            return False
        if not self._readers[session]:
            self._left(session)
        while self._unread:
            oldest, sent = next(iter(self._unread.items()))
            if len(self._unread) <= _MAX_UNREAD and self._now() - sent < _UNREAD_S:
                break
            await self._forget(oldest)
        events = [event.data for event in self._queue.event_ids_to_events.values() if event.data is not None]
        values = (value for event in events for value in event.data)
        texts = (text for value in values for text in (value if isinstance(value, list) else [value]))
        return sum(len(text) for text in texts if isinstance(text, str)) < _MAX_CHARACTERS

    @asynccontextmanager
    async def reading(self, session: str) -> AsyncIterator[None]:
        """While a session reads, what is sent to it is its own; a minute after it, the rest is dropped."""
        self._unread.pop(session, None)
        self._readers[session] += 1
        try:
            yield
        finally:
            self._readers -= Counter([session])
            # Not dropped at once: what it sent meanwhile may have been read with it, and it comes to read it still.
            if not self._readers[session]:
                self._left(session)

    def _left(self, session: str) -> None:
        self._unread.pop(session, None)
        self._unread[session] = self._now()

    async def _forget(self, session: str) -> None:
        self._unread.pop(session, None)
        # What is still at work for them ends at its next word.
        await self._queue.clean_events(session_hash=session)
        self._queue.pending_messages_per_session.pop(session, None)
        self._queue.pending_event_ids_session.pop(session, None)
