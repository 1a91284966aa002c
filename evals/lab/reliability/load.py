"""A load test of the real server: all its entrances at once, at rates from light to several times what it can take.

Requests come when they are due, whether or not those before were answered (`evals.lab.reliability.open_loop`), in
shares that a mix tells (`evals.lab.reliability.traffic`). Every reply is judged (`evals.lab.reliability.judging`):
served right and whole, refused with 503 and Retry-After, or failed, which none may be. Beside it, probes and a file of
the page are asked for at fixed times. What the server can take is found out first, by clients that wait for their
answers.

    python -m evals.lab.reliability.load [--seconds S] [--short] [--seed N] [--documents FOLDER] [--keep]
"""

import argparse
import asyncio
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

from evals.command import run_command
from evals.lab.bench.processes import memory_parts
from evals.lab.bench.slack_stand_in import thread_of
from evals.lab.reliability.entrances import Entrances, Topics
from evals.lab.reliability.judging import ACKNOWLEDGED_WITHIN_S, Fate, Texts, known_texts
from evals.lab.reliability.load_steps import (
    KIND_HEADER,
    STEP_HEADER,
    Step,
    failures,
    judge_all,
    kind_rows,
    step_row,
)
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
from evals.lab.reliability.traffic import Traffic, TrafficKind
from evals.lab.reliability.trials import CountTable, Trial, TrialClock, keep_trial
from evals.suites import CORPORA, CORPUS
from evals.tables import render_table

SHARES = (0.1, 0.25, 0.5, 0.75, 1.0, 1.5, 2.0, 3.0, 4.0, 0.1)
"""Rates, as shares of what was found that the server can take; the last one tells whether it recovers."""
_SHORT_SHARES = (0.3, 4.0, 0.3)
_PROBE_LIMIT_S = 1.0
_CLIENTS = 16
_SLACK_S = 300.0
"""How long the bot may take to work off what it acknowledged."""
_MEMORY_LIMIT_MIB = 1500.0


async def run_steps(
    server: LoadedServer, topics: Topics, texts: Texts, *, seed: int, shares: Sequence[float], seconds: float
) -> tuple[float, tuple[Step, ...]]:
    """What the server was found to take a second, and a step of `seconds` at each share of that."""
    traffic = Traffic(seed)
    async with open_session(server.address) as session:
        entrances = await open_entrances(session, topics)
        # The first requests of each kind load what later ones find loaded.
        await closed_loop(traffic.one, entrances, clients=2, seconds=min(5.0, seconds))
        found = await closed_loop(traffic.one, entrances, clients=_CLIENTS, seconds=seconds)
        capacity = sum(one.reply.status == 200 for one in found) / seconds
        say(f"{capacity:.1f} a second by {_CLIENTS} clients that wait for their answers")
        steps = []
        for number, share in enumerate(shares):
            is_recovery = number == len(shares) - 1
            name = f"{share:g} ×{' again' if is_recovery else ''}"
            step = await _step(
                server, entrances, texts, traffic=traffic, name=name, rate=share * capacity, seconds=seconds
            )
            say(render_table(STEP_HEADER, [step_row(step)]))
            for (kind, why), count in failures(step.judged).most_common(5):
                say(f"{count} × {kind}: {why}")
            steps.append(step)
    return capacity, tuple(steps)


async def _step(
    server: LoadedServer,
    entrances: Entrances,
    texts: Texts,
    *,
    traffic: Traffic,
    name: str,
    rate: float,
    seconds: float,
) -> Step:
    outcomes, probes = await fire_watched(traffic.step(rate=rate, seconds=seconds), entrances)
    memory = memory_parts(server.process)
    return Step(name, rate, seconds, judge_all(outcomes, texts), probes, memory.anonymous)


def run_trial(
    folder: Path, *, documents: Path, seed: int, shares: Sequence[float], seconds: float, command: str
) -> Trial:
    """Serve an index of `documents` that is built in `folder`, and load it."""
    clock = TrialClock.start()
    index = folder / "index"
    ingest(documents, index)
    texts = known_texts(index)
    with loaded_server(index) as server:
        capacity, steps = asyncio.run(
            run_steps(server, topics_of(index, documents), texts, seed=seed, shares=shares, seconds=seconds)
        )
        acknowledged = {
            thread_of(one.outcome.shot.number)
            for step in steps
            for one in step.judged
            if one.outcome.shot.kind is TrafficKind.SLACK and one.verdict.fate is Fate.SERVED
        }
        say(f"{len(acknowledged - server.threads.posted.keys())} mentions are still to be answered")
        waited = time.perf_counter()
        unanswered = server.threads.wait_for(acknowledged, seconds=_SLACK_S)
        say(f"answered after {time.perf_counter() - waited:.0f} s")
        posted = server.threads.posted
        doubled = sum(posted[thread] > 1 for thread in acknowledged)
    return clock.finish(
        "Load, to saturation and beyond",
        command=command,
        seed=seed,
        summary=[
            *_summary(steps),
            ("Slack mentions acknowledged and never answered", "0", str(len(unanswered)), not unanswered),
            ("Slack mentions answered twice", "0", str(doubled), doubled == 0),
        ],
        tables=[
            CountTable(STEP_HEADER, tuple(map(step_row, steps)), "By rate; times are those of what was served."),
            CountTable(KIND_HEADER, tuple(kind_rows(_heaviest(steps))), "By kind of request, at the highest rate."),
        ],
        notes=[
            f"{describe_index(index)} "
            f"Requests of all kinds come at times of their own (Poisson), {seconds:g} s for each "
            "rate, and don't wait "
            "for each other's answers; a request's time counts from when it was due, so that nothing is left out "
            f"while the server is slow. 1 × is {capacity:.1f} requests a second: what {_CLIENTS} clients that wait "
            "for their answers got. Server, clients and the stand-in for Slack share the machine.",
            "Each answer is checked: its status, its fields, that its quotes and passages are verbatim where they "
            "say, and that a mention is acknowledged within "
            f"{ACKNOWLEDGED_WITHIN_S:g} s. Refused is 503 with Retry-After, or on the page a sentence that says so.",
        ],
    )


def _summary(steps: Sequence[Step]) -> list[tuple[str, str, str, bool]]:
    failed = sum(step.count(Fate.FAILED) for step in steps)
    total = sum(len(step.judged) for step in steps)
    bad_probes = sum(step.bad_probes for step in steps)
    slowest = max(step.slowest_probe_ms for step in steps)
    best = max(step.served_a_second for step in steps)
    heaviest = _heaviest(steps)
    kept = heaviest.served_a_second / best
    refused_after = steps[-1].count(Fate.REFUSED)
    memory = max(step.own_mib for step in steps)
    return [
        (f"of {total:,} requests, neither served right nor refused as promised", "0", str(failed), failed == 0),
        ("served a second at the highest rate, of the most at any", "≥ 60 %", f"{kept:.0%}", kept >= 0.6),
        ("refused when the load is light again", "0", str(refused_after), refused_after == 0),
        ("probes and files of the page not answered with 200", "0", str(bad_probes), bad_probes == 0),
        (
            "slowest of them",
            f"≤ {_PROBE_LIMIT_S * 1000:,.0f} ms",
            f"{slowest:,.0f} ms",
            slowest <= _PROBE_LIMIT_S * 1000,
        ),
        (
            "the server's own memory",
            f"≤ {_MEMORY_LIMIT_MIB:,.0f} MiB",
            f"{memory:,.0f} MiB",
            memory <= _MEMORY_LIMIT_MIB,
        ),
    ]


def _heaviest(steps: Sequence[Step]) -> Step:
    return max(steps, key=lambda step: step.rate)


def default_documents() -> Path:
    """Real projects' notes where they are beside the checkout, else our own."""
    return CORPORA.documents if CORPORA.is_available else CORPUS.documents


def main(arguments: Sequence[str] | None = None) -> int:
    """Load a server and print what came of it; 1 where something doesn't hold."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seconds", type=float, default=30.0, help="of each rate")
    parser.add_argument("--short", action="store_true", help="three rates only: light, overload, light")
    parser.add_argument("--seed", type=int, default=20)
    parser.add_argument("--documents", type=Path, default=default_documents())
    parser.add_argument("--keep", action="store_true", help="keep it as the trial `load`")
    words = parser.parse_args(arguments)
    command = f"python -m evals.lab.reliability.load --seconds {words.seconds:g} --seed {words.seed}"
    with tempfile.TemporaryDirectory() as folder:
        trial = run_trial(
            Path(folder),
            documents=words.documents,
            seed=words.seed,
            shares=_SHORT_SHARES if words.short else SHARES,
            seconds=words.seconds,
            command=command + (" --short" if words.short else ""),
        )
    if words.keep:
        keep_trial("load", trial)
    return tell(trial)


def tell(trial: Trial) -> int:
    """Print a trial; 0 where all of it holds, else 1."""
    for table in trial.tables:
        say(render_table(table.header, table.rows))
    say(render_table(("counted", "must be", "was", "holds"), [(*row[:3], str(row[3])) for row in trial.summary]))
    return 0 if all(row[3] for row in trial.summary) else 1


def say(line: str) -> None:
    """Print a line at once."""
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


if __name__ == "__main__":
    run_command(main)
