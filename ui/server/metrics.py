"""Metrics of the server for Prometheus: requests, answers, the desk and the index."""

from collections.abc import Callable, Iterator
from datetime import datetime

from prometheus_client import CollectorRegistry, Counter, Histogram, generate_latest
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, Metric
from prometheus_client.registry import Collector

from corpus.manifest import Manifest
from retrieval.model import Status
from ui.environment import own_version
from ui.server.question_desk import QuestionDesk

MEDIA_TYPE = "text/plain; version=0.0.4; charset=utf-8"
_SECONDS = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0)


class ServerMetrics(Collector):
    """The metrics of one server; every name begins with `relnotes_`, and no label contains a question."""

    def __init__(self, desk: QuestionDesk, served: Callable[[], Manifest | None]) -> None:
        self._desk, self._served = desk, served
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
        self._registry.register(self)

    def observe_request(self, *, method: str, route: str, status: int, seconds: float) -> None:
        """Count an answered request and its seconds; `method` and `route` must each have few values."""
        self._requests.labels(method, route, str(status)).inc()
        self._seconds.labels(method, route).observe(seconds)

    def collect(self) -> Iterator[Metric]:
        """Yield the metrics of the desk and the index, read at each scrape."""
        desk, manifest = self._desk, self._served()
        working, waiting = desk.load
        build = GaugeMetricFamily("relnotes_build_info", "1, by version", labels=("version",))
        build.add_metric((own_version() or "0",), 1)
        yield build
        answers = CounterMetricFamily("relnotes_questions", "Questions answered", labels=("status",))
        for status in Status:
            answers.add_metric((status.value,), desk.count(status))
        yield answers
        yield CounterMetricFamily(
            "relnotes_desk_refused", "Questions refused for want of a place", value=desk.count("refused")
        )
        yield CounterMetricFamily(
            "relnotes_desk_given_up", "Questions that took too long", value=desk.count("given up")
        )
        yield _gauge("desk_working", "Questions being worked on", working)
        yield _gauge("desk_waiting", "Questions waiting for a place", waiting)
        yield _gauge("index_loaded", "1 where questions are answered from an index", manifest is not None)
        if manifest is not None:
            yield _gauge("index_generation", "State of the index", manifest.generation)
            yield _gauge("index_documents", "Documents served", manifest.documents)
            yield _gauge("index_passages", "Passages served", manifest.passages)
            committed = datetime.fromisoformat(manifest.updated).timestamp()
            yield _gauge("index_updated_timestamp_seconds", "When the state that is served was committed", committed)

    def render(self) -> bytes:
        return generate_latest(self._registry)


def _gauge(name: str, about: str, value: float) -> Metric:
    return GaugeMetricFamily(f"relnotes_{name}", about, value=value)
