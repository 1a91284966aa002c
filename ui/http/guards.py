"""Middleware that checks each request's host, origin, token and size, and adds security headers to each response."""

import base64
import contextlib
import hashlib
import secrets
from collections.abc import Callable
from urllib.parse import urlsplit

from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import JSONResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from ui.http.problems import problem_response

MAX_BODY_BYTES = 64 * 1024
MAX_DIFF_BODY_BYTES = 2 * 1024 * 1024
"""Room for a diff of some ten thousand lines, or for a project's files."""
SIGNED_PATH = "/slack/events"
"""Checked by Slack's signature in place of a token, and open to every Host header."""
MAX_SIGNED_BODY_BYTES = 1024 * 1024
ASK_PATH = "/page/ask"  # Where the page sends its questions.
MAX_FORM_BODY_BYTES = 512 * 1024  # A question and ten before it, escaped as in an address.
Check = Callable[[Scope], JSONResponse | None]  # Returns the refusal of a request; None if it may pass.
_BODY_LIMITS = {
    **dict.fromkeys(("/v1/review", "/review", "/upgrade", "/gradio_api/queue/join"), MAX_DIFF_BODY_BYTES),
    ASK_PATH: MAX_FORM_BODY_BYTES,
    SIGNED_PATH: MAX_SIGNED_BODY_BYTES,
}
_DRAINED_BYTES = 16 * 1024 * 1024
OPEN_PATHS = frozenset({"/healthz", "/readyz", "/openapi.json", SIGNED_PATH})
_PROGRAM_PATHS = ("/v1", "/mcp", "/metrics", "/config", "/gradio_api")
_SAFE_METHODS = frozenset({"GET", "HEAD", "OPTIONS", "TRACE"})

# Pages use our own scripts and styles only, and can neither load from nor send to any other host.
_PAGE_POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; "
    "form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
)
_OTHER_POLICY = "default-src 'none'; frame-ancestors 'none'"  # For JSON, streams, scripts and styles.


class Guard:
    """Middleware that sends the refusal that `check` returns, if any, in place of the response."""

    def __init__(self, app: ASGIApp, *, check: Check) -> None:
        self._app = app
        self._check = check

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        refusal = self._check(scope) if scope["type"] == "http" else None
        await (refusal or self._app)(scope, receive, send)


def host_check(hosts: tuple[str, ...]) -> Check:
    """Return a check that refuses (421) Host headers not in `hosts`, but on `SIGNED_PATH`, against DNS rebinding."""

    def check(scope: Scope) -> JSONResponse | None:
        host = Headers(scope=scope).get("host", "").strip().lower()
        name = host[: host.find("]") + 1] if host.startswith("[") else host.partition(":")[0]
        if scope["path"] == SIGNED_PATH or name in hosts:
            return None
        return problem_response(421, f"This server answers as {' or '.join(hosts)} only.")

    return check


def token_check(token: str) -> Check:
    """Return a check that demands (401) the token outside `OPEN_PATHS`: as a bearer token from programs, as the
    password of any user for pages."""
    digest = hashlib.sha256(token.encode()).digest()

    def check(scope: Scope) -> JSONResponse | None:
        if scope["path"] in OPEN_PATHS:
            return None
        is_program = scope["path"].startswith(_PROGRAM_PATHS)
        presented = _presented_token(Headers(scope=scope).get("authorization", ""), basic=not is_program)
        if secrets.compare_digest(hashlib.sha256(presented).digest(), digest):
            return None
        if is_program:
            fault = ', error="invalid_token"' if presented else ""
            challenge = f'Bearer realm="relnotes"{fault}'
            advice = "Send the server's token as `Authorization: Bearer TOKEN`."
        else:
            challenge = 'Basic realm="relnotes", charset="UTF-8"'
            advice = "Log in with any user name and the server's token as the password."
        return problem_response(401, advice, headers={"WWW-Authenticate": challenge})

    return check


def check_origin(scope: Scope) -> JSONResponse | None:
    """Refuse (403) requests, but for GET and the like, that pages of other sites make a browser send (CSRF).

    Browsers report the site a request comes from; programs don't, and pass. Source: Fetch Metadata (W3C), and `Origin`
    (RFC 6454) for browsers and addresses without it.
    """
    headers = Headers(scope=scope)
    site, origin = headers.get("sec-fetch-site"), headers.get("origin")
    if scope["method"] in _SAFE_METHODS or site in ("same-origin", "none") or (site is None and origin is None):
        return None
    if site is None:
        # "http://[" is no valid address and raises.
        with contextlib.suppress(ValueError):
            if urlsplit(origin).netloc.lower() == headers.get("host", "").lower():
                return None
    return problem_response(403, "A page of another site may not send requests here.")


class BodyLimit:
    """Middleware that refuses bodies over their path's limit, counted as received, since Content-Length can lie."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http" or scope["method"] in ("GET", "HEAD"):
            await self._app(scope, receive, send)
            return
        limit = _BODY_LIMITS.get(scope["path"], MAX_BODY_BYTES)
        headers = Headers(scope=scope)
        declared = headers.get("content-length", "")
        # A client that waits for "100 Continue" is refused before it sends the body.
        is_refused = "expect" in headers and declared.isdecimal() and int(declared) > limit
        body = bytearray()
        received = 0
        more = not is_refused
        while more:
            message = await receive()
            if message["type"] == "http.disconnect":
                return
            piece = message.get("body", b"")
            received += len(piece)
            more = message.get("more_body", False)
            if received <= limit:
                body += piece
            else:
                # Read on for a while, because a client that is cut off while sending never reads the response.
                body.clear()
                is_refused = True
                more = more and received < _DRAINED_BYTES
        if is_refused:
            detail = f"A request may have {limit // 1024} KiB at most."
            await problem_response(413, detail, headers={"Connection": "close"})(scope, receive, send)
            return
        buffered: list[Message] = [{"type": "http.request", "body": bytes(body), "more_body": False}]

        async def replay() -> Message:
            return buffered.pop() if buffered else await receive()

        await self._app(scope, replay, send)


class SecurityHeaders:
    """Middleware that adds to each response the headers that restrict the browser to this server."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        async def send_with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                is_page = headers.get("content-type", "").startswith("text/html")
                headers["Content-Security-Policy"] = _PAGE_POLICY if is_page else _OTHER_POLICY
                headers["Cross-Origin-Resource-Policy"] = "same-origin"
                headers.setdefault("Cache-Control", "no-store")
                headers["Referrer-Policy"] = "no-referrer"
                headers["X-Content-Type-Options"] = "nosniff"
            await send(message)

        await self._app(scope, receive, send_with_headers if scope["type"] == "http" else send)


def _presented_token(authorization: str, *, basic: bool) -> bytes:
    # Starlette decodes headers as Latin-1; encoding restores the bytes sent, which are UTF-8.
    scheme, _, credentials = authorization.encode("latin-1").partition(b" ")
    if scheme.lower() == b"bearer":
        return credentials.strip()
    with contextlib.suppress(ValueError):
        if basic and scheme.lower() == b"basic":
            return base64.b64decode(credentials.strip(), validate=True).partition(b":")[2]
    return b""
