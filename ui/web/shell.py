"""What every page of the site has around it: the header, the way to the other pages, one style and one script.

Style and script are one file each whose name holds its digest, so that a browser keeps them for good.
"""

import gzip
import hashlib
import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache

from fastapi import FastAPI, Request
from fastapi.responses import HTMLResponse, Response
from markupsafe import Markup

from corpus.errors import IndexUnavailable, RelnotesError
from retrieval.assistant import Assistant
from ui.http.problems import RETRY_AFTER_S, problem_response
from ui.server.question_desk import QuestionTimeoutError, TooManyOfClientError, TooManyQuestionsError
from ui.web.html import read_asset, render
from ui.web.services import PageServices, page_message

ASSETS = "/assets/{name}"
_STYLES = ("base", "ask", "changes", "library", "products", "source", "document")
_SCRIPTS = ("base", "conversations", "ask", "preview", "feedback", "changes", "library")
_THEMES = ("light", "dark")
_UNSERVED = re.compile(r"(?s:/\*.*?\*/)|(?m:^[ \t]*//[^\n]*\n|^[ \t]+)")  # Comments and indents.
_OURS = ("same-origin", "none")
"""Whence a browser says that a visitor comes: from our own pages, or by address or bookmark. The script learns it from
`Server-Timing`."""
_TROUBLE = "This can't be shown", 400
_TROUBLES: dict[type[RelnotesError], tuple[str, int]] = {
    TooManyOfClientError: ("Busy just now", 429),
    TooManyQuestionsError: ("Busy just now", 503),
    QuestionTimeoutError: ("It took too long", 504),
    IndexUnavailable: ("Nothing to show yet", 503),
}


@dataclass(frozen=True, slots=True)
class Asset:
    """A style or a script as it is served; the name holds a digest of the content."""

    name: str
    media_type: str
    content: bytes
    compressed: bytes


@cache
def assets() -> tuple[Asset, Asset]:
    """Return the style and the script of all pages."""
    made = []
    for suffix, media_type, names, folder, blanks in (
        ("css", "text/css", _STYLES, "styles", r"(?<=[{};,])\s+|\s+(?=[{}])"),
        ("js", "text/javascript", _SCRIPTS, "scripts", r"(?<=[{;,(])\n+"),
    ):
        text = _UNSERVED.sub("", "\n".join(read_asset(f"{folder}/{name}.{suffix}") for name in names))
        content = re.sub(blanks, "", text).encode()
        digest = hashlib.sha256(content).hexdigest()[:12]
        made.append(Asset(f"relnotes-{digest}.{suffix}", media_type, content, gzip.compress(content, mtime=0)))
    return made[0], made[1]


def add_assets(app: FastAPI) -> None:
    by_name = {asset.name: asset for asset in assets()}

    @app.api_route(ASSETS, methods=["GET", "HEAD"], include_in_schema=False)
    def show_asset(name: str, request: Request) -> Response:
        asset = by_name.get(name)
        if asset is None:
            return problem_response(404, f"There is nothing at {request.url.path}.")
        headers, content = {"Cache-Control": "max-age=31536000, immutable", "Vary": "Accept-Encoding"}, asset.content
        if _accepts_gzip(request):
            headers["Content-Encoding"], content = "gzip", asset.compressed
        return Response(content, media_type=f"{asset.media_type}; charset=utf-8", headers=headers)


def page_response(request: Request, title: str, tab: str, body: Markup, *, status: int = 200) -> HTMLResponse:
    """A whole page with `body` as its main part; `tab` names the entry of the header that it belongs to, if any."""
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
    headers = {"Vary": "Accept-Encoding, Cookie, Sec-Fetch-Site"}
    if request.headers.get("sec-fetch-site") in _OURS:
        headers["Server-Timing"] = "ours"
    content = markup.encode()
    if _accepts_gzip(request) and len(content) >= 1024:
        headers["Content-Encoding"] = "gzip"
        content = gzip.compress(content, compresslevel=6, mtime=0)
    if status in (503, 504):
        headers["Retry-After"] = str(RETRY_AFTER_S)
    return HTMLResponse(content, status, headers=headers)


@dataclass(eq=False)
class Notice(RelnotesError):
    """What a page says in place of what it was asked for, with a way on: an address and its words."""

    title: str
    message: str
    status: int
    link: tuple[str, str] = ("/", "Ask a question")


async def show_page(
    request: Request,
    tab: str,
    services: PageServices,
    work: Callable[[Assistant], tuple[str, Markup]],
) -> HTMLResponse:
    """Return the page whose title and main part `work` makes at the desk, or one that says why it can't be shown."""
    try:
        title, body = await services.run(work)
    except RelnotesError as error:
        return trouble_response(request, tab, error)
    return page_response(request, title, tab, body)


def trouble_response(request: Request, tab: str, error: RelnotesError) -> HTMLResponse:
    """A page of one message with a way on: why there is nothing to show, and when it may be asked again."""
    title, status = next((row for kind, row in _TROUBLES.items() if isinstance(error, kind)), _TROUBLE)
    notice = error if isinstance(error, Notice) else Notice(title, page_message(error), status)
    address, words = notice.link
    body = render("shell", "notice", title=notice.title, message=notice.message, link=address, words=words)
    return page_response(request, notice.title, tab, body, status=notice.status)


def _accepts_gzip(request: Request) -> bool:
    return "gzip" in request.headers.get("accept-encoding", "")
