"""Checks what clients send before Gradio sees it.

Only Gradio's queue is used; its other routes are closed, because attacks on them worked (Gradio 6.31): it copies or
fetches values that name a path or an address, and too few values give a traceback with the question.
"""

from typing import Annotated
from urllib.parse import urlencode

from fastapi import FastAPI, Request
from fastapi.responses import JSONResponse, Response
from gradio.data_classes import PredictBodyInternal
from gradio.routes import App
from pydantic import BaseModel, ConfigDict, Field, StringConstraints
from starlette.datastructures import QueryParams
from starlette.routing import Route
from starlette.types import Receive, Scope, Send

from ui.http.problems import busy_response, problem_response

CONFIG_PATH, INFO_PATH = "/config", "/gradio_api/info"
JOIN_PATH, DATA_PATH = "/gradio_api/queue/join", "/gradio_api/queue/data"
"""The routes of Gradio's clients; all others (uploads, files, a proxy, a page, monitoring) are refused."""
MAX_EVENTS = 128  # Events of all sessions that wait to be answered.
_HEADERS = frozenset((b"host", b"x-forwarded-proto"))
"""The headers passed to Gradio, which would accept any `Origin` and trust any forwarded host."""

_Session = Annotated[str, StringConstraints(pattern="^[A-Za-z0-9-]{1,40}$")]
_Text = Annotated[str, Field(max_length=2 * 1024 * 1024)]
_Value = _Text | bool | int | float | None | Annotated[list[_Text], Field(max_length=32)]


class _Event(BaseModel):
    # Fields that clients of other versions add are ignored.
    model_config = ConfigDict(frozen=True)

    session_hash: _Session
    fn_index: int
    data: Annotated[list[_Value], Field(max_length=8)]


def add_gradio_endpoints(app: FastAPI, gradio: App) -> None:
    """Add the routes of Gradio's clients; invalid requests get a 4xx, and 503 if too many events wait."""
    blocks = gradio.get_blocks()
    events = {number: event for number, event in blocks.fns.items() if event.fn is not None}
    queue = blocks._queue
    queue.set_server_app(gradio)

    @app.post(JOIN_PATH, include_in_schema=False)
    async def join(sent: _Event, request: Request) -> Response:
        event = events.get(sent.fn_index)
        if event is None:
            return problem_response(404, "There is no such endpoint. `view_api()` lists them.")
        if len(sent.data) != len(event.inputs):
            return problem_response(400, f"/{event.api_name} takes {len(event.inputs)} values, got {len(sent.data)}.")
        forwarded = Request(_forwarded(request.scope))
        body = PredictBodyInternal(**sent.model_dump(), request=forwarded)
        is_taken, event_id, _ = await queue.push(body, forwarded, username=None)
        if is_taken:
            return JSONResponse({"event_id": event_id})
        return busy_response("Too much waits to be done. Try again in a moment.")

    for path in (CONFIG_PATH, INFO_PATH, DATA_PATH):
        app.router.routes.append(Route(path, _OfGradio(gradio), methods=["GET"]))


class _OfGradio:
    """Serves a route of Gradio's own; messages only of a session that has sent events."""

    def __init__(self, gradio: App) -> None:
        self._gradio = gradio
        self._sessions = gradio.get_blocks()._queue.pending_messages_per_session

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        query = ""
        if scope["path"] == DATA_PATH:
            session = QueryParams(scope["query_string"]).get("session_hash", "")
            if session not in self._sessions:
                unknown = problem_response(404, "Nothing waits to be read in this session. Send an event first.")
                await unknown(scope, receive, send)
                return
            query = urlencode({"session_hash": session})
        await self._gradio({**_forwarded(scope), "query_string": query.encode()}, receive, send)


def _forwarded(scope: Scope) -> Scope:
    """Return a scope for Gradio: with few of the headers."""
    headers = [pair for pair in scope["headers"] if pair[0] in _HEADERS]
    return {**scope, "headers": headers}
