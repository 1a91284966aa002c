"""The Gradio app on the server of the API and the page: named endpoints, and those of Gradio's routes that its clients
need. `gradio.Server` is a FastAPI with Gradio's queue and client protocol; the page at `/` is ours."""

import inspect
import logging
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from contextlib import asynccontextmanager
from typing import Any

import gradio as gr
from fastapi import FastAPI
from gradio import Server
from gradio.blocks import Blocks
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

_LOG = logging.getLogger("relnotes.gradio")
_FILTERS = {"product": str | None, "version": str | None}
_ENDPOINTS: Mapping[str, tuple[type[BaseModel], Mapping[str, Any]]] = {
    "ask": (AskRequest, {"question": str, "history": list[str] | None, **_FILTERS, "k": int}),
    "search": (SearchRequest, {"query": str, **_FILTERS, "k": int}),
    "cite": (CiteRequest, {"text": str, **_FILTERS}),
    "review": (ReviewRequest, {"diff": str}),
    "upgrade": (UpgradeRequest, {"product": str, "from": str, "to": str, "all": bool}),
    "versions": (VersionsRequest, {"product": str | None}),
}
"""The request of the HTTP API behind each endpoint, and the endpoint's arguments in order."""


def mount_gradio(app: FastAPI, answering: Answering) -> None:
    """Serve the Gradio app to its clients at `app`, and start and end its queue with it."""
    with Blocks(mode="server", title="relnotes", analytics_enabled=False) as blocks:
        for name, (request, arguments) in _ENDPOINTS.items():
            endpoint = _endpoint(answer := getattr(answering, name), request, arguments)
            # The desk limits how many questions run at once, over all entrances.
            api(endpoint, api_name=name, api_description=answer.__doc__, concurrency_limit=None)
    # Only `launch` takes this as an argument, and we serve the app ourselves.
    blocks.run_history = False
    # Gradio would keep the last question and answer of each of 10,000 sessions; 0 isn't supported.
    blocks.state_session_capacity = 1
    # Room for all events at once, because the desk queues them, fairly between clients.
    blocks.max_threads = MAX_EVENTS
    blocks.queue(max_size=MAX_EVENTS)
    # Gradio would keep the sender of each event for a page that isn't served, and recount them whenever one ends.
    blocks._queue.ANALYTICS_MAX_EVENTS = 0
    # Gradio looks for events every millisecond, which an idle server feels; on Windows it does so as rarely as here.
    blocks._queue.sleep_when_free = blocks._queue.progress_update_sleep_when_free = 0.05
    gradio = App.create_app(blocks, app=Server(openapi_url=None))
    install_problem_handlers(gradio)
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
    """Build a function with the signature that Gradio describes to clients; arguments of None count as missing."""

    async def endpoint(*values: object) -> dict[str, Any]:
        fields = {name: value for name, value in zip(arguments, values, strict=True) if value is not None}
        try:
            body = await answer(request.model_validate(fields))
        except ValidationError as error:
            faults = [f"{'.'.join(map(str, e['loc'])) or 'arguments'}: {e['msg']}" for e in error.errors()[:5]]
            message = f"The arguments don't fit. {'; '.join(faults)}."
        except RelnotesError as error:
            message = public_message(error)
        except Exception:
            # Gradio would print the error's message, which may contain the question.
            _LOG.exception("defect")
            message = "relnotes met an error it didn't expect; the server's log has it."
        else:
            return body.model_dump(mode="json", by_alias=True)
        # The message goes to the client; it needs no traceback.
        raise gr.Error(message, print_exception=False)

    defaults: dict[str, object] = {}
    for name, field in request.model_fields.items():
        default = field.default or None if isinstance(field.default, tuple) else field.default
        defaults[field.alias or name] = inspect.Parameter.empty if default is PydanticUndefined else default
    # Positional, because the HTTP API's `from` is a keyword of Python.
    parameters = [
        inspect.Parameter(name, inspect.Parameter.POSITIONAL_ONLY, annotation=kind, default=defaults[name])
        for name, kind in arguments.items()
    ]
    endpoint.__signature__ = inspect.Signature(parameters, return_annotation=dict[str, Any])  # type: ignore[attr-defined]
    endpoint.__annotations__ = {**arguments, "return": dict[str, Any]}
    return endpoint
