"""Many clients at once against a real `relnotes serve`, and the index changed under it in the middle of the run.

Each client asks one question after another, with a probe and a list of documents now and then. Half-way, another
process ingests one more document. No request may fail: any status but 200, a connection refused or cut, an answer
that isn't whole. At the end the new document must be what a question about it is answered from.

    python -m evals.lab.bench.http_swap [--clients N] [--seconds S] [--documents FOLDER]
"""

import argparse
import asyncio
import subprocess
import tempfile
import time
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path

import httpx
import numpy as np

from evals.command import run_command
from evals.lab.bench.serving import RELNOTES, serving
from evals.suites import CORPUS, load_suite

_NEW = "# Sprocket 4.2 (2026-01-15)\n\n- `sprocket.align` now takes the angle in radians.\n"
_NEW_QUESTION = "What unit does sprocket.align take its angle in?"
_PROBE_EVERY = 5
_TIMEOUT_S = 60.0


@dataclass(slots=True)
class Tally:
    """What the clients saw; mutable, of one event loop."""

    statuses: Counter[str] = field(default_factory=Counter)
    generations: Counter[int] = field(default_factory=Counter)
    seconds: list[float] = field(default_factory=list)

    @property
    def failed(self) -> int:
        """Requests that weren't answered with 200."""
        return sum(count for status, count in self.statuses.items() if status != "200")


@dataclass(frozen=True, slots=True)
class SwapReport:
    """The figures of a run."""

    clients: int
    seconds: float
    requests: int
    failed: int
    statuses: dict[str, int]
    questions: int
    median_s: float
    p95_s: float
    slowest_s: float
    generations: dict[int, int]
    new_document_is_answered: bool


def measure_swap(
    folder: Path, *, documents: Path, questions: tuple[str, ...], clients: int, seconds: float
) -> SwapReport:
    """Serve an index of `documents` that is built in `folder`, and load it for `seconds`, half of them before the index
    is changed and half after, and while it is."""
    index = folder / "index"
    _relnotes("ingest", str(documents), "--index", str(index))
    with serving(index) as address:
        started = time.perf_counter()
        tally, is_answered = asyncio.run(
            _load(address, folder, index=index, questions=questions, clients=clients, seconds=seconds)
        )
        took = time.perf_counter() - started
    times = np.array(tally.seconds)
    return SwapReport(
        clients=clients,
        seconds=round(took, 1),
        requests=sum(tally.statuses.values()),
        failed=tally.failed,
        statuses=dict(tally.statuses),
        questions=len(times),
        median_s=round(float(np.median(times)), 3),
        p95_s=round(float(np.percentile(times, 95)), 3),
        slowest_s=round(float(times.max()), 3),
        generations=dict(sorted(tally.generations.items())),
        new_document_is_answered=is_answered,
    )


async def _load(
    address: str, folder: Path, *, index: Path, questions: tuple[str, ...], clients: int, seconds: float
) -> tuple[Tally, bool]:
    tally = Tally()
    ended = asyncio.Event()
    limits = httpx.Limits(max_connections=clients + 1)
    async with httpx.AsyncClient(base_url=address, timeout=_TIMEOUT_S, limits=limits, trust_env=False) as client:
        working = [
            asyncio.create_task(_ask_on(client, tally, questions[number:] + questions[:number], ended=ended))
            for number in range(clients)
        ]
        await asyncio.sleep(seconds / 2)
        (folder / "more").mkdir()
        (folder / "more" / "sprocket.md").write_text(_NEW, encoding="utf-8")
        await asyncio.to_thread(_relnotes, "ingest", str(folder / "more"), "--index", str(index))
        await asyncio.sleep(seconds / 2)
        ended.set()
        await asyncio.gather(*working)
        answer = await client.post("/v1/ask", json={"question": _NEW_QUESTION, "product": "sprocket"})
    return tally, "radians" in answer.json().get("answer", "")


async def _ask_on(client: httpx.AsyncClient, tally: Tally, questions: tuple[str, ...], *, ended: asyncio.Event) -> None:
    turn = 0
    while not ended.is_set():
        turn += 1
        try:
            if turn % _PROBE_EVERY == 0:
                ready = await client.get("/readyz")
                tally.statuses[str(ready.status_code)] += 1
                if ready.status_code == 200:
                    tally.generations[ready.json()["generation"]] += 1
                listed = await client.get("/v1/documents")
                tally.statuses[str(listed.status_code)] += 1
            started = time.perf_counter()
            answer = await client.post("/v1/ask", json={"question": questions[turn % len(questions)]})
            tally.seconds.append(time.perf_counter() - started)
            whole = answer.status_code != 200 or "status" in answer.json()
            tally.statuses[str(answer.status_code) if whole else "not whole"] += 1
        except httpx.HTTPError as error:
            tally.statuses[type(error).__name__] += 1


def _relnotes(*words: str) -> None:
    subprocess.run([*RELNOTES, *words, "--json"], check=True, stdout=subprocess.DEVNULL)  # noqa: S603


def main() -> int:
    """Print the report; 1 where a request failed or the new document wasn't picked up."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--clients", type=int, default=50)
    parser.add_argument("--seconds", type=float, default=60.0)
    parser.add_argument("--documents", type=Path, default=CORPUS.documents)
    words = parser.parse_args()
    questions = tuple(question.question for question in load_suite(CORPUS))
    with tempfile.TemporaryDirectory() as folder:
        report = measure_swap(
            Path(folder), documents=words.documents, questions=questions, clients=words.clients, seconds=words.seconds
        )
    for name in SwapReport.__dataclass_fields__:
        print(f"{name:26}{getattr(report, name)}")
    return 1 if report.failed or not report.new_document_is_answered else 0


if __name__ == "__main__":
    run_command(main)
