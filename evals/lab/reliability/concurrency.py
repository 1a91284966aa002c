"""Many readers and several writers over one index at once: every answer is that of one state, and nothing is lost.

    python -m evals.lab.reliability.concurrency [--readers N] [--threads T] [--servers S] [--seconds S] [--seed N]
    [--keep]

Each writer ingests a product of its own again and again, every document in a new state each time. All documents of a
state carry its number, so an answer whose quotes carry two numbers, or whose quotes aren't the words of their state,
mixes states. Readers are processes with threads that share an assistant, and servers asked over HTTP; a writer that
finds another at work must be told so, and tries again. It doesn't kill anybody: `evals.lab.reliability.faults` does.
"""

import argparse
import json
import multiprocessing
import random
import re
import sys
import tempfile
import time
import urllib.request
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import Future, ProcessPoolExecutor, ThreadPoolExecutor
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from corpus.cache_folder import cache_folder
from corpus.embedding import open_embedder
from corpus.errors import IndexBusy
from corpus.index.check import verify_index
from corpus.index.reader import IndexReader
from evals.command import run_command
from evals.lab.bench.serving import serving
from evals.lab.reliability.trials import CountTable, TrialClock, keep_trial
from ingest.pipeline import build_index
from retrieval.assistant import Assistant

PRODUCTS = ("sprocket", "widget")
_PARTS = 5
_STATE = re.compile(r"state (\d+) of")
_PAUSE_S = 0.02


@dataclass(frozen=True, slots=True)
class QuotedPiece:
    """A piece of a document, as an answer gives it."""

    source: str
    start: int
    end: int
    text: str


def state_text(product: str, part: int, state: int) -> str:
    """A document of a product in a state; texts of other states have other lengths, so that offsets move."""
    filler = " and more" * (state % 7)
    return (
        f"# {product.title()} 4.{part}\n\n- `{product}.align_{part}` takes {state} turns{filler}; "
        f"state {state} of {product}.\n- `{product}.spin_{part}` is removed; state {state} of {product}.\n"
    )


def write_state(folder: Path, product: str, state: int) -> Path:
    """Write all documents of a product in a state; the folder to ingest."""
    root = folder / product
    root.mkdir(parents=True, exist_ok=True)
    for part in range(_PARTS):
        (root / f"{part}.md").write_text(state_text(product, part, state), encoding="utf-8", newline="")
    return root


def fault_of(quoted: Sequence[QuotedPiece], product: str) -> str | None:
    """What tells that these pieces of a product's documents aren't all of one state."""
    states = {int(state) for one in quoted for state in _STATE.findall(one.text)}
    if len(states) > 1:
        return f"states {sorted(states)} of {product} in one answer"
    for one in quoted:
        for state in states:
            whole = state_text(product, int(Path(one.source).stem), state)
            if whole[one.start : one.end] != one.text:
                return f"{one.source}:{one.start}-{one.end} isn't the text of state {state}"
    return None


def write_on(index: Path, folder: Path, product: str, *, seconds: float, seed: int) -> Counter[str]:
    """Ingest one state after another until the time is over; the last one surely. Counts states and refusals."""
    counts: Counter[str] = Counter()
    chance = random.Random(f"{seed} {product}")  # noqa: S311 what is chosen is how long to wait
    embedder = open_embedder(cache_dir=cache_folder())
    until = time.monotonic() + seconds
    state, is_last = 0, False
    while not is_last:
        state += 1
        is_last = time.monotonic() > until
        root = write_state(folder, product, state)
        while True:
            try:
                build_index([str(root)], index=index, embedder=embedder)
                break
            except IndexBusy:
                counts["refused"] += 1
                time.sleep(chance.uniform(_PAUSE_S, 5 * _PAUSE_S))
        counts["states"] += 1
    return counts


def read_on(index: Path, *, threads: int, seconds: float, seed: int) -> tuple[Counter[str], list[str]]:
    """Ask from several threads that share an assistant, a new one for each newer state, until the time is over."""
    embedder = open_embedder(cache_dir=cache_folder())
    until = time.monotonic() + seconds
    counts: Counter[str] = Counter()
    faults: list[str] = []
    chance = random.Random(seed)  # noqa: S311 what is chosen is what to ask
    with ThreadPoolExecutor(threads) as pool:
        while time.monotonic() < until:
            with Assistant.open(index, embedder=embedder) as assistant:
                counts["openings"] += 1
                asked = [(chance.choice(PRODUCTS), chance.randrange(_PARTS)) for _ in range(4 * threads)]
                for fault in pool.map(lambda one, lent=assistant: _ask(lent, *one), asked):
                    counts["answers"] += 1
                    faults += [fault] if fault else []
    return counts, faults


def _ask(assistant: Assistant, product: str, part: int) -> str | None:
    answer = assistant.ask(f"How many turns does {product}.align_{part} take?", product=product)
    for one in answer.citations:
        if assistant.index.document_text(one.document_id)[one.start : one.end] != one.quote:
            return f"{one.source}:{one.start}-{one.end} isn't the slice of its own state"
    quoted = [QuotedPiece(one.source, one.start, one.end, one.quote) for one in answer.citations]
    listed = [QuotedPiece(one.source, one.start, one.end, one.text) for one in answer.passages]
    return fault_of([*quoted, *listed], product)


def ask_server(address: str, *, seconds: float, seed: int) -> tuple[Counter[str], list[str]]:
    """Ask a server over HTTP until the time is over."""
    chance = random.Random(seed)  # noqa: S311 what is chosen is what to ask
    counts: Counter[str] = Counter()
    faults: list[str] = []
    until = time.monotonic() + seconds
    while time.monotonic() < until:
        product, part = chance.choice(PRODUCTS), chance.randrange(_PARTS)
        body = {"question": f"How many turns does {product}.align_{part} take?", "product": product}
        request = urllib.request.Request(  # noqa: S310 the address of our own server
            f"{address}/v1/ask", json.dumps(body).encode(), {"Content-Type": "application/json"}
        )
        try:
            with urllib.request.urlopen(request, timeout=60) as response:  # noqa: S310
                answer = json.loads(response.read())
        except OSError as error:
            faults.append(f"{type(error).__name__}: {error}")
            continue
        counts["answers"] += 1
        fault = fault_of(list(_pieces(answer)), product)
        faults += [fault] if fault else []
    return counts, faults


def _pieces(answer: Mapping[str, Any]) -> Iterator[QuotedPiece]:
    for one in answer["citations"]:
        yield QuotedPiece(one["source"], one["start"], one["end"], one["quote"])
    for one in answer["passages"]:
        yield QuotedPiece(one["source"], one["start"], one["end"], one["text"])


@dataclass(frozen=True, slots=True)
class ConcurrencyReport:
    """What was counted."""

    states: int
    refused: int
    openings: int
    answers: int
    served: int
    """Answers of servers over HTTP."""
    faults: tuple[str, ...]
    index_faults: tuple[str, ...]
    lost: tuple[str, ...]
    """Documents that aren't those of the last state of their product."""


def run_together(
    folder: Path, *, readers: int, threads: int, servers: int, seconds: float, seed: int
) -> ConcurrencyReport:
    """Let two writers, `readers` processes of `threads` threads and `servers` work on one index for `seconds`."""
    index, notes = folder / "index", folder / "notes"
    embedder = open_embedder(cache_dir=cache_folder())
    roots = [str(write_state(notes, product, 0)) for product in PRODUCTS]
    build_index(roots, index=index, embedder=embedder)
    context = multiprocessing.get_context("spawn")
    with ExitStack() as stack:
        addresses = [stack.enter_context(serving(index)) for _ in range(servers)]
        pool = stack.enter_context(ProcessPoolExecutor(len(PRODUCTS) + readers, mp_context=context))
        asking = stack.enter_context(ThreadPoolExecutor(max(1, servers)))
        writing: list[Future[Counter[str]]] = [
            pool.submit(write_on, index, notes, product, seconds=seconds, seed=seed) for product in PRODUCTS
        ]
        reading = [
            pool.submit(read_on, index, threads=threads, seconds=seconds, seed=seed + number)
            for number in range(readers)
        ]
        served = [
            asking.submit(ask_server, address, seconds=seconds, seed=seed + number)
            for number, address in enumerate(addresses)
        ]
        wrote = sum((one.result() for one in writing), Counter())
        read = [one.result() for one in reading]
        over_http = [one.result() for one in served]
    counts = sum((one for one, _ in read), Counter())
    with IndexReader.open(index) as reader:
        texts = {Path(one.root, one.source): reader.document_text(one.id) for one in reader.documents}
    lost = tuple(
        str(path.relative_to(notes))
        for path in sorted(notes.glob("*/*.md"))
        if texts.get(path.resolve()) != path.read_bytes().decode()
    )
    return ConcurrencyReport(
        states=wrote["states"],
        refused=wrote["refused"],
        openings=counts["openings"],
        answers=counts["answers"],
        served=sum(one["answers"] for one, _ in over_http),
        faults=tuple(fault for _, found in (*read, *over_http) for fault in found),
        index_faults=verify_index(index),
        lost=lost,
    )


def main(arguments: Sequence[str] | None = None) -> int:
    """Print the counts; 1 where an answer mixed states, a request failed or something was lost."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--readers", type=int, default=3)
    parser.add_argument("--threads", type=int, default=3)
    parser.add_argument("--servers", type=int, default=2)
    parser.add_argument("--seconds", type=float, default=120.0)
    parser.add_argument("--seed", type=int, default=10)
    parser.add_argument("--keep", action="store_true", help="write the trial for docs/reliability.md")
    words = parser.parse_args(arguments)
    clock = TrialClock.start()
    with tempfile.TemporaryDirectory() as folder:
        report = run_together(
            Path(folder),
            readers=words.readers,
            threads=words.threads,
            servers=words.servers,
            seconds=words.seconds,
            seed=words.seed,
        )
    for fault in (*report.faults[:10], *report.index_faults, *report.lost):
        sys.stdout.write(f"{fault}\n")
    answers = report.answers + report.served
    summary = [
        ("answers while the index changes", "≥ 1,000", f"{answers:,}", answers >= 1_000),
        ("states committed meanwhile", "≥ 20", f"{report.states:,}", report.states >= 20),
        ("answers that mix states, and requests that failed", "0", str(len(report.faults)), not report.faults),
        ("documents lost by two writers at once", "0", str(len(report.lost)), not report.lost),
        ("faults of the index afterwards", "0", str(len(report.index_faults)), not report.index_faults),
    ]
    for row in summary:
        sys.stdout.write(f"{row[0]:50} {row[2]:>8} ({row[1]})\n")
    if words.keep:
        counted = (
            ("answers of readers in processes", f"{report.answers:,}"),
            ("answers of servers", f"{report.served:,}"),
            ("times a reader opened the newest state", f"{report.openings:,}"),
            ("states committed by two writers", f"{report.states:,}"),
            ("times a writer was told that the other is at work", f"{report.refused:,}"),
        )
        command = f"python -m evals.lab.reliability.concurrency --seconds {words.seconds:g} --seed {words.seed} --keep"
        note = (
            f"Two writers ingest a product each, again and again, into one index; {words.readers} processes of "
            f"{words.threads} threads and {words.servers} servers answer from it. Every document carries the number of "
            "its state: an answer that carries two, or whose quotes aren't the words of that state, counts as mixed."
        )
        trial = clock.finish(
            "Readers and writers at once",
            command=command,
            seed=words.seed,
            summary=summary,
            tables=[CountTable(("counted", "times"), counted)],
            notes=[note],
        )
        keep_trial("concurrency", trial)
    return int(not all(row[3] for row in summary))


if __name__ == "__main__":
    run_command(main)
