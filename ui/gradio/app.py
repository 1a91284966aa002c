"""The Gradio app on the server that has the API and the page: named endpoints, and of Gradio's other routes what its
clients need. `gradio.Server` is a FastAPI with Gradio's queue and client protocol; the page at `/` is ours."""

import inspect
import logging
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from contextlib import asynccontextmanager
from typing import Any

import gradio as gr
from fastapi import FastAPI
from gradio import Server
from gradio.blocks import Blocks
from gradio.context import LocalContext
from gradio.events import api
from gradio.routes import App
from pydantic import BaseModel, ValidationError
from pydantic_core import PydanticUndefined

from corpus.errors import RelnotesError
from ui.contract.answer import Body
from ui.gradio.bounds import MAX_EVENTS, add_gradio_endpoints
from ui.http.answering import Answering
from ui.http.problems import install_problem_handlers, public_message
from ui.http.requests import AskRequest, CiteRequest, ReviewRequest, SearchRequest, UpgradeRequest, VersionsRequest
from ui.server.question_desk import CLIENT

_LOG = logging.getLogger("relnotes.gradio")
_ABOUT = {"product": str | None, "version": str | None}
_ENDPOINTS: Mapping[str, tuple[type[BaseModel], Mapping[str, Any]]] = {
    "ask": (AskRequest, {"question": str, "history": list[str] | None, **_ABOUT, "k": int}),
    "search": (SearchRequest, {"query": str, **_ABOUT, "k": int}),
    "cite": (CiteRequest, {"text": str, **_ABOUT}),
    "review": (ReviewRequest, {"diff": str}),
    "upgrade": (UpgradeRequest, {"product": str, "from": str, "to": str}),
    "versions": (VersionsRequest, {"product": str | None}),
}
"""The request over HTTP that each makes, and its arguments in their order."""


def mount_gradio(app: FastAPI, answering: Answering) -> None:
    """Serve the Gradio app to its clients at `app`, and start and end its queue with it."""
    with Blocks(mode="server", title="relnotes", analytics_enabled=False) as blocks:
        for name, (request, arguments) in _ENDPOINTS.items():
            answer = getattr(answering, name)
            endpoint = _endpoint(answer, request, arguments)
            # The desk bounds how many are answered at once, for every entrance together.
            api(endpoint, api_name=name, api_description=answer.__doc__, concurrency_limit=None)
    # Only `launch` takes this as an argument, and we serve the app ourselves.
    blocks.run_history = False
    # Gradio would keep the last question of each of 10,000 sessions, and its answer; none at all isn't foreseen.
    blocks.state_session_capacity = 1
    # All that it takes in comes before the desk, whose lines go round between clients.
    blocks.max_threads = MAX_EVENTS
    blocks.queue(max_size=MAX_EVENTS)
    # Gradio would keep who sent each event, for a page that isn't served, and count them all whenever one ends.
    blocks._queue.ANALYTICS_MAX_EVENTS = 0
    server = Server(openapi_url=None, docs_url=None, redoc_url=None)
    gradio = App.create_app(blocks, app=server)
    install_problem_handlers(gradio)
    app.state.gradio = gradio
    add_gradio_endpoints(app, gradio)
    outer = app.router.lifespan_context

    @asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[Any]:
        async with outer(app) as state, gradio.router.lifespan_context(gradio):
            blocks.run_startup_events()
            await blocks.run_extra_startup_events()
            yield state

    app.router.lifespan_context = lifespan


def _endpoint(
    answer: Callable[[Any], Awaitable[Body]], request: type[BaseModel], arguments: Mapping[str, Any]
) -> Callable[..., Awaitable[dict[str, Any]]]:
    """A function whose signature is what Gradio describes; an argument that is None is as good as none."""

    async def endpoint(*values: object) -> dict[str, Any]:
        # Events are worked off by a task of Gradio's own.
        if (sent := LocalContext.request.get(None)) is not None:
            CLIENT.set(sent.client.host)
        given = {name: value for name, value in zip(arguments, values, strict=True) if value is not None}
        try:
            body = await answer(request.model_validate(given))
        except ValidationError as error:
            faults = [f"{'.'.join(map(str, one['loc'])) or 'arguments'}: {one['msg']}" for one in error.errors()[:5]]
            message = f"The arguments don't fit. {'; '.join(faults)}."
        except RelnotesError as error:
            message = public_message(error)
        except Exception:
            # Gradio would write out its message, which may hold the question.
            _LOG.exception("defect")
            message = "relnotes met an error it didn't expect; the server's log has it."
        else:
            return body.model_dump(mode="json", by_alias=True)
        # The message goes to the client; nothing of it is a defect.
        raise gr.Error(message, print_exception=False)

    defaults: dict[str, object] = {}
    for name, field in request.model_fields.items():
        default = field.default or None if isinstance(field.default, tuple) else field.default
        defaults[field.alias or name] = inspect.Parameter.empty if default is PydanticUndefined else default
    # `from` is what the HTTP API calls it, and no name that Python lets a parameter have unless it is positional.
    parameters = [
        inspect.Parameter(name, inspect.Parameter.POSITIONAL_ONLY, annotation=kind, default=defaults[name])
        for name, kind in arguments.items()
    ]
    signature = inspect.Signature(parameters, return_annotation=dict[str, Any])
    endpoint.__signature__ = signature  # type: ignore[attr-defined]
    endpoint.__annotations__ = {**arguments, "return": dict[str, Any]}
    return endpoint
