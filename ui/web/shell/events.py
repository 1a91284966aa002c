"""What the page sends to Gradio, checked before Gradio sees it.

Gradio looks into every value of every event, whatever the control, and takes an object that names a path or an address
for a file: it copies the one and fetches the other. So an event brings text or nothing, is one that the page has, and
all that Gradio gets is written anew from what was checked.
"""

import re
from collections.abc import Collection
from typing import Annotated

import gradio as gr
from pydantic import BaseModel, ConfigDict, Field, StringConstraints, ValidationError
from starlette.responses import Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from ui.http.guards import MAX_BODY_BYTES
from ui.http.problems import busy_response, problem_response
from ui.web.shell.paths import CANCEL_PATH, JOIN_PATH, MESSAGES_PATH, RESET_PATH, VISITOR
from ui.web.shell.visitors import UnreadEvents

_TEXTS = (gr.Textbox, gr.Dropdown, gr.Radio)
"""Any other control, such as a conversation that the server keeps, brings nothing."""
_HEADERS = frozenset(
    (b"accept-encoding", b"content-type", b"host", b"if-modified-since", b"if-none-match", b"x-forwarded-proto")
)
"""What Gradio needs. It would answer to any `Origin`, and believe whatever names of itself a client forwards."""
_OF_VISITOR = re.compile(rf"session_hash=({VISITOR})".encode())
_MISFIT = "The page sends no such event. Load it again."

_Visitor = Annotated[str, StringConstraints(pattern=f"^{VISITOR}$")]
_EventId = Annotated[str, StringConstraints(pattern="^[0-9a-f]{32}$")]
_Told = Annotated[dict[str, str | int | bool | None], Field(max_length=16)]


class _Sent(BaseModel):
    model_config = ConfigDict(frozen=True, strict=True, extra="forbid")


class _Event(_Sent):
    session_hash: _Visitor
    fn_index: int
    data: Annotated[tuple[str | None, ...], Field(max_length=8)]
    event_data: _Told | None = None
    # Not passed on: Gradio would take the control of that number out of its place on everybody's page.
    trigger_id: Annotated[int | None, Field(exclude=True)] = None


class _Cancelled(_Sent):
    session_hash: _Visitor
    fn_index: int
    event_id: _EventId


class _Reset(_Sent):
    event_id: _EventId


_SENT: dict[str, type[_Sent]] = {JOIN_PATH: _Event, CANCEL_PATH: _Cancelled, RESET_PATH: _Reset}


class PageEvents:
    """Passes on to Gradio's app what the page sends it, and answers 4xx to anything else.

    An event may have `MAX_BODY_BYTES`, and more only where one of the boxes called `long_texts` goes into it.
    """

    def __init__(self, page: ASGIApp, blocks: gr.Blocks, *, long_texts: Collection[str]) -> None:
        self._page = page
        self._events = {number: event for number, event in blocks.fns.items() if event.fn is not None}
        self._long_texts = long_texts
        self._unread = UnreadEvents(blocks._queue)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass the request on, or answer 4xx; 503 where too much waits already."""
        if scope["type"] != "http":
            await self._page(scope, receive, send)
            return
        asked = {**scope, "headers": [pair for pair in scope["headers"] if pair[0] in _HEADERS]}
        if scope["method"] == "POST":
            await self._take(asked, receive, send)
        elif scope["path"] == MESSAGES_PATH:
            await self._read(asked, receive, send)
        else:
            await self._page({**asked, "query_string": b""}, receive, send)

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
        await self._page(scope, lambda: _next(checked, receive), send)

    async def _refusal(self, sent: _Event, *, size: int) -> Response | None:
        event = self._events.get(sent.fn_index)
        if event is None:
            return problem_response(404, "The page has no such event. Load it again.")
        if len(sent.data) != len(event.inputs) or any(
            value is not None and not isinstance(control, _TEXTS)
            for value, control in zip(sent.data, event.inputs, strict=True)
        ):
            return problem_response(400, _MISFIT)
        if size > MAX_BODY_BYTES and not any(control.elem_id in self._long_texts for control in event.inputs):
            return problem_response(413, "That is more than the form takes. Shorten it.")
        if not await self._unread.admit(sent.session_hash):
            return busy_response("Too much of the page waits to be done. Try again in a moment.")
        return None

    async def _read(self, scope: Scope, receive: Receive, send: Send) -> None:
        found = _OF_VISITOR.fullmatch(scope["query_string"])
        if found is None:
            await problem_response(400, _MISFIT)(scope, receive, send)
            return
        async with self._unread.reading(found[1].decode()):
            await self._page(scope, receive, send)


async def _next(checked: list[Message], receive: Receive) -> Message:
    return checked.pop() if checked else await receive()
