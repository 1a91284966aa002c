"""How fast a whole ingest is: `relnotes ingest` from empty, again unchanged, and torch on the same texts.

The command runs as a user runs it, in a process of its own with an empty cache; sentence-transformers' torch backend
then embeds a fixed random sample of the very same texts (items, and whole passages as a peer would embed them) in the
same run.

    python -m evals.bench.ingest [FOLDER] [--sample N]
"""

import argparse
import json
import os
import random
import resource
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

from corpus.embedding import Runtime, open_embedder
from corpus.index_store import IndexReader
from corpus.plain_words import one_line
from evals.command import run_command
from ingest.enrichment import embedded_text

_CORPORA = Path(__file__).parents[3] / "shared" / "corpora"
_OWN_DOCUMENTS = Path(__file__).parents[2] / "corpus" / "documents"


@dataclass(frozen=True, slots=True)
class IngestRun:
    """One run of the command: wall seconds, the seconds it reports for its own work, peak memory so far."""

    wall_seconds: float
    work_seconds: float
    passages: int
    peak_mib: float


def run_ingest(folder: Path, index: Path, cache: Path) -> IngestRun:
    """Ingest a folder with the installed command."""
    started = time.perf_counter()
    done = subprocess.run(  # noqa: S603 - our own command on a path that the caller names
        [sys.executable, "-m", "ui.cli", "ingest", str(folder), "--index", str(index), "--json"],
        env={**os.environ, "RELNOTES_CACHE_DIR": str(cache)},
        stdout=subprocess.PIPE,
        check=True,
    )
    report = json.loads(done.stdout)
    peak = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024
    return IngestRun(time.perf_counter() - started, report["seconds"], report["passages"], peak)


def main() -> int:
    """Measure and print the table."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0] if __doc__ else None)
    parser.add_argument("folder", nargs="?", type=Path, default=_CORPORA if _CORPORA.is_dir() else _OWN_DOCUMENTS)
    parser.add_argument("--sample", type=int, default=2000, help="texts that torch embeds of each sort (default 2000)")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        index, cache = Path(folder) / "index", Path(folder) / "cache"
        open_embedder(cache_dir=cache).embed(["The export of the model is not part of the measurement."])
        first = run_ingest(options.folder, index, cache)
        second = run_ingest(options.folder, index, cache)
        items, passages = _texts(index)
        print(f"{options.folder.name}: {first.passages} passages, {len(items)} items")
        rates = f"{first.passages / first.wall_seconds:.1f} passages/s, {len(items) / first.wall_seconds:.1f} items/s"
        print(f"relnotes ingest, empty cache: {first.wall_seconds:.1f} s, {rates}, peak {first.peak_mib:.0f} MiB")
        print(f"relnotes ingest, unchanged: {second.wall_seconds:.1f} s, of them {second.work_seconds:.2f} s of work")
        torch = open_embedder(cache_dir=cache, runtime=Runtime.SENTENCE_TRANSFORMERS)
        torch.embed(["warm up"])
        chosen = random.Random(1)  # noqa: S311 - a fixed sample, not a secret
        for name, texts in (("items", items), ("passages", passages)):
            sample = chosen.sample(texts, min(options.sample, len(texts)))
            started = time.perf_counter()
            torch.embed(sample)
            rate = len(sample) / (time.perf_counter() - started)
            ratio = len(texts) / first.wall_seconds / rate
            ours = f"the whole ingest is {ratio:.2f} times that"
            print(f"torch on {len(sample)} of the same {name}: {rate:.1f} {name}/s; {ours}")
    return 0


def _texts(index: Path) -> tuple[list[str], list[str]]:
    """What was embedded (items), and the passages' words as one text each."""
    items: list[str] = []
    passages: list[str] = []
    with IndexReader.open(index) as reader:
        count = len(reader.passages.ids)
        for first in range(0, count, 500):
            for passage in reader.load_passages(range(first, min(first + 500, count))):
                text = reader.document_text(passage.document.id)
                items += [embedded_text(text, item) for item in passage.items]
                passages.append(one_line(passage.span.slice(text)) or passage.span.slice(text))
    return items, passages


if __name__ == "__main__":
    run_command(main)
