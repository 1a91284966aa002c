"""The only way to the network: what is asked of the web, what it answers, and the limits that hold for every answer."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from email.message import Message
from types import MappingProxyType

from corpus.errors import SourceError

_NONE: Mapping[str, str] = MappingProxyType({})


class WebError(SourceError):
    """An address gave no usable answer; `status` is the server's, None where none came."""

    def __init__(self, message: str, *, status: int | None = None, headers: Mapping[str, str] = _NONE) -> None:
        super().__init__(message)
        self.status = status
        self.headers = headers

    @property
    def is_gone(self) -> bool:
        """Whether the server says that there is nothing (any more)."""
        return self.status in (404, 410)


@dataclass(frozen=True, slots=True)
class WebSettings:
    """How the network is to be used."""

    allowed_hosts: tuple[str, ...] = ()  # `host` or `host:port` that may be private, in lower case.
    neighbours: tuple[str, ...] = ()
    """`host:port` of servers that the user set up himself (a package index): whatever stands at their addresses may be
    reached at that port under other names too, as a mirror that answers for several hosts does."""
    ca_bundle: str = ""  # A file of certificates to trust; empty: the system's, or those of `SSL_CERT_FILE`.
    environment: Mapping[str, str] = field(default_factory=dict, repr=False)
    """The process's: names the proxies (`HTTPS_PROXY`, `HTTP_PROXY`, `ALL_PROXY`, `NO_PROXY`, in either case) and has
    the settings of the registries' ordinary clients (pip, npm)."""
    max_bytes: int = 32 * 1024 * 1024  # Of one answer, as sent and unfolded.
    seconds: float = 60.0  # For one address, its redirects included.
    connect_seconds: float = 10.0
    max_redirects: int = 5


@dataclass(frozen=True, slots=True)
class WebAnswer:
    """An answer with status 200, or 304 to a conditional request."""

    url: str  # Where the answer came from, after redirects.
    status: int
    headers: Mapping[str, str]  # Names in lower case.
    content: bytes  # Unfolded; empty for 304.

    @property
    def is_unchanged(self) -> bool:
        """Whether the server says that nothing changed since the answer that the request's condition is of."""
        return self.status == 304

    @property
    def media_type(self) -> str:
        """The type of `Content-Type` in lower case, without parameters; empty where none is stated."""
        return self.headers.get("content-type", "").partition(";")[0].strip().lower()

    @property
    def charset(self) -> str:
        """The `charset` of `Content-Type` in lower case; empty where none is stated."""
        stated = Message()
        stated["Content-Type"] = self.headers.get("content-type", "")
        return stated.get_content_charset("")
