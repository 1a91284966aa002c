"""The paths that the page uses; everything else that Gradio brings along (uploads, files, a second API) is refused."""

import re

from starlette.types import ASGIApp, Receive, Scope, Send

from ui.http.problems import problem_response

# No file of the page has a longer name, and a file system refuses those of more than 255 bytes.
_ASSETS = re.compile(
    r"/(?:assets|static/(?:img|js))/[!-~]{1,200}|/(?:config|theme\.css|favicon\.ico|manifest\.json|robots\.txt)?"
)
VISITOR = "[a-z0-9]{1,32}"
"""What Gradio knows a visitor by; its script makes one up whenever the page is opened."""
JOIN_PATH, CANCEL_PATH, RESET_PATH = "/gradio_api/queue/join", "/gradio_api/cancel", "/gradio_api/reset"
MESSAGES_PATH = "/gradio_api/queue/data"
_READ = re.compile(rf"{MESSAGES_PATH}|/gradio_api/(?:app_id|heartbeat/{VISITOR})")
_WRITTEN = frozenset({JOIN_PATH, CANCEL_PATH, RESET_PATH})


def is_page_path(path: str) -> bool:
    """Whether the page or something that it needs is at this path."""
    return bool(_ASSETS.fullmatch(path) or _READ.fullmatch(path) or path in _WRITTEN)


class PagePaths:
    """Passes on the requests that the page makes, and answers 404 to any other."""

    def __init__(self, page: ASGIApp) -> None:
        self._page = page

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass the request on, or answer 404; 405 where only the method is wrong."""
        if scope["type"] == "lifespan":
            await self._page(scope, receive, send)
            return
        path, allowed = scope["path"], ("POST",) if scope["path"] in _WRITTEN else ("GET", "HEAD")
        if not is_page_path(path):
            await problem_response(404, f"There is nothing at {path}.")(scope, receive, send)
        elif (method := scope.get("method", "")) in allowed:
            await self._page(scope, receive, send)
        else:
            headers = {"Allow": ", ".join(allowed)}
            await problem_response(405, f"{path} doesn't take {method}.", headers=headers)(scope, receive, send)
