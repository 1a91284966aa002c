"""`relnotes serve`: the API and the page in one process, until SIGTERM or Ctrl-C."""

import ipaddress
import os
import signal
import socket
from collections.abc import Callable
from types import FrameType

from corpus.errors import IndexUnavailable, RelnotesError, UsageError
from ui.settings import Settings

_GRACE_S = 5
"""Seconds that open requests get at the end; the page keeps a stream open, which would otherwise hold us forever."""


def run_server(settings: Settings, *, announce: Callable[[str], None], warn: Callable[[str], None]) -> None:
    """Serve until a signal comes; `announce` gets the address once requests are answered.

    Without an index, `warn` is told, and questions are refused until there is one.

    Raises:
        UsageError: the address isn't loopback and there is no token.
        ModelError: the model is missing, altered or can't be loaded.
        RelnotesError: the address can't be listened on.
    """
    check_binding(settings.host, has_token=settings.token is not None)
    listener = _listen(settings.host, settings.port)
    # Gradio reads this at import; its default would write outside our directories.
    os.environ.setdefault("GRADIO_TEMP_DIR", str(settings.cache_dir / "page"))

    import uvicorn

    from ui.http_api import create_app
    from ui.http_guards import LOOPBACK_NAMES
    from ui.live_assistant import LiveAssistant
    from ui.opening import open_question_embedder
    from ui.question_desk import QuestionDesk
    from ui.web.page import mount_page

    assistants = LiveAssistant(settings.index, open_embedder=lambda: open_question_embedder(settings))
    desk = QuestionDesk(max_questions=settings.max_questions, timeout_s=settings.question_timeout_s)
    app = create_app(
        assistants,
        desk,
        token=settings.token.get_secret_value() if settings.token else None,
        hosts=LOOPBACK_NAMES if is_loopback(settings.host) else (),
    )
    mount_page(app, assistants, desk)
    try:
        with assistants.borrow():
            pass
    except IndexUnavailable as error:
        warn(f"{error} Serving goes on; the index is picked up when it is there.")

    address = _address(settings.host, listener.getsockname()[1])

    class AnnouncedServer(uvicorn.Server):
        async def startup(self, sockets: list[socket.socket] | None = None) -> None:
            await super().startup(sockets=sockets)
            announce(address)

    config = uvicorn.Config(
        app, log_level="warning", access_log=False, server_header=False, timeout_graceful_shutdown=_GRACE_S
    )
    # uvicorn raises the signal again when it is done; being asked to stop isn't a failure.
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, _exit_quietly)
    try:
        AnnouncedServer(config).run(sockets=[listener])
    finally:
        assistants.close()


def check_binding(host: str, *, has_token: bool) -> None:
    """Refuse to be reachable from other machines without a token.

    Raises:
        UsageError: `host` isn't loopback and there is no token.
    """
    if not has_token and not is_loopback(host):
        raise UsageError(
            f"Cannot serve on {host!r} without a token: anyone who reaches this machine could read the documents. "
            "Set RELNOTES_TOKEN to a long random string, or serve on 127.0.0.1."
        )


def is_loopback(host: str) -> bool:
    """Whether `host` can be reached from this machine only."""
    if host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host.strip("[]")).is_loopback
    except ValueError:
        return False


def _listen(host: str, port: int) -> socket.socket:
    bare = host.strip("[]")
    family = socket.AF_INET6 if ":" in bare else socket.AF_INET
    try:
        return socket.create_server((bare, port), family=family, backlog=128)
    except OSError as error:
        raise RelnotesError(
            f"Cannot listen on {host}:{port}: {error.strerror or error}. Choose another with --host and --port."
        ) from None


def _address(host: str, port: int) -> str:
    bare = host.strip("[]")
    return f"http://[{bare}]:{port}" if ":" in bare else f"http://{bare}:{port}"


def _exit_quietly(_number: int, _frame: FrameType | None) -> None:
    raise SystemExit(0)
