"""A whole ingest beside LlamaIndex, Haystack, txtai and Chroma: one run, each system in processes of its own, in turn.

Two comparisons. *Same passages*: each peer gets what relnotes embeds, passage by passage, ready cut; relnotes still
reads and parses the files. *Own passages*: each peer gets the files' text and cuts it itself. Same model, same
weights, same number of threads, each library's own runtime and store.
"""

import json
import os
import sys
from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

from corpus.embedding import open_embedder
from corpus.embedding.default_model import default_model_folder, load_tokenizer
from corpus.index.reader import IndexReader
from evals.lab.bench.ingest_tables import IngestRecord, IngestSection
from evals.lab.bench.peer_ingests import read_texts, write_texts
from evals.lab.bench.peer_python import PeerPython
from evals.lab.bench.processes import ProcessRun, folder_mib, run_measured
from evals.machine import usable_cores
from evals.suites import CORPORA, Suite, stage_documents
from ingest.passages.enrichment import embedded_text

PART = Suite(
    "part", CORPORA.questions, CORPORA.documents,
    ("attrs", "curl", "httpx", "pip", "pydantic", "pytorch", "sqlite-utils"),
)  # fmt: skip
COMPARISONS = ("same", "own")
_RELNOTES = "relnotes"


def measure_ingest(suite: Suite, peers: Sequence[str], peer_python: PeerPython, *, rounds: int) -> IngestSection:
    """Ingest a suite's documents with each system, `rounds` times in turn.

    Raises:
        RelnotesError: a system failed.
    """
    with TemporaryDirectory() as folder:
        bench = _Bench(stage_documents(suite, Path(folder) / "documents"), Path(folder), peer_python)
        records = []
        for number in range(rounds):
            records.append(_told(bench.run_relnotes(number)))
            for comparison in COMPARISONS:
                records += [_told(bench.run_peer(name, comparison)) for name in peers]
        again = bench.run_again()
    return IngestSection(bench.described, rounds, again.wall_seconds, tuple(records))


def _told(record: IngestRecord) -> IngestRecord:
    """The record, after a line on stderr: a whole run takes long."""
    what = f"{record.system} {record.comparison}".rstrip()
    sys.stderr.write(f"{what}: {record.seconds:.1f} s, {record.cpu_seconds:.1f} s CPU, {record.peak_mib:.0f} MiB\n")
    return record


class _Bench:
    """Runs systems one after the other over one folder of documents; relnotes first."""

    def __init__(self, documents: Path, scratch: Path, peer_python: PeerPython) -> None:
        self._documents = documents
        self._peer_python = peer_python
        self._scratch = scratch
        self._tokenizer = load_tokenizer(default_model_folder())
        self._environment = {**os.environ, "OMP_NUM_THREADS": str(usable_cores())}
        self.described = ""
        # Exporting the model is done once on a machine; the peers' download of theirs isn't measured either.
        open_embedder(cache_dir=scratch / "exported")

    def run_relnotes(self, number: int) -> IngestRecord:
        """Ingest with the command that users run, into a new index, with nothing cached but the exported model."""
        index, cache = self._scratch / f"index-{number}", self._scratch / f"cache-{number}"
        cache.mkdir()
        (cache / "models").symlink_to(self._scratch / "exported" / "models")
        run = self._run_own(index, cache)
        passages, documents = _read_index(index)
        if number == 0:
            characters = sum(map(len, documents))
            self.described = f"{len(documents)} documents of {characters / 1e6:.1f} million characters"
            write_texts(self._scratch / "same", (" ".join(items) for items in passages))
            write_texts(self._scratch / "own", documents)
        embedded = [text for items in passages for text in items]
        return IngestRecord(
            system=_RELNOTES, comparison="", seconds=json.loads(run.output)["seconds"], wall_seconds=run.wall_seconds,
            cpu_seconds=run.cpu_seconds, peak_mib=run.peak_mib, disk_mib=folder_mib(index), passages=len(passages),
            characters=sum(map(len, embedded)), tokens=self._count_tokens(embedded),
        )  # fmt: skip

    def run_again(self) -> ProcessRun:
        """Ingest once more into the first index, nothing having changed."""
        return self._run_own(self._scratch / "index-0", self._scratch / "cache-0")

    def _run_own(self, index: Path, cache: Path) -> ProcessRun:
        return run_measured(
            [sys.executable, "-m", "ui.cli", "ingest", str(self._documents), "--index", str(index), "--json"],
            environment={**self._environment, "RELNOTES_CACHE_DIR": str(cache)},
            log=self._scratch / "log",
        )

    def run_peer(self, name: str, comparison: str) -> IngestRecord:
        """Ingest with a peer, into a new store."""
        with TemporaryDirectory(dir=self._scratch) as store:
            told = self._scratch / "embedded"
            run = run_measured(
                [
                    self._peer_python.path, "-m", "evals.lab.bench.peer_ingests", name,
                    "--texts", str(self._scratch / comparison), *(["--split"] if comparison == "own" else []),
                    "--store", store, "--embedded", str(told),
                ],
                environment=self._peer_python.environment(),
                log=self._scratch / "log",
            )  # fmt: skip
            embedded = list(read_texts(told))
            answer = json.loads(run.output)
            return IngestRecord(
                system=name, comparison=comparison, seconds=answer["seconds"], wall_seconds=run.wall_seconds,
                cpu_seconds=run.cpu_seconds, peak_mib=run.peak_mib, disk_mib=folder_mib(Path(store)),
                passages=answer["passages"], characters=sum(map(len, embedded)), tokens=self._count_tokens(embedded),
            )  # fmt: skip

    def _count_tokens(self, texts: Sequence[str]) -> int:
        """Tokens that the model read: of each text the first 256, the two that frame it left out."""
        return sum(len(encoding.ids) - 2 for encoding in self._tokenizer.encode_batch_fast(list(texts)))


def _read_index(index: Path) -> tuple[list[list[str]], list[str]]:
    """The embedded texts of each passage that has any, and the text of each document."""
    passages: list[list[str]] = []
    with IndexReader.open(index) as reader:
        count = len(reader.passages.ids)
        for first in range(0, count, 500):
            for passage in reader.load_passages(range(first, min(first + 500, count))):
                text = reader.document_text(passage.document.id)
                passages.append([embedded_text(text, item) for item in passage.items])
        documents = [reader.document_text(document.id) for document in reader.documents]
    return [texts for texts in passages if texts], documents
