"""`relnotes serve`: the API, MCP and the page in one process, until SIGTERM or Ctrl-C."""

import contextlib
import gc
import logging
import os
import signal
import socket
import sys
import threading
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from corpus.errors import IndexUnavailable, RelnotesError
from ui.http.tokens import TokensFile
from ui.server.binding import bracketed, check_binding, check_token, host_names, listen
from ui.server.tracing import open_tracing
from ui.settings import Settings, load_fetching_settings

if TYPE_CHECKING:
    from fastapi import FastAPI

    from ingest.sources.connectors import Connectors
    from retrieval.llm import ChatModel
    from ui.server.computing_turns import ComputingTurns
    from ui.server.live_assistant import LiveAssistant
    from ui.server.metrics import ServerMetrics
    from ui.server.question_desk import QuestionDesk
    from ui.slack.service import SlackService

_GRACE_S = 5
"""Seconds that open requests get at the end."""
_SLACK_GRACE_S = 7
"""And after them the Slack events that were acknowledged."""
_KEEP_ALIVE_S = 75
"""Longer than clients and load balancers keep theirs: the side that closes first cuts off what the other sends."""
_SWITCH_S = 0.0005
_MAX_HEADER_BYTES = 32 * 1024


def run_server(settings: Settings, *, announce: Callable[[str], None], warn: Callable[[str], None]) -> None:
    """Serve until a signal comes, and end the process then; `announce` gets the address once requests are answered.

    Without an index, `warn` is called, and questions are refused until there is one.

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
    tracing = open_tracing(os.environ)
    listener = listen(settings.host, settings.port)
    # Gradio reads this at import; its default would write outside our directories.
    os.environ.setdefault("GRADIO_TEMP_DIR", str(settings.cache_dir / "page"))

    import uvicorn

    from ui.feedback.log import FEEDBACK_FILE, FeedbackLog, feedback_logs
    from ui.gradio.app import mount_gradio
    from ui.http.answering import Answering
    from ui.http.api import create_app
    from ui.http.connection import TimedProtocol
    from ui.library.apart import apart
    from ui.library.changes import Library
    from ui.library.ingest_desk import IngestTools
    from ui.mcp.endpoint import mount_mcp
    from ui.opening import open_chat_model, open_document_embedder, open_live_assistant
    from ui.server.computing_turns import ComputingTurns, TurnLendingModel
    from ui.server.log import start_logging
    from ui.server.metrics import ingest_metrics, language_model_metrics, slack_metrics, source_metrics
    from ui.server.question_desk import QuestionDesk
    from ui.server.retention import Retention
    from ui.web.page import mount_page
    from ui.web.services import PageServices

    turns = ComputingTurns()
    client = open_chat_model(settings)
    model = None if client is None else TurnLendingModel(client, turns)
    assistants = open_live_assistant(settings, model=model)
    desk = QuestionDesk(
        max_questions=settings.max_questions,
        timeout_s=settings.question_timeout_s,
        max_waiting=settings.max_waiting,
        turns=turns,
        log_questions=settings.log_questions,
        unanswered=FeedbackLog(settings.index / FEEDBACK_FILE) if settings.log_questions else None,
    )
    hosts = host_names(settings.host)
    app = create_app(
        assistants,
        desk,
        token=token,
        grants=tokens_file.grants if tokens_file is not None else None,
        hosts=hosts,
        tracing=tracing,
    )
    mount_mcp(app, assistants, desk, hosts=hosts)
    slack = _add_slack(app, settings, assistants, desk, turns, model)
    library = Library(
        IngestTools(
            settings.index, partial(open_document_embedder, settings), partial(_open_connectors, settings.index)
        ),
        open_runner=apart,
    )
    mount_page(app, PageServices(assistants, desk, settings, library))
    mount_gradio(app, Answering(assistants, desk))
    metrics: ServerMetrics = app.state.metrics
    metrics.watch(partial(source_metrics, settings.index))
    metrics.watch(partial(ingest_metrics, library.desk))
    if client is not None:
        metrics.watch(partial(language_model_metrics, client))
    if slack is not None:
        metrics.watch(partial(slack_metrics, slack.workers.counts))
    start_logging(log_questions=settings.log_questions)
    retention = Retention(feedback_logs(settings), days=settings.keep_days)
    address = f"http://{bracketed(settings.host)}:{listener.getsockname()[1]}"
    failures: list[BaseException] = []
    status: object = 0

    def open_first(server: uvicorn.Server) -> None:
        try:
            _open_index(assistants, warn=warn)
        except BaseException as error:
            # A model that can't be had ends the server.
            failures.append(error)
            server.should_exit = True
        else:
            # A full search for garbage looks at each module's objects again: a fifth of a second in some question. What
            # is garbage already is kept with them: ten objects.
            gc.freeze()
            # Nobody may read it any more.
            with contextlib.suppress(OSError):
                announce(address)
            _work_out_offers(assistants)

    class AnnouncedServer(uvicorn.Server):
        async def startup(self, sockets: list[socket.socket] | None = None) -> None:
            await super().startup(sockets=sockets)
            retention.start()
            if slack is not None:
                await slack.workers.start()
            # Probes are answered from now on, and say that the index is being loaded.
            threading.Thread(target=open_first, args=(self,), name="open index", daemon=True).start()

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
        signal.signal(number, lambda number, _: sys.exit(128 + number if number == signal.SIGINT else 0))
    try:
        AnnouncedServer(config).run(sockets=[listener])
    except SystemExit as ended:
        status = ended.code
    finally:
        assistants.close()
        if tracing is not None:
            tracing.close()
    if failures:
        raise failures[0]
    # Python would take the model apart under a thread that still loads it or asks it, and the process would abort.
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(status if isinstance(status, int) else 1)


def _open_index(assistants: "LiveAssistant", *, warn: Callable[[str], None]) -> None:
    """Open the index and ask it something: a first question takes many times a second one, for modules and pages of
    the index are read for it.

    Raises:
        ModelError: the model is missing, altered or can't be loaded.
    """
    try:
        with assistants.borrow() as assistant:
            assistant.ask("What is new?", limit=1, read=False)
    except IndexUnavailable as error:
        warn(f"{error} Serving goes on; the index is picked up when it is there.")


def _work_out_offers(assistants: "LiveAssistant") -> None:
    """Find what the page offers, for which its first visitor would wait some seconds."""
    from ui.web.ask.questions import OFFERS

    with contextlib.suppress(RelnotesError), assistants.borrow() as assistant:
        OFFERS.of(assistant)


def _open_connectors(index: Path) -> "Connectors":
    from ui.opening import open_connectors

    return open_connectors(load_fetching_settings(index=index))


def _add_slack(
    app: "FastAPI",
    settings: Settings,
    assistants: "LiveAssistant",
    desk: "QuestionDesk",
    turns: "ComputingTurns",
    model: "ChatModel | None",
) -> "SlackService | None":
    """Serve Slack's events where its secrets are set."""
    if settings.slack_bot_token is None or settings.slack_signing_secret is None:
        return None
    from ui.slack import check_extra

    check_extra()
    from ui.slack.bot import add_slack_events
    from ui.slack.service import open_service

    service = open_service(settings, main=assistants, counted_at=desk, turns=turns, model=model)
    add_slack_events(app, service.app, signing_secret=settings.slack_signing_secret)
    return service
