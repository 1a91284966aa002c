"""The HTTP API: FastAPI routes under `/v1`, probes, and problem documents for everything that goes wrong."""

from contextlib import AbstractContextManager
from typing import Annotated, Protocol

from fastapi import FastAPI, HTTPException
from pydantic import BaseModel, ConfigDict, Field, StringConstraints

from retrieval.assistant import Assistant
from retrieval.model import Answer, SearchResult
from ui.http_guards import BodyLimit, HostGuard, SecurityHeaders, TokenGuard
from ui.index_json import DocumentListBody, DocumentTextBody
from ui.json_contract import AnswerBody, Body, SearchBody
from ui.problems import MEDIA_TYPE, ProblemBody, install_problem_handlers
from ui.question_desk import QuestionDesk

MAX_QUESTION_CHARACTERS = 2_000

QuestionText = Annotated[
    str, StringConstraints(strip_whitespace=True, min_length=1, max_length=MAX_QUESTION_CHARACTERS)
]
FilterText = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=200)]
Limit = Annotated[int, Field(ge=1, le=50, description="Ranked passages to return")]


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


class HealthBody(Body):
    """The process is alive."""

    status: str


class ReadyBody(Body):
    """An index is loaded."""

    status: str
    generation: int
    documents: int
    passages: int


def create_app(
    assistants: AssistantSource, desk: QuestionDesk, *, token: str | None = None, hosts: tuple[str, ...] = ()
) -> FastAPI:
    """Build the API over `assistants`.

    `token`, where given, must be presented by every client. `hosts`, where given, are the only names that
    requests may address the server by.
    """
    problems = {status: {"model": ProblemBody, "content": {MEDIA_TYPE: {}}} for status in (400, 413, 422, 503, 504)}
    app = FastAPI(
        title="relnotes",
        description="Answers about software release notes, made of verbatim, cited quotes.",
        docs_url=None,
        redoc_url=None,
        responses=problems,  # type: ignore[arg-type]  # FastAPI's key type is wider than ours
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
    _add_documents(app, assistants)
    return app


def _add_probes(app: FastAPI, assistants: AssistantSource) -> None:
    @app.get("/healthz", tags=["probes"])
    async def is_alive() -> HealthBody:
        """Say that the process is alive."""
        return HealthBody(status="ok")

    @app.get("/readyz", tags=["probes"])
    def is_ready() -> ReadyBody:
        """Say that an index is loaded; 503 where none is."""
        with assistants.borrow() as assistant:
            manifest = assistant.index.manifest
        return ReadyBody(
            status="ready",
            generation=manifest.generation,
            documents=manifest.documents,
            passages=manifest.passages,
        )


def _add_questions(app: FastAPI, assistants: AssistantSource, desk: QuestionDesk) -> None:
    @app.post("/v1/ask", tags=["questions"])
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

    @app.post("/v1/search", tags=["questions"])
    async def search(request: SearchRequest) -> SearchBody:
        """Rank the passages nearest to a query."""

        def work() -> SearchResult:
            with assistants.borrow() as assistant:
                return assistant.search(
                    request.query, product=request.product, version=request.version, limit=request.k
                )

        return SearchBody.from_result(await desk.run(work))


def _add_documents(app: FastAPI, assistants: AssistantSource) -> None:
    @app.get("/v1/documents", tags=["documents"])
    def list_documents() -> DocumentListBody:
        """List the documents in the index, by product and source."""
        with assistants.borrow() as assistant:
            return DocumentListBody.from_summaries(assistant.index.documents)

    @app.get("/v1/documents/{document_id}", tags=["documents"])
    def show_document(document_id: int) -> DocumentTextBody:
        """Return one document with the text that offsets count in."""
        with assistants.borrow() as assistant:
            for summary in assistant.index.documents:
                if summary.id == document_id:
                    return DocumentTextBody.from_summary(summary, assistant.index.document_text(document_id))
        raise HTTPException(404, f"There is no document {document_id} in the index. /v1/documents lists them.")
