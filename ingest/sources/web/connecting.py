"""Connections that go only where they may, and end when their time is over, however slowly bytes come."""

import ssl
import time
from collections.abc import Callable, Iterable, Sequence
from typing import Any

import httpcore

from ingest.sources.web.addresses import find_addresses
from ingest.sources.web.model import WebError

Find = Callable[[str, int], Sequence[str]]
"""From a host and port to the addresses to try."""


class Deadline:
    """A moment after which nothing more is waited for."""

    def __init__(self, seconds: float) -> None:
        self.seconds = seconds
        self._end = time.monotonic() + seconds

    def left(self, most: float | None = None) -> float:
        """Seconds left, at most `most`.

        Raises:
            WebError: none are.
        """
        left = self._end - time.monotonic()
        if left <= 0:
            raise WebError(f"took longer than {self.seconds:g} s; try again later")
        return left if most is None else min(left, most)


class GuardedBackend(httpcore.NetworkBackend):
    """Connects to addresses that were checked; every wait is bounded by one deadline."""

    def __init__(self, find: Find, deadline: Deadline) -> None:
        self._find = find
        self._deadline = deadline
        self._plain = httpcore.SyncBackend()

    def connect_tcp(
        self,
        host: str,
        port: int,
        timeout: float | None = None,
        local_address: str | None = None,
        socket_options: Iterable[Any] | None = None,
    ) -> httpcore.NetworkStream:
        """See `httpcore.NetworkBackend`; each address of the host is tried in turn."""
        failure: Exception | None = None
        for address in self._find(host, port):
            try:
                stream = self._plain.connect_tcp(
                    address, port, self._deadline.left(timeout), local_address, socket_options
                )
            except (httpcore.ConnectError, httpcore.ConnectTimeout) as error:
                failure = error
            else:
                return _TimedStream(stream, self._deadline)
        raise failure or httpcore.ConnectError("no address")


class _TimedStream(httpcore.NetworkStream):
    """A stream on which no single wait goes past the deadline."""

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


def checked_finder(allowed_hosts: Sequence[str], neighbours: Sequence[str]) -> Find:
    """Find the addresses of a host as `find_addresses` checks them."""
    return lambda host, port: find_addresses(host, port, allowed_hosts, neighbours)


def any_finder() -> Find:
    """Take a host as it is: for a proxy, which the user named and which has its own say on where it goes."""
    return lambda host, _port: (host,)
