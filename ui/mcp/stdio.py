"""`relnotes mcp`: the protocol on stdin and stdout until either side ends; everything else goes to stderr."""

import logging
import os
import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cached_property
from typing import TYPE_CHECKING

import anyio

from corpus.errors import RelnotesError
from ui.mcp.server import create_server
from ui.opening import open_chat_model, open_live_assistant
from ui.server.question_desk import QuestionDesk
from ui.settings import Settings

if TYPE_CHECKING:
    from retrieval.assistant import Assistant
    from ui.server.live_assistant import LiveAssistant

_HANDSHAKE_S = 0.25
"""What a client that has already written its first request needs to have its reply, and to list the tools."""


class _OpenedOnDemand:
    """An assistant source whose code is loaded when it is first asked for; a client waits for a reply meanwhile."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        # Wrong settings of the language model end the command, not the first call.
        self._model = open_chat_model(settings)
        self._lock = threading.Lock()

    @cached_property
    def _live(self) -> "LiveAssistant":
        return open_live_assistant(self._settings, model=self._model)

    @contextmanager
    def borrow(self) -> Iterator["Assistant"]:
        """Lend the assistant for a `with` block, as `LiveAssistant.borrow` does."""
        with self._lock:
            live = self._live
        with live.borrow() as assistant:
            yield assistant


def run_stdio(settings: Settings, *, warn: Callable[[str], None]) -> None:
    """Serve one client until it closes stdin, and end the process then.

    `warn` is told why nothing can be answered yet, where that is so; the tools say it too.

    Raises:
        UsageError: the language model is set wrong.
    """
    # Before the SDK does: it would tell of each refused call on stderr.
    logging.basicConfig(level=logging.WARNING)
    assistants = _OpenedOnDemand(settings)
    desk = QuestionDesk(
        max_questions=settings.max_questions,
        timeout_s=settings.question_timeout_s,
        # Clients call several tools at once, and a model can't wait by itself before it calls again.
        max_waiting=settings.max_waiting,
    )

    def warm_up() -> None:
        try:
            with assistants.borrow() as assistant:
                from ui.server.live_assistant import prepare

                prepare(assistant)
        except RelnotesError as error:
            warn(str(error))

    # Loading the model would hold up the first replies, which some clients wait for with their window shut.
    warming = threading.Timer(_HANDSHAKE_S, warm_up)
    warming.daemon = True
    warming.start()
    # Nothing here needs tidying up, and Python would wait: for the thread that reads stdin, for the model's teardown.
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    anyio.run(create_server(assistants, desk).run_stdio_async)
    os._exit(0)
