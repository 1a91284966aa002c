"""Measures cold and warm questions and memory of relnotes, of a plain script, and of a script that reranks.

The scripts are `one_shot.py`: sentence-transformers and FAISS, and the same with a cross-encoder that reads its ten
best texts. Cold runs are whole processes that answer one question. A warm run is one process each round, which is asked
other questions first and then each of the practice questions once. The three are measured in turn; the fastest round of
each counts, because other work on the machine only adds time.
"""

import json
import random
import sys
from argparse import ArgumentParser, Namespace
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import httpx
import numpy as np
from numpy.typing import NDArray

from corpus.embedding.default_model import default_model_folder
from evals.lab.peers import store_passages
from evals.lab.processes import RELNOTES, ProcessRun, bench_questions, each_ms, run_measured, running_server
from evals.lab.trials import CountTable, SummaryRow, TrialFindings
from evals.suite_index import open_suite
from evals.suites import CORPORA, FRESH, require_suites
from ingest.progress import BarProgress

_SCRIPT = Path(__file__).with_name("one_shot.py")
_SYSTEMS = ("relnotes", "dense", "rerank")
_MAX_COLD, _MAX_WARM, _MAX_TAIL, _MAX_MIB = 0.1, 0.2, 3.0, 600
_HEADER = tuple(
    "system|cold, s|cold CPU, s|cold, MiB|p50, ms|p95, ms|CPU a question, ms|resident, MiB|own, MiB".split("|")
)


def add_options(parser: ArgumentParser) -> None:
    """Add the options of this trial."""
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--seed", type=int, default=7, help="of the questions that are asked from cold")


def run(options: Namespace) -> TrialFindings:
    """Ask all three systems.

    Raises:
        RelnotesError: ../shared is absent, or a system failed.
    """
    require_suites([CORPORA, FRESH], purpose="The benchmark")
    cold: dict[str, list[ProcessRun]] = {name: [] for name in _SYSTEMS}
    warm: dict[str, list[dict[str, Any]]] = {name: [] for name in _SYSTEMS}
    with TemporaryDirectory() as folder:
        log, model = Path(folder) / "log", str(default_model_folder())
        with BarProgress() as progress, open_suite(replace(CORPORA, beside=(FRESH,)), progress=progress) as assistant:
            index, passages = assistant.index.path, assistant.index.manifest.passages
            store_passages(assistant.index, Path(folder))
        questions = random.Random(options.seed).sample(bench_questions(), options.rounds + 1)  # noqa: S311 - no secret
        for question in questions:
            for name, runs in cold.items():
                ours = [*RELNOTES, "ask", question, "--index", str(index)]
                command = ours if name == "relnotes" else [sys.executable, str(_SCRIPT), name, model, folder, question]
                # Let Python write bytecode of the checkout, as libraries have theirs since their installation.
                runs.append(run_measured(command, log=log, HF_HUB_OFFLINE="1", PYTHONDONTWRITEBYTECODE=""))
        fresh = np.array([_ask_server(index, options.seed + n) for n in range(options.rounds)])
        for _ in range(options.rounds):
            for name, results in warm.items():
                command = [sys.executable, "-m", "evals.lab.peers", name, str(index) if name == "relnotes" else folder]
                results.append(json.loads(run_measured(command, log=log).output))
    # Slow systems are asked fewer questions. The first cold run only brings files into memory and isn't counted.
    count = min(len(result["times_ms"]) for results in warm.values() for result in results)
    relnotes, dense, rerank = figures = [_figures(cold[name][1:], warm[name], count) for name in _SYSTEMS]
    rows = [(name, *(f"{value:.4g}" for value in row)) for name, row in zip(_SYSTEMS, figures, strict=True)]
    ratios = zip(_SYSTEMS[1:], relnotes / np.array(figures[1:]), strict=True)
    rows += [(f"relnotes, of {name}", *(f"{value:.3f}" for value in row)) for name, row in ratios]
    return TrialFindings(
        title="Cold and warm questions, and memory",
        summary=(
            _bounded("`relnotes ask` from cold, of the plain script's time", relnotes[0] / dense[0], _MAX_COLD),
            _bounded("p50 of a warm question, of search and rerank", relnotes[3] / rerank[3], _MAX_WARM),
            _bounded("p95 of a warm question, of its p50", relnotes[4] / relnotes[3], _MAX_TAIL),
            _bounded(
                "p95 of a fresh server's first hundred questions, of their p50", np.median(fresh[:, 3]), _MAX_TAIL
            ),
            _bounded("resident MiB after the questions", relnotes[6], _MAX_MIB),
        ),
        tables=(CountTable(_HEADER, tuple(rows)),),
        notes=(
            f"{passages:,} passages of `../shared/corpora` and `../shared/fresh`, {count} questions. relnotes "
            "answers with everything on. The scripts search one vector a passage, a quarter of what relnotes searches, "
            "and print ten texts; the cross-encoder has the judge's size, and reads 512 tokens of a passage at most.",
            "A question's time is its fastest of the rounds, in each of which a new process is asked it for the first "
            "time. CPU is of all questions of the fastest round. Memory is what the process holds after them, *own* "
            "without pages of files. A fresh server's first hundred questions over HTTP, by round: "
            + "; ".join("p50 {:.0f} ms, p95 {:.0f}, longest {:.0f}, p95 of p50 {:.2f}".format(*row) for row in fresh),
        ),
    )


def _ask_server(index: Path, seed: int) -> tuple[float, float, float, float]:
    """Return p50, p95 and the maximum of a fresh server's first hundred questions over HTTP, in ms, and p95 / p50."""
    questions = random.Random(seed).sample(bench_questions(), 100)  # noqa: S311 - no secret
    with running_server(index) as address, httpx.Client(base_url=address, timeout=60) as client:
        times = each_ms(lambda question: client.post("/v1/ask", json={"question": question}), questions)
    p50, p95, longest = np.percentile(times, (50, 95, 100)).tolist()
    return p50, p95, longest, p95 / p50


def _figures(cold: Sequence[ProcessRun], warm: Sequence[dict[str, Any]], count: int) -> NDArray[np.float64]:
    """Return the figures of one system's row in the table."""
    times = np.array([result["times_ms"][:count] for result in warm]).min(axis=0)
    return np.array(
        (
            min(run.wall_seconds for run in cold),
            min(run.cpu_seconds for run in cold),
            max(run.peak_mib for run in cold),
            np.median(times),
            np.percentile(times, 95),
            min(result["cpu_ms"] for result in warm),
            *(max(result[memory] for result in warm) for memory in ("resident", "own")),
        )
    )


def _bounded(measure: str, value: float, maximum: float) -> SummaryRow:
    return (measure, f"≤ {maximum:g}", f"{value:.3g}", bool(value <= maximum))
