"""RFC 9457 problem documents, the format of every error over HTTP."""

import logging
from http import HTTPStatus

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse
from starlette.exceptions import HTTPException

from corpus.errors import IndexUnavailable, ModelError, NotIndexed, RelnotesError, UsageError
from ui.contract.answer import Body
from ui.log import REQUEST_ID
from ui.server.question_desk import QuestionTimeoutError, TooManyQuestionsError

_LOG = logging.getLogger("relnotes.problems")
MEDIA_TYPE = "application/problem+json"
RETRY_AFTER_S = 2
_FAULTS_SHOWN, _PART_CHARACTERS = 20, 100  # Limits of the faults reported for an invalid request.
_DEFECT = "relnotes met an error it didn't expect; the server's log has it, under this request's id."
NO_INDEX = "No index can be served. Build one with `relnotes ingest SOURCE`; the server's log says more."
_NO_MODEL = "The server can't load its model, and so can't answer; its log says why."
_FASTAPI_UNREADABLE = "There was an error parsing the body"


class FaultBody(Body):
    """One thing wrong with a request: where, and what."""

    pointer: str
    detail: str


class ProblemBody(Body):
    """An error. Source: RFC 9457."""

    type: str
    title: str
    status: int
    detail: str
    instance: str | None = None
    errors: tuple[FaultBody, ...] = ()


def problem_response(
    status: int, detail: str, *, headers: dict[str, str] | None = None, faults: tuple[FaultBody, ...] = ()
) -> JSONResponse:
    """Build a response with a problem document; its title is the status's phrase, its instance has the request's id."""
    request_id = REQUEST_ID.get()
    body = ProblemBody(
        type="about:blank",
        title=HTTPStatus(status).phrase,
        status=status,
        # A detail may quote the request, and JSON can contain lone surrogates, which UTF-8 can't encode.
        detail=_utf8(detail),
        instance=f"urn:relnotes:request:{request_id}" if request_id else None,
        errors=tuple(FaultBody(pointer=_utf8(fault.pointer), detail=_utf8(fault.detail)) for fault in faults),
    )
    return JSONResponse(
        body.model_dump(exclude_defaults=True), status_code=status, headers=headers, media_type=MEDIA_TYPE
    )


def _utf8(text: str) -> str:
    return text.encode("utf-8", "replace").decode()


def install_problem_handlers(app: FastAPI) -> None:
    """Answer every error that `app` meets with a problem document."""
    app.add_exception_handler(HTTPException, on_http_error)
    app.add_exception_handler(RequestValidationError, _on_invalid_request)
    app.add_exception_handler(RelnotesError, on_relnotes_error)
    app.add_exception_handler(Exception, defect_response)


async def on_http_error(request: Request, error: Exception) -> JSONResponse:
    """Convert an error of the framework to a problem response."""
    assert isinstance(error, HTTPException)
    details = {
        404: f"There is nothing at {request.url.path}.",
        405: f"{request.url.path} doesn't take {request.method}.",
    }
    detail = error.detail if error.detail != HTTPStatus(error.status_code).phrase else ""
    if detail == _FASTAPI_UNREADABLE:
        detail = "The body is not valid JSON: it isn't UTF-8, or its nesting or a number in it has no end."
    headers = dict(error.headers or {})
    if "GET" in (methods := headers.get("Allow", "").split(", ")):
        # Every path with GET has HEAD too, by a separate route that the router leaves out of `Allow`.
        headers["Allow"] = ", ".join(dict.fromkeys((*methods, "HEAD")))
    return problem_response(
        error.status_code,
        detail or details.get(error.status_code, HTTPStatus(error.status_code).description),
        headers=headers,
    )


async def _on_invalid_request(request: Request, error: Exception) -> JSONResponse:
    assert isinstance(error, RequestValidationError)
    errors = error.errors()
    if broken := next((fault for fault in errors if fault["type"] == "json_invalid"), None):
        unreadable = f"The body is not valid JSON: {broken['ctx']['error']} at character {broken['loc'][-1]}."
        return problem_response(422, unreadable, faults=(FaultBody(pointer="/body", detail=unreadable),))
    subtype = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    is_json = subtype == "application/json" or (subtype.startswith("application/") and subtype.endswith("+json"))
    if not is_json and any(fault["loc"] == ("body",) for fault in errors):
        received = f"this one came as {subtype!r}" if subtype else "this one came without a type"
        unsuitable = f"Send a JSON body with `Content-Type: application/json`; {received}."
        return problem_response(415, unsuitable, headers={"Accept": "application/json"})
    faults = tuple(
        FaultBody(pointer="/" + "/".join(str(part)[:_PART_CHARACTERS] for part in fault["loc"]), detail=fault["msg"])
        for fault in errors[:_FAULTS_SHOWN]
    )
    detail = "; ".join(f"{fault.pointer}: {fault.detail}" for fault in faults)
    detail += f"; and {len(errors) - len(faults)} more" if len(errors) > len(faults) else ""
    return problem_response(422, f"The request doesn't fit: {detail}.", faults=faults)


def public_message(error: RelnotesError, *, no_index: str = NO_INDEX) -> str:
    """Return an error's message for remote clients; those about index and model, which name paths, are only logged."""
    if not isinstance(error, IndexUnavailable | ModelError):
        return str(error)
    _LOG.error("%s", error)
    return no_index if isinstance(error, IndexUnavailable) else _NO_MODEL


async def on_relnotes_error(_request: Request, error: Exception) -> JSONResponse:
    """Convert an error of ours to a problem response."""
    retry = {"Retry-After": str(RETRY_AFTER_S)}
    match error:
        case NotIndexed():
            return problem_response(404, str(error))
        case UsageError():
            return problem_response(400, str(error))
        case TooManyQuestionsError():
            return busy_response(str(error))
        case QuestionTimeoutError():
            return problem_response(504, str(error), headers=retry)
    # The message names paths of this machine, so it goes to the log only.
    _LOG.error("%s", error)
    return busy_response(NO_INDEX) if isinstance(error, IndexUnavailable) else defect_response()


def busy_response(detail: str, *, closes: bool = False) -> JSONResponse:
    """Build a 503 response with Retry-After; if `closes`, also close the connection."""
    headers = {"Retry-After": str(RETRY_AFTER_S), **({"Connection": "close"} if closes else {})}
    return problem_response(503, detail, headers=headers)


def problem_responses(*statuses: int) -> dict[int | str, dict[str, object]]:
    """Return the value of FastAPI's `responses` for these statuses; `ui.http.api` moves the schema to `MEDIA_TYPE`."""
    return {
        status: {"model": ProblemBody, "description": HTTPStatus(status).phrase, "content": {MEDIA_TYPE: {}}}
        for status in statuses
    }


def defect_response(*_: object) -> JSONResponse:
    """Build the 500 response, which only points to the log."""
    return problem_response(500, _DEFECT)
