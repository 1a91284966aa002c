"""A hundred mentions within a second against a real `relnotes serve`: how soon each is acknowledged, and all answered.

Slack takes an event for lost after three seconds without an acknowledgement. The server answers into a stand-in for
Slack's Web API in a process of its own, which takes every message and counts them by thread. `--busy` adds processes
that do nothing but compute, as a crowded machine has them. The comparison is `/healthz` of the same server, asked at
the same moments: what the machine needs to answer anything at all.

    python -m evals.lab.bench.slack_events [--events N] [--busy N] [--documents FOLDER]
"""

import argparse
import asyncio
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from multiprocessing.connection import Connection
from pathlib import Path

import httpx
import numpy as np

from evals.command import run_command
from evals.lab.bench.serving import RELNOTES, serving
from evals.lab.bench.slack_stand_in import mention, signed_headers, slack_stand_in
from evals.suites import CORPUS, load_suite

_WITHIN_S = 1.0
_ANSWERED_WITHIN_S = 120.0
LIMIT_S = 3.0
"""What Slack waits for an acknowledgement."""


@dataclass(frozen=True, slots=True)
class EventsReport:
    """The figures of a run; times in seconds."""

    events: int
    busy_processes: int
    acknowledged: int
    median_s: float
    p95_s: float
    slowest_s: float
    slowest_probe_s: float
    answered_once: int
    all_answered_after_s: float


def measure_events(index: Path, *, questions: tuple[str, ...], events: int, busy: int) -> EventsReport:
    """Serve `index` to a stand-in for Slack, and send it `events` mentions within a second."""
    with (
        slack_stand_in() as (environment, replies),
        serving(index, **environment) as address,
        _busy(busy),
    ):
        started = time.perf_counter()
        took, probes = asyncio.run(_send(address, questions, events=events))
        answers = _wait_for(replies, events=events)
        ended = time.perf_counter()
    times = np.array([seconds for seconds in took if seconds is not None] or [np.inf])
    return EventsReport(
        events=events,
        busy_processes=busy,
        acknowledged=sum(seconds is not None for seconds in took),
        median_s=round(float(np.median(times)), 3),
        p95_s=round(float(np.percentile(times, 95)), 3),
        slowest_s=round(float(times.max()), 3),
        slowest_probe_s=round(max(probes), 3),
        answered_once=sum(count == 1 for count in answers.values()),
        all_answered_after_s=round(ended - started, 1),
    )


async def _send(address: str, questions: tuple[str, ...], *, events: int) -> tuple[list[float | None], list[float]]:
    limits = httpx.Limits(max_connections=None)
    async with httpx.AsyncClient(base_url=address, timeout=60, limits=limits, trust_env=False) as client:

        async def one(number: int) -> float | None:
            await asyncio.sleep(_WITHIN_S * number / events)
            body = mention(number, questions[number % len(questions)])
            began = time.perf_counter()
            response = await client.post("/slack/events", content=body, headers=signed_headers(body))
            return time.perf_counter() - began if response.status_code == 200 else None

        async def probe(number: int) -> float:
            await asyncio.sleep(_WITHIN_S * number / events)
            began = time.perf_counter()
            await client.get("/healthz")
            return time.perf_counter() - began

        sent = asyncio.gather(*(one(number) for number in range(events)))
        probed = asyncio.gather(*(probe(number) for number in range(0, events, 10)))
        return await sent, await probed


def _wait_for(replies: Connection, *, events: int) -> Counter[str]:
    """Replies by thread, once every thread has one or time is up."""
    answers: Counter[str] = Counter()
    deadline = time.monotonic() + _ANSWERED_WITHIN_S
    while len(answers) < events and (left := deadline - time.monotonic()) > 0 and replies.poll(left):
        answers[replies.recv()[0]] += 1
    while replies.poll(1.0):
        answers[replies.recv()[0]] += 1
    return answers


@contextmanager
def _busy(processes: int) -> Iterator[None]:
    computing = [subprocess.Popen([sys.executable, "-c", "while True: pass"]) for _ in range(processes)]
    try:
        yield
    finally:
        for process in computing:
            process.kill()
            process.wait()


def main() -> int:
    """Print the reports, on a quiet and on a crowded machine; 1 where an event came late."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--events", type=int, default=100)
    parser.add_argument("--busy", type=int, nargs="+", default=[0, 4])
    parser.add_argument("--documents", type=Path, default=CORPUS.documents)
    words = parser.parse_args()
    questions = tuple(question.question for question in load_suite(CORPUS))
    reports: list[EventsReport] = []
    for busy in words.busy:
        # Each run with an index of its own, whose folder is where the bot remembers what came.
        with tempfile.TemporaryDirectory() as folder:
            index = Path(folder) / "index"
            ingest = [*RELNOTES, "ingest", str(words.documents), "--index", str(index), "--json"]
            subprocess.run(ingest, check=True, stdout=subprocess.DEVNULL)  # noqa: S603 our own command
            reports.append(measure_events(index, questions=questions, events=words.events, busy=busy))
    for name in EventsReport.__dataclass_fields__:
        print(f"{name:24}" + "".join(f"{getattr(report, name)!s:>10}" for report in reports))
    return 1 if any(one.slowest_s >= LIMIT_S or one.answered_once < one.events for one in reports) else 0


if __name__ == "__main__":
    run_command(main)
