"""The HTTP API; whatever else is served is mounted on the app that `create_app` returns, and passes the same guards."""

from collections.abc import Callable
from dataclasses import asdict
from typing import Annotated

from fastapi import Depends, FastAPI, Path, Query
from pydantic import WithJsonSchema
from starlette.routing import Match, Route
from starlette.types import Scope

from corpus.errors import IndexUnavailable, NotIndexed
from corpus.index.layout import Manifest
from retrieval.assistant import Assistant
from ui.contract.index import PublicDocumentListBody, PublicDocumentTextBody
from ui.contract.upgrade import UpgradeBody
from ui.http.answering import Answering
from ui.http.description import DescribedApi
from ui.http.guards import BodyLimit, Guard, SecurityHeaders, check_origin, host_check, token_check
from ui.http.probes import add_probes
from ui.http.problems import install_problem_handlers, problem_responses
from ui.http.request_record import RequestRecord
from ui.http.requests import UpgradeRequest, refuse_repeated_parameters
from ui.http.tokens import Grant, grant_everything
from ui.server.live_assistant import LiveAssistant
from ui.server.metrics import ServerMetrics
from ui.server.question_desk import QuestionDesk
from ui.server.tracing import Tracing

_QUESTION_PROBLEMS = problem_responses(401, 403, 404, 422, 503, 504)
_BODY_PROBLEMS = {**_QUESTION_PROBLEMS, **problem_responses(413, 415)}


_READ_PROBLEMS = problem_responses(401, 403, 503, 504)
# Whatever isn't the number of a document is a place where there is none, "+1" and "1.0" among them.
DocumentNumber = Annotated[
    str, Path(description="The `id` in /v1/documents"), WithJsonSchema({"type": "integer", "minimum": 1})
]


def create_app(
    assistants: LiveAssistant,
    desk: QuestionDesk,
    *,
    token: str | None = None,
    grants: Callable[[], tuple[Grant, ...]] | None = None,
    hosts: tuple[str, ...] = (),
    tracing: Tracing | None = None,
) -> FastAPI:
    """Build the API over `assistants`.

    Where there are a `token`, which opens everything, or `grants`, which tell at each request what further tokens
    there are, every client must present one. `hosts`, where given, are the only names that requests may address the
    server by.
    """
    everything = (grant_everything(token),) if token else ()

    def taken() -> tuple[Grant, ...]:
        return everything if grants is None else (*everything, *grants())

    wants_token = bool(everything) or grants is not None
    metrics = ServerMetrics(desk, lambda: _ready_state(assistants), lambda: assistants.openings)
    app = DescribedApi(
        wants_token=wants_token,
        title="relnotes",
        description="Answers about software release notes, made of verbatim, cited quotes.",
        docs_url=None,
        redoc_url=None,
        redirect_slashes=False,
        responses=problem_responses(400, 408, 421, 431, 500),
    )
    install_problem_handlers(app)
    # The last one added sees a request first.
    app.add_middleware(BodyLimit)
    if wants_token:
        app.add_middleware(Guard, check=token_check(taken))
    app.add_middleware(Guard, check=check_origin)
    if hosts:
        app.add_middleware(Guard, check=host_check(hosts))
    app.add_middleware(RequestRecord, route_of=_route_of(app), metrics=metrics, tracing=tracing)
    app.add_middleware(SecurityHeaders)
    add_probes(app, assistants, metrics)
    app.state.metrics = metrics
    answering = Answering(assistants, desk)
    _add_questions(app, answering)
    _add_documents(app, answering)
    return app


def _ready_state(assistants: LiveAssistant) -> Manifest | None:
    """What questions are answered from; None where they are refused, as `/readyz` says."""
    try:
        return assistants.readiness().manifest
    except IndexUnavailable:
        return None


def _route_of(app: FastAPI) -> Callable[[Scope], str]:
    def route_of(scope: Scope) -> str:
        for route in app.router.routes:
            if isinstance(route, Route) and route.matches(scope)[0] is not Match.NONE:
                return route.path
        return "other"

    return route_of


def _add_questions(app: FastAPI, answering: Answering) -> None:
    for endpoint in (answering.ask, answering.search, answering.cite, answering.review):
        app.post(f"/v1/{endpoint.__name__}", tags=["questions"], responses=_BODY_PROBLEMS)(endpoint)

    once = [Depends(refuse_repeated_parameters)]

    @app.head("/v1/upgrade", include_in_schema=False, dependencies=once)
    @app.get(
        "/v1/upgrade",
        tags=["questions"],
        description=answering.upgrade.__doc__,
        responses=_QUESTION_PROBLEMS,
        dependencies=once,
    )
    async def upgrade(request: Annotated[UpgradeRequest, Query()]) -> UpgradeBody:
        return await answering.upgrade(request)


def _add_documents(app: FastAPI, answering: Answering) -> None:
    @app.head("/v1/documents", include_in_schema=False)
    @app.get("/v1/documents", tags=["documents"], responses=_READ_PROBLEMS)
    async def list_documents() -> PublicDocumentListBody:
        """List the documents in the index, by product and source."""
        # Thousands take as long as a question: not in the event loop.
        return await answering.run(
            lambda assistant: PublicDocumentListBody.model_validate({"documents": assistant.index.documents})
        )

    @app.head("/v1/documents/{document_id}", include_in_schema=False)
    @app.get(
        "/v1/documents/{document_id}",
        tags=["documents"],
        responses={**_READ_PROBLEMS, **problem_responses(404)},
    )
    async def show_document(document_id: DocumentNumber) -> PublicDocumentTextBody:
        """Return one document with the text that offsets count in."""

        def find(assistant: Assistant) -> PublicDocumentTextBody:
            for summary in assistant.index.documents:
                if str(summary.id) == document_id:
                    return PublicDocumentTextBody(**asdict(summary), text=assistant.index.document_text(summary.id))
            raise NotIndexed(f"There is no document {document_id!r} in the index. /v1/documents lists them.")

        return await answering.run(find)
