"""What the browser gets first: the whole Ask tab, and Gradio's page around it, whose scripts wait until one of its tabs
is opened.

Gradio's page is empty until some seventy files have come and run, and a question needs none of them. So header, tabs,
question box, style and our own scripts are the first response, `scripts/tabs.js` starts Gradio, and each file of its is
compressed once, not for every visitor anew.
"""

import gzip
import re
from dataclasses import dataclass
from urllib.parse import quote

from starlette.datastructures import Headers, MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from ui.web.html import read_asset
from ui.web.quality import QUALITY_PATH

TITLE = "relnotes"
DESCRIPTION = "Answers about software releases, quoted word for word from their release notes."
_OTHERS_CARDS = re.compile(r'\s*<meta\s+(?:property="og|name="twitter):[^>]*>')
_FRAME_SCRIPT = re.compile(
    r"\s*<script>(?:(?!</script>).)*iframeResizer\.contentWindow(?:(?!</script>).)*</script>", re.S
)
"""For a page inside another page, which ours may not be."""
_CONFIG_SCRIPT = re.compile(r"\s*<script>window\.gradio_config = .*?</script>", re.S)
"""Of sixty kilobytes; `scripts/tabs.js` fetches it from `/config`."""
_GRADIO_SCRIPT = re.compile(r'<script type="module" crossorigin src="([^"]+)"></script>')
_GRADIO_STYLE = re.compile(r'<link rel="stylesheet" crossorigin href="([^"]+)">')
_ICON = (
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="7" fill="#0b5cad"/>'
    '<g fill="none" stroke="#fff" stroke-width="3" stroke-linecap="round"><path d="M9 10h14M9 16h9"/>'
    '<path d="M9 22h5" stroke="#ffd43b"/></g></svg>'
)
_FOOT = f'<footer class="rn-foot"><a href="{QUALITY_PATH}">How far to trust answers</a></footer>'
_OURS = ("same-origin", "none")
"""Whence a browser says that a visitor comes: from our own pages, or by address or bookmark. Scripts learn it from
`Server-Timing`, so that the page stays the same for everybody."""
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
    """Passes requests on to Gradio's app, and gives the page at `/` its head, header and Ask tab.

    The page is the same for everybody, so it is made and compressed once.
    """

    def __init__(self, page: ASGIApp, *, styles: str, scripts: str) -> None:
        self._page = page
        self._head = _head(styles, scripts)
        self._shell = read_asset("shell/shell.html")
        self._kept: _KeptPage | None = None

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass the request on; complete the page that comes back, or answer with the one that did before."""
        if not (scope["type"] == "http" and scope["path"] == "/" and scope["method"] == "GET"):
            await self._page(scope, receive, send)
            return
        kept = self._kept
        if kept is None:
            start, content = await _answer_of(self._page, {**scope, "query_string": b"", "headers": []}, receive)
            completed = self._completed(content.decode()) if _is_page(start) else None
            if completed is None:
                await send(start)
                await send({"type": "http.response.body", "body": content})
                return
            plain = completed.encode()
            self._kept = kept = _KeptPage(start, plain, gzip.compress(plain, compresslevel=6, mtime=0))
        is_compressed = "gzip" in Headers(scope=scope).get("accept-encoding", "")
        content = kept.compressed if is_compressed else kept.plain
        headers = MutableHeaders(raw=list(kept.start["headers"]))
        headers.add_vary_header("Accept-Encoding, Sec-Fetch-Site")
        headers["Content-Length"] = str(len(content))
        if is_compressed:
            headers["Content-Encoding"] = "gzip"
        if Headers(scope=scope).get("sec-fetch-site") in _OURS:
            headers["Server-Timing"] = "ours"
        await send({**kept.start, "headers": headers.raw})
        await send({"type": "http.response.body", "body": content})

    def _completed(self, markup: str) -> str | None:
        """The page with what is ours; None for a page of another shape, of which Gradio's tabs work without us."""
        head, found, rest = _OTHERS_CARDS.sub("", markup).partition("</head>")
        before, tag, after = rest.partition("<gradio-app")
        if not (found and tag):
            return None
        head = _FRAME_SCRIPT.sub("", _CONFIG_SCRIPT.sub("", head))
        head = _GRADIO_SCRIPT.sub(r'<meta name="rn-gradio-script" content="\1">', head)
        head = _GRADIO_STYLE.sub(r'<meta name="rn-gradio-style" content="\1">', head)
        before = before.replace("<body", '<body class="rn-app"', 1)
        # The title is the tab's.
        after = after.replace('control_page_title="true"', 'control_page_title="false"', 1)
        gradio, end, rest = after.partition("</gradio-app>")
        return f"{head}{self._head}{found}{before}{self._shell}{tag}{gradio}{end}{_FOOT}{rest}"


@dataclass(frozen=True, slots=True)
class _KeptPage:
    start: Message
    plain: bytes
    compressed: bytes


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


def _is_page(start: Message) -> bool:
    headers = Headers(raw=start["headers"])
    is_html = headers.get("content-type", "").startswith("text/html")
    return start["status"] == 200 and is_html and "content-encoding" not in headers


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


def _head(styles: str, scripts: str) -> str:
    return (
        f'<title>{TITLE}</title><meta name="description" content="{DESCRIPTION}">'
        '<meta name="color-scheme" content="light dark">'
        f'<link rel="icon" type="image/svg+xml" href="data:image/svg+xml,{quote(_ICON)}">'
        f"<style>{styles}</style><script>{scripts}</script>"
    )


def _is_hashed(scope: Scope) -> bool:
    if scope["path"] == "/theme.css":
        return bool(scope["query_string"].startswith(b"v="))
    return bool(_HASHED.fullmatch(scope["path"]))
