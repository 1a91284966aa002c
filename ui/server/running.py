"""`relnotes serve`: the API, MCP and the page in one process, until SIGTERM or Ctrl-C."""

import contextlib
import ipaddress
import logging
import os
import signal
import socket
import sys
from collections.abc import Callable
from functools import partial
from itertools import pairwise
from pathlib import Path
from types import FrameType
from typing import TYPE_CHECKING

from corpus.errors import RelnotesError, UsageError
from ui.http.tokens_file import TokensFile
from ui.server.allocation import bound_arenas
from ui.server.tracing import open_tracing
from ui.settings import Settings, load_fetching_settings

if TYPE_CHECKING:
    from fastapi import FastAPI

    from ingest.sources.connectors import Connectors
    from ui.server.computing_turns import ComputingTurns
    from ui.server.live_assistant import LiveAssistant
    from ui.server.metrics import ServerMetrics
    from ui.server.question_desk import QuestionDesk
    from ui.slack.service import SlackService

_GRACE_S = 5
"""Seconds that open requests get at the end."""
_SLACK_GRACE_S = 7
"""And after them what Slack was told is taken in."""
_KEEP_ALIVE_S = 75
"""Longer than clients and load balancers keep theirs: whoever closes first cuts off what the other just sends."""
_SWITCH_S = 0.0005
_MAX_HEADER_BYTES = 32 * 1024
MIN_TOKEN_CHARACTERS = 16
_MIN_TOKEN_VARIETY = 6
"""Of the tokens of 16 hexadecimal digits that are drawn by chance, 3 in 100,000 have less."""


def run_server(settings: Settings, *, announce: Callable[[str], None], warn: Callable[[str], None]) -> None:
    """Serve until a signal comes, and end the process then; `announce` gets the address once requests are answered.

    Without an index, `warn` is told, and questions are refused until there is one.

    Raises:
        UsageError: the address isn't loopback and there is no token, or a weak one; or the language model is set wrong.
        ModelError: the model is missing, altered or can't be loaded.
        RelnotesError: the address can't be listened on.
    """
    token = settings.token
    tokens_file = TokensFile(settings.tokens_file) if settings.tokens_file else None
    check_binding(settings.host, has_token=token is not None or tokens_file is not None)
    if token is not None:
        check_token(token, host=settings.host)
    bound_arenas()
    tracing = open_tracing(os.environ)
    listener = listen(settings.host, settings.port)
    # Gradio reads this at import; its default would write outside our directories.
    os.environ.setdefault("GRADIO_TEMP_DIR", str(settings.cache_dir / "page"))

    import uvicorn

    from ui.feedback.log import kept_files
    from ui.feedback.unanswered import UnansweredQuestions, unanswered_file
    from ui.http.api import create_app
    from ui.http.connection import TimedProtocol
    from ui.library.apart import Apart
    from ui.library.changes import Library
    from ui.library.ingest_tools import IngestTools
    from ui.mcp.endpoint import mount_mcp
    from ui.opening import open_document_embedder, open_live_assistant
    from ui.server.asking import socket_place
    from ui.server.computing_turns import ComputingTurns
    from ui.server.first_opening import FirstOpening
    from ui.server.log import start_logging
    from ui.server.operation_metrics import ingest_metrics, slack_metrics, source_metrics
    from ui.server.question_desk import QuestionDesk
    from ui.server.retention import Retention
    from ui.server.socket_file import socket_at, socket_stamps
    from ui.web.page import mount_page
    from ui.web.services import PageServices

    turns = ComputingTurns()
    assistants = open_live_assistant(settings, turns=turns)
    desk = QuestionDesk(
        max_questions=settings.max_questions,
        timeout_s=settings.question_timeout_s,
        max_waiting=settings.max_waiting,
        turns=turns,
        log_questions=settings.log_questions,
        unanswered=UnansweredQuestions(unanswered_file(settings.index)) if settings.log_questions else None,
    )
    hosts = host_names(settings.host)
    grants = tokens_file.grants if tokens_file is not None else None
    app = create_app(
        assistants,
        desk,
        token=token,
        grants=grants,
        hosts=hosts,
        tracing=tracing,
        stamps=partial(socket_stamps, settings),
    )
    mount_mcp(app, assistants, desk, hosts=hosts)
    slack = _add_slack(app, settings, assistants, desk, turns)
    library = Library(
        IngestTools(
            settings.index, partial(open_document_embedder, settings), partial(_open_connectors, settings.index)
        ),
        open_runner=Apart,
    )
    mount_page(app, PageServices(assistants, desk, settings, library))
    metrics: ServerMetrics = app.state.metrics
    metrics.watch(source_metrics(settings.index))
    metrics.watch(ingest_metrics(library.desk))
    if slack is not None:
        metrics.watch(slack_metrics(slack.workers.counts))
    start_logging(log_questions=settings.log_questions)
    retention = Retention(kept_files(settings), days=settings.keep_days)
    opening = FirstOpening(assistants, warn=warn)
    address = _address(settings.host, listener.getsockname()[1])

    class AnnouncedServer(uvicorn.Server):
        async def startup(self, sockets: list[socket.socket] | None = None) -> None:
            await super().startup(sockets=sockets)
            retention.start()
            if slack is not None:
                await slack.workers.start()
            # Probes are answered from now on, and say that the index is being loaded.
            opening.start(then=lambda: announce(address), otherwise=self.stop)

        def stop(self) -> None:
            self.should_exit = True

        async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
            # The page keeps streams open for as long as it is; they would hold us until they were cancelled.
            for connection in list(self.server_state.connections):
                if isinstance(connection, TimedProtocol) and connection.is_streaming:
                    connection.transport.close()
            # A question that outlasts its grace is cancelled; uvicorn would log that as a defect.
            logging.getLogger("uvicorn.error").setLevel(logging.CRITICAL)
            await super().shutdown(sockets=sockets)
            if slack is not None:
                await slack.workers.stop(drain_s=_SLACK_GRACE_S)

    # Questions compute beside the event loop, and each hands on Python's lock only after this long: with Python's
    # own ten times as much, probes and Slack's acknowledgements took up to three times as long under overload.
    sys.setswitchinterval(_SWITCH_S)
    config = uvicorn.Config(
        app,
        http=TimedProtocol,
        ws="none",
        log_config=None,
        log_level="warning",
        access_log=False,
        server_header=False,
        h11_max_incomplete_event_size=_MAX_HEADER_BYTES,
        timeout_keep_alive=_KEEP_ALIVE_S,
        timeout_graceful_shutdown=_GRACE_S,
    )
    # uvicorn raises the signal again when it is done; being asked to stop isn't a failure.
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, _exit_quietly)
    try:
        with contextlib.suppress(SystemExit), socket_at(socket_place(settings)) as beside:
            AnnouncedServer(config).run(sockets=[listener] if beside is None else [listener, beside])
    finally:
        retention.close()
        assistants.close()
        if tracing is not None:
            tracing.close()
    opening.check()
    # Python would take the model apart under a thread that still loads it or asks it, and the process would abort.
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(0)


def _open_connectors(index: Path) -> "Connectors":
    from ui.opening import open_connectors

    return open_connectors(load_fetching_settings(index=index))


def _add_slack(
    app: "FastAPI", settings: Settings, assistants: "LiveAssistant", desk: "QuestionDesk", turns: "ComputingTurns"
) -> "SlackService | None":
    """Serve Slack's events where its secrets are set."""
    if settings.slack_bot_token is None or settings.slack_signing_secret is None:
        return None
    from ui.slack import check_extra

    check_extra()
    from ui.slack.bot import add_slack_events
    from ui.slack.service import open_service

    service = open_service(settings, main=assistants, counted_at=desk, turns=turns)
    add_slack_events(app, service.app, signing_secret=settings.slack_signing_secret)
    return service


def check_binding(host: str, *, has_token: bool) -> None:
    """Refuse to be reachable from other machines without a token.

    Raises:
        UsageError: `host` isn't loopback and there is no token.
    """
    if not has_token and not is_loopback(host):
        raise UsageError(
            f"Cannot serve on {host!r} without a token: anyone who reaches this machine could read the documents. "
            "Set RELNOTES_TOKEN to a long random string or RELNOTES_TOKENS_FILE (see `relnotes token`), or serve on "
            "127.0.0.1."
        )


def check_token(token: str, *, host: str) -> None:
    """Refuse a token that is easily guessed on an address that other machines reach.

    Raises:
        UsageError: `host` isn't loopback, and `token` is blank, shorter than `MIN_TOKEN_CHARACTERS` or a pattern.
    """
    if is_loopback(host) or (fault := _weakness(token.strip())) is None:
        return
    raise UsageError(
        f"Cannot serve on {host!r} with this token: RELNOTES_TOKEN {fault}, which is soon guessed. "
        "Set it to a random string, such as the first line of `relnotes token NAME`, or serve on 127.0.0.1."
    )


def _weakness(token: str) -> str | None:
    """Why a token is soon guessed; None where it may have been drawn by chance."""
    if len(token) < MIN_TOKEN_CHARACTERS:
        return f"has fewer than {MIN_TOKEN_CHARACTERS} characters" if token else "is blank"
    if any(token.startswith(token[period:]) for period in range(1, len(token) // 2 + 1)):
        return "says one piece again and again"
    if len(set(token)) < _MIN_TOKEN_VARIETY:
        return "has hardly any different characters"
    steps = {ord(right) - ord(left) for left, right in pairwise(token)}
    return "runs along the alphabet or the digits" if len(steps) < _MIN_TOKEN_VARIETY else None


def host_names(host: str) -> tuple[str, ...]:
    """The names that requests may address a server on `host` by; none, that is any, when it isn't loopback."""
    from ui.http.guards import LOOPBACK_NAMES

    if not is_loopback(host):
        return ()
    return tuple(dict.fromkeys((*LOOPBACK_NAMES, _bracketed(host).lower())))


def is_loopback(host: str) -> bool:
    """Whether `host` can be reached from this machine only."""
    if host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host.strip("[]")).is_loopback
    except ValueError:
        return False


def listen(host: str, port: int) -> socket.socket:
    """A socket that takes connections at that address; port 0 is a free one.

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
    # Connections inherit it. Without it, the second write of a reply waits 40 ms for the first to be acknowledged.
    listener.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    return listener


def _address(host: str, port: int) -> str:
    return f"http://{_bracketed(host)}:{port}"


def _bracketed(host: str) -> str:
    bare = host.strip("[]")
    return f"[{bare}]" if ":" in bare else bare


def _exit_quietly(_number: int, _frame: FrameType | None) -> None:
    raise SystemExit(0)
