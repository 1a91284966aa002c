"""`relnotes mcp`: MCP on stdin and stdout until either side ends; everything else goes to stderr."""

import logging
import os
import signal
import threading
from collections.abc import Callable
from contextlib import AbstractContextManager
from functools import cache, partial
from typing import TYPE_CHECKING

import anyio

from corpus.errors import RelnotesError
from ui.mcp.server import create_server
from ui.opening import open_chat_model, open_desk, open_live_assistant
from ui.settings import Settings

if TYPE_CHECKING:
    from retrieval.assistant import Assistant

_HANDSHAKE_S = 0.25
"""Enough for a client that has sent its first request to get the reply and list the tools."""


def run_stdio(settings: Settings, *, warn: Callable[[str], None]) -> None:
    """Serve one client until it closes stdin, and end the process then.

    If no question can be answered yet, `warn` is called with the reason, which the tools return too.

    Raises:
        UsageError: the language model is set wrong.
    """
    # Configured before the SDK does, which would log each refused call to stderr.
    logging.basicConfig(level=logging.WARNING)
    # Wrong settings of the language model end the command, not the first call.
    open_live = cache(partial(open_live_assistant, settings, model=open_chat_model(settings)))
    lock = threading.Lock()

    def borrow() -> "AbstractContextManager[Assistant]":
        with lock:  # The first call imports retrieval, during which a client may already wait for a reply.
            return open_live().borrow()

    def warm_up() -> None:
        try:
            with borrow() as assistant:
                from ui.server.live_assistant import prepare

                prepare(assistant)
        except RelnotesError as error:
            warn(str(error))

    # Delayed, because loading the model would slow down the first replies, for which some clients block their window.
    warming = threading.Timer(_HANDSHAKE_S, warm_up)
    warming.daemon = True
    warming.start()
    # Nothing needs cleaning up, and Python would wait for the thread that reads stdin and for the model's teardown.
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    anyio.run(create_server(borrow, open_desk(settings)).run_stdio_async)
    os._exit(0)
