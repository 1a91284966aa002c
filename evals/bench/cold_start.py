"""How long a question takes from the shell: a process that starts, answers and ends, as people and scripts ask.

Each round takes its turn with a question of its own: `relnotes ask` by itself; `relnotes ask` beside a running
`relnotes serve`; and a script of five lines that loads the same model with sentence-transformers, reads as many vectors
as the index has passages with FAISS, and prints the ten nearest rows. The fastest round of each counts: the machine's
other work only adds.

    python -m evals.bench.cold_start INDEX [--rounds N]
"""

import argparse
import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

import faiss
import numpy as np

from corpus.embedding.default_model import DIMENSIONS, default_model_folder
from corpus.index_tables import TableReader
from evals.bench.processes import ProcessRun, run_measured
from evals.command import run_command

_QUESTIONS = (
    "When was the old configuration format deprecated?",
    "Which version dropped support for Python 3.8?",
    "What changed in the handling of time zones?",
    "Is there a fix for the memory leak in the connection pool?",
    "What is the default timeout of the client now?",
)
_SCRIPT = """
import sys, faiss
from sentence_transformers import SentenceTransformer
model = SentenceTransformer(sys.argv[1], device="cpu")
rows = faiss.read_index(sys.argv[2])
print(rows.search(model.encode([sys.argv[3]], normalize_embeddings=True), 10))
"""
_RELNOTES = (sys.executable, "-m", "ui.cli")


@dataclass(frozen=True, slots=True)
class _Way:
    """A way of asking: its command without the question, and its rounds so far."""

    name: str
    command: tuple[str, ...]
    runs: list[ProcessRun]


def main() -> int:
    """Measure, print a line for each way, and return the exit status."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("index", type=Path)
    parser.add_argument("--rounds", type=int, default=5)
    options = parser.parse_args()
    with TableReader.open(options.index) as reader:
        passages = reader.manifest.passages
    with TemporaryDirectory() as scratch:
        vectors = Path(scratch) / "vectors.faiss"
        _write_vectors(vectors, passages)
        ask = (*_RELNOTES, "ask", "--index", str(options.index))
        alone = _Way("relnotes ask", ask, [])
        script = _Way(
            "sentence-transformers and FAISS",
            (sys.executable, "-c", _SCRIPT, str(default_model_folder()), str(vectors)),
            [],
        )
        beside = _Way("relnotes ask beside relnotes serve", ask, [])
        _take_turns([alone, script], rounds=options.rounds, log=Path(scratch) / "log")
        with _server(options.index):
            _take_turns([beside], rounds=options.rounds, log=Path(scratch) / "log")
    usual_s = _fastest(script).wall_seconds
    print(f"{passages:,} passages, the fastest of {options.rounds}")
    for way in (alone, beside, script):
        best = _fastest(way)
        print(
            f"{way.name:36} {best.wall_seconds:6.2f} s {best.cpu_seconds:6.2f} s of processor "
            f"{best.peak_mib:5.0f} MiB {best.wall_seconds / usual_s:6.2f} times the script"
        )
    return 0


def _take_turns(ways: list[_Way], *, rounds: int, log: Path) -> None:
    # One round before counts for none: it reads the files of all into the system's cache.
    for number in range(rounds + 1):
        for way in ways:
            question = f"{_QUESTIONS[number % len(_QUESTIONS)]} ({number})"
            run = run_measured([*way.command, question], environment=os.environ, log=log)
            if number:
                way.runs.append(run)


def _fastest(way: _Way) -> ProcessRun:
    return min(way.runs, key=lambda run: run.wall_seconds)


def _write_vectors(path: Path, count: int) -> None:
    """Made-up unit vectors: how long they take to read and to scan doesn't depend on what they mean."""
    rows = np.random.default_rng(0).standard_normal((count, DIMENSIONS), dtype=np.float32)
    index = faiss.IndexFlatIP(DIMENSIONS)
    index.add(rows / np.linalg.norm(rows, axis=1, keepdims=True))
    faiss.write_index(index, str(path))


@contextmanager
def _server(index: Path) -> Iterator[None]:
    """A `relnotes serve` over `index` that answers, for a `with` block."""
    command = [*_RELNOTES, "serve", "--port", "0", "--json", "--index", str(index)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True) as process:  # noqa: S603 - our own
        try:
            json.loads(process.stdout.readline() if process.stdout else "")
            yield
        finally:
            process.send_signal(signal.SIGTERM)


if __name__ == "__main__":
    run_command(main)
