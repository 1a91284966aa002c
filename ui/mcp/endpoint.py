"""MCP over streamable HTTP at `/mcp`, on the server that has the API and the page.

Every request is independent and gets one JSON reply: nothing is lost when the server restarts, and no stream stays
open when it ends. The guards of the API check token, host, origin and body.
"""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Any

from fastapi import FastAPI
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from corpus.errors import RelnotesError
from ui.environment import check_extra
from ui.http.guards import MAX_BODY_BYTES
from ui.http.problems import problem_response, public_message
from ui.server.question_desk import QuestionDesk

if TYPE_CHECKING:
    from ui.server.live_assistant import LiveAssistant

PATH = "/mcp"


def mount_mcp(app: FastAPI, assistants: "LiveAssistant", desk: QuestionDesk) -> None:
    """Serve MCP at `PATH` of `app`; without the SDK, a problem document there explains how to install it."""
    try:
        check_extra("mcp")
    except RelnotesError as error:
        message = str(error)

        async def refuse(_request: Request) -> Response:
            return problem_response(501, message)

        app.router.routes.append(Route(PATH, refuse, methods=["POST"]))
        return
    from mcp.server.streamable_http_manager import StreamableHTTPASGIApp
    from mcp.server.transport_security import TransportSecuritySettings

    from ui.mcp.server import create_server

    server = create_server(assistants.borrow, desk, word_error=public_message)
    server.streamable_http_app(
        json_response=True,
        stateless_http=True,
        # The guards check Host and Origin.
        transport_security=TransportSecuritySettings(enable_dns_rebinding_protection=False),
        max_request_body_size=MAX_BODY_BYTES,
    )
    # POST only: the SDK's own route also takes GET and DELETE, for streams and sessions.
    app.router.routes.append(Route(PATH, StreamableHTTPASGIApp(server.session_manager), methods=["POST"]))
    outer = app.router.lifespan_context

    @asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[Any]:
        async with outer(app) as state, server.session_manager.run():
            yield state

    app.router.lifespan_context = lifespan
