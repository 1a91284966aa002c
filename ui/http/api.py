"""The HTTP API. The other entrances are mounted on the app that `create_app` returns, behind the same guards."""

from dataclasses import asdict
from typing import Annotated, Any

from fastapi import FastAPI, Path, Query
from fastapi.responses import JSONResponse, Response
from pydantic import WithJsonSchema
from starlette.middleware.gzip import GZipMiddleware
from starlette.routing import Match, Route
from starlette.types import Scope

from corpus.errors import IndexUnavailable, NotIndexed
from corpus.manifest import Manifest
from retrieval.assistant import Assistant
from ui.contract.answer import Body
from ui.contract.index import PublicDocumentListBody, PublicDocumentTextBody
from ui.contract.upgrade import UpgradeBody
from ui.environment import own_version
from ui.http.answering import Answering
from ui.http.guards import OPEN_PATHS, BodyLimit, Guard, SecurityHeaders, check_origin, host_check, token_check
from ui.http.problems import MEDIA_TYPE as PROBLEM_MEDIA_TYPE
from ui.http.problems import NO_INDEX, busy_response, install_problem_handlers, problem_responses
from ui.http.request_record import RequestRecord
from ui.http.requests import UpgradeRequest
from ui.server.live_assistant import LiveAssistant
from ui.server.metrics import MEDIA_TYPE as METRICS_MEDIA_TYPE
from ui.server.metrics import ServerMetrics
from ui.server.question_desk import QuestionDesk

_QUESTION_PROBLEMS = problem_responses(401, 403, 404, 422, 503, 504)
_BODY_PROBLEMS = {**_QUESTION_PROBLEMS, **problem_responses(413, 415)}
_READ_PROBLEMS = problem_responses(401, 403, 503, 504)
# A string, so that anything but a document's number ("+1", "1.0") is a 404 and no fault of validation.
DocumentNumber = Annotated[
    str, Path(description="The `id` in /v1/documents"), WithJsonSchema({"type": "integer", "minimum": 1})
]


class HealthBody(Body):
    """The process is alive."""

    status: str


class ReadyBody(Body):
    """An index is loaded; `loading` if a newer state is being opened, which replaces this one when it is ready."""

    status: str
    generation: int
    documents: int
    passages: int
    loading: bool


class _DescribedApi(FastAPI):
    """FastAPI whose schema has the media type of problems and the security of each operation."""

    def __init__(self, *, wants_token: bool, **about: Any) -> None:
        super().__init__(**about)
        self._wants_token = wants_token

    def openapi(self) -> dict[str, Any]:
        if self.openapi_schema is not None:
            return self.openapi_schema
        description = super().openapi()
        description["components"]["securitySchemes"] = {
            "bearer": {"type": "http", "scheme": "bearer", "description": "The token of the server"}
        }
        for path, operations in description["paths"].items():
            for operation in operations.values():
                if path not in OPEN_PATHS:
                    # Without a token, which is possible on loopback only, a client may send one, and it is ignored.
                    operation["security"] = [{"bearer": []}] + ([] if self._wants_token else [{}])
                for status, response in tuple(operation["responses"].items()):
                    content = response.get("content", {})
                    if status == "422" and PROBLEM_MEDIA_TYPE not in content:
                        # FastAPI adds a 422 to every operation with parameters.
                        del operation["responses"][status]
                    if PROBLEM_MEDIA_TYPE in content and "application/json" in content:
                        content[PROBLEM_MEDIA_TYPE] = content.pop("application/json")
        return description


def create_app(
    assistants: LiveAssistant,
    desk: QuestionDesk,
    *,
    token: str | None = None,
    hosts: tuple[str, ...] = (),
) -> FastAPI:
    """Build the API over `assistants`. Clients need the `token` and one of the `hosts`, if any."""

    def served_manifest() -> Manifest | None:
        # None if questions are refused, as `/readyz` reports.
        try:
            return assistants.readiness().manifest
        except IndexUnavailable:
            return None

    def route_of(scope: Scope) -> str:
        for route in app.router.routes:
            if isinstance(route, Route) and route.matches(scope)[0] is not Match.NONE:
                return route.path
        return "other"

    metrics = ServerMetrics(desk, served_manifest)
    app = _DescribedApi(
        wants_token=bool(token),
        title="relnotes",
        version=own_version() or "0",
        description="Answers about software release notes, made of verbatim, cited quotes.",
        docs_url=None,
        redoc_url=None,
        redirect_slashes=False,
        responses=problem_responses(400, 421, 500),
    )
    install_problem_handlers(app)
    # The middleware added last sees a request first.
    app.add_middleware(GZipMiddleware, minimum_size=1024, compresslevel=6)
    app.add_middleware(BodyLimit)
    if token:
        app.add_middleware(Guard, check=token_check(token))
    app.add_middleware(Guard, check=check_origin)
    if hosts:
        app.add_middleware(Guard, check=host_check(hosts))
    app.add_middleware(RequestRecord, route_of=route_of, metrics=metrics)
    app.add_middleware(SecurityHeaders)
    _add_probes(app, assistants, metrics)
    app.state.answering = answering = Answering(assistants, desk)
    _add_questions(app, answering)
    _add_documents(app, answering)
    return app


def _add_probes(app: FastAPI, assistants: LiveAssistant, metrics: ServerMetrics) -> None:
    @app.head("/healthz", include_in_schema=False)
    @app.get("/healthz", tags=["probes"])
    async def is_alive() -> HealthBody:
        """Report that the process is alive."""
        return HealthBody(status="ok")

    @app.head("/readyz", include_in_schema=False, response_model=ReadyBody)
    @app.get("/readyz", tags=["probes"], response_model=ReadyBody, responses=problem_responses(503))
    def is_ready() -> ReadyBody | JSONResponse:
        """Report that an index is loaded; 503 if none is, or not yet."""
        try:
            readiness = assistants.readiness()
        except IndexUnavailable:
            return busy_response(NO_INDEX)
        manifest = readiness.manifest
        if manifest is None:
            return busy_response("The index is being loaded. Try again in a moment.")
        return ReadyBody(status="ready", loading=readiness.is_loading, **asdict(manifest))

    @app.head("/metrics", include_in_schema=False)
    @app.get(
        "/metrics",
        tags=["probes"],
        response_class=Response,
        responses={200: {"content": {"text/plain": {"schema": {"type": "string"}}}}, **problem_responses(401, 403)},
    )
    def show_metrics() -> Response:
        """Return the server's metrics in the text format of Prometheus."""
        return Response(metrics.render(), media_type=METRICS_MEDIA_TYPE)


def _add_questions(app: FastAPI, answering: Answering) -> None:
    for endpoint in (answering.ask, answering.search, answering.cite, answering.review):
        app.post(f"/v1/{endpoint.__name__}", tags=["questions"], responses=_BODY_PROBLEMS)(endpoint)

    @app.head("/v1/upgrade", include_in_schema=False)
    @app.get("/v1/upgrade", tags=["questions"], description=answering.upgrade.__doc__, responses=_QUESTION_PROBLEMS)
    async def upgrade(request: Annotated[UpgradeRequest, Query()]) -> UpgradeBody:
        return await answering.upgrade(request)


def _add_documents(app: FastAPI, answering: Answering) -> None:
    @app.head("/v1/documents", include_in_schema=False)
    @app.get("/v1/documents", tags=["documents"], responses=_READ_PROBLEMS)
    async def list_documents() -> PublicDocumentListBody:
        """List the documents in the index, by product and source."""
        # At the desk and not in the event loop, because thousands of documents take as long as a question.
        return await answering.run(
            lambda assistant: PublicDocumentListBody.model_validate({"documents": assistant.index.documents})
        )

    @app.head("/v1/documents/{document_id}", include_in_schema=False)
    @app.get("/v1/documents/{document_id}", tags=["documents"], responses={**_READ_PROBLEMS, **problem_responses(404)})
    async def show_document(document_id: DocumentNumber) -> PublicDocumentTextBody:
        """Return one document with the text that offsets count in."""

        def find(assistant: Assistant) -> PublicDocumentTextBody:
            for summary in assistant.index.documents:
                if str(summary.id) == document_id:
                    return PublicDocumentTextBody(**asdict(summary), text=assistant.index.document_text(summary.id))
            raise NotIndexed(f"There is no document {document_id!r} in the index. /v1/documents lists them.")

        return await answering.run(find)
