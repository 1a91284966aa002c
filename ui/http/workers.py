"""Answers requests in processes of their own, each of which the system ends when one takes too long.

The server's own process passes requests on, and computes nothing: no reader waits for what another one asks. A process
answers one request at a time; each line has its own, started when all of them are busy.
"""

import asyncio
import gc
import time
from collections.abc import Awaitable, Callable, Mapping
from functools import wraps
from types import SimpleNamespace
from typing import Any, TypeVar, get_args

from fastapi import FastAPI, Request
from starlette.responses import Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from corpus.children import Forker, Worker
from corpus.deadline import left_s, waited_until
from corpus.errors import RelnotesError
from ui.http.answering import Answering
from ui.http.guards import ASK_PATH
from ui.log import REQUEST_ID
from ui.server.live_assistant import prepare
from ui.server.question_desk import WHAT, Line, QuestionDesk

_Result = TypeVar("_Result")
_KINDS: Mapping[str, tuple[Line, str]] = {
    "/v1/ask": ("questions", "question"),
    "/v1/answer": ("readings", "question"),
    ASK_PATH: ("questions", "question"),
    "/v1/search": ("questions", "search"),
    "/mcp": ("questions", "call"),
    "/v1/cite": ("checks", "claim"),
    "/v1/review": ("checks", "review"),
    "/review": ("checks", "review"),
    "/v1/upgrade": ("pages", "upgrade"),
    "/upgrade": ("pages", "upgrade"),
}
"""The line of each path and what it asks for, in the words of an error; all others are pages."""
_HERE = (
    "/healthz",
    "/readyz",
    "/metrics",
    "/openapi.json",
    "/api",
    "/assets/",
    "/slack/",
    "/config",
    "/gradio_api/",
    "/library",
)
"""Beginnings of the paths that the server's own process answers: they read nothing of the index."""
_SENT = (
    "type",
    "asgi",
    "http_version",
    "method",
    "scheme",
    "path",
    "raw_path",
    "query_string",
    "root_path",
    "headers",
    "client",
    "server",
)
_START_S = 600.0


class Workers:
    """The processes of one server; for one event loop."""

    def __init__(self, assemble: Callable[[], FastAPI], desk: QuestionDesk) -> None:
        """Fork what forks the processes: no thread may be running, and no database be open.

        `assemble` makes what a process answers with; `desk` bounds how many answer at once, and counts the questions.
        """
        self._assemble = assemble
        self._desk = desk
        self._idle: dict[str, list[Worker]] = {line: [] for line in get_args(Line)}
        # What the processes share with this one stays shared: a collection would write to all of it.
        gc.collect()
        gc.freeze()
        # In the processes alone.
        self._loop: asyncio.AbstractEventLoop | None = None
        self._app: FastAPI | None = None
        self._lifespan: Any = None
        self._forker = Forker(self._apply)
        self.close = self._forker.close  # Ends all processes, whatever they do.

    async def run(
        self,
        line: Line,
        what: str,
        answer: Callable[..., Awaitable[_Result]],
        *arguments: object,
    ) -> _Result:
        """Return the result of `answer`, called in a process of the line with its app and `arguments`.

        Raises:
            TooManyQuestionsError: all are busy, and too much waits already.
            QuestionTimeoutError: it took longer than the limit, waiting included.
        """
        WHAT.set(what)
        result, counts = await self._desk.run(lambda: self._call(line, answer, arguments), line=line)
        self._desk.add_counts(counts)
        return result

    def _call(
        self, line: Line, answer: Callable[..., Awaitable[_Result]], arguments: tuple[object, ...]
    ) -> tuple[_Result, Any]:
        """Call `_answer` in an idle process of the line, or in a new one, and return its result."""
        try:
            worker = self._idle[line].pop()
        except IndexError:
            worker = Worker(self._forker)
        context, seconds = (REQUEST_ID.get(), WHAT.get()), left_s()
        try:
            called: Any = worker.call(_answer, answer, arguments, context, seconds, seconds=seconds)
        finally:
            self._idle[line].append(worker)
        done: tuple[_Result, Any] = called[0]
        return done

    def start(self) -> None:
        """Start a process for questions and open the index in it, so that the first one doesn't wait for that.

        Raises:
            IndexUnavailable, ModelError: it can't answer.
        """
        worker = Worker(self._forker)
        worker.call(_prepare, seconds=_START_S)
        self._idle["questions"].append(worker)

    def _apply(self, answer: Callable[..., Awaitable[object]], arguments: tuple[object, ...]) -> object:
        """Call `answer` in a process, with an app that is assembled at the first call."""
        if self._loop is None or self._app is None:
            self._loop, self._app = asyncio.new_event_loop(), self._assemble()
            self._lifespan = self._app.router.lifespan_context(self._app)
            self._loop.run_until_complete(self._lifespan.__aenter__())
        return self._loop.run_until_complete(answer(self._app, *arguments))


async def _answer(
    app: FastAPI,
    answer: Callable[..., Awaitable[_Result]],
    arguments: tuple[object, ...],
    context: tuple[str | None, str],
    seconds: float,
) -> tuple[_Result, Any]:
    """Call `answer` within the context of the request; return its result, and the questions counted meanwhile."""
    request_id, what = context
    REQUEST_ID.set(request_id)
    WHAT.set(what)
    with waited_until(time.monotonic() + seconds):
        result = await answer(app, *arguments)
    return result, app.state.answering.desk.take_counts()


async def _prepare(app: FastAPI) -> None:
    with app.state.answering.assistants.borrow() as assistant:
        prepare(assistant)
    gc.freeze()


async def _answer_request(app: FastAPI, scope: dict[str, Any], body: bytes) -> list[Message]:
    """Return the messages of the response to a request."""
    messages: list[Message] = []
    received = [{"type": "http.request", "body": body, "more_body": False}]

    async def receive() -> Message:
        return received.pop() if received else {"type": "http.disconnect"}

    async def send(message: Message) -> None:
        messages.append(message)

    await app(scope, receive, send)
    return messages


async def _answer_operation(app: FastAPI, name: str, request: object, choices: dict[str, Any]) -> Any:
    return await getattr(app.state.answering, name)(request, **choices)


def answering_elsewhere(workers: Workers) -> Any:
    """Return an object with the operations of `Answering`, which `workers` do."""

    def elsewhere(name: str) -> Callable[[Any], Awaitable[Any]]:
        line, what = _KINDS.get(f"/v1/{name}", ("pages", "page"))

        @wraps(getattr(Answering, name))
        async def answer(request: object, **choices: object) -> Any:
            return await workers.run(line, what, _answer_operation, name, request, choices)

        return answer

    return SimpleNamespace(
        **{name: elsewhere(name) for name in "answer ask search cite review upgrade versions".split()}
    )


class AnsweredElsewhere:
    """Middleware that has requests answered by `workers`; `respond` words the response where they don't."""

    def __init__(
        self, app: ASGIApp, *, workers: Workers, respond: Callable[[Request, RelnotesError], Awaitable[Response]]
    ) -> None:
        self._app = app
        self._workers = workers
        self._respond = respond

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http" or scope["path"].startswith(_HERE):
            await self._app(scope, receive, send)
            return
        line, what = _KINDS.get(scope["path"], ("pages", "page"))
        request = Request(scope, receive)
        body = await request.body()
        if scope["path"] == ASK_PATH and b"&read=" in body:
            line = "readings"
        sent = {name: scope[name] for name in _SENT}
        try:
            messages = await self._workers.run(line, what, _answer_request, sent, body)
        except RelnotesError as error:
            await (await self._respond(request, error))(scope, receive, send)
            return
        for message in messages:
            await send(message)
