"""Metrics of the server for Prometheus: requests, answers, the desk, the index, Slack, the language model."""

import sqlite3
from collections.abc import Callable, Iterator, Mapping
from contextlib import closing
from datetime import datetime
from pathlib import Path

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, ProcessCollector, generate_latest
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, Metric
from prometheus_client.registry import Collector

from corpus.errors import IndexUnavailable
from corpus.index.layout import connect
from corpus.index.source_records import read_source_records
from corpus.manifest import Manifest
from retrieval.llm.client import ChatClient
from retrieval.model import Status
from ui.environment import own_version
from ui.server.question_desk import QuestionDesk

MEDIA_TYPE = "text/plain; version=0.0.4; charset=utf-8"
Collect = Callable[[], Iterator[Metric]]
_SECONDS = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0)


class ServerMetrics:
    """The metrics of one server; every name begins with `relnotes_`, and no label contains a question."""

    def __init__(self, desk: QuestionDesk, served: Callable[[], Manifest | None]) -> None:
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
        self.in_flight = Gauge("relnotes_http_requests_in_flight", "Requests being answered", registry=self._registry)
        self.watch(lambda: _collect_state(desk, served()))
        ProcessCollector(namespace="relnotes", registry=self._registry)

    def observe_request(self, *, method: str, route: str, status: int, seconds: float) -> None:
        """Count an answered request and its seconds; `method` and `route` must each have few values."""
        self._requests.labels(method, route, str(status)).inc()
        self._seconds.labels(method, route).observe(seconds)

    def watch(self, collect: Collect) -> None:
        """Add the metrics that `collect` yields to each scrape."""
        self._registry.register(_Watched(collect))

    def render(self) -> bytes:
        return generate_latest(self._registry)


class _Watched(Collector):
    def __init__(self, collect: Collect) -> None:
        self._collect = collect

    def collect(self) -> Iterator[Metric]:
        return self._collect()


def _collect_state(desk: QuestionDesk, manifest: Manifest | None) -> Iterator[Metric]:
    working, waiting = desk.load
    build = GaugeMetricFamily("relnotes_build_info", "1, by version", labels=("version",))
    build.add_metric((own_version() or "0",), 1)
    yield build
    answers = {status.value: desk.count(status) for status in Status}
    yield _counter("relnotes_questions", "Questions answered", "status", answers)
    yield CounterMetricFamily(
        "relnotes_desk_refused", "Questions refused for want of a place", value=desk.count("refused")
    )
    yield CounterMetricFamily("relnotes_desk_given_up", "Questions that took too long", value=desk.count("given up"))
    yield _gauge("desk_working", "Questions being worked on", working)
    yield _gauge("desk_waiting", "Questions waiting for a place", waiting)
    yield _gauge("index_loaded", "1 where questions are answered from an index", manifest is not None)
    if manifest is not None:
        yield _gauge("index_generation", "State of the index", manifest.generation)
        yield _gauge("index_documents", "Documents served", manifest.documents)
        yield _gauge("index_passages", "Passages served", manifest.passages)
        committed = _timestamp(manifest.updated)
        yield _gauge("index_updated_timestamp_seconds", "When the state that is served was committed", committed)


def source_metrics(index: Path) -> Iterator[Metric]:
    """Yield the numbers of current and gone sources, the oldest and the newest sync; none without an index."""
    try:
        with closing(connect(index)) as connection:
            records = read_source_records(connection)
    except (IndexUnavailable, sqlite3.Error):
        return  # `relnotes_index_loaded` reports the missing index.
    gone = sum(record.gone_since is not None for record in records)
    states = GaugeMetricFamily("relnotes_sources", "Sources of the index", labels=("state",))
    states.add_metric(("current",), len(records) - gone)
    states.add_metric(("gone",), gone)
    yield states
    if times := [_timestamp(record.synced_at) for record in records]:
        description = "When the source that was in step longest ago last was"
        yield _gauge("sources_oldest_sync_timestamp_seconds", description, min(times))
        yield _gauge("sources_newest_sync_timestamp_seconds", "When any source last was in step", max(times))


def language_model_metrics(model: ChatClient) -> Iterator[Metric]:
    """Yield the language model's requests by outcome, and the tokens that its server counted."""
    usage = model.usage
    requests = {"completed": usage.requests, "failed": usage.failures}
    yield _counter("relnotes_llm_requests", "Requests to the language model", "outcome", requests)
    tokens = {"in": usage.tokens_in, "out": usage.tokens_out}
    yield _counter("relnotes_llm_tokens", "Tokens that the language model read and wrote", "direction", tokens)


def slack_metrics(counts: Mapping[str, int]) -> Iterator[Metric]:
    """Yield the counts of Slack's requests, by outcome."""
    yield _counter("relnotes_slack_requests", "Requests from Slack", "event", counts)


def _gauge(name: str, about: str, value: float) -> Metric:
    return GaugeMetricFamily(f"relnotes_{name}", about, value=value)


def _counter(name: str, about: str, label: str, counts: Mapping[str, int]) -> Metric:
    counter = CounterMetricFamily(name, about, labels=(label,))
    for value, count in counts.items():
        counter.add_metric((value,), count)
    return counter


def _timestamp(moment: str) -> float:
    return datetime.fromisoformat(moment).timestamp()
