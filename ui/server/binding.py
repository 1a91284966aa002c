"""The address a server listens on, its host names, and the token it needs to be reachable from other machines."""

import ipaddress
import socket

from corpus.errors import RelnotesError, UsageError
from ingest.web_addresses import bracketed

LOOPBACK_NAMES = ("localhost", "127.0.0.1", "[::1]")
MIN_TOKEN_CHARACTERS = 20


def check_binding(host: str, *, token: str | None) -> None:
    """Check that a server that other machines can reach has a token, and a long one.

    Raises:
        UsageError: `host` isn't loopback, and there is no token, or it is shorter than `MIN_TOKEN_CHARACTERS`.
    """
    if is_loopback(host):
        return
    if not token:
        raise UsageError(
            f"Cannot serve on {host!r} without a token: anyone who reaches this machine could read the documents. "
            "Set RELNOTES_TOKEN to a long random string (`openssl rand -hex 32`), or serve on 127.0.0.1."
        )
    if len(token.strip()) < MIN_TOKEN_CHARACTERS:
        raise UsageError(
            f"Cannot serve on {host!r} with this token: RELNOTES_TOKEN has fewer than {MIN_TOKEN_CHARACTERS} "
            "characters, which is soon guessed. Set it to a random string, such as `openssl rand -hex 32` prints, or "
            "serve on 127.0.0.1."
        )


def host_names(host: str) -> tuple[str, ...]:
    """Return the Host names that a server on `host` accepts; empty, which means any, if `host` isn't loopback."""
    if not is_loopback(host):
        return ()
    return tuple(dict.fromkeys((*LOOPBACK_NAMES, bracketed(host).lower())))


def is_loopback(host: str) -> bool:
    """Return whether `host` is localhost or a loopback address; False for other names."""
    if host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host.strip("[]")).is_loopback
    except ValueError:
        return False


def listen(host: str, port: int) -> socket.socket:
    """Open a socket that listens on the address; port 0 picks a free one.

    Raises:
        RelnotesError: the address can't be listened on.
    """
    bare = host.strip("[]")
    family = socket.AF_INET6 if ":" in bare else socket.AF_INET
    try:
        listener = socket.create_server((bare, port), family=family, backlog=128)
    except OSError as error:
        raise RelnotesError(
            f"Cannot listen on {host}:{port}: {error.strerror or error}. Choose another with --host and --port."
        ) from None
    # Connections inherit this. Without it, the second write of a reply waits 40 ms for the first to be acknowledged.
    listener.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    return listener
