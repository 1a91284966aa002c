"""What the browser gets first: Gradio's page with a head and a header of our own, so that something is there at once.

Gradio's page is empty until its scripts have run. Here the header, the style and the chosen theme come with the first
response, which is compressed.
"""

import gzip
import re
from importlib.resources import files
from urllib.parse import quote

from starlette.datastructures import Headers, MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

TITLE = "relnotes"
DESCRIPTION = "Answers about software releases, quoted word for word from their release notes."
_OTHERS_CARDS = re.compile(r'\s*<meta\s+(?:property="og|name="twitter):[^>]*>')
_ICON = (
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="7" fill="#0b5cad"/>'
    '<g fill="none" stroke="#fff" stroke-width="3" stroke-linecap="round"><path d="M9 10h14M9 16h9"/>'
    '<path d="M9 22h5" stroke="#ffd43b"/></g></svg>'
)


class PageShell:
    """Passes requests on to Gradio's app, and gives the page at `/` its head and header."""

    def __init__(self, page: ASGIApp, *, styles: str) -> None:
        self._page = page
        self._head = _head(styles)
        self._header = read_asset("shell/shell.html")

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass the request on; complete and compress the page that comes back."""
        if scope["type"] == "http" and scope["path"] == "/" and scope["method"] == "GET":
            await self._serve_page(scope, receive, send)
        else:
            await self._page(scope, receive, send)

    async def _serve_page(self, scope: Scope, receive: Receive, send: Send) -> None:
        start: Message = {}
        body = bytearray()

        async def complete(message: Message) -> None:
            if message["type"] == "http.response.start":
                start.update(message)
            if message["type"] != "http.response.body":
                return
            body.extend(message.get("body", b""))
            if message.get("more_body", False):
                return
            headers = MutableHeaders(scope=start)
            content = bytes(body)
            if headers.get("content-type", "").startswith("text/html") and "content-encoding" not in headers:
                content = self._completed(content.decode()).encode()
                headers.add_vary_header("Accept-Encoding")
                if "gzip" in Headers(scope=scope).get("accept-encoding", ""):
                    content = gzip.compress(content, compresslevel=6, mtime=0)
                    headers["Content-Encoding"] = "gzip"
            headers["Content-Length"] = str(len(content))
            await send(start)
            await send({"type": "http.response.body", "body": content})

        await self._page(scope, receive, complete)

    def _completed(self, markup: str) -> str:
        head, found, rest = _OTHERS_CARDS.sub("", markup).partition("</head>")
        before, tag, after = rest.partition("<gradio-app")
        # A page of another shape is passed on as it is: it works without a head of ours.
        return f"{head}{self._head}{found}{before}{self._header}{tag}{after}" if found and tag else markup


def _head(styles: str) -> str:
    return (
        f'<title>{TITLE}</title><meta name="description" content="{DESCRIPTION}">'
        '<meta name="color-scheme" content="light dark">'
        f'<link rel="icon" type="image/svg+xml" href="data:image/svg+xml,{quote(_ICON)}">'
        f"<style>{styles}</style><script>{read_asset('scripts/theme.js')}</script>"
    )


def read_asset(name: str) -> str:
    """A style, script or piece of HTML of ours, by its path below `ui/web`."""
    return files("ui.web").joinpath(name).read_text(encoding="utf-8")
