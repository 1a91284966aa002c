"""The named endpoints of the Gradio app, with the arguments and the JSON of the HTTP API."""

import inspect
from collections.abc import Awaitable, Callable, Mapping
from typing import Any

import gradio as gr
from gradio.events import api
from pydantic import BaseModel, ValidationError
from pydantic_core import PydanticUndefined

from corpus.errors import IndexUnavailable, ModelError, RelnotesError
from ui.contract.answer import Body
from ui.http.answering import Answering
from ui.http.problems import NO_INDEX
from ui.http.requests import AskRequest, CiteRequest, ReviewRequest, SearchRequest, UpgradeRequest, VersionsRequest

_NO_MODEL = "The server can't load its model; its log says why."
_ABOUT = {"product": str | None, "version": str | None}
_ENDPOINTS: Mapping[str, tuple[type[BaseModel], Mapping[str, Any]]] = {
    "ask": (AskRequest, {"question": str, "history": list[str] | None, **_ABOUT, "k": int, "explain": bool}),
    "search": (SearchRequest, {"query": str, **_ABOUT, "k": int}),
    "cite": (CiteRequest, {"text": str, **_ABOUT}),
    "review": (ReviewRequest, {"diff": str}),
    "upgrade": (UpgradeRequest, {"product": str, "from": str, "to": str}),
    "versions": (VersionsRequest, {"product": str | None}),
}
"""The request over HTTP that each makes, and its arguments in their order."""


def add_endpoints(answering: Answering) -> None:
    """Add `/ask`, `/search`, `/cite`, `/review`, `/upgrade` and `/versions` to the open `gr.Blocks`."""
    for name, (request, arguments) in _ENDPOINTS.items():
        answer = getattr(answering, name)
        endpoint = _endpoint(answer, request, arguments)
        # The desk bounds how many are answered at once, for every entrance together.
        api(endpoint, api_name=name, api_description=answer.__doc__, concurrency_limit=None)


def _endpoint(
    answer: Callable[[Any], Awaitable[Body]], request: type[BaseModel], arguments: Mapping[str, Any]
) -> Callable[..., Awaitable[dict[str, Any]]]:
    """A function whose signature is what Gradio describes; an argument that is None is as good as none."""

    async def endpoint(*values: object) -> dict[str, Any]:
        given = {name: value for name, value in zip(arguments, values, strict=True) if value is not None}
        return await _do(answer, request, given)

    defaults = {field.alias or name: _default(field.default) for name, field in request.model_fields.items()}
    # `from` is what the HTTP API calls it, and no name that Python lets a parameter have unless it is positional.
    parameters = [
        inspect.Parameter(name, inspect.Parameter.POSITIONAL_ONLY, annotation=kind, default=defaults[name])
        for name, kind in arguments.items()
    ]
    endpoint.__signature__ = inspect.Signature(  # type: ignore[attr-defined]
        parameters, return_annotation=dict[str, Any]
    )
    endpoint.__annotations__ = {**arguments, "return": dict[str, Any]}
    return endpoint


def _default(stated: object) -> object:
    if stated is PydanticUndefined:
        return inspect.Parameter.empty
    return stated or None if isinstance(stated, tuple) else stated


async def _do(
    answer: Callable[[Any], Awaitable[Body]], request: type[BaseModel], arguments: Mapping[str, object]
) -> dict[str, Any]:
    try:
        body = await answer(request.model_validate(arguments))
    except ValidationError as error:
        faults = (f"{'.'.join(map(str, fault['loc'])) or 'arguments'}: {fault['msg']}" for fault in error.errors()[:5])
        raise _refusal(f"The arguments don't fit. {'; '.join(faults)}.") from None
    except IndexUnavailable:
        # Its message names places on this machine.
        raise _refusal(NO_INDEX) from None
    except ModelError:
        raise _refusal(_NO_MODEL) from None
    except RelnotesError as error:
        raise _refusal(str(error)) from None
    return body.model_dump(mode="json", by_alias=True)


def _refusal(message: str) -> Exception:
    # The message goes to the client; nothing of it is a defect.
    return gr.Error(message, print_exception=False)  # type: ignore[no-any-return]  # to mypy, Gradio is untyped
