"""A hundred mentions within a second against a real `relnotes serve`: how soon each is acknowledged, and all answered.

Slack takes an event for lost after three seconds without an acknowledgement. The server answers into a stand-in for
Slack's Web API in a process of its own, which takes every message and counts them by thread. `--busy` adds processes
that do nothing but compute, as a crowded machine has them. The comparison is `/healthz` of the same server, asked at
the same moments: what the machine needs to answer anything at all.

    python -m evals.bench.slack_events [--events N] [--busy N] [--documents FOLDER]
"""

import argparse
import asyncio
import json
import multiprocessing
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from multiprocessing.connection import Connection
from pathlib import Path
from urllib.parse import parse_qs

import httpx
import numpy as np
from slack_sdk.signature import SignatureVerifier

from evals.bench.serving import RELNOTES, serving
from evals.command import run_command
from evals.suites import CORPUS, load_suite

_SECRET = "0123456789abcdef0123456789abcdef"  # noqa: S105 of the stand-in
_CHANNELS = 10
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
    ours = {"SLACK_BOT_TOKEN": "xoxb-bench", "SLACK_SIGNING_SECRET": _SECRET}
    with (
        _slack() as (api_url, replies),
        serving(index, **ours, RELNOTES_SLACK_API_URL=api_url) as address,
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
    verifier = SignatureVerifier(_SECRET)
    limits = httpx.Limits(max_connections=None)
    async with httpx.AsyncClient(base_url=address, timeout=60, limits=limits, trust_env=False) as client:

        async def one(number: int) -> float | None:
            await asyncio.sleep(_WITHIN_S * number / events)
            body = json.dumps(_mention(number, questions[number % len(questions)]))
            stamp = str(int(time.time()))
            signature = verifier.generate_signature(timestamp=stamp, body=body)
            headers = {
                "Content-Type": "application/json",
                "X-Slack-Request-Timestamp": stamp,
                "X-Slack-Signature": str(signature),
            }
            began = time.perf_counter()
            response = await client.post("/slack/events", content=body, headers=headers)
            return time.perf_counter() - began if response.status_code == 200 else None

        async def probe(number: int) -> float:
            await asyncio.sleep(_WITHIN_S * number / events)
            began = time.perf_counter()
            await client.get("/healthz")
            return time.perf_counter() - began

        sent = asyncio.gather(*(one(number) for number in range(events)))
        probed = asyncio.gather(*(probe(number) for number in range(0, events, 10)))
        return await sent, await probed


def _mention(number: int, question: str) -> dict[str, object]:
    return {
        "type": "event_callback",
        "team_id": "T1",
        "api_app_id": "A1",
        "event_id": f"Ev{number}",
        "event_time": int(time.time()),
        "authorizations": [{"team_id": "T1", "user_id": "UBOT", "is_bot": True}],
        "event": {
            "type": "app_mention",
            "channel": f"C{number % _CHANNELS}",
            "user": "UADA",
            "text": f"<@UBOT> {question}",
            "ts": f"1700000000.{number:06}",
        },
    }


def _wait_for(replies: Connection, *, events: int) -> Counter[str]:
    """Replies by thread, once every thread has one or time is up."""
    answers: Counter[str] = Counter()
    deadline = time.monotonic() + _ANSWERED_WITHIN_S
    while len(answers) < events and (left := deadline - time.monotonic()) > 0 and replies.poll(left):
        answers[replies.recv()] += 1
    while replies.poll(1.0):
        answers[replies.recv()] += 1
    return answers


@contextmanager
def _slack() -> Iterator[tuple[str, Connection]]:
    """A stand-in for the Web API: its address, and the threads that are posted into as they come."""
    ours, theirs = multiprocessing.Pipe(duplex=False)
    process = multiprocessing.get_context("spawn").Process(target=_take_messages, args=(theirs,), daemon=True)
    process.start()
    try:
        yield ours.recv(), ours
    finally:
        process.terminate()
        process.join()


def _take_messages(replies: Connection) -> None:
    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers.get("Content-Length", 0))).decode()
            answer: dict[str, object] = {"ok": True, "user_id": "UBOT", "team": "T1"}
            if self.path.endswith("chat.postMessage"):
                is_json = "json" in self.headers.get("Content-Type", "")
                thread = json.loads(body)["thread_ts"] if is_json else parse_qs(body)["thread_ts"][0]
                replies.send(thread)
                answer = {"ok": True, "ts": f"{time.time():.6f}"}
            content = json.dumps(answer).encode()
            self.send_response(200)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(content)))
            self.end_headers()
            self.wfile.write(content)

        def log_message(self, *_: object) -> None:
            """Say nothing."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    replies.send(f"http://127.0.0.1:{server.server_address[1]}/api/")
    server.serve_forever()


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
