"""MCP over streamable HTTP at `/mcp`, on the server that has the API and the page.

Every request stands for itself and gets one JSON reply: nothing is lost when the server restarts, and no stream is
left open when it ends. Token, host and body are guarded by what guards the API.
"""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Any

from fastapi import FastAPI
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from corpus.errors import RelnotesError
from ui.http.problems import RETRY_AFTER_S, problem_response
from ui.mcp import check_sdk
from ui.server.question_desk import QuestionDesk

if TYPE_CHECKING:
    from ui.server.live_assistant import AssistantSource

PATH = "/mcp"


def mount_mcp(app: FastAPI, assistants: "AssistantSource", desk: QuestionDesk, *, hosts: tuple[str, ...]) -> None:
    """Serve MCP at `PATH` of `app`; without the SDK, a problem document there says how to get it.

    `hosts`, where given, are the only names that requests and the pages that make them may come by: no web site can
    rebind its name to this machine. Where there are none, the token keeps web sites out.
    """
    try:
        check_sdk()
    except RelnotesError as error:
        line = str(error)

        async def refuse(_request: Request) -> Response:
            return problem_response(501, line)

        app.router.routes.append(Route(PATH, refuse, methods=["POST"]))
        return
    from mcp.server.streamable_http_manager import StreamableHTTPASGIApp, StreamableHTTPSessionManager
    from mcp.server.transport_security import TransportSecuritySettings

    from ui.http.guards import MAX_BODY_BYTES
    from ui.mcp.server import create_server

    manager = StreamableHTTPSessionManager(
        create_server(assistants, desk),
        json_response=True,
        stateless=True,
        security_settings=TransportSecuritySettings(
            enable_dns_rebinding_protection=bool(hosts),
            allowed_hosts=[name for host in hosts for name in (host, f"{host}:*")],
            allowed_origins=[f"http://{name}" for host in hosts for name in (host, f"{host}:*")],
        ),
        max_request_body_size=MAX_BODY_BYTES,
    )
    app.router.routes.append(Route(PATH, _Shedding(StreamableHTTPASGIApp(manager)), methods=["POST"]))
    outer = app.router.lifespan_context

    @asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[Any]:
        async with outer(app) as state, manager.run():
            yield state

    app.router.lifespan_context = lifespan


class _Shedding:
    """Answers calls for which the desk has no place with 503 and `Retry-After`, by which clients and balancers know
    that the same call may be sent again; the protocol's own replies are 200 whatever they hold."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        from ui.mcp.server import REFUSED

        state = scope.setdefault("state", {})

        async def send_unless_refused(message: Message) -> None:
            if (refusal := state.get(REFUSED)) is None:
                await send(message)
            elif message["type"] == "http.response.start":
                response = JSONResponse(refusal, 503, headers={"Retry-After": str(RETRY_AFTER_S)})
                await response(scope, receive, send)

        await self._app(scope, receive, send_unless_refused)
