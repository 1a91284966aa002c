"""A single question from cold: `relnotes ask` beside a script of sentence-transformers and FAISS, whole processes.

Both ask the same question in turn, another one each round; of each the fastest round counts. The script searches one
vector a passage, a quarter of what relnotes searches, and prints ten texts.
"""

import random
import sqlite3
import sys
from argparse import ArgumentParser, Namespace
from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

import faiss
import numpy as np

from corpus.embedding.default_model import DIMENSIONS, default_model_folder
from evals.lab.grown import Grown, grown_corpora, sizes_option
from evals.lab.processes import RELNOTES, ProcessRun, bench_questions, read_texts, run_measured
from evals.lab.trials import CountTable, SummaryRow, TrialFindings

_SCRIPT = Path(__file__).with_name("one_shot.py")
_MAX_SHARE, _MAX_SECONDS = 0.2, 1.2
_HEADER = (
    "passages", "relnotes, s", "script, s", "ratio", "relnotes CPU, s", "script CPU, s", "relnotes, MiB", "script, MiB",
)  # fmt: skip


def add_options(parser: ArgumentParser) -> None:
    """What this trial can be told."""
    sizes_option(parser, "40000")
    parser.add_argument("--rounds", type=int, default=5)


def run(options: Namespace) -> TrialFindings:
    """Ask both over each size.

    Raises:
        RelnotesError: one of the two failed.
    """
    summary: list[SummaryRow] = []
    rows = []
    for size in options.sizes:
        with TemporaryDirectory() as scratch:
            ours, script = _measure(grown_corpora(size), rounds=options.rounds, log=Path(scratch) / "log")
        fastest, theirs = (min(one.wall_seconds for one in runs) for runs in (ours, script))
        holds = fastest <= _MAX_SHARE * theirs and fastest <= _MAX_SECONDS
        measured = f"{fastest / theirs:.2f}, {fastest:.2f} s beside {theirs:.2f} s"
        must = f"≤ {_MAX_SHARE} of the script's time, ≤ {_MAX_SECONDS} s"
        summary.append((f"`relnotes ask` from cold over {size:,} passages", must, measured, holds))
        seconds = (fastest, theirs, fastest / theirs)
        cpu = (min(one.cpu_seconds for one in runs) for runs in (ours, script))
        peak = (max(one.peak_mib for one in runs) for runs in (ours, script))
        rows.append((f"{size:,}", *(f"{one:.2f}" for one in (*seconds, *cpu)), *(f"{one:,.0f}" for one in peak)))
    return TrialFindings(
        title="One question from cold",
        summary=tuple(summary),
        tables=(CountTable(_HEADER, tuple(rows)),),
        notes=(
            "Whole processes, from start to exit, with files in the system's cache. The script (`one_shot.py`) loads "
            "sentence-transformers and a flat FAISS index of one vector a passage, a quarter of what relnotes "
            "searches, and prints ten texts. Both are asked the same question, another one each round, in turn; the "
            "fastest of each counts.",
        ),
    )


def _measure(grown: Grown, *, rounds: int, log: Path) -> tuple[list[ProcessRun], list[ProcessRun]]:
    """Runs of relnotes and of the script, after one each that counts nowhere: it brings the files into memory."""
    vectors, texts = _script_files(grown)

    def ask(question: str) -> ProcessRun:
        # Libraries have their bytecode since they were installed, a checkout where Python may write it.
        command = [*RELNOTES, "ask", question, "--index", str(grown.index)]
        return run_measured(command, log=log, PYTHONDONTWRITEBYTECODE="")

    ours, script = [], []
    # Not seeded: nothing may have been asked before, in an earlier run either.
    for question in random.sample(bench_questions(), rounds + 1):
        ours.append(ask(question))
        search = [sys.executable, str(_SCRIPT), str(default_model_folder()), str(vectors), str(texts), question]
        script.append(run_measured(search, log=log, HF_HUB_OFFLINE="1"))
    return ours[1:], script[1:]


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
        with sqlite3.connect(draft) as database:
            database.execute("CREATE TABLE passages (text TEXT)")
            database.executemany("INSERT INTO passages VALUES (?)", ((text,) for text in read_texts(grown.texts)))
        database.close()
        draft.rename(texts)
    return vectors, texts
