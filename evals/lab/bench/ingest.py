"""A whole ingest beside other libraries: each system in processes of its own, in turn, over the same passages.

Each peer gets what relnotes embeds, passage by passage, ready cut; relnotes still reads and parses the files. Same
model, same weights, same number of threads, each library's own runtime and store. Run it with a Python that has
`relnotes[peers]`.
"""

import json
import os
import sys
from argparse import ArgumentParser, Namespace
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory

from corpus.index.reader import IndexReader
from evals.lab.peers.libraries import PEERS, open_peers, versions
from evals.lab.processes import folder_mib, run_measured
from evals.lab.questions import write_texts
from evals.lab.serving import RELNOTES
from evals.lab.trials import CountTable, TrialFindings, usable_cores
from evals.suites import CORPORA, Suite, require_suites, stage_documents
from ingest.passages.splitting import embedded_text

_PART = Suite(
    "part", CORPORA.questions, CORPORA.documents,
    ("attrs", "curl", "httpx", "pip", "pydantic", "pytorch", "sqlite-utils"),
)  # fmt: skip
_OURS = "relnotes"
_LEAST_TIMES = 2.0
_HEADER = ("system", "ingest, s", "process, s", "CPU, s", "passages/s", "peak, MiB", "disk, MiB")


Ingest = tuple[float, float, float, float, float]
"""Seconds of the ingest itself, from the first file to the last byte on the disk; of the process and its CPU; MiB of
memory and disk."""


def add_options(parser: ArgumentParser) -> None:
    """What this trial can be told."""
    parser.add_argument("--full", action="store_true", help="all of ../shared/corpora (default: seven projects)")
    parser.add_argument("--peer", action="append", choices=list(PEERS), help="only this library; may be repeated")
    parser.add_argument("--rounds", type=int, default=1, help="of which medians are told (default 1)")


def run(options: Namespace) -> TrialFindings:
    """Ingest with each system.

    Raises:
        RelnotesError: a system failed, its library isn't installed, or ../shared is absent.
    """
    suite = CORPORA if options.full else _PART
    require_suites([suite], purpose="The benchmark")
    names = tuple(open_peers(options.peer or PEERS))
    ingests: dict[str, list[Ingest]] = defaultdict(list)
    with TemporaryDirectory() as folder:
        scratch = Path(folder)
        documents = stage_documents(suite, scratch / "documents")
        for number in range(options.rounds):
            ingests[_OURS].append(_ingest_ours(documents, scratch, number))
            if number == 0:
                passages = list(_passages(scratch / "index-0"))
                write_texts(scratch / "texts.jsonl", passages)
            for name in names:
                ingests[name].append(_ingest_peer(name, scratch))
    rates = {name: len(passages) / median(ingest[0] for ingest in found) for name, found in ingests.items()}
    fastest = max(names, key=lambda name: rates[name])
    times = rates[_OURS] / rates[fastest]
    measure = "passages a second, of the fastest peer's over the same passages, in float32"
    rows = tuple((name, *_cells(found, rates[name])) for name, found in ingests.items())
    return TrialFindings(
        title="Ingest beside other libraries",
        summary=((measure, f"≥ {_LEAST_TIMES:g} times", f"{times:.2f} times {fastest}'s", times >= _LEAST_TIMES),),
        tables=(CountTable(_HEADER, rows, f"{len(passages):,} passages, medians of {options.rounds} rounds in turn."),),
        notes=(
            "Each peer gets the very text that relnotes embeds, passage by passage. relnotes also reads and parses the "
            "files, makes BM25, and embeds each passage by its items. *ingest, s* is from the first file to the index "
            "on the disk, without importing libraries and loading the model, which cost the peers more; *process, s* "
            "is with them. *peak* is resident memory of the process and its children. relnotes starts with an empty "
            "cache of vectors.",
            "The peers embed in float32, relnotes in bfloat16 where the processor has it. It is part of each ratio: "
            "in float32 throughout relnotes embeds long passages 1.3 times and sentences 1.8 times as fast as torch "
            "(docs/decisions/0001-embedding-runtime.md).",
            f"Beside {versions(names)}.",
        ),
    )


def _ingest_ours(documents: Path, scratch: Path, number: int) -> Ingest:
    """With the command that users run, into a new index, with nothing cached."""
    index, cache = scratch / f"index-{number}", scratch / f"cache-{number}"
    cache.mkdir()
    command = [*RELNOTES, "ingest", str(documents), "--index", str(index), "--json"]
    return _ingested(command, index, scratch, RELNOTES_CACHE_DIR=str(cache))


def _ingest_peer(name: str, scratch: Path) -> Ingest:
    with TemporaryDirectory(dir=scratch) as store:
        command = [sys.executable, "-m", "evals.lab.peers.process", name, "store", "--folder", store]
        return _ingested([*command, "--texts", str(scratch / "texts.jsonl")], Path(store), scratch)


def _ingested(command: list[str], store: Path, scratch: Path, **further: str) -> Ingest:
    environment = {**os.environ, "OMP_NUM_THREADS": str(usable_cores()), **further}
    process = run_measured(command, environment=environment, log=scratch / "log")
    seconds = json.loads(process.output)["seconds"]
    return seconds, process.wall_seconds, process.cpu_seconds, process.peak_mib, folder_mib(store)


def _passages(index: Path) -> Iterator[str]:
    """What is embedded of each passage that has anything."""
    with IndexReader.open(index) as reader:
        count = len(reader.passages.ids)
        for first in range(0, count, 500):
            for passage in reader.load_passages(range(first, min(first + 500, count))):
                text = reader.document_text(passage.document.id)
                if passage.items:
                    yield " ".join(embedded_text(text, item) for item in passage.items)


def _cells(found: list[Ingest], rate: float) -> tuple[str, ...]:
    *seconds, peak, disk = (median(figures) for figures in zip(*found, strict=True))
    return (*(f"{second:.1f}" for second in (*seconds, rate)), f"{peak:.0f}", f"{disk:.1f}")
