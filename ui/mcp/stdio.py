"""`relnotes mcp`: the protocol on stdin and stdout until either side ends; everything else goes to stderr."""

import os
import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

import anyio
from mcp.server.stdio import stdio_server

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

    def __init__(self, open_assistants: Callable[[], "LiveAssistant"]) -> None:
        self._open = open_assistants
        self._lock = threading.Lock()
        self._opened: LiveAssistant | None = None

    @contextmanager
    def borrow(self) -> Iterator["Assistant"]:
        """Lend the assistant for a `with` block, as `LiveAssistant.borrow` does."""
        with self._lock:
            opened = self._opened = self._opened or self._open()
        with opened.borrow() as assistant:
            yield assistant


def run_stdio(settings: Settings, *, warn: Callable[[str], None]) -> None:
    """Serve one client until it closes stdin, and end the process then.

    `warn` is told why nothing can be answered yet, where that is so; the tools say it too.

    Raises:
        UsageError: the language model is set wrong.
    """
    model = open_chat_model(settings)
    assistants = _OpenedOnDemand(lambda: open_live_assistant(settings, model=model))
    desk = QuestionDesk(
        max_questions=settings.max_questions,
        timeout_s=settings.question_timeout_s,
        # Clients call several tools at once, and a model can't wait by itself before it calls again.
        max_waiting=settings.max_waiting,
    )
    server = create_server(assistants, desk)

    def warm_up() -> None:
        try:
            with assistants.borrow():
                pass
        except RelnotesError as error:
            warn(str(error))

    async def serve() -> None:
        async with stdio_server() as (requests, replies):
            # Loading the model would hold up the first replies, which some clients wait for with their window shut.
            warming = threading.Timer(_HANDSHAKE_S, warm_up)
            warming.daemon = True
            warming.start()
            await server.run(requests, replies, server.create_initialization_options())

    # Nothing here needs tidying up, and Python would wait: for the thread that reads stdin, for the model's teardown.
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    anyio.run(serve)
    os._exit(0)
