"""The Gradio app on the server that has the API and the page: named endpoints, and of Gradio's other routes what its
clients need.

`gradio.Server` is a FastAPI with Gradio's queue, API and client protocol and no page of its own: ours is at `/`.
"""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

from fastapi import FastAPI
from gradio import Server
from gradio.blocks import Blocks
from gradio.routes import App
from starlette.routing import Route
from starlette.types import ASGIApp

from ui.gradio.bounds import PATHS, GradioBounds
from ui.gradio.endpoints import add_endpoints
from ui.http.answering import Answering
from ui.http.problems import install_problem_handlers

_MAX_QUEUED = 256
"""Events that wait to be handed to the desk; one more is told to come again."""
_MAX_SESSIONS = 256
"""Sessions that Gradio remembers; a client whose session gave way begins anew and notices nothing."""


def mount_gradio(app: FastAPI, answering: Answering) -> None:
    """Serve the Gradio app at `PATHS` of `app`, and start and end its queue with it."""
    with Blocks(mode="server", title="relnotes", analytics_enabled=False) as blocks:
        add_endpoints(answering)
        blocks.queue(max_size=_MAX_QUEUED)
    # Only `launch` takes these as arguments, and we serve the app ourselves.
    blocks.state_session_capacity = _MAX_SESSIONS
    blocks.run_history = False
    # Gradio would keep who sent each event, for a page that isn't served, and count them all whenever one ends.
    blocks._queue.ANALYTICS_MAX_EVENTS = 0
    server = Server(openapi_url=None, docs_url=None, redoc_url=None)
    gradio = App.create_app(blocks, app=server)
    install_problem_handlers(gradio)
    served: ASGIApp = GradioBounds(gradio, blocks)
    for path, method in PATHS.items():
        app.router.routes.append(Route(path, served, methods=[method], include_in_schema=False))
    outer = app.router.lifespan_context

    @asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[Any]:
        async with outer(app) as state, gradio.router.lifespan_context(gradio):
            blocks.run_startup_events()
            await blocks.run_extra_startup_events()
            yield state

    app.router.lifespan_context = lifespan
