"""Connects only to addresses that may be reached, and gives up at a deadline, however slowly bytes come.

The address reached is checked before a byte is sent, so that a name server gains nothing by a different second answer.
"""

import ipaddress
import socket
import ssl
import time
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from typing import Any
from urllib.parse import urlsplit
from urllib.request import proxy_bypass_environment  # type: ignore[attr-defined]  # typeshed lacks it

import httpcore

from corpus.errors import UsageError
from ingest.sources.web import WebError, WebSettings
from ingest.web_addresses import bracketed

_NAT64 = ipaddress.ip_network("64:ff9b::/96")


def is_public(address: str) -> bool:
    """Return whether a numeric address belongs to the public internet.

    False for loopback, private, shared, link-local, site-local, multicast, reserved and unspecified addresses, and for
    other text. An IPv6 address for an IPv4 one (mapped, 6to4 or NAT64) is as public as that one.

    Source: the special-purpose address registries of IANA, as in `ipaddress`.
    """
    try:
        parsed = ipaddress.ip_address(address.partition("%")[0])
    except ValueError:
        return False
    if isinstance(parsed, ipaddress.IPv6Address):
        embedded = parsed.ipv4_mapped or parsed.sixtofour
        if parsed in _NAT64:
            embedded = ipaddress.IPv4Address(int(parsed) & 0xFFFF_FFFF)
        if embedded is not None:
            return is_public(str(embedded))
        if parsed.is_site_local:
            return False
    return parsed.is_global and not (parsed.is_multicast or parsed.is_reserved or parsed.is_unspecified)


def is_private_literal(host: str, port: int, allowed_hosts: Sequence[str]) -> bool:
    """Return whether a host is private by its spelling: a number in any form, or `localhost`; False if allowed."""
    if _is_allowed(host, port, allowed_hosts):
        return False
    name = host.lower().strip("[]").rstrip(".")
    if name == "localhost" or name.endswith(".localhost"):
        return True
    try:
        # Also the short and hexadecimal spellings that resolvers understand: 127.1, 0x7f000001, 2130706433.
        numeric = name if ":" in name else socket.inet_ntoa(socket.inet_aton(name))
    except OSError:
        return False
    return not is_public(numeric)


def host_and_port(url: str) -> str | None:
    """Return an address's host and port (`https://pypi.org/simple` -> `pypi.org:443`); None if it lacks either."""
    parts = urlsplit(url)
    port = parts.port or {"http": 80, "https": 443}.get(parts.scheme)
    return f"{bracketed(parts.hostname)}:{port}" if parts.hostname and port else None


def private_error(host: str, port: int) -> WebError:
    """Return the error for a host that isn't public."""
    return WebError(
        f"{host!r} leads to a private or reserved address, where relnotes doesn't go unasked; if it is a server of "
        f"yours, set RELNOTES_ALLOW_PRIVATE_HOSTS={bracketed(host)}:{port}"
    )


def _is_allowed(host: str, port: int, allowed_hosts: Sequence[str]) -> bool:
    """Return whether the settings allow a host to be private, at this port or any."""
    named = bracketed(host.lower())
    return not {named.strip("[]"), named, f"{named}:{port}"}.isdisjoint(allowed_hosts)


def find_proxy(scheme: str, host: str, port: int, environment: Mapping[str, str]) -> str | None:
    """Return the environment's proxy for an address; None if it is to be reached directly.

    Variables in lower case win, as in other programs.

    Raises:
        UsageError: the proxy isn't reached by http or https.
    """
    stated = {name.upper(): environment[name] for name in sorted(environment, key=str.islower)}
    proxy = stated.get(f"{scheme.upper()}_PROXY") or stated.get("ALL_PROXY")
    bypassed = stated.get("NO_PROXY", "")
    # The library understands a star only if it is alone.
    is_bypassed = "*" in map(str.strip, bypassed.split(",")) or proxy_bypass_environment(
        f"{host}:{port}", {"no": bypassed}
    )
    if not proxy or is_bypassed:
        return None
    proxy = proxy if "://" in proxy else f"http://{proxy}"
    if urlsplit(proxy).scheme not in ("http", "https"):
        raise UsageError(
            f"Cannot use the proxy that {scheme.upper()}_PROXY or ALL_PROXY names: only http and https proxies are "
            "understood. Set another one."
        )
    return proxy


class Deadline:
    """A moment after which waiting ends."""

    def __init__(self, seconds: float) -> None:
        self.seconds = seconds
        self._end = time.monotonic() + seconds

    def left(self, most: float | None = None) -> float:
        """Return the seconds left, at most `most`.

        Raises:
            WebError: no time is left.
        """
        left = self._end - time.monotonic()
        if left <= 0:
            raise WebError(f"took longer than {self.seconds:g} s; try again later")
        return left if most is None else min(left, most)


class GuardedBackend(httpcore.NetworkBackend):
    """Sends bytes only to addresses that may be reached; one deadline bounds every wait.

    Proxies aren't checked, because the user named them and they decide themselves where to go.
    """

    def __init__(self, settings: WebSettings, deadline: Deadline, *, to_proxy: bool) -> None:
        self._settings = settings
        self._deadline = deadline
        self._to_proxy = to_proxy

    def connect_tcp(
        self,
        host: str,
        port: int,
        timeout: float | None = None,
        local_address: str | None = None,
        socket_options: Iterable[Any] | None = None,
    ) -> httpcore.NetworkStream:
        """See `httpcore.NetworkBackend`.

        Raises:
            WebError: the name isn't known, or leads to an address that mustn't be reached.
        """
        try:
            stream = httpcore.SyncBackend().connect_tcp(
                host.strip("[]"), port, self._deadline.left(timeout), local_address, socket_options
            )
        except httpcore.ConnectError as error:
            if not isinstance(error.__cause__, socket.gaierror):
                raise
            # The resolver's own message is for programmers, and differs between systems.
            raise WebError(
                f"the name {host!r} can't be found; check the address and the network, or add the notes as a file "
                "instead"
            ) from error
        if not (self._to_proxy or self._may_reach(str(stream.get_extra_info("server_addr")[0]), host, port)):
            stream.close()
            raise private_error(host, port)
        return _TimedStream(stream, self._deadline)

    def _may_reach(self, address: str, host: str, port: int) -> bool:
        """Return whether `address` is public or a configured server's at `port`, or `host` is in `allowed_hosts`."""
        if is_public(address) or _is_allowed(host, port, self._settings.allowed_hosts):
            return True
        neighbours = (
            place.rpartition(":")[0].strip("[]") for place in self._settings.neighbours if place.endswith(f":{port}")
        )
        with suppress(OSError, UnicodeError):
            return any(address == info[4][0] for place in neighbours for info in socket.getaddrinfo(place, port))
        return False


class _TimedStream(httpcore.NetworkStream):
    """A stream on which no wait exceeds the deadline."""

    def __init__(self, stream: httpcore.NetworkStream, deadline: Deadline) -> None:
        self._stream = stream
        self._deadline = deadline

    def read(self, max_bytes: int, timeout: float | None = None) -> bytes:
        return self._stream.read(max_bytes, self._deadline.left(timeout))

    def write(self, buffer: bytes, timeout: float | None = None) -> None:
        self._stream.write(buffer, self._deadline.left(timeout))

    def close(self) -> None:
        self._stream.close()

    def start_tls(
        self, ssl_context: ssl.SSLContext, server_hostname: str | None = None, timeout: float | None = None
    ) -> httpcore.NetworkStream:
        secured = self._stream.start_tls(ssl_context, server_hostname, self._deadline.left(timeout))
        return _TimedStream(secured, self._deadline)

    def get_extra_info(self, info: str) -> Any:
        return self._stream.get_extra_info(info)
