"""The HTTP API: FastAPI routes under `/v1`, probes, metrics, and problem documents for everything that goes wrong.

Whatever else is served is mounted on the app that `create_app` returns, and passes the same guards.
"""

from collections.abc import Callable, Mapping
from typing import Annotated

from fastapi import Depends, FastAPI, Query
from starlette.routing import Match, Route
from starlette.types import Scope

from corpus.errors import IndexUnavailable, NotIndexed, UsageError
from corpus.index.layout import Manifest
from retrieval.claims.model import ClaimCheck
from retrieval.model import Answer, SearchResult
from retrieval.reviews.model import Review
from retrieval.upgrades.model import Upgrade
from ui.contract.answer import AnswerBody, ClaimCheckBody, ExplainedAnswerBody, SearchBody, answer_body
from ui.contract.upgrade import ReviewBody, UpgradeBody
from ui.http.description import DescribedApi
from ui.http.documents import add_documents
from ui.http.guards import BodyLimit, CrossOriginGuard, HostGuard, SecurityHeaders, TokenGuard
from ui.http.probes import add_metrics, add_probes
from ui.http.problems import install_problem_handlers, problem_responses
from ui.http.query_parameters import only_once
from ui.http.request_record import RequestRecord
from ui.http.requests import AskRequest, CiteRequest, ReviewRequest, SearchRequest
from ui.http.tokens import Grant, grant_everything
from ui.question_limits import LONG_DIFF_CHARACTERS, FilterText
from ui.rendering.versions import VersionOrLatestText, VersionText
from ui.server.assistant_source import AssistantSource
from ui.server.live_assistant import LiveAssistant
from ui.server.metrics import ServerMetrics
from ui.server.question_desk import QuestionDesk
from ui.server.socket_file import SocketGuard
from ui.server.tracing import Tracing
from ui.web.shell.paths import is_page_path

_QUESTION_PROBLEMS = problem_responses(401, 403, 404, 422, 503, 504)
_BODY_PROBLEMS = {**_QUESTION_PROBLEMS, **problem_responses(413, 415)}


def create_app(
    assistants: LiveAssistant,
    desk: QuestionDesk,
    *,
    token: str | None = None,
    grants: Callable[[], tuple[Grant, ...]] | None = None,
    hosts: tuple[str, ...] = (),
    tracing: Tracing | None = None,
    stamps: Callable[[], Mapping[str, str]] | None = None,
) -> FastAPI:
    """Build the API over `assistants`.

    Where there are a `token`, which opens everything, or `grants`, which tell at each request what further tokens
    there are, every client must present one. `hosts`, where given, are the only names that requests may address the
    server by. `stamps`, where given, tells at each request what may be asked on the server's own socket, and with
    which settings.
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
        app.add_middleware(TokenGuard, grants=taken)
    app.add_middleware(CrossOriginGuard)
    if hosts:
        app.add_middleware(HostGuard, hosts=hosts)
    if stamps is not None:
        app.add_middleware(SocketGuard, stamps=stamps, assistants=assistants)
    app.add_middleware(RequestRecord, route_of=_route_of(app), metrics=metrics, tracing=tracing)
    app.add_middleware(SecurityHeaders)
    add_probes(app, assistants)
    add_metrics(app, metrics)
    app.state.metrics = metrics
    _add_questions(app, assistants, desk)
    _add_upgrade(app, assistants, desk)
    add_documents(app, assistants, desk)
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
        return "page" if is_page_path(scope["path"]) else "other"

    return route_of


def _add_questions(app: FastAPI, assistants: AssistantSource, desk: QuestionDesk) -> None:
    @app.post("/v1/ask", tags=["questions"], responses=_BODY_PROBLEMS)
    async def ask(request: AskRequest) -> ExplainedAnswerBody | AnswerBody:
        """Answer a question with verbatim, cited quotes; an honest "not found" is an answer too."""

        def work() -> Answer:
            with assistants.borrow() as assistant:
                return assistant.ask(
                    request.question,
                    history=request.history,
                    product=request.product,
                    version=request.version,
                    limit=request.k,
                    explain=request.explain,
                )

        answer = await desk.run(work)
        desk.record(answer.question, answer.status)
        return answer_body(answer)

    @app.post("/v1/search", tags=["questions"], responses=_BODY_PROBLEMS)
    async def search(request: SearchRequest) -> SearchBody:
        """Rank the passages nearest to a query."""

        def work() -> SearchResult:
            with assistants.borrow() as assistant:
                return assistant.search(
                    request.query, product=request.product, version=request.version, limit=request.k
                )

        return SearchBody.model_validate(await desk.run(work))

    @app.post("/v1/cite", tags=["questions"], responses=_BODY_PROBLEMS)
    async def cite(request: CiteRequest) -> ClaimCheckBody:
        """Check the claims of a text against the notes: a verdict for each, with the quotes that decide."""

        def work() -> ClaimCheck:
            with assistants.borrow() as assistant:
                return assistant.cite(request.text, product=request.product, version=request.version)

        return ClaimCheckBody.model_validate(await desk.run(work))

    @app.post("/v1/review", tags=["questions"], responses=_BODY_PROBLEMS)
    async def review(request: ReviewRequest) -> ReviewBody:
        """List what the release notes say of the dependencies that a diff bumps and of the symbols it touches."""

        def work() -> Review:
            with assistants.borrow() as assistant:
                return assistant.review(request.diff)

        return ReviewBody.model_validate(await desk.run(work, is_long=len(request.diff) > LONG_DIFF_CHARACTERS))


def _add_upgrade(app: FastAPI, assistants: AssistantSource, desk: QuestionDesk) -> None:
    known = [Depends(only_once("product", "from", "to"))]

    @app.head("/v1/upgrade", include_in_schema=False, dependencies=known)
    @app.get("/v1/upgrade", tags=["questions"], responses=_QUESTION_PROBLEMS, dependencies=known)
    async def upgrade(
        product: Annotated[FilterText, Query(description="By its name or an alias")],
        start: Annotated[VersionText, Query(alias="from", description="The version in use; excluded")],
        end: Annotated[
            VersionOrLatestText, Query(alias="to", description="The version to move to, or `latest`; included")
        ],
    ) -> UpgradeBody:
        """List what breaks, is removed, deprecated or needs action between two versions."""

        def work() -> Upgrade:
            with assistants.borrow() as assistant:
                try:
                    return assistant.upgrade(product, start, end)
                except UsageError as error:
                    # What the address names, down from a version to a lower one, isn't there.
                    raise NotIndexed(str(error)) from None

        return UpgradeBody.model_validate(await desk.run(work))
