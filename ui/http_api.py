"""The HTTP API: FastAPI routes under `/v1`, probes, and problem documents for everything that goes wrong."""

from contextlib import AbstractContextManager
from typing import Annotated, Any, Protocol

from fastapi import Depends, FastAPI, HTTPException, Path, Query
from fastapi.responses import JSONResponse
from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, StringConstraints

from corpus.errors import IndexUnavailable, ModelError
from retrieval.assistant import Assistant
from retrieval.claims.checking import MAX_TEXT_CHARACTERS
from retrieval.claims.model import ClaimCheck
from retrieval.model import Answer, SearchResult
from retrieval.reviews.model import Review
from retrieval.upgrades.model import Upgrade
from ui.claim_json import ClaimCheckBody
from ui.http_guards import BodyLimit, HostGuard, SecurityHeaders, TokenGuard
from ui.index_json import PublicDocumentListBody, PublicDocumentTextBody
from ui.json_contract import AnswerBody, Body, SearchBody
from ui.problems import MEDIA_TYPE, install_problem_handlers, not_ready_response, problem_responses
from ui.query_parameters import only_once
from ui.question_desk import QuestionDesk
from ui.question_limits import FilterText, QuestionText
from ui.review_json import ReviewBody
from ui.upgrade_json import UpgradeBody

ClaimText = Annotated[str, StringConstraints(min_length=1, max_length=MAX_TEXT_CHARACTERS, pattern=r"\S")]
"""Kept as it is: offsets count in it."""
Limit = Annotated[int, Field(strict=True, ge=1, le=50, description="Ranked passages to return")]


def _plain_digits(number: object) -> object:
    # "1.0" and "+1" would pass for 1 too.
    if isinstance(number, str) and not (number.isascii() and number.isdigit()):
        raise ValueError("write the number of a document in digits")
    return number


DocumentNumber = Annotated[int, BeforeValidator(_plain_digits), Path(description="The `id` in /v1/documents")]
_QUESTION_PROBLEMS = problem_responses(400, 401, 413, 422, 503, 504)


class AssistantSource(Protocol):
    """Lends out an open assistant; `ui.live_assistant.LiveAssistant` is the one in use."""

    def borrow(self) -> AbstractContextManager[Assistant]:
        """Lend the assistant for a `with` block.

        Raises:
            IndexUnavailable: there is no index to serve.
        """


class _Request(BaseModel):
    # A misspelt filter that is silently ignored gives a wrong answer, so unknown keys are refused.
    model_config = ConfigDict(extra="forbid", frozen=True)

    product: Annotated[FilterText | None, Field(description="Only this product, by its name or an alias")] = None
    version: Annotated[FilterText | None, Field(description="Only this version's notes")] = None
    k: Limit = 10


class AskRequest(_Request):
    """A question, with the filters and the earlier questions of its conversation."""

    question: QuestionText
    history: Annotated[
        tuple[QuestionText, ...], Field(max_length=20, description="Earlier questions, oldest first")
    ] = ()


class SearchRequest(_Request):
    """A query for passages."""

    query: QuestionText


class ReviewRequest(BaseModel):
    """A diff to review."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    diff: Annotated[
        str, StringConstraints(min_length=1), Field(description="Unified, as `git diff` or `diff -u` writes it")
    ]


class CiteRequest(BaseModel):
    """A claim, or a text that makes several, with filters."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    text: ClaimText
    product: Annotated[FilterText | None, Field(description="Only this product, by its name or an alias")] = None
    version: Annotated[FilterText | None, Field(description="Only this version's notes")] = None


class HealthBody(Body):
    """The process is alive."""

    status: str


class ReadyBody(Body):
    """An index is loaded."""

    status: str
    generation: int
    documents: int
    passages: int


class _Api(FastAPI):
    """FastAPI that describes its problems as what they are, `application/problem+json`."""

    def openapi(self) -> dict[str, Any]:
        """Describe the API; built once."""
        description = super().openapi()
        for path in description["paths"].values():
            for operation in path.values():
                for response in operation["responses"].values():
                    content = response.get("content", {})
                    if MEDIA_TYPE in content and "application/json" in content:
                        content[MEDIA_TYPE] = content.pop("application/json")
        return description


def create_app(
    assistants: AssistantSource, desk: QuestionDesk, *, token: str | None = None, hosts: tuple[str, ...] = ()
) -> FastAPI:
    """Build the API over `assistants`.

    `token`, where given, must be presented by every client. `hosts`, where given, are the only names that
    requests may address the server by.
    """
    app = _Api(
        title="relnotes",
        description="Answers about software release notes, made of verbatim, cited quotes.",
        docs_url=None,
        redoc_url=None,
        responses=problem_responses(421),
    )
    install_problem_handlers(app)
    # The last one added sees a request first.
    app.add_middleware(BodyLimit)
    if token:
        app.add_middleware(TokenGuard, token=token)
    if hosts:
        app.add_middleware(HostGuard, hosts=hosts)
    app.add_middleware(SecurityHeaders)
    _add_probes(app, assistants)
    _add_questions(app, assistants, desk)
    _add_upgrade(app, assistants, desk)
    _add_documents(app, assistants)
    return app


def _add_probes(app: FastAPI, assistants: AssistantSource) -> None:
    @app.head("/healthz", include_in_schema=False)
    @app.get("/healthz", tags=["probes"])
    async def is_alive() -> HealthBody:
        """Say that the process is alive."""
        return HealthBody(status="ok")

    @app.head("/readyz", include_in_schema=False, response_model=ReadyBody)
    @app.get("/readyz", tags=["probes"], response_model=ReadyBody, responses=problem_responses(503))
    def is_ready() -> ReadyBody | JSONResponse:
        """Say that an index is loaded; 503 where none is."""
        try:
            with assistants.borrow() as assistant:
                manifest = assistant.index.manifest
        except (IndexUnavailable, ModelError):
            return not_ready_response()
        return ReadyBody(
            status="ready",
            generation=manifest.generation,
            documents=manifest.documents,
            passages=manifest.passages,
        )


def _add_questions(app: FastAPI, assistants: AssistantSource, desk: QuestionDesk) -> None:
    @app.post("/v1/ask", tags=["questions"], responses=_QUESTION_PROBLEMS)
    async def ask(request: AskRequest) -> AnswerBody:
        """Answer a question with verbatim, cited quotes; an honest "not found" is an answer too."""

        def work() -> Answer:
            with assistants.borrow() as assistant:
                return assistant.ask(
                    request.question,
                    history=request.history,
                    product=request.product,
                    version=request.version,
                    limit=request.k,
                )

        return AnswerBody.from_answer(await desk.run(work))

    @app.post("/v1/search", tags=["questions"], responses=_QUESTION_PROBLEMS)
    async def search(request: SearchRequest) -> SearchBody:
        """Rank the passages nearest to a query."""

        def work() -> SearchResult:
            with assistants.borrow() as assistant:
                return assistant.search(
                    request.query, product=request.product, version=request.version, limit=request.k
                )

        return SearchBody.from_result(await desk.run(work))

    @app.post("/v1/review", tags=["questions"], responses=_QUESTION_PROBLEMS)
    async def review(request: ReviewRequest) -> ReviewBody:
        """List what the release notes say of the dependencies that a diff bumps and of the symbols it touches."""

        def work() -> Review:
            with assistants.borrow() as assistant:
                return assistant.review(request.diff)

        return ReviewBody.from_review(await desk.run(work))


def _add_upgrade(app: FastAPI, assistants: AssistantSource, desk: QuestionDesk) -> None:
    known = [Depends(only_once("product", "from", "to"))]

    @app.get("/v1/upgrade", tags=["questions"], responses=_QUESTION_PROBLEMS, dependencies=known)
    async def upgrade(
        product: Annotated[FilterText, Query(description="By its name or an alias")],
        start: Annotated[FilterText, Query(alias="from", description="The version in use; excluded")],
        end: Annotated[FilterText, Query(alias="to", description="The version to move to, or `latest`; included")],
    ) -> UpgradeBody:
        """List what breaks, is removed, deprecated or needs action between two versions."""

        def work() -> Upgrade:
            with assistants.borrow() as assistant:
                return assistant.upgrade(product, start, end)

        return UpgradeBody.from_upgrade(await desk.run(work))

    @app.post("/v1/cite", tags=["questions"], responses=_QUESTION_PROBLEMS)
    async def cite(request: CiteRequest) -> ClaimCheckBody:
        """Check the claims of a text against the notes: a verdict for each, with the quotes that decide."""

        def work() -> ClaimCheck:
            with assistants.borrow() as assistant:
                return assistant.cite(request.text, product=request.product, version=request.version)

        return ClaimCheckBody.from_check(await desk.run(work))


def _add_documents(app: FastAPI, assistants: AssistantSource) -> None:
    @app.get("/v1/documents", tags=["documents"], responses=problem_responses(401, 503))
    def list_documents() -> PublicDocumentListBody:
        """List the documents in the index, by product and source."""
        with assistants.borrow() as assistant:
            return PublicDocumentListBody.from_summaries(assistant.index.documents)

    @app.get("/v1/documents/{document_id}", tags=["documents"], responses=problem_responses(401, 404, 422, 503))
    def show_document(document_id: DocumentNumber) -> PublicDocumentTextBody:
        """Return one document with the text that offsets count in."""
        with assistants.borrow() as assistant:
            for summary in assistant.index.documents:
                if summary.id == document_id:
                    return PublicDocumentTextBody.from_summary(summary, assistant.index.document_text(document_id))
        raise HTTPException(404, f"There is no document {document_id} in the index. /v1/documents lists them.")
