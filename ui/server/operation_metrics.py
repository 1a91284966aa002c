"""Numbers of what runs beside the questions, asked for at each scrape: sources, ingests over the page, Slack."""

import sqlite3
from collections.abc import Callable, Iterator, Mapping
from contextlib import closing
from datetime import datetime
from pathlib import Path

from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, Metric

from corpus.errors import IndexUnavailable
from corpus.index.layout import connect
from corpus.index.source_records import SourceRecord, read_source_records
from ui.library.ingest_desk import IngestDesk

Collect = Callable[[], Iterator[Metric]]


def source_metrics(index: Path) -> Collect:
    """How many sources the index has, how many of them are gone, and when the oldest and the newest was in step.

    Which sources they are isn't told: their addresses may be nobody else's business.
    """

    def collect() -> Iterator[Metric]:
        try:
            with closing(connect(index)) as connection:
                records = read_source_records(connection)
        except (IndexUnavailable, sqlite3.Error):
            # `relnotes_index_loaded` tells that.
            return
        gone = sum(one.gone_since is not None for one in records)
        states = GaugeMetricFamily("relnotes_sources", "Sources of the index", labels=("state",))
        states.add_metric(("current",), len(records) - gone)
        states.add_metric(("gone",), gone)
        yield states
        if not records:
            return
        times = [_seconds(one) for one in records]
        yield GaugeMetricFamily(
            "relnotes_sources_oldest_sync_timestamp_seconds",
            "When the source that was in step longest ago last was",
            value=min(times),
        )
        yield GaugeMetricFamily(
            "relnotes_sources_newest_sync_timestamp_seconds", "When any source last was in step", value=max(times)
        )

    return collect


def ingest_metrics(desk: IngestDesk) -> Collect:
    """How ingests that were started over the page ended, and whether one is running."""

    def collect() -> Iterator[Metric]:
        ended = CounterMetricFamily("relnotes_ingests", "Ingests over the page that ended", labels=("outcome",))
        for outcome, count in desk.ended.items():
            ended.add_metric((outcome.value,), count)
        yield ended
        yield GaugeMetricFamily(
            "relnotes_ingest_running", "1 while one is running", value=int(desk.running is not None)
        )

    return collect


def slack_metrics(counts: Mapping[str, int]) -> Collect:
    """What became of Slack's requests since this process began."""

    def collect() -> Iterator[Metric]:
        requests = CounterMetricFamily("relnotes_slack_requests", "Requests from Slack", labels=("event",))
        for event, count in counts.items():
            requests.add_metric((event,), count)
        yield requests

    return collect


def _seconds(record: SourceRecord) -> float:
    return datetime.fromisoformat(record.synced_at).timestamp()
