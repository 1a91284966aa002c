"""Several server processes over one index that is changed under them, each under mixed traffic.

Whichever server is asked answers right from a state that was committed, each picks up the newest one, and a Slack
mention is answered once, whichever of them took it in.

    python -m evals.lab.reliability.servers [--servers N] [--seconds S] [--rate R] [--seed N] [--documents FOLDER]
    [--keep]
"""

import argparse
import asyncio
import json
import tempfile
from collections.abc import Sequence
from pathlib import Path

from corpus.index.layout import newest_manifest
from evals.command import run_command
from evals.lab.bench.slack_stand_in import thread_of
from evals.lab.reliability.changing_document import CHANGED_SOURCE, KEPT_SOURCE, KEPT_TEXT, VERSIONS, change_document
from evals.lab.reliability.entrances import Topics
from evals.lab.reliability.judging import Fate, Texts, known_texts
from evals.lab.reliability.load import default_documents, say, tell
from evals.lab.reliability.load_steps import STEP_HEADER, Step, failures, judge_all, step_row
from evals.lab.reliability.loaded_server import (
    LoadedServer,
    describe_index,
    ingest,
    loaded_servers,
    open_entrances,
    open_session,
    topics_of,
)
from evals.lab.reliability.open_loop import fire_watched
from evals.lab.reliability.traffic import Shot, Traffic, TrafficKind
from evals.lab.reliability.trials import CountTable, Trial, TrialClock, keep_trial

_SLACK_S = 60.0
_PICKED_UP_S = 15.0


async def _load(server: LoadedServer, topics: Topics, texts: Texts, shots: Sequence[Shot], seconds: float) -> Step:
    async with open_session(server.address) as session:
        entrances = await open_entrances(session, topics)
        outcomes, probes = await fire_watched(shots, entrances)
    rate = len(shots) / seconds
    return Step(server.address.rpartition(":")[2], rate, seconds, judge_all(outcomes, texts), probes, 0.0)


async def _ingest_for(index: Path, folder: Path, seconds: float) -> int:
    loop = asyncio.get_running_loop()
    until, turn = loop.time() + seconds, 0
    # An even number of states at least, so that the last one isn't the first again.
    while loop.time() < until or turn < 2:
        await asyncio.to_thread(change_document, folder, index, turn)
        turn += 1
    return turn


async def _generation(server: LoadedServer, newest: int) -> int:
    """The state that a server is ready with, once that is `newest` or time is up."""
    async with open_session(server.address) as session:
        for _ in range(int(_PICKED_UP_S / 0.25)):
            async with session.get("/readyz") as response:
                told = json.loads(await response.text())
            if told.get("generation") == newest:
                break
            await asyncio.sleep(0.25)
    return int(told.get("generation", -1))


async def load_all(
    servers: Sequence[LoadedServer],
    topics: Topics,
    texts: Texts,
    *,
    index: Path,
    folder: Path,
    traffic: Traffic,
    rate: float,
    seconds: float,
) -> tuple[tuple[Step, ...], int, tuple[int, ...]]:
    """A step for each server, how many states were committed, and how far each server is behind the newest."""
    loading = [
        asyncio.create_task(_load(server, topics, texts, traffic.step(rate=rate, seconds=seconds), seconds))
        for server in servers
    ]
    ingests = await _ingest_for(index, folder, seconds)
    steps = tuple(await asyncio.gather(*loading))
    newest = newest_manifest(index).generation
    reached = await asyncio.gather(*(_generation(server, newest) for server in servers))
    return steps, ingests, tuple(newest - one for one in reached)


def run_trial(
    folder: Path, *, documents: Path, count: int, rate: float, seconds: float, seed: int, command: str
) -> Trial:
    """Serve an index of `documents` that is built in `folder` with so many processes, and load each."""
    clock = TrialClock.start()
    index = folder / "index"
    ingest(documents, index)
    texts = {**known_texts(index), CHANGED_SOURCE: frozenset(VERSIONS), KEPT_SOURCE: frozenset((KEPT_TEXT,))}
    with loaded_servers(index, count) as servers:
        steps, ingests, behind = asyncio.run(
            load_all(
                servers,
                topics_of(index, documents),
                texts,
                index=index,
                folder=folder / "changing",
                traffic=Traffic(seed),
                rate=rate,
                seconds=seconds,
            )
        )
        acknowledged = {
            thread_of(one.outcome.shot.number)
            for step in steps
            for one in step.judged
            if one.outcome.shot.kind is TrafficKind.SLACK and one.verdict.fate is Fate.SERVED
        }
        unanswered = servers[0].threads.wait_for(acknowledged, seconds=_SLACK_S)
        posted = servers[0].threads.posted
        doubled = sum(posted[thread] > 1 for thread in acknowledged)
    for (kind, why), number in failures(one for step in steps for one in step.judged).most_common(5):
        say(f"{number} × {kind}: {why}")
    failed = sum(step.count(Fate.FAILED) for step in steps)
    total = sum(len(step.judged) for step in steps)
    return clock.finish(
        f"{count} servers over one index",
        command=command,
        seed=seed,
        summary=[
            (f"of {total:,} requests, failed or wrong", "0", str(failed), failed == 0),
            ("states of the index that were swapped in", "≥ 2", str(ingests), ingests >= 2),
            ("servers that didn't pick up the newest", "0", str(sum(map(bool, behind))), not any(behind)),
            ("Slack mentions acknowledged and never answered", "0", str(len(unanswered)), not unanswered),
            ("Slack mentions answered twice", "0", str(doubled), doubled == 0),
        ],
        tables=[CountTable(STEP_HEADER, tuple(map(step_row, steps)), "By server, named by its port.")],
        notes=[
            f"{describe_index(index)} "
            f"An ingest follows the other, each in a process of its own, while all servers are asked."
        ],
    )


def main(arguments: Sequence[str] | None = None) -> int:
    """Serve one index several times and print what came of it; 1 where something doesn't hold."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--servers", type=int, default=3)
    parser.add_argument("--seconds", type=float, default=60.0)
    parser.add_argument("--rate", type=float, default=2.0, help="requests a second to each server")
    parser.add_argument("--seed", type=int, default=23)
    parser.add_argument("--documents", type=Path, default=default_documents())
    parser.add_argument("--keep", action="store_true", help="keep it as the trial `servers`")
    words = parser.parse_args(arguments)
    command = (
        f"python -m evals.lab.reliability.servers --servers {words.servers} --seconds {words.seconds:g} "
        f"--rate {words.rate:g} --seed {words.seed}"
    )
    with tempfile.TemporaryDirectory() as folder:
        trial = run_trial(
            Path(folder),
            documents=words.documents,
            count=words.servers,
            rate=words.rate,
            seconds=words.seconds,
            seed=words.seed,
            command=command,
        )
    if words.keep:
        keep_trial("servers", trial)
    return tell(trial)


if __name__ == "__main__":
    run_command(main)
