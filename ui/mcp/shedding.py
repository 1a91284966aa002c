"""Calls for which the desk has no place are 503 over HTTP, in place of a result that says so.

Clients, and what balances load between several servers, know by it that the same call may be sent again; the
protocol's own replies are 200 whatever they hold. The body is an error of the protocol, which its clients tell.
"""

from typing import Any

from mcp.server import ServerRequestContext
from mcp_types import INTERNAL_ERROR
from starlette.responses import JSONResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from ui.http.problems import RETRY_AFTER_S
from ui.server.question_desk import TooManyQuestionsError

_REFUSED = "mcp_refused"


def note_refusal(context: ServerRequestContext[Any], error: Exception) -> None:
    """Note that a request was refused for want of a place, where it came by HTTP; of other errors, nothing."""
    if isinstance(error, TooManyQuestionsError) and context.request is not None:
        told = {"code": INTERNAL_ERROR, "message": str(error)}
        setattr(context.request.state, _REFUSED, {"jsonrpc": "2.0", "id": context.request_id, "error": told})


class Shedding:
    """Answers a request of which a refusal was noted with 503 and `Retry-After`."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass the request on, and the reply where it isn't a refusal."""
        state = scope.setdefault("state", {})

        async def send_unless_refused(message: Message) -> None:
            if (refusal := state.get(_REFUSED)) is None:
                await send(message)
            elif message["type"] == "http.response.start":
                response = JSONResponse(refusal, 503, headers={"Retry-After": str(RETRY_AFTER_S)})
                await response(scope, receive, send)

        await self._app(scope, receive, send_unless_refused)
