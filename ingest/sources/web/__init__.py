"""The only way to the network: its settings, its answers and errors, and the limits on every answer."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from email.message import Message
from types import MappingProxyType
from typing import NamedTuple

from corpus.errors import SourceError

Fields = Mapping[str, str]
_NONE: Fields = MappingProxyType({})


class WebError(SourceError):
    """An address gave no usable answer; `status` is the server's, None without an answer."""

    def __init__(self, message: str, *, status: int | None = None, headers: Fields = _NONE) -> None:
        super().__init__(message)
        self.status = status
        self.headers = headers

    @property
    def is_gone(self) -> bool:
        """Whether the server answered that there is nothing (any more)."""
        return self.status in (404, 410)


@dataclass(frozen=True, slots=True)
class WebSettings:
    """How to use the network."""

    allowed_hosts: tuple[str, ...] = ()  # `host` or `host:port`, in lower case, that may be private.
    neighbours: tuple[str, ...] = ()
    """`host:port` of servers that the user configured (a package index): their addresses may be reached at that port
    under other names too, for example a mirror that answers for several hosts."""
    ca_bundle: str = ""  # A file of certificates to trust; empty: the system's, or those of `SSL_CERT_FILE`.
    environment: Fields = field(default_factory=dict, repr=False)
    """The process's: has the proxies (`HTTPS_PROXY`, `HTTP_PROXY`, `ALL_PROXY`, `NO_PROXY`, in either case) and the
    settings of the registries' ordinary clients (pip, npm)."""
    max_bytes: int = 32 * 1024 * 1024  # Of one answer, as sent and unfolded.
    seconds: float = 60.0  # For one address, its redirects included.
    connect_seconds: float = 10.0
    max_redirects: int = 5


class WebAnswer(NamedTuple):
    """An answer with status 200, or 304 to a conditional request."""

    url: str  # The address that answered, after redirects.
    status: int
    headers: Fields  # Names in lower case.
    content: bytes  # Unfolded; empty for 304.

    @property
    def is_unchanged(self) -> bool:
        """Whether the server answered that nothing changed since the request's condition."""
        return self.status == 304

    @property
    def media_type(self) -> str:
        """The type of `Content-Type` in lower case, without parameters; empty if it has none."""
        return self.headers.get("content-type", "").partition(";")[0].strip().lower()

    @property
    def charset(self) -> str:
        """The `charset` of `Content-Type` in lower case; empty if it has none."""
        stated = Message()
        stated["Content-Type"] = self.headers.get("content-type", "")
        return stated.get_content_charset("")
