"""Gets addresses: redirects are followed and checked, answers are limited, failures are reported in one line."""

import ssl
import zlib
from collections.abc import Iterable
from functools import cached_property
from http.client import responses
from importlib.metadata import PackageNotFoundError, version
from urllib.parse import unquote, urljoin, urlsplit, urlunsplit

import httpcore
import httpx

from ingest.sources.web import Fields, WebAnswer, WebError, WebSettings
from ingest.sources.web.connecting import Deadline, GuardedBackend, find_proxy, is_private_literal, private_error

_REDIRECTS = (301, 302, 303, 307, 308)
_PORTS = {"http": 80, "https": 443}
_READ_SECONDS = 20.0
_PIECE_BYTES = 256 * 1024
_SECRET_HEADERS = frozenset({"authorization", "private-token"})
_NO_HEADERS: Fields = {}


class WebClient:
    """Gets addresses; has no state but its settings, so that threads may share it."""

    def __init__(self, settings: WebSettings) -> None:
        self.settings = settings

    def get(self, url: str, *, headers: Fields = _NO_HEADERS, max_bytes: int | None = None) -> WebAnswer:
        """Return an address's answer: its content, or, if `headers` set a condition, that nothing changed.

        Headers with secrets are sent only to the first address's scheme, host and port.

        Raises:
            WebError: it can't be reached or mustn't be, answers with an error, or exceeds a limit.
            UsageError: the environment's proxy can't be used.
        """
        deadline = Deadline(self.settings.seconds)
        sent, origin = headers, _origin(url)
        for _ in range(self.settings.max_redirects + 1):
            answer = self._get_once(url, sent, deadline, max_bytes or self.settings.max_bytes)
            if not isinstance(answer, str):
                return answer
            url = answer
            if _origin(url) != origin:
                sent = {name: value for name, value in sent.items() if name.lower() not in _SECRET_HEADERS}
        raise WebError(f"redirects more than {self.settings.max_redirects} times; give the address of the document")

    def _get_once(self, url: str, headers: Fields, deadline: Deadline, limit: int) -> WebAnswer | str:
        """Return the answer, or the address that it redirects to; raise WebError for failures or over `limit` bytes."""
        scheme, host, port = _origin(url)
        sent = {"User-Agent": _user_agent(), "Accept": "*/*", **headers, "Accept-Encoding": "gzip, deflate"}
        waits = {"connect": self.settings.connect_seconds, "read": _READ_SECONDS, "write": _READ_SECONDS}
        try:
            # As sent: the host in ASCII, the rest percent-encoded, no fragment.
            target = str(httpx.URL(url).copy_with(fragment=None))
            lines = [(name.encode(), value.encode()) for name, value in sent.items()]
            with (
                self._pool(scheme, host, port, deadline) as pool,
                pool.stream("GET", target, headers=lines, extensions={"timeout": waits}) as response,
            ):
                return _read_answer(response, url, conditional="If-None-Match" in sent or "If-Modified-Since" in sent,
                             limit=limit)  # fmt: skip
        except httpcore.TimeoutException as error:
            deadline.left()
            raise WebError("doesn't answer in time; try again later") from error
        except (httpcore.NetworkError, httpcore.ProtocolError, httpcore.ProxyError, OSError) as error:
            reason = str(error).splitlines()[0][:200] if str(error) else type(error).__name__
            raise WebError(f"can't be reached at {host!r} ({reason}); check the address and the network") from error
        except (UnicodeError, ValueError, TypeError) as error:
            raise WebError(f"can't be asked for ({type(error).__name__}); check the address") from error

    def _pool(self, scheme: str, host: str, port: int, deadline: Deadline) -> httpcore.ConnectionPool:
        proxy = find_proxy(scheme, host, port, self.settings.environment)
        backend = GuardedBackend(self.settings, deadline, to_proxy=proxy is not None)
        # A proxy looks names up itself; a private address that needs no look-up is refused here.
        if is_private_literal(host, port, self.settings.allowed_hosts):
            raise private_error(host, port)
        if proxy is None:
            return httpcore.ConnectionPool(ssl_context=self._tls_context, network_backend=backend)
        parts = urlsplit(proxy)
        return httpcore.HTTPProxy(
            urlunsplit((parts.scheme, parts.netloc.rpartition("@")[2], "/", "", "")),
            proxy_auth=(unquote(parts.username), unquote(parts.password or "")) if parts.username else None,
            ssl_context=self._tls_context,
            network_backend=backend,
        )

    @cached_property
    def _tls_context(self) -> ssl.SSLContext:
        if not (bundle := self.settings.ca_bundle):
            return httpx.create_ssl_context()
        try:
            return ssl.create_default_context(cafile=bundle)
        except OSError as error:
            raise WebError(f"can't be reached: the certificates in {bundle!r} can't be read") from error


def _user_agent() -> str:
    try:
        return f"relnotes/{version('relnotes')}"
    except PackageNotFoundError:
        return "relnotes/0"


def _read_answer(response: httpcore.Response, url: str, *, conditional: bool, limit: int) -> WebAnswer | str:
    """Return an answer within its limits, or the address that it redirects to; raise WebError for any other."""
    headers = {name.decode("latin-1").lower(): value.decode("latin-1") for name, value in response.headers}
    if response.status in _REDIRECTS:
        if not (place := headers.get("location", "")):
            raise WebError("redirects to nowhere; try again later")
        return urljoin(url, place)
    if response.status == 304 and conditional:
        return WebAnswer(url, 304, headers, b"")
    if response.status != 200:
        raise WebError(_failure_reason(response, headers), status=response.status, headers=headers)
    stated = headers.get("content-length", "")
    if stated.isdecimal() and int(stated) > limit:
        raise WebError(f"is {int(stated) / 2**20:,.0f} MiB, over the limit of {limit / 2**20:g} MiB")
    content = bytearray()
    for piece in _unfolded(response.iter_stream(), headers.get("content-encoding", "").strip().lower()):
        content += piece
        if len(content) > limit:
            raise WebError(f"is over the limit of {limit / 2**20:g} MiB; download what you need of it")
    return WebAnswer(url, 200, headers, bytes(content))


def _unfolded(pieces: Iterable[bytes], encoding: str) -> Iterable[bytes]:
    """Yield an answer's bytes, decompressed in small pieces; raise WebError for another encoding or damaged bytes."""
    if encoding in ("", "identity"):
        yield from pieces
        return
    if encoding not in ("gzip", "x-gzip", "deflate"):
        raise WebError(f"is sent in the encoding {encoding[:40]!r}, which wasn't asked for")
    # 32: a gzip or a zlib header, whichever it is.
    unfolder = zlib.decompressobj(wbits=zlib.MAX_WBITS | 32)
    try:
        for piece in pieces:
            yield unfolder.decompress(piece, _PIECE_BYTES)
            while unfolder.unconsumed_tail:
                yield unfolder.decompress(unfolder.unconsumed_tail, _PIECE_BYTES)
        while not unfolder.eof and (last := unfolder.decompress(b"", _PIECE_BYTES)):
            yield last
    except zlib.error as error:
        raise WebError("is sent damaged: its compressed data can't be read; try again later") from error
    if not unfolder.eof:
        raise WebError("is sent incomplete: its compressed data breaks off; try again later")


def _failure_reason(response: httpcore.Response, headers: Fields) -> str:
    reason = f"the server answers {response.status} {responses.get(response.status, '')}".rstrip()
    if response.status in (429, 503) and headers.get("retry-after", "").isdecimal():
        return f"{reason}; it asks to wait {headers['retry-after']} s"
    if response.status in (401, 403):
        return f"{reason}; it can't be read without leave"
    if response.status in (404, 410):
        return f"{reason}; check the address"
    return f"{reason}; try again later" if response.status >= 500 else reason


def _origin(url: str) -> tuple[str, str, int]:
    """Return scheme, host and port of an address.

    Raises:
        WebError: it isn't a plain http or https address.
    """
    try:
        parts = httpx.URL(url)
        if parts.port is not None and not 0 < parts.port < 65_536:
            raise ValueError(parts.port)
    except (httpx.InvalidURL, ValueError, TypeError) as error:
        raise WebError("isn't a well-formed address") from error
    if parts.scheme not in _PORTS:
        written = f"{parts.scheme[:20]}:" if parts.scheme else "an address without a scheme"
        raise WebError(f"leads to {written}; only http and https are followed")
    if parts.userinfo:
        raise WebError("names a user or a password; leave out what stands before the @")
    if not parts.raw_host:
        raise WebError("names no host")
    return parts.scheme, parts.raw_host.decode("ascii"), parts.port or _PORTS[parts.scheme]
