"""Events that come in from the page: one that the page doesn't have is refused; Gradio would take it for a defect."""

import json
from collections.abc import Container

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from ui.problems import problem_response

_JOIN = "/gradio_api/queue/join"


class PageEvents:
    """Passes on requests; an event whose number isn't among `known` is answered with 404."""

    def __init__(self, page: ASGIApp, *, known: Container[int]) -> None:
        self._page = page
        self._known = known

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass the request on, or answer 404."""
        if scope["type"] != "http" or scope["method"] != "POST" or scope["path"] != _JOIN:
            await self._page(scope, receive, send)
            return
        # Whole and bounded: `ui.http_guards.BodyLimit` has read it.
        message = await receive()
        number = _event_number(message.get("body", b""))
        if number is not None and number not in self._known:
            await problem_response(404, "The page has no such event. Load it again.")(scope, receive, send)
            return
        was_told = False

        async def replay() -> Message:
            nonlocal was_told
            if was_told:
                return await receive()
            was_told = True
            return message

        await self._page(scope, replay, send)


def _event_number(body: bytes) -> int | None:
    """The number that a request names, however it is written; None where Gradio will say itself what is wrong."""
    try:
        return int(json.loads(body)["fn_index"])
    except (ValueError, KeyError, TypeError, OverflowError, RecursionError):
        return None
