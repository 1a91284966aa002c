"""What the browser gets first: Gradio's page with a head and a header of our own, and Gradio's files from memory.

Gradio's page is empty until its scripts have run. Here the header, the style and the chosen theme come with the first
response, and each script is compressed once, not for every visitor anew.
"""

import gzip
import re
from urllib.parse import quote

from starlette.datastructures import Headers, MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from ui.web.html import read_asset

TITLE = "relnotes"
DESCRIPTION = "Answers about software releases, quoted word for word from their release notes."
_OTHERS_CARDS = re.compile(r'\s*<meta\s+(?:property="og|name="twitter):[^>]*>')
_ICON = (
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="7" fill="#0b5cad"/>'
    '<g fill="none" stroke="#fff" stroke-width="3" stroke-linecap="round"><path d="M9 10h14M9 16h9"/>'
    '<path d="M9 22h5" stroke="#ffd43b"/></g></svg>'
)
_KEPT_FOR_GOOD = "max-age=31536000, immutable"
_HASHED = re.compile(r"/assets/[^/]+-[\w-]{8}\d*\.(?:js|css)")
"""Files whose names hold their digest: what is kept can't be stale, and the browser may keep it for good too."""
_ENCODINGS = ("br", "gzip", "")
"""In which Gradio serves a file, the one first that it prefers."""
_MAX_KEPT_BYTES = 16 * 1024 * 1024
"""Compressed, all that a page with every component of Gradio needs; what comes after is served as before."""
_BESIDE_BYTES = 4096
"""What a kept file takes beside its content, at most."""


class PageShell:
    """Passes requests on to Gradio's app, and gives the page at `/` its head and header."""

    def __init__(self, page: ASGIApp, *, styles: str) -> None:
        self._page = page
        self._head = _head(styles)
        self._header = read_asset("shell/shell.html")

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass the request on; complete and compress the page that comes back."""
        if not (scope["type"] == "http" and scope["path"] == "/" and scope["method"] == "GET"):
            await self._page(scope, receive, send)
            return
        start, content = await _answer_of(self._page, scope, receive)
        headers = MutableHeaders(scope=start)
        if headers.get("content-type", "").startswith("text/html") and "content-encoding" not in headers:
            content = self._completed(content.decode()).encode()
            headers.add_vary_header("Accept-Encoding")
            if "gzip" in Headers(scope=scope).get("accept-encoding", ""):
                content = gzip.compress(content, compresslevel=6, mtime=0)
                headers["Content-Encoding"] = "gzip"
        headers["Content-Length"] = str(len(content))
        await send(start)
        await send({"type": "http.response.body", "body": content})

    def _completed(self, markup: str) -> str:
        head, found, rest = _OTHERS_CARDS.sub("", markup).partition("</head>")
        before, tag, after = rest.partition("<gradio-app")
        # A page of another shape is passed on as it is: it works without a head of ours.
        return f"{head}{self._head}{found}{before}{self._header}{tag}{after}" if found and tag else markup


class PageAssets:
    """Passes requests on to Gradio's app, and answers those for its hashed files from memory once it has."""

    def __init__(self, page: ASGIApp) -> None:
        self._page = page
        self._kept: dict[tuple[str, str], tuple[Message, bytes]] = {}
        self._kept_bytes = 0

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass the request on, or answer it with what was answered before."""
        headers = Headers(scope=scope) if scope["type"] == "http" and scope["method"] == "GET" else None
        if (
            headers is None
            or not _is_hashed(scope)
            or not {"range", "if-none-match", "if-modified-since"}.isdisjoint(headers)
        ):
            await self._page(scope, receive, send)
            return
        accepted = headers.get("accept-encoding", "")
        key = (scope["path"], next(encoding for encoding in _ENCODINGS if encoding in accepted))
        start, body = self._kept.get(key) or await self._ask(key, scope, receive)
        await send(start)
        await send({"type": "http.response.body", "body": body})

    async def _ask(self, key: tuple[str, str], scope: Scope, receive: Receive) -> tuple[Message, bytes]:
        # With nothing but what the answer is kept by: it is the same for whoever asks.
        asked = {**scope, "query_string": b"", "headers": [(b"accept-encoding", key[1].encode())]}
        start, body = await _answer_of(self._page, asked, receive)
        if start["status"] == 200:
            MutableHeaders(scope=start)["Cache-Control"] = _KEPT_FOR_GOOD
            taken = len(body) + _BESIDE_BYTES
            if self._kept_bytes + taken <= _MAX_KEPT_BYTES and key not in self._kept:
                self._kept[key] = start, body
                self._kept_bytes += taken
        return start, body


async def _answer_of(page: ASGIApp, scope: Scope, receive: Receive) -> tuple[Message, bytes]:
    """The beginning of the response and its whole body."""
    start: Message = {}
    body = bytearray()

    async def take(message: Message) -> None:
        if message["type"] == "http.response.start":
            start.update(message)
        elif message["type"] == "http.response.body":
            body.extend(message.get("body", b""))

    await page(scope, receive, take)
    return start, bytes(body)


def _head(styles: str) -> str:
    return (
        f'<title>{TITLE}</title><meta name="description" content="{DESCRIPTION}">'
        '<meta name="color-scheme" content="light dark">'
        f'<link rel="icon" type="image/svg+xml" href="data:image/svg+xml,{quote(_ICON)}">'
        f"<style>{styles}</style><script>{read_asset('scripts/theme.js')}</script>"
    )


def _is_hashed(scope: Scope) -> bool:
    if scope["path"] == "/theme.css":
        return bool(scope["query_string"].startswith(b"v="))
    return bool(_HASHED.fullmatch(scope["path"]))
