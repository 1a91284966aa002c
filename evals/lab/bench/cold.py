"""A single question from cold: `relnotes ask` beside a script of sentence-transformers and FAISS, whole processes.

Both ask the same question in turn, another one each round; of each the fastest round counts. The script searches one
vector a passage, a quarter of what relnotes searches, and prints ten texts. Afterwards `relnotes ask` is asked beside a
running `relnotes serve` of the same index, which it lets answer.
"""

import json
import os
import random
import sqlite3
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import faiss
import numpy as np

from corpus.embedding.default_model import DIMENSIONS, default_model_folder
from evals.lab.bench.grown_corpora import Grown
from evals.lab.bench.peer_python import PeerPython
from evals.lab.bench.processes import ProcessRun, run_measured
from evals.lab.bench.questions import bench_questions
from evals.lab.bench.serving import RELNOTES, serving

_SCRIPT = Path(__file__).with_name("one_shot.py")


@dataclass(frozen=True, slots=True)
class ColdRecord:
    """Seconds of whole processes, from start to exit, a round each; memory is the most of any round."""

    passages: int
    ours_seconds: tuple[float, ...]
    script_seconds: tuple[float, ...]
    beside_seconds: tuple[float, ...]
    """Of `relnotes ask` beside a running server."""
    ours_cpu_seconds: float
    """Of processor, the least of any round."""
    script_cpu_seconds: float
    ours_peak_mib: float
    script_peak_mib: float


def measure_cold(grown: Grown, peer_python: PeerPython, *, rounds: int, scratch: Path) -> ColdRecord:
    """Ask `rounds` questions each way, after one that counts nowhere: it brings both systems' files into memory.

    Raises:
        RelnotesError: one of the two failed.
    """
    vectors, texts = _script_files(grown)
    # Not seeded: nothing may have been asked before, in an earlier run either.
    questions = random.sample(bench_questions(), rounds + 1)
    ours, script = [], []
    for question in questions:
        ours.append(_ask(grown, question, scratch))
        search = [peer_python.path, str(_SCRIPT), str(default_model_folder()), str(vectors), str(texts), question]
        script.append(run_measured(search, environment=peer_python.environment(), log=scratch / "log"))
    with serving(grown.index):
        beside = [_ask(grown, question, scratch) for question in random.sample(bench_questions(), rounds + 1)]
    return ColdRecord(
        passages=grown.passages,
        ours_seconds=tuple(run.wall_seconds for run in ours[1:]),
        script_seconds=tuple(run.wall_seconds for run in script[1:]),
        beside_seconds=tuple(run.wall_seconds for run in beside[1:]),
        ours_cpu_seconds=min(run.cpu_seconds for run in ours),
        script_cpu_seconds=min(run.cpu_seconds for run in script),
        ours_peak_mib=max(run.peak_mib for run in ours),
        script_peak_mib=max(run.peak_mib for run in script),
    )


def _ask(grown: Grown, question: str, scratch: Path) -> ProcessRun:
    command = [*RELNOTES, "ask", question, "--index", str(grown.index)]
    return run_measured(command, environment=os.environ, log=scratch / "log")


def _script_files(grown: Grown) -> Sequence[Path]:
    """What the script reads, made once beside the index: a flat FAISS index and a table of texts."""
    vectors, texts = grown.folder / "flat.faiss", grown.folder / "texts.sqlite"
    if not vectors.exists():
        index = faiss.IndexFlatIP(DIMENSIONS)
        index.add(np.fromfile(grown.vectors, np.float32).reshape(-1, DIMENSIONS))
        faiss.write_index(index, str(vectors))
    if not texts.exists():
        draft = texts.with_suffix(".draft")
        draft.unlink(missing_ok=True)
        with sqlite3.connect(draft) as database, grown.texts.open(encoding="utf-8") as lines:
            database.execute("CREATE TABLE passages (text TEXT)")
            database.executemany("INSERT INTO passages VALUES (?)", ((json.loads(line),) for line in lines))
        database.close()
        draft.rename(texts)
    return vectors, texts
