"""A server that has just been started, and many first requests at once: before it listens, while it loads, after.

Each client asks until it is answered: it tries again at once where nobody listens yet, and after the time that
`Retry-After` tells where it is refused. Each must be answered right in the end, and the index and its model must have
been loaded once, whoever wanted them at the same time. Each round is a new process.

    python -m evals.lab.reliability.cold_requests [--clients N] [--rounds R] [--seed N] [--documents FOLDER] [--keep]
"""

import argparse
import asyncio
import random
import re
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import aiohttp
import numpy as np

from evals.command import run_command
from evals.lab.bench.serving import RELNOTES
from evals.lab.reliability.entrances import Entrances, Reply, Topics
from evals.lab.reliability.judging import Fate, Texts, judge, known_texts
from evals.lab.reliability.load import default_documents, tell
from evals.lab.reliability.loaded_server import describe_index, free_port, ingest, open_session, topics_of
from evals.lab.reliability.traffic import Shot, TrafficKind
from evals.lab.reliability.trials import CountTable, Trial, TrialClock, keep_trial

_KINDS = (TrafficKind.ASK, TrafficKind.SEARCH, TrafficKind.MCP, TrafficKind.DOCUMENT_PAGE)
_PATIENCE_S = 120.0
_NOBODY_LISTENS_S = 0.05
_HEADER = ("round", "answered", "refused, then answered", "failed", "first s", "p50 s", "last s", "states", "models")


@dataclass(frozen=True, slots=True)
class ColdRound:
    """One start of a server; seconds since the process was started."""

    answered_s: tuple[float, ...]
    refused: int
    """Clients that were refused at least once, and came again."""
    failures: tuple[str, ...]
    states: int
    """States of the index that the server opened."""
    models: int
    """Times that it loaded the model."""


async def ask_cold(address: str, topics: Topics, texts: Texts, *, clients: int, seed: int) -> ColdRound:
    """Ask a server that is just being started, with so many clients at once."""
    chance = random.Random(seed)  # noqa: S311 no secret
    shots = [Shot(chance.randrange(10_000), chance.choice(_KINDS), 0.0) for _ in range(clients)]
    began = time.perf_counter()
    async with open_session(address) as session:
        entrances = Entrances(session, topics)

        async def one(shot: Shot) -> tuple[float, bool, str]:
            was_refused = False
            while time.perf_counter() - began < _PATIENCE_S:
                reply = await entrances.send(shot)
                if _is_unheard(reply):
                    await asyncio.sleep(_NOBODY_LISTENS_S)
                    continue
                verdict = judge(shot.kind, reply, seconds=0.0, texts=texts)
                if verdict.fate is not Fate.REFUSED:
                    return time.perf_counter() - began, was_refused, verdict.why
                was_refused = True
                await asyncio.sleep(float(reply.retry_after or 1))
            return _PATIENCE_S, was_refused, "never answered"

        asked = await asyncio.gather(*map(one, shots))
        states, models = await _openings(session)
    return ColdRound(
        tuple(sorted(seconds for seconds, _, why in asked if not why)),
        sum(was_refused for _, was_refused, _ in asked),
        tuple(why for _, _, why in asked if why),
        states,
        models,
    )


def _is_unheard(reply: Reply) -> bool:
    return reply.status == 0 and reply.body.startswith("ClientConnectorError")


async def _openings(session: aiohttp.ClientSession) -> tuple[int, int]:
    async with session.get("/metrics") as response:
        metrics = await response.text()
    states, models = (
        re.search(rf"^{name}_total (\S+)$", metrics, re.MULTILINE)
        for name in ("relnotes_index_openings", "relnotes_model_loads")
    )
    return (int(float(states[1])) if states else -1), (int(float(models[1])) if models else -1)


@contextmanager
def _starting(index: Path, port: int) -> Iterator[None]:
    command = [*RELNOTES, "serve", "--port", str(port), "--index", str(index)]
    quiet = subprocess.DEVNULL
    with subprocess.Popen(command, stdout=quiet, stderr=quiet) as process:  # noqa: S603 our own command
        try:
            yield
        finally:
            process.terminate()


def run_trial(folder: Path, *, documents: Path, clients: int, rounds: int, seed: int, command: str) -> Trial:
    """Start servers over an index of `documents` that is built in `folder`, one after the other, and ask each."""
    clock = TrialClock.start()
    index = folder / "index"
    ingest(documents, index)
    texts, topics = known_texts(index), topics_of(index, documents)
    done = []
    for number in range(rounds):
        port = free_port()
        with _starting(index, port):
            done.append(
                asyncio.run(ask_cold(f"http://127.0.0.1:{port}", topics, texts, clients=clients, seed=seed + number))
            )
        for why in sorted(set(done[-1].failures)):
            sys.stdout.write(f"{done[-1].failures.count(why)} × {why}\n")
    failed = sum(len(one.failures) for one in done)
    answered = sum(len(one.answered_s) for one in done)
    states, models = max(one.states for one in done), max(one.models for one in done)
    return clock.finish(
        "First requests to a cold server",
        command=command,
        seed=seed,
        summary=[
            (
                f"of {clients * rounds:,} first requests, answered right",
                f"{clients * rounds:,}",
                f"{answered:,}",
                failed == 0,
            ),
            ("times that a server opened the index, at most", "1", str(states), states == 1),
            ("times that it loaded the model, at most", "1", str(models), models == 1),
        ],
        tables=[CountTable(_HEADER, tuple(_row(number, one) for number, one in enumerate(done, start=1)))],
        notes=[
            f"{describe_index(index)} "
            f"{clients} clients ask from the moment in which the process is started: questions, "
            "searches, calls of "
            "MCP and pages of documents. Seconds count from that moment, the loading of Python and all libraries "
            "included. The loads are counted by the server itself, at `/metrics`."
        ],
    )


def _row(number: int, one: ColdRound) -> tuple[str, ...]:
    first, median, last = np.percentile(one.answered_s, (0, 50, 100)) if one.answered_s else (np.nan,) * 3
    return (
        str(number),
        str(len(one.answered_s)),
        str(one.refused),
        str(len(one.failures)),
        f"{first:.1f}",
        f"{median:.1f}",
        f"{last:.1f}",
        str(one.states),
        str(one.models),
    )


def main(arguments: Sequence[str] | None = None) -> int:
    """Start servers, ask them, and print what came of it; 1 where something doesn't hold."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--clients", type=int, default=100)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--seed", type=int, default=22)
    parser.add_argument("--documents", type=Path, default=default_documents())
    parser.add_argument("--keep", action="store_true", help="keep it as the trial `cold-requests`")
    words = parser.parse_args(arguments)
    command = (
        f"python -m evals.lab.reliability.cold_requests --clients {words.clients} --rounds {words.rounds} "
        f"--seed {words.seed}"
    )
    with tempfile.TemporaryDirectory() as folder:
        trial = run_trial(
            Path(folder),
            documents=words.documents,
            clients=words.clients,
            rounds=words.rounds,
            seed=words.seed,
            command=command,
        )
    if words.keep:
        keep_trial("cold-requests", trial)
    return tell(trial)


if __name__ == "__main__":
    run_command(main)
