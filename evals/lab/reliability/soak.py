"""A soak: all entrances at half of what the server can take, for half an hour, its index changed again and again.

Every answer is checked as in the load test (`evals.lab.reliability.load`), and the server's memory, open files, threads
and temporary files are looked at all the while: none may grow. Between, another process ingests a document that is
there, isn't there, or is another one, each time a new state of the index.

    python -m evals.lab.reliability.soak [--minutes M] [--rate R] [--seed N] [--documents FOLDER] [--keep]
"""

import argparse
import asyncio
import tempfile
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from evals.command import run_command
from evals.lab.bench.processes import folder_mib
from evals.lab.bench.slack_stand_in import thread_of
from evals.lab.reliability.changing_document import CHANGED_SOURCE, KEPT_SOURCE, KEPT_TEXT, VERSIONS, change_document
from evals.lab.reliability.entrances import Topics
from evals.lab.reliability.judging import Fate, Texts, known_texts
from evals.lab.reliability.load import default_documents, say, tell
from evals.lab.reliability.load_steps import KIND_HEADER, Step, failures, judge_all, kind_rows
from evals.lab.reliability.loaded_server import (
    LoadedServer,
    describe_index,
    ingest,
    loaded_server,
    open_entrances,
    open_session,
    topics_of,
)
from evals.lab.reliability.open_loop import closed_loop, fire_watched
from evals.lab.reliability.process_figures import ProcessFigures, private_temporary, read_figures, slope_an_hour
from evals.lab.reliability.traffic import Traffic, TrafficKind
from evals.lab.reliability.trials import CountTable, Trial, TrialClock, keep_trial

_SAMPLES = 60
_CLIENTS = 16
_CALIBRATION_S = 15.0
_SLACK_S = 120.0
GROWTH_LIMITS = {
    "resident_mib": 60.0,
    "own_mib": 60.0,
    "open_files": 10.0,
    "sockets": 120.0,
    "threads": 10.0,
    "temporary_files": 20.0,
}
"""How much each figure may grow in an hour, by its line of least squares: at ten requests a second, a leak of two
kilobytes in each is more than this, and what the allocator and the caches still fill up after some minutes is less."""
_HEADER = ("minute", "resident MiB", "own MiB", "file pages MiB", "open files", "sockets", "threads", "temporary files")


@dataclass(frozen=True, slots=True)
class Soaked:
    """What a soak saw."""

    step: Step
    figures: tuple[ProcessFigures, ...]
    ingests: int


async def soak(
    server: LoadedServer, topics: Topics, texts: Texts, *, index: Path, folder: Path, rate: float | None, words: "Words"
) -> Soaked:
    """Load the server for so long at `rate`, or at half of what it is found to take, and look at it meanwhile."""
    traffic = Traffic(words.seed)
    async with open_session(server.address) as session:
        entrances = await open_entrances(session, topics)
        if rate is None:
            await closed_loop(traffic.one, entrances, clients=2, seconds=_CALIBRATION_S / 3)
            found = await closed_loop(traffic.one, entrances, clients=_CLIENTS, seconds=_CALIBRATION_S)
            rate = sum(one.reply.status == 200 for one in found) / _CALIBRATION_S / 2
        say(f"{rate:.1f} requests a second for {words.minutes:g} minutes")
        seconds = words.minutes * 60
        shots = traffic.step(rate=rate, seconds=seconds)
        firing = asyncio.create_task(fire_watched(shots, entrances))
        watching = asyncio.create_task(_watch(server, folder / "temporary", every=seconds / _SAMPLES))
        ingesting = asyncio.create_task(_ingest_on(index, folder / "changing", pause_s=words.pause_s))
        try:
            outcomes, probes = await firing
        finally:
            watching.cancel()
            ingesting.cancel()
            figures, ingests = await asyncio.gather(watching, ingesting)
    step = Step("soak", rate, seconds, judge_all(outcomes, texts), probes, figures[-1].own_mib)
    for (kind, why), count in failures(step.judged).most_common(5):
        say(f"{count} × {kind}: {why}")
    return Soaked(step, figures, ingests)


async def _watch(server: LoadedServer, temporary: Path, *, every: float) -> tuple[ProcessFigures, ...]:
    """The figures so far, once it is cancelled."""
    began, found = time.monotonic(), []
    try:
        while True:
            found.append(read_figures(server.process, seconds=time.monotonic() - began, temporary=temporary))
            await asyncio.sleep(every)
    except asyncio.CancelledError:
        return tuple(found)


async def _ingest_on(index: Path, folder: Path, *, pause_s: float) -> int:
    """How often the document was changed, once it is cancelled; the last ingest is let end."""
    done = 0
    try:
        while True:
            await asyncio.sleep(pause_s)
            await asyncio.shield(asyncio.to_thread(change_document, folder, index, done))
            done += 1
    except asyncio.CancelledError:
        return done


def run_trial(folder: Path, *, documents: Path, words: "Words", command: str) -> Trial:
    """Serve an index of `documents` that is built in `folder`, and soak it."""
    clock = TrialClock.start()
    index = folder / "index"
    ingest(documents, index)
    texts = {**known_texts(index), CHANGED_SOURCE: frozenset(VERSIONS), KEPT_SOURCE: frozenset((KEPT_TEXT,))}
    with loaded_server(index, **private_temporary(folder / "temporary")) as server:
        topics = topics_of(index, documents)
        soaked = asyncio.run(soak(server, topics, texts, index=index, folder=folder, rate=words.rate, words=words))
        acknowledged = {
            thread_of(one.outcome.shot.number)
            for one in soaked.step.judged
            if one.outcome.shot.kind is TrafficKind.SLACK and one.verdict.fate is Fate.SERVED
        }
        unanswered = server.threads.wait_for(acknowledged, seconds=_SLACK_S)
    return clock.finish(
        f"Soak: {words.minutes:g} minutes of mixed traffic",
        command=command,
        seed=words.seed,
        summary=summarise(soaked, unanswered=len(unanswered)),
        tables=[
            CountTable(_HEADER, tuple(map(_row, soaked.figures[:: max(1, len(soaked.figures) // 15)])), "Over time."),
            CountTable(KIND_HEADER, tuple(kind_rows(soaked.step)), "By kind of request."),
        ],
        notes=[
            f"{describe_index(index)} "
            f"{soaked.step.rate:.1f} requests a second come at times of their own"
            f"{'' if words.rate else ', half of what the server takes'}, while "
            f"the index is changed every {words.pause_s:g} s by an ingest in a process of its own. Growth is the slope "
            "of the line of least squares through the last two thirds of the samples, in an hour. The index held "
            f"{folder_mib(index):,.0f} MiB at the end.",
        ],
    )


def summarise(soaked: Soaked, *, unanswered: int) -> list[tuple[str, str, str, bool]]:
    """What must hold, by how much it does, and whether; `unanswered` mentions were acknowledged."""
    step = soaked.step
    failed, refused = step.count(Fate.FAILED), step.count(Fate.REFUSED)
    seconds = [one.seconds for one in soaked.figures]
    grown = {
        name: slope_an_hour(seconds, [float(getattr(one, name)) for one in soaked.figures]) for name in GROWTH_LIMITS
    }
    return [
        (f"of {len(step.judged):,} requests, failed or wrong", "0", str(failed), failed == 0),
        ("refused", "0", str(refused), refused == 0),
        ("states of the index that were swapped in", "≥ 1", str(soaked.ingests), soaked.ingests >= 1),
        ("Slack mentions acknowledged and never answered", "0", str(unanswered), unanswered == 0),
        ("probes not answered with 200", "0", str(step.bad_probes), step.bad_probes == 0),
        *(
            (f"growth an hour: {_TITLES[name]}", f"≤ {limit:g}", f"{grown[name]:+.1f}", grown[name] <= limit)
            for name, limit in GROWTH_LIMITS.items()
        ),
    ]


_TITLES = {
    "resident_mib": "resident memory, MiB",
    "own_mib": "own memory, MiB",
    "open_files": "open files",
    "sockets": "sockets",
    "threads": "threads",
    "temporary_files": "temporary files",
}


def _row(figures: ProcessFigures) -> tuple[str, ...]:
    return (
        f"{figures.seconds / 60:.1f}",
        f"{figures.resident_mib:,.0f}",
        f"{figures.own_mib:,.0f}",
        f"{figures.file_pages_mib:,.0f}",
        str(figures.open_files),
        str(figures.sockets),
        str(figures.threads),
        str(figures.temporary_files),
    )


@dataclass(frozen=True, slots=True)
class Words:
    """How long and how hard."""

    minutes: float
    rate: float | None
    """Requests a second; None: half of what the server is found to take."""
    seed: int
    pause_s: float
    """Between two ingests."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Soak a server and print what came of it; 1 where something doesn't hold."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--minutes", type=float, default=30.0)
    parser.add_argument("--rate", type=float, help="requests a second; default: half of what the server takes")
    parser.add_argument("--pause", type=float, default=60.0, help="seconds between two ingests")
    parser.add_argument("--seed", type=int, default=21)
    parser.add_argument("--documents", type=Path, default=default_documents())
    parser.add_argument("--keep", action="store_true", help="keep it as the trial `soak`")
    given = parser.parse_args(arguments)
    words = Words(given.minutes, given.rate, given.seed, given.pause)
    at_rate = f" --rate {words.rate:g}" if words.rate else ""
    command = f"python -m evals.lab.reliability.soak --minutes {words.minutes:g}{at_rate} --seed {words.seed}"
    with tempfile.TemporaryDirectory() as folder:
        trial = run_trial(Path(folder), documents=given.documents, words=words, command=command)
    if given.keep:
        keep_trial("soak", trial)
    return tell(trial)


if __name__ == "__main__":
    run_command(main)
