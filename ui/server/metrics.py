"""Numbers about the server for Prometheus: requests, answers, the desk, the index. Nothing of what was asked."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import datetime
from importlib.metadata import PackageNotFoundError, version

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, ProcessCollector, generate_latest
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, Metric
from prometheus_client.registry import Collector

from corpus.index.layout import Manifest
from ui.server.live_assistant import Openings
from ui.server.question_desk import QuestionDesk, Stage

MEDIA_TYPE = "text/plain; version=0.0.4; charset=utf-8"
_SECONDS = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0)


class ServerMetrics:
    """The metrics of one server; every name begins with `relnotes_`."""

    def __init__(
        self,
        desk: QuestionDesk,
        served: Callable[[], Manifest | None],
        openings: Callable[[], Openings] = Openings,
    ) -> None:
        self._registry = CollectorRegistry()
        self._requests = Counter(
            "relnotes_http_requests", "Requests answered", ("method", "route", "status"), registry=self._registry
        )
        self._seconds = Histogram(
            "relnotes_http_request_duration_seconds",
            "Seconds from a request's headers to the end of its response",
            ("method", "route"),
            buckets=_SECONDS,
            registry=self._registry,
        )
        self._in_flight = Gauge("relnotes_http_requests_in_flight", "Requests being answered", registry=self._registry)
        self._stages = Histogram(
            "relnotes_question_stage_seconds",
            "Seconds that a question waited for a place, and was worked on",
            ("stage",),
            buckets=_SECONDS,
            registry=self._registry,
        )
        for stage in Stage:
            self._stages.labels(stage.value)
        desk.watch(self._observe_stage)
        self._registry.register(_Current(desk, served, openings))
        ProcessCollector(namespace="relnotes", registry=self._registry)

    @contextmanager
    def in_flight(self) -> Iterator[None]:
        """Count a request as being answered for a `with` block."""
        with self._in_flight.track_inprogress():
            yield

    def observe_request(self, *, method: str, route: str, status: int, seconds: float) -> None:
        """Count a request that was answered; `method` and `route` each have few values."""
        self._requests.labels(method, route, str(status)).inc()
        self._seconds.labels(method, route).observe(seconds)

    def watch(self, collect: Callable[[], Iterator[Metric]]) -> None:
        """Tell at each scrape what `collect` gives, too."""
        self._registry.register(_Watched(collect))

    def _observe_stage(self, stage: Stage, seconds: float) -> None:
        self._stages.labels(stage.value).observe(seconds)

    def render(self) -> bytes:
        """All metrics in the text format of Prometheus."""
        return generate_latest(self._registry)


class _Watched(Collector):
    def __init__(self, collect: Callable[[], Iterator[Metric]]) -> None:
        self._collect = collect

    def collect(self) -> Iterator[Metric]:
        return self._collect()


class _Current(Collector):
    """What the desk and the index are asked for at each scrape."""

    def __init__(
        self, desk: QuestionDesk, served: Callable[[], Manifest | None], openings: Callable[[], Openings]
    ) -> None:
        self._desk = desk
        self._served = served
        self._openings = openings

    def collect(self) -> Iterator[Metric]:
        """The state of this moment."""
        desk, manifest = self._desk.state, self._served()
        build = GaugeMetricFamily("relnotes_build_info", "1, by version", labels=("version",))
        build.add_metric((_version(),), 1)
        yield build
        answers = CounterMetricFamily("relnotes_questions", "Questions answered", labels=("status",))
        for status, count in desk.answers.items():
            answers.add_metric((status.value,), count)
        yield answers
        yield GaugeMetricFamily("relnotes_desk_working", "Questions being worked on", value=desk.working)
        yield GaugeMetricFamily("relnotes_desk_waiting", "Questions waiting for a place", value=desk.waiting)
        yield CounterMetricFamily("relnotes_desk_refused", "Questions refused for want of a place", value=desk.refused)
        yield CounterMetricFamily("relnotes_desk_given_up", "Questions that took too long", value=desk.given_up)
        yield GaugeMetricFamily(
            "relnotes_index_loaded", "1 where questions are answered from an index", value=manifest is not None
        )
        openings = self._openings()
        yield CounterMetricFamily(
            "relnotes_index_openings", "States of the index that were opened", value=openings.states
        )
        yield CounterMetricFamily("relnotes_model_loads", "Times that the model was loaded", value=openings.models)
        if manifest is not None:
            yield GaugeMetricFamily("relnotes_index_generation", "State of the index", value=manifest.generation)
            yield GaugeMetricFamily("relnotes_index_documents", "Documents served", value=manifest.documents)
            yield GaugeMetricFamily("relnotes_index_passages", "Passages served", value=manifest.passages)
            yield GaugeMetricFamily(
                "relnotes_index_updated_timestamp_seconds",
                "When the state that is served was committed",
                value=datetime.fromisoformat(manifest.updated).timestamp(),
            )


def _version() -> str:
    try:
        return version("relnotes")
    except PackageNotFoundError:
        return "0"
