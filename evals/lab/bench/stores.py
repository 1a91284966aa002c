"""Whether a server finds what the embedded store finds, and how long a question takes with each.

The questions of the gate are asked of both. Without `--store`, Milvus Lite serves from a file that is removed
afterwards.
"""

import shutil
import tempfile
from argparse import ArgumentParser, Namespace
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from statistics import fmean, median

from corpus.cache_folder import cache_folder
from corpus.embedding import open_embedder
from corpus.index.layout import write_lock
from corpus.index.repair import restore_derived
from corpus.stores.choice import StoreChoice
from corpus.stores.milvus.generations import withdraw_generations
from evals.lab.trials import CountTable, TrialFindings
from evals.question_set import Question
from evals.runner import EvalRun, evaluate, run_questions
from evals.suite_index import asker, open_suite
from evals.suites import GATE_SUITES, Suite, load_suite
from ingest.progress import BarProgress
from retrieval.assistant import Assistant

METRICS = ("recall@5", "mrr@10")
MOST_DIFFERENCE = 0.01
"""By which a figure may differ between stores."""
_SAME_OF = 10
_HEADER = (
    "suite", "questions", *METRICS, "greatest difference", "same passages of ten", "ms, embedded", "ms, server",
)  # fmt: skip


Compared = tuple[float, float, tuple[str, ...]]
"""One suite asked of both stores: the largest difference of a figure; the share of the first ten passages that both
give, averaged over the questions; and a row of the table."""


def add_options(parser: ArgumentParser) -> None:
    """What this trial can be told."""
    parser.add_argument("--store", metavar="URL", help="the server (default: Milvus Lite in a file of its own)")
    parser.add_argument("--passes", type=int, default=2, help="passes over the questions (default 2)")


def run(options: Namespace) -> TrialFindings:
    """Ask both stores.

    Raises:
        RelnotesError: a suite can't be ingested, or the store can't be used.
    """
    with tempfile.TemporaryDirectory(prefix="relnotes-stores-") as folder:
        store = StoreChoice.parse(options.store or f"milvus+lite://{folder}/store.db")
        compared = [
            compare(suite, load_suite(suite), store, folder=Path(folder), passes=options.passes)
            for suite in GATE_SUITES
            if suite.is_available
        ]
    most = max(difference for difference, _, _ in compared)
    holds = most <= MOST_DIFFERENCE
    return TrialFindings(
        title="A server beside the embedded store",
        summary=((f"greatest difference of {' or '.join(METRICS)}", f"≤ {MOST_DIFFERENCE}", f"{most:.3f}", holds),),
        tables=(CountTable(_HEADER, tuple(row for _, _, row in compared)),),
        notes=(
            "Each suite's index is copied and handed to the server; vectors, tables and questions are the same. A "
            "question's time is its fastest of several passes.",
        ),
    )


def compare(suite: Suite, questions: Sequence[Question], store: StoreChoice, *, folder: Path, passes: int) -> Compared:
    """Ask questions of a suite of its own index and of a copy that `store` searches.

    Raises:
        RelnotesError: the suite can't be ingested, or the store can't be used.
    """
    texts = suite.texts
    with BarProgress() as progress, open_suite(suite, progress=progress) as embedded:
        copy = folder / suite.name
        shutil.copytree(embedded.index.path, copy)
        with _searched_by(store, copy) as server:
            # Alternately, so that what else the machine does falls on both.
            runs = [
                [run_questions(questions, asker(one), texts=texts, name=suite.name) for one in (embedded, server)]
                for _ in range(passes)
            ]
    embedded_figures, server_figures = (evaluate(run).overall.figures for run in runs[-1])
    pairs = [(embedded_figures.get(metric, 0.0), server_figures.get(metric, 0.0)) for metric in METRICS]
    difference = max(abs(one - other) for one, other in pairs)
    same = _same_passages(*runs[-1])
    times = (f"{_median_ms(of_one):.1f}" for of_one in zip(*runs, strict=True))
    told = (f"{one:.3f} / {other:.3f}" for one, other in pairs)
    asked = str(len(runs[-1][0].results))
    return difference, same, (suite.name, asked, *told, f"{difference:.3f}", f"{same:.3f}", *times)


def _median_ms(runs: Sequence[EvalRun]) -> float:
    """Of all questions, each with its fastest pass."""
    passes = [[result.answer.elapsed_ms for result in run.results if result.answer] for run in runs]
    return float(median(min(times) for times in zip(*passes, strict=True)))


@contextmanager
def _searched_by(store: StoreChoice, index: Path) -> Iterator[Assistant]:
    with write_lock(index):
        restore_derived(index, store=store)
    with Assistant.open(index, embedder=open_embedder(cache_dir=cache_folder())) as assistant:
        try:
            yield assistant
        finally:
            withdraw_generations(assistant.index.manifest)


def _same_passages(one: EvalRun, other: EvalRun) -> float:
    shares = []
    for left, right in zip(one.results, other.results, strict=True):
        if left.answer and right.answer:
            here, there = (
                {(passage.source, passage.start) for passage in answer.passages[:_SAME_OF]}
                for answer in (left.answer, right.answer)
            )
            shares.append(len(here & there) / max(len(here | there), 1) if here | there else 1.0)
    return fmean(shares)
