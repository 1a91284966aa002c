"""The HTTP API as tests ask it: without a socket, over one, and while its places are taken."""

import asyncio
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import uvicorn
from fastapi.testclient import TestClient
from starlette.types import ASGIApp

from ui.http.api import create_app
from ui.server.binding import listen
from ui.server.question_desk import QuestionDesk


def api_client(assistants: Any, desk: QuestionDesk | None = None, **options: Any) -> TestClient:
    """A client of the API over `assistants`; the options are those of `create_app`."""
    app = create_app(assistants, desk or QuestionDesk(max_questions=4, timeout_s=30), **options)
    return TestClient(app, base_url="http://localhost:7860", raise_server_exceptions=False)


@contextmanager
def serving(app: ASGIApp, **options: Any) -> Iterator[int]:
    """The port of a server in a thread; the options are those of uvicorn."""
    listener = listen("127.0.0.1", 0)
    server = uvicorn.Server(uvicorn.Config(app, ws="none", log_config=None, access_log=False, **options))
    thread = threading.Thread(target=server.run, kwargs={"sockets": [listener]})
    thread.start()
    try:
        while not server.started:
            time.sleep(0.01)
        yield listener.getsockname()[1]
    finally:
        server.should_exit = True
        thread.join()
        listener.close()


@contextmanager
def occupied(desk: QuestionDesk) -> Iterator[None]:
    """A desk whose only place is taken."""
    gate = threading.Event()

    def wait() -> None:
        asyncio.run(desk.run(lambda: gate.wait(60)))

    thread = threading.Thread(target=wait)
    thread.start()
    while desk.load[0] < 1:
        time.sleep(0.001)
    try:
        yield
    finally:
        gate.set()
        thread.join()
