"""The shell of every page: the header with links to the other pages, one style sheet and one script.

The file names of both contain a digest, so that browsers cache them for good.
"""

import hashlib
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache

from fastapi import FastAPI, Request
from fastapi.responses import HTMLResponse, Response
from markupsafe import Markup

from corpus.errors import IndexUnavailable, RelnotesError
from retrieval.assistant import Assistant
from ui.http.problems import RETRY_AFTER_S, problem_response
from ui.server.question_desk import QuestionTimeoutError, TooManyQuestionsError
from ui.web.html import read_asset, render
from ui.web.services import PageServices, page_message

ASSETS = "/assets/{name}"
_STYLES = ("base", "ask", "changes", "library", "products", "source", "document")
_SCRIPTS = ("base", "conversations", "ask", "preview", "copy", "changes", "library")
_THEMES = ("light", "dark")
_OURS = ("same-origin", "none")
"""Values of `Sec-Fetch-Site` for visitors from our pages, by address or bookmark; `Server-Timing` has it too."""
_TROUBLE = "This can't be shown", 400
_TROUBLES: dict[type[RelnotesError], tuple[str, int]] = {
    TooManyQuestionsError: ("Busy just now", 503),
    QuestionTimeoutError: ("It took too long", 504),
    IndexUnavailable: ("Nothing to show yet", 503),
}


@dataclass(frozen=True, slots=True)
class Asset:
    """A style sheet or script as it is served; its name contains a digest of the content."""

    name: str
    media_type: str
    content: bytes


@cache
def assets() -> tuple[Asset, Asset]:
    """Build the style sheet and the script of all pages."""
    built = []
    for suffix, media_type, sources, folder in (
        ("css", "text/css", _STYLES, "styles"),
        ("js", "text/javascript", _SCRIPTS, "scripts"),
    ):
        content = "\n".join(read_asset(f"{folder}/{name}.{suffix}") for name in sources).encode()
        digest = hashlib.sha256(content).hexdigest()[:12]
        built.append(Asset(f"relnotes-{digest}.{suffix}", media_type, content))
    return built[0], built[1]


def add_assets(app: FastAPI) -> None:
    by_name = {asset.name: asset for asset in assets()}

    def show_asset(request: Request) -> Response:
        asset = by_name.get(request.path_params["name"])
        if asset is None:
            return problem_response(404, f"There is nothing at {request.url.path}.")
        headers = {"Cache-Control": "max-age=31536000, immutable"}
        return Response(asset.content, media_type=f"{asset.media_type}; charset=utf-8", headers=headers)

    app.add_route(ASSETS, show_asset)


def page_response(request: Request, title: str, tab: str, body: Markup, *, status: int = 200) -> HTMLResponse:
    """Render a whole page around `body`; `tab` is the page's entry in the header, or ""."""
    style, script = assets()
    theme = request.cookies.get("theme", "")
    markup = render(
        "shell",
        "page",
        title=title,
        tab=tab,
        theme=theme if theme in _THEMES else "",
        style=ASSETS.format(name=style.name),
        script=ASSETS.format(name=script.name),
        body=body,
    )
    headers = {"Vary": "Cookie, Sec-Fetch-Site"}
    if request.headers.get("sec-fetch-site") in _OURS:
        headers["Server-Timing"] = "ours"
    if status in (503, 504):
        headers["Retry-After"] = str(RETRY_AFTER_S)
    return HTMLResponse(markup, status, headers=headers)


@dataclass(eq=False)
class Notice(RelnotesError):
    """A message shown in place of the requested page, with the address and the words of a link to go on."""

    title: str
    message: str
    status: int
    link: tuple[str, str] = ("/", "Ask a question")


async def show_page(
    request: Request, tab: str, services: PageServices, work: Callable[[Assistant], tuple[str, Markup]]
) -> HTMLResponse:
    """Return the page with the title and main part that `work` returns, or a page with the error's message."""
    try:
        title, body = await services.run(work)
    except RelnotesError as error:
        return trouble_response(request, tab, error)
    return page_response(request, title, tab, body)


def trouble_response(request: Request, tab: str, error: RelnotesError) -> HTMLResponse:
    """Return a page with an error's message, its status and a link; busy and loading states say when to retry."""
    title, status = next((row for kind, row in _TROUBLES.items() if isinstance(error, kind)), _TROUBLE)
    notice = error if isinstance(error, Notice) else Notice(title, page_message(error), status)
    address, words = notice.link
    body = render("shell", "notice", title=notice.title, message=notice.message, link=address, words=words)
    return page_response(request, notice.title, tab, body, status=notice.status)
