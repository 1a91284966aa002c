"""Gradio's scripts and styles from memory: each is read and compressed once, not for every visitor anew.

Only files whose names hold their digest, so what is kept can't be stale, and the browser may keep it for good too.
"""

import re
from dataclasses import dataclass

from starlette.datastructures import Headers, MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

_KEPT_FOR_GOOD = "max-age=31536000, immutable"
_HASHED = re.compile(r"/assets/[^/]+-[\w-]{8}\d*\.(?:js|css)")
_ENCODINGS = ("br", "gzip", "")
"""In which Gradio serves a file, the one first that it prefers."""
_MAX_KEPT_BYTES = 16 * 1024 * 1024
"""Compressed, all that a page with every component of Gradio needs; what comes after is served as before."""
_BESIDE_BYTES = 4096
"""What a kept file takes beside its content, at most."""


@dataclass(frozen=True, slots=True)
class _Kept:
    start: Message
    body: bytes


class PageAssets:
    """Passes requests on to Gradio's app, and answers those for its hashed files from memory once it has."""

    def __init__(self, page: ASGIApp) -> None:
        self._page = page
        self._kept: dict[tuple[str, str], _Kept] = {}
        self._kept_bytes = 0

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass the request on, or answer it with what was answered before."""
        if scope["type"] != "http" or scope["method"] != "GET" or not _is_hashed(scope):
            await self._page(scope, receive, send)
            return
        headers = Headers(scope=scope)
        if not {"range", "if-none-match", "if-modified-since"}.isdisjoint(headers):
            await self._page(scope, receive, send)
            return
        accepted = headers.get("accept-encoding", "")
        key = (scope["path"], next(encoding for encoding in _ENCODINGS if encoding in accepted))
        kept = self._kept.get(key) or await self._ask(key, scope, receive)
        await send(kept.start)
        await send({"type": "http.response.body", "body": kept.body})

    async def _ask(self, key: tuple[str, str], scope: Scope, receive: Receive) -> _Kept:
        # With nothing but what the answer is kept by: it is the same for whoever asks.
        asked = {**scope, "query_string": b"", "headers": [(b"accept-encoding", key[1].encode())]}
        start: Message = {}
        body = bytearray()

        async def take(message: Message) -> None:
            if message["type"] == "http.response.start":
                start.update(message)
            elif message["type"] == "http.response.body":
                body.extend(message.get("body", b""))

        await self._page(asked, receive, take)
        kept = _Kept(start, bytes(body))
        if start["status"] == 200:
            MutableHeaders(scope=start)["Cache-Control"] = _KEPT_FOR_GOOD
            taken = len(body) + _BESIDE_BYTES
            if self._kept_bytes + taken <= _MAX_KEPT_BYTES and key not in self._kept:
                self._kept[key] = kept
                self._kept_bytes += taken
        return kept


def _is_hashed(scope: Scope) -> bool:
    if scope["path"] == "/theme.css":
        return bool(scope["query_string"].startswith(b"v="))
    return bool(_HASHED.fullmatch(scope["path"]))
