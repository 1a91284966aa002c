"""What a request passes before it reaches an endpoint: host, token, size; and the headers each response gets."""

import base64
import secrets
from typing import Literal

from starlette.datastructures import Headers, MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from ui.problems import problem_response

MAX_BODY_BYTES = 64 * 1024
SIGNED_PATH = "/slack/events"
"""Slack signs what it sends there: that is its token, whatever name it reached this server by."""
MAX_DIFF_BODY_BYTES = 2 * 1024 * 1024
"""A diff of some ten thousand lines."""
MAX_SIGNED_BODY_BYTES = 1024 * 1024
"""A click brings the whole message along that it was made in."""
_LARGER_BODIES = {"/v1/review": MAX_DIFF_BODY_BYTES, SIGNED_PATH: MAX_SIGNED_BODY_BYTES}
LOOPBACK_NAMES = ("localhost", "127.0.0.1", "[::1]")

# The page can't load from, or send to, any other host, whatever a document or a library puts into it.
_CONTENT_SECURITY_POLICY = "; ".join(
    (
        "default-src 'self'",
        "script-src 'self' 'unsafe-inline' 'unsafe-eval'",
        "style-src 'self' 'unsafe-inline'",
        "img-src 'self' data: blob:",
        "font-src 'self' data:",
        "base-uri 'self'",
        "form-action 'self'",
        "frame-ancestors 'none'",
    )
)


class HostGuard:
    """Refuses requests whose Host isn't a name of this machine, so that no web site can rebind its name to it."""

    def __init__(self, app: ASGIApp, *, hosts: tuple[str, ...]) -> None:
        self._app = app
        self._hosts = hosts

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass the request on, or answer 421."""
        if (
            scope["type"] == "http"
            and scope["path"] != SIGNED_PATH
            and _host_name(Headers(scope=scope).get("host", "")) not in self._hosts
        ):
            response = problem_response(421, f"This server answers as {' or '.join(self._hosts)} only.")
            await response(scope, receive, send)
            return
        await self._app(scope, receive, send)


class TokenGuard:
    """Asks for the token: as a bearer token under `/v1` and for `/mcp`, as the password of any user for the page."""

    OPEN_PATHS = ("/healthz", "/readyz", "/openapi.json", SIGNED_PATH)

    def __init__(self, app: ASGIApp, *, token: str) -> None:
        self._app = app
        self._token = token.encode()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass the request on, or answer 401."""
        if scope["type"] != "http" or scope["path"] in self.OPEN_PATHS:
            await self._app(scope, receive, send)
            return
        wanted: Literal["Bearer", "Basic"] = "Bearer" if scope["path"].startswith(("/v1", "/mcp")) else "Basic"
        presented = _presented_token(Headers(scope=scope).get("authorization", ""), basic=wanted == "Basic")
        if secrets.compare_digest(presented, self._token):
            await self._app(scope, receive, send)
            return
        challenge = 'Bearer realm="relnotes"' if wanted == "Bearer" else 'Basic realm="relnotes", charset="UTF-8"'
        detail = (
            "Send the server's token as `Authorization: Bearer TOKEN`."
            if wanted == "Bearer"
            else "Log in with any user name and the server's token as the password."
        )
        await problem_response(401, detail, headers={"WWW-Authenticate": challenge})(scope, receive, send)


class BodyLimit:
    """Refuses bodies over the limit of their path, counted as they come in: a length that is declared can lie."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass the request on with its body read, or answer 413."""
        if scope["type"] != "http" or scope["method"] in ("GET", "HEAD"):
            await self._app(scope, receive, send)
            return
        limit = _LARGER_BODIES.get(scope["path"], MAX_BODY_BYTES)
        body = bytearray()
        more = True
        while more:
            message = await receive()
            if message["type"] == "http.disconnect":
                return
            body += message.get("body", b"")
            more = message.get("more_body", False)
            if len(body) > limit:
                detail = f"A request may have {limit // 1024} KiB at most."
                await problem_response(413, detail, headers={"Connection": "close"})(scope, receive, send)
                return
        replayed = False

        async def replay() -> Message:
            nonlocal replayed
            if replayed:
                return await receive()
            replayed = True
            return {"type": "http.request", "body": bytes(body), "more_body": False}

        await self._app(scope, replay, send)


class SecurityHeaders:
    """Gives each response the headers that keep the browser to this server."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass the request on, and add the headers to what comes back."""

        async def send_with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                headers["Content-Security-Policy"] = _CONTENT_SECURITY_POLICY
                headers["Referrer-Policy"] = "no-referrer"
                headers["X-Content-Type-Options"] = "nosniff"
            await send(message)

        await self._app(scope, receive, send_with_headers if scope["type"] == "http" else send)


def _host_name(host: str) -> str:
    name = host.strip().lower()
    if name.startswith("["):
        return name[: name.find("]") + 1]
    return name.partition(":")[0]


def _presented_token(authorization: str, *, basic: bool) -> bytes:
    # Headers were decoded as Latin-1, so this gives the bytes as they were sent; clients send UTF-8.
    scheme, _, credentials = authorization.encode("latin-1").partition(b" ")
    if scheme.lower() == b"bearer":
        return credentials.strip()
    if basic and scheme.lower() == b"basic":
        try:
            return base64.b64decode(credentials.strip(), validate=True).partition(b":")[2]
        except ValueError:
            return b""
    return b""
