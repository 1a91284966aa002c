"""The server's app over an index, for tests that need no process: API and pages, and the Gradio app where asked for."""

import asyncio
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from fastapi import FastAPI
from fastapi.testclient import TestClient

from corpus.embedding import Embedder
from ui.http.answering import Answering
from ui.http.api import create_app
from ui.http.problems import install_problem_handlers
from ui.server.live_assistant import LiveAssistant
from ui.server.question_desk import QuestionDesk
from ui.web.ask.endpoints import add_ask_page
from ui.web.page import mount_page
from ui.web.services import PageServices


@contextmanager
def page_app(index: Path, embedder: Embedder, *, gradio: bool = False, **options: Any) -> Iterator[TestClient]:
    """A client of the app, started and ended as a server does it; the options are those of `create_app`.

    Gradio, which takes longer to import than all else, is there where a test asks for it.
    """
    assistants = LiveAssistant(index, open_embedder=lambda: embedder)

    async def build() -> FastAPI:
        # In a running loop: without one, Gradio makes loops that it never closes.
        desk = QuestionDesk(max_questions=4, timeout_s=30)
        app = create_app(assistants, desk, **options)
        mount_page(app, PageServices(assistants, desk))
        if gradio:
            from ui.gradio.app import mount_gradio

            mount_gradio(app, Answering(assistants, desk))
        return app

    app = asyncio.run(build())
    with TestClient(
        app, base_url="http://localhost:7860", client=("127.0.0.1", 50_000), raise_server_exceptions=False
    ) as client:
        yield client
    assistants.close()


def slow_client(index: Path, embedder: Embedder, *, timeout_s: float) -> TestClient:
    """A client of the pages of a server whose model takes long to be there."""
    assistants, desk = (
        LiveAssistant(index, open_embedder=lambda: time.sleep(8 * timeout_s) or embedder),
        QuestionDesk(max_questions=4, timeout_s=timeout_s),
    )
    app = create_app(assistants, desk)
    mount_page(app, PageServices(assistants, desk))
    return TestClient(app, base_url="http://localhost:7860")


def ask_client(live: LiveAssistant, desk: QuestionDesk) -> TestClient:
    """A client of Ask's endpoints alone."""
    app = FastAPI()
    install_problem_handlers(app)
    add_ask_page(app, PageServices(live, desk))
    return TestClient(app)
