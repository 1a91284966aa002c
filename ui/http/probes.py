"""What those ask who run the server: whether it lives, whether it is ready, how it does."""

from dataclasses import asdict

from fastapi import FastAPI
from fastapi.responses import JSONResponse, Response

from corpus.errors import IndexUnavailable
from ui.contract.answer import Body
from ui.http.problems import not_ready_response, problem_responses
from ui.server.live_assistant import LiveAssistant
from ui.server.metrics import MEDIA_TYPE as METRICS_MEDIA_TYPE
from ui.server.metrics import ServerMetrics


class HealthBody(Body):
    """The process is alive."""

    status: str


class ReadyBody(Body):
    """An index is loaded; `loading`, where a newer state of it is being opened, which takes over when it is done."""

    status: str
    generation: int
    documents: int
    passages: int
    loading: bool


def add_probes(app: FastAPI, assistants: LiveAssistant, metrics: ServerMetrics) -> None:
    """Add `/healthz`, `/readyz` and `/metrics`."""

    @app.head("/healthz", include_in_schema=False)
    @app.get("/healthz", tags=["probes"])
    async def is_alive() -> HealthBody:
        """Say that the process is alive."""
        return HealthBody(status="ok")

    @app.head("/readyz", include_in_schema=False, response_model=ReadyBody)
    @app.get("/readyz", tags=["probes"], response_model=ReadyBody, responses=problem_responses(503))
    def is_ready() -> ReadyBody | JSONResponse:
        """Say that an index is loaded; 503 where none is, or not yet."""
        try:
            readiness = assistants.readiness()
        except IndexUnavailable:
            return not_ready_response()
        manifest = readiness.manifest
        if manifest is None:
            return not_ready_response(is_loading=readiness.is_loading)
        return ReadyBody(status="ready", loading=readiness.is_loading, **asdict(manifest))

    @app.head("/metrics", include_in_schema=False)
    @app.get(
        "/metrics",
        tags=["probes"],
        response_class=Response,
        responses={
            200: {"content": {"text/plain": {"schema": {"type": "string"}}}},
            **problem_responses(401, 403),
        },
    )
    def show_metrics() -> Response:
        """Tell the server's metrics in the text format of Prometheus."""
        return Response(metrics.render(), media_type=METRICS_MEDIA_TYPE)
