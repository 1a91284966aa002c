"""The socket in the cache directory on which a server answers commands of its own user (`ui.server.asking`).

It takes questions only, without a token: a user who may open the socket may read the index too.
"""

import contextlib
import errno
import logging
import socket
import stat
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

from starlette.concurrency import run_in_threadpool
from starlette.datastructures import Headers
from starlette.types import ASGIApp, Receive, Scope, Send

from corpus.errors import IndexUnavailable
from ui.http.connection import FROM_SOCKET
from ui.http.problems import problem_response
from ui.server.asking import ASK_PATH, SEARCH_PATH, STAMP_HEADER, settings_stamp
from ui.server.live_assistant import LiveAssistant
from ui.settings import AskingSettings

_LOG = logging.getLogger("relnotes.socket")


def socket_stamps(settings: AskingSettings) -> Mapping[str, str]:
    """What may be asked on the socket, and with which settings."""
    return {path: settings_stamp(settings, path) for path in (ASK_PATH, SEARCH_PATH)}


@contextlib.contextmanager
def socket_at(place: Path) -> Iterator[socket.socket | None]:
    """A bound socket for a `with` block, which removes it at its end; None where there can be none.

    What a server that died has left is replaced; beside one that lives there is no second.
    """
    with contextlib.ExitStack() as held:
        try:
            place.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            held.enter_context(_owner(place))
            # Whose server lives holds the lock, so this one is of a dead server.
            if place.exists() and stat.S_ISSOCK(place.stat().st_mode):
                place.unlink()
            bound = held.enter_context(socket.socket(socket.AF_UNIX, socket.SOCK_STREAM))
            bound.bind(str(place))
            held.callback(place.unlink, missing_ok=True)
            # Nobody can connect before it is listened on, which is later.
            place.chmod(0o600)
        except OSError as error:
            _LOG.debug("no socket at %s: %s", place, error)
            held.close()
            yield None
            return
        yield bound


@contextlib.contextmanager
def _owner(place: Path) -> Iterator[None]:
    """Be the one server at `place` for a `with` block; the system unlocks it for a process that dies.

    Raises:
        OSError: another server has it, or the system has no such locks or sockets.
    """
    try:
        import fcntl
    except ImportError:
        raise OSError(errno.EAFNOSUPPORT, "no such locks on this system") from None
    with place.with_name(f"{place.name}.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        yield


class SocketGuard:
    """Refuses on the socket what commands don't ask, what this server would answer otherwise than they, and everything
    while a newer state of the index is being loaded: the command answers from that."""

    def __init__(self, app: ASGIApp, *, stamps: Callable[[], Mapping[str, str]], assistants: LiveAssistant) -> None:
        self._app = app
        self._stamps = stamps
        self._assistants = assistants

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass the request on, or answer 404, 409 or 503."""
        if scope["type"] == "http" and scope.get("state", {}).get(FROM_SOCKET):
            stamp = self._stamps().get(scope["path"])
            refusal = None
            if stamp is None:
                refusal = problem_response(404, "On this socket only questions are answered.")
            elif Headers(scope=scope).get(STAMP_HEADER) != stamp:
                refusal = problem_response(409, "This server answers with other settings.")
            elif not await run_in_threadpool(self._is_current):
                refusal = problem_response(503, "The newest state of the index isn't loaded yet.")
            if refusal is not None:
                await refusal(scope, receive, send)
                return
        await self._app(scope, receive, send)

    def _is_current(self) -> bool:
        try:
            readiness = self._assistants.readiness()
        except IndexUnavailable:
            return False
        return readiness.manifest is not None and not readiness.is_loading
