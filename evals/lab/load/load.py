"""A load test of the real server: all its entrances at once, at rates from light to several times what it can take.

Requests come when they are due, whether or not those before were answered, in shares that a mix tells (`traffic.py`).
Every reply is judged (`judging.py`): served right and whole, refused with 503 and Retry-After, or
failed, which none may be. Beside it, probes and a file of the page are asked for at fixed times. What the server can
take is found out first, by clients that wait for their answers.
"""

import asyncio
import tempfile
from argparse import ArgumentParser, Namespace
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path

import aiohttp

from corpus.catalogue import CatalogueProduct
from corpus.index.tables import TableReader
from evals.lab.load.judging import (
    ACKNOWLEDGED_WITHIN_S,
    KIND_HEADER,
    STEP_HEADER,
    Fate,
    Step,
    Texts,
    judge_all,
    kind_rows,
    known_texts,
    slack_rows,
    step_row,
)
from evals.lab.load.slack_stand_in import SlackThreads, slack_stand_in
from evals.lab.load.traffic import Entrances, Topics, Traffic, closed_loop, fire_watched
from evals.lab.processes import memory_parts
from evals.lab.questions import varied_questions
from evals.lab.serving import Server, run_ingest, started
from evals.lab.trials import CountTable, SummaryRow, TrialFindings
from evals.suites import BUNDLED, CORPORA, load_suite

SHARES = (0.1, 0.25, 0.5, 0.75, 1.0, 1.5, 2.0, 3.0, 4.0, 0.1)
"""Rates, as shares of what was found that the server can take; the last one tells whether it recovers."""
_PROBE_LIMIT_MS = 1000.0
_CLIENTS = 16
_SLACK_S = 300.0
"""How long the bot may take to work off what it acknowledged."""
_MEMORY_LIMIT_MIB = 1500
_ASKED, _REVIEWED = 300, 12


def add_options(parser: ArgumentParser) -> None:
    """What this trial can be told."""
    parser.add_argument("--seconds", type=float, default=30.0, help="of each rate")
    parser.add_argument("--seed", type=int, default=20)
    parser.add_argument("--documents", type=Path, default=default_documents())


def run(options: Namespace) -> TrialFindings:
    """Serve an index of the documents, and load it."""
    with tempfile.TemporaryDirectory() as folder:
        index = Path(folder) / "index"
        run_ingest(options.documents, index)
        texts, topics = known_texts(index), topics_of(index, options.documents)
        with loaded_servers(index, 1) as ((server,), threads):
            capacity, steps = asyncio.run(_run_steps(server, topics, texts, Traffic(options.seed), options.seconds))
            of_slack = slack_rows((one for step in steps for one in step.judged), threads, seconds=_SLACK_S)
        held = describe_index(index)
    return TrialFindings(
        title="Load, to saturation and beyond",
        summary=(*_summary(steps), *of_slack),
        tables=(
            CountTable(STEP_HEADER, tuple(map(step_row, steps)), "By rate; times are those of what was served."),
            CountTable(KIND_HEADER, tuple(kind_rows(_heaviest(steps))), "By kind of request, at the highest rate."),
        ),
        notes=(
            f"{held} Requests of all kinds come at times of their own (Poisson), {options.seconds:g} s for each rate, "
            "and don't wait for each other's answers; a request's time counts from when it was due, so that nothing is "
            f"left out while the server is slow. 1 × is {capacity:.1f} requests a second: what {_CLIENTS} clients that "
            "wait for their answers got. Server, clients and the stand-in for Slack share the machine.",
            "Each answer is checked: its status, its fields, that its quotes and passages are verbatim where they "
            f"say, and that a mention is acknowledged within {ACKNOWLEDGED_WITHIN_S:g} s. Refused is 503 with "
            "Retry-After, or on the page a sentence that says so.",
        ),
    )


async def _run_steps(
    server: Server, topics: Topics, texts: Texts, traffic: Traffic, seconds: float
) -> tuple[float, tuple[Step, ...]]:
    """What the server was found to take a second, and a step of `seconds` at each share of that."""
    async with open_session(server.address) as session:
        entrances = Entrances(session, topics)
        # The first requests of each kind load what later ones find loaded.
        await closed_loop(traffic.one, entrances, clients=2, seconds=min(5.0, seconds))
        found = await closed_loop(traffic.one, entrances, clients=_CLIENTS, seconds=seconds)
        capacity = sum(outcome.reply.status == 200 for outcome in found) / seconds
        steps = []
        for number, share in enumerate(SHARES, start=1):
            name = f"{share:g} ×{' again' if number == len(SHARES) else ''}"
            rate = share * capacity
            outcomes, probes = await fire_watched(traffic.step(rate=rate, seconds=seconds), entrances)
            own_mib = memory_parts(server.process).anonymous
            steps.append(Step(name, rate, seconds, judge_all(outcomes, texts), probes, own_mib))
    return capacity, tuple(steps)


def _summary(steps: Sequence[Step]) -> list[SummaryRow]:
    failed = sum(len(step.of(Fate.FAILED)) for step in steps)
    total = sum(len(step.judged) for step in steps)
    bad_probes = sum(step.bad_probes for step in steps)
    slowest = max(step.slowest_probe_ms for step in steps)
    kept = _heaviest(steps).served_a_second / max(step.served_a_second for step in steps)
    refused_after = len(steps[-1].of(Fate.REFUSED))
    memory = max(step.own_mib for step in steps)
    return [
        (f"of {total:,} requests, neither served right nor refused as promised", "0", str(failed), failed == 0),
        ("served a second at the highest rate, of the most at any", "≥ 60 %", f"{kept:.0%}", kept >= 0.6),
        ("refused when the load is light again", "0", str(refused_after), refused_after == 0),
        ("probes and files of the page not answered with 200", "0", str(bad_probes), bad_probes == 0),
        ("slowest of them", f"≤ {_PROBE_LIMIT_MS:,.0f} ms", f"{slowest:,.0f} ms", slowest <= _PROBE_LIMIT_MS),
        ("the server's own memory", f"≤ {_MEMORY_LIMIT_MIB:,} MiB", f"{memory:,.0f} MiB", memory <= _MEMORY_LIMIT_MIB),
    ]


def _heaviest(steps: Sequence[Step]) -> Step:
    return max(steps, key=lambda step: step.rate)


@contextmanager
def loaded_servers(index: Path, count: int, **environment: str) -> Iterator[tuple[tuple[Server, ...], SlackThreads]]:
    """Servers over one index for a `with` block, with Slack turned on; what their bots post is counted together."""
    with slack_stand_in() as (slack, threads), ExitStack() as stack:
        servers = [stack.enter_context(started(index, **slack, **environment)) for _ in range(count)]
        yield tuple(servers), threads


def topics_of(index: Path, documents: Path) -> Topics:
    """What a server over `index` is asked: the questions of our sets, and bumps of the products that it holds."""
    with TableReader.open(index) as tables:
        numbered = tuple((document.id, len(tables.document_text(document.id))) for document in tables.documents)
        bumps = tuple(_bump(product) for product in tables.products if len(product.releases) > 1)[:_REVIEWED]
    ours = documents.resolve() == BUNDLED.documents.resolve()
    questions = tuple(one.question for one in load_suite(BUNDLED)) if ours else varied_questions(_ASKED)
    return Topics(questions, bumps, numbered)


def default_documents() -> Path:
    """Real projects' notes where they are beside the checkout, else our own."""
    return CORPORA.documents if CORPORA.is_available else BUNDLED.documents


def describe_index(index: Path) -> str:
    """What an index holds, in a sentence."""
    with TableReader.open(index) as tables:
        held = tables.manifest
        return (
            f"The index holds {held.passages:,} passages of {held.documents:,} documents about "
            f"{len(tables.products):,} products."
        )


def _bump(product: CatalogueProduct) -> str:
    newest, older = product.releases[0].version.label, product.releases[min(2, len(product.releases) - 1)].version.label
    return (
        "--- a/requirements.txt\n+++ b/requirements.txt\n@@ -1 +1 @@\n"
        f"-{product.name}=={older}\n+{product.name}=={newest}\n"
    )


def open_session(address: str, *, timeout_s: float = 120.0) -> aiohttp.ClientSession:
    """Connections to a server, as many as are needed; to be used as a context manager."""
    return aiohttp.ClientSession(
        address,
        connector=aiohttp.TCPConnector(limit=0, keepalive_timeout=30),
        timeout=aiohttp.ClientTimeout(total=timeout_s),
        read_bufsize=2**22,
    )
