"""A whole ingest beside LlamaIndex, Haystack, txtai and Chroma: one run, each system in processes of its own, in turn.

Two comparisons. *Same passages*: each peer gets what relnotes embeds, passage by passage, ready cut; relnotes still
reads and parses the files. *Own passages*: each peer gets the files' text and cuts it itself. Same model, same
weights, same number of threads, each library's own runtime and store.

    python -m evals.bench.ingest_peers [--part] [--rounds N] [--peer NAME]... [--comparison same|own] [--dry-run]

Needs the extra `relnotes[peers]`. With `--part` (a fixed part of ../shared/corpora) five to six minutes on two quiet
cores, and `docs/benchmarks-ingest.md` is written; without it everything, half an hour, and
`docs/benchmarks-ingest-full.md`. `--dry-run`, and a run of some peers or one comparison, only print.
"""

import argparse
import json
import os
import sys
from collections.abc import Sequence
from importlib.metadata import version
from pathlib import Path
from tempfile import TemporaryDirectory

from corpus.embedding import open_embedder
from corpus.embedding.default_model import find_default_model, load_tokenizer
from corpus.index_store import IndexReader
from evals.bench.ingest_tables import IngestRecord, render_page
from evals.bench.peer_ingests import INGESTS, read_texts, write_texts
from evals.bench.processes import run_measured, usable_cores
from evals.command import run_command
from evals.suites import CORPORA, Suite, require_suites, stage_documents
from ingest.enrichment import embedded_text

PART = Suite(
    "part", CORPORA.questions, CORPORA.documents,
    ("attrs", "curl", "httpx", "pip", "pydantic", "pytorch", "sqlite-utils"),
)  # fmt: skip
COMPARISONS = ("same", "own")
_DOCS = Path(__file__).parents[2] / "docs"
_RELNOTES = "relnotes"
_DISTRIBUTIONS = (
    "llama-index-core", "haystack-ai", "txtai", "chromadb", "sentence-transformers", "torch", "openvino",
)  # fmt: skip


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure, print the page, and write it where the run was whole.

    Raises:
        RelnotesError: ../shared isn't there, or a system failed.
    """
    options = _parser().parse_args(arguments)
    suite = PART if options.part else CORPORA
    require_suites([suite], purpose="The benchmark of ingest")
    peers = [name for name in INGESTS if name in (options.peer or INGESTS)]
    comparisons = [name for name in COMPARISONS if name in (options.comparison or COMPARISONS)]
    load_at_start = os.getloadavg()[0]
    with TemporaryDirectory() as folder:
        bench = _Bench(stage_documents(suite, Path(folder) / "documents"), Path(folder))
        records = []
        for number in range(options.rounds):
            records.append(_told(bench.run_relnotes(number)))
            for comparison in comparisons:
                records += [_told(bench.run_peer(name, comparison)) for name in peers]
    page = render_page(
        records,
        documents=bench.described,
        libraries=[f"{name} {version(name)}" for name in _DISTRIBUTIONS],
        command=_command(options),
        rounds=options.rounds,
        load=load_at_start,
    )
    sys.stdout.write(page)
    if not (options.dry_run or options.peer or options.comparison):
        (_DOCS / f"benchmarks-ingest{'' if options.part else '-full'}.md").write_text(page, encoding="utf-8")
    return 0


def _told(record: IngestRecord) -> IngestRecord:
    """The record, after a line on stderr: a whole run takes long."""
    what = f"{record.system} {record.comparison}".rstrip()
    sys.stderr.write(f"{what}: {record.seconds:.1f} s, {record.cpu_seconds:.1f} s CPU, {record.peak_mib:.0f} MiB\n")
    return record


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m evals.bench.ingest_peers", description="Ingest beside the peers.")
    parser.add_argument("--part", action="store_true", help="a fixed part of the corpora")
    parser.add_argument("--rounds", type=int, default=1, help="rounds, of which medians are told (default 1)")
    parser.add_argument("--peer", action="append", choices=list(INGESTS), help="only this peer; may be repeated")
    parser.add_argument("--comparison", action="append", choices=COMPARISONS, help="only this comparison")
    parser.add_argument("--dry-run", action="store_true", help="print the page, write nothing")
    return parser


def _command(options: argparse.Namespace) -> str:
    rounds = f" --rounds {options.rounds}" if options.rounds > 1 else ""
    return f"python -m evals.bench.ingest_peers{' --part' if options.part else ''}{rounds}"


class _Bench:
    """Runs systems one after the other over one folder of documents; relnotes first."""

    def __init__(self, documents: Path, scratch: Path) -> None:
        self._documents = documents
        self._scratch = scratch
        self._tokenizer = load_tokenizer(find_default_model(cache_dir=scratch / "exported"))
        self._environment = {**os.environ, "OMP_NUM_THREADS": str(usable_cores())}
        self.described = ""
        # Exporting the model is done once on a machine; the peers' download of theirs isn't measured either.
        open_embedder(cache_dir=scratch / "exported")

    def run_relnotes(self, number: int) -> IngestRecord:
        """Ingest with the command that users run, into a new index, with nothing cached but the exported model."""
        index, cache = self._scratch / f"index-{number}", self._scratch / f"cache-{number}"
        cache.mkdir()
        (cache / "models").symlink_to(self._scratch / "exported" / "models")
        run = run_measured(
            [sys.executable, "-m", "ui.cli", "ingest", str(self._documents), "--index", str(index), "--json"],
            environment={**self._environment, "RELNOTES_CACHE_DIR": str(cache)},
            log=self._scratch / "log",
        )
        passages, documents = _read_index(index)
        if number == 0:
            characters = sum(map(len, documents))
            self.described = f"{len(documents)} documents of {characters / 1e6:.1f} million characters"
            write_texts(self._scratch / "same", (" ".join(items) for items in passages))
            write_texts(self._scratch / "own", documents)
        embedded = [text for items in passages for text in items]
        return IngestRecord(
            system=_RELNOTES, comparison="", seconds=json.loads(run.output)["seconds"], wall_seconds=run.wall_seconds,
            cpu_seconds=run.cpu_seconds, peak_mib=run.peak_mib, disk_mib=_size_mib(index), passages=len(passages),
            characters=sum(map(len, embedded)), tokens=self._count_tokens(embedded),
        )  # fmt: skip

    def run_peer(self, name: str, comparison: str) -> IngestRecord:
        """Ingest with a peer, into a new store."""
        with TemporaryDirectory(dir=self._scratch) as store:
            told = self._scratch / "embedded"
            run = run_measured(
                [
                    sys.executable, "-m", "evals.bench.peer_ingests", name,
                    "--texts", str(self._scratch / comparison), *(["--split"] if comparison == "own" else []),
                    "--store", store, "--embedded", str(told),
                ],
                environment=self._environment,
                log=self._scratch / "log",
            )  # fmt: skip
            embedded = list(read_texts(told))
            answer = json.loads(run.output)
            return IngestRecord(
                system=name, comparison=comparison, seconds=answer["seconds"], wall_seconds=run.wall_seconds,
                cpu_seconds=run.cpu_seconds, peak_mib=run.peak_mib, disk_mib=_size_mib(Path(store)),
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


def _size_mib(folder: Path) -> float:
    return sum(path.stat().st_size for path in folder.rglob("*") if path.is_file()) / 2**20


if __name__ == "__main__":
    run_command(main)
