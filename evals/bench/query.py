"""How long a warm question takes, stage by stage, over an index of many passages; with a plain stack beside it.

One thread asks one question after another, as a server's worker does: our questions over ../shared/corpora, without
a product filter, in several passes, of which each question's fastest counts (the machine's other work only adds). The
plain stack is what a script of thirty lines does with the same index: the same question vector, an exhaustive
float32 scan by FAISS, bm25s over the same tokens, and the ten best passages of their sum read from the tables. It
parses, quotes, weighs and verifies nothing. How the index grows to size is told in `evals.bench.grown_corpora`.

    python -m evals.bench.query [--passages N] [--passes N] [--index FOLDER]
"""

import argparse
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import faiss
import numpy as np
from numpy.typing import NDArray

import retrieval.assistant
from corpus.embedding import Embedder, open_embedder
from corpus.index_store import IndexReader
from corpus.lexicon import question_tokens
from evals.bench.grown_corpora import open_grown_index
from evals.command import run_command
from evals.progress import TerminalProgress
from evals.question_set import Question
from evals.suite_index import cache_folder
from evals.suites import CORPORA, load_suite
from retrieval.assistant import Assistant

STAGES = (
    ("parse", "parse_query"),
    ("search", "search"),
    ("items", "score_items"),
    ("evidence", "gather_evidence"),
    ("draft", "draft_answer"),
    ("compose", "compose_answer"),
)
"""What is timed on the way, and the function of `retrieval.assistant` that does it."""

_READ = 10


Times = dict[str, NDArray[np.float64]]
"""For each stage the milliseconds on the clock and those of the asking thread's processor."""


class StageClock:
    """How long each stage of the question asked last took."""

    def __init__(self) -> None:
        self.times: Times = {}

    def timed(self, stage: str, function: Callable[..., Any]) -> Callable[..., Any]:
        """`function`, its time added to `stage`."""

        def call(*arguments: Any, **options: Any) -> Any:
            started = _now()
            try:
                return function(*arguments, **options)
            finally:
                self.times[stage] = self.times.get(stage, np.zeros(2)) + _now() - started

        return call

    @contextmanager
    def on_the_way(self) -> Iterator[None]:
        """Time the functions of `STAGES` wherever `Assistant.ask` calls them."""
        originals = {name: getattr(retrieval.assistant, name) for _, name in STAGES}
        try:
            for stage, name in STAGES:
                setattr(retrieval.assistant, name, self.timed(stage, originals[name]))
            yield
        finally:
            for name, original in originals.items():
                setattr(retrieval.assistant, name, original)


class _TimedEmbedder:
    """An embedder whose work is a stage of its own."""

    def __init__(self, embedder: Embedder, clock: StageClock) -> None:
        self.model_id, self.digest = embedder.model_id, embedder.digest
        self.dimensions, self.max_tokens = embedder.dimensions, embedder.max_tokens
        self.embed: Callable[..., NDArray[np.float32]] = clock.timed("embed", embedder.embed)


def main() -> int:
    """Measure and print the table."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0] if __doc__ else None)
    parser.add_argument("--passages", type=int, default=40_000, help="size of the index built (default 40,000)")
    parser.add_argument("--passes", type=int, default=5, help="passes over the questions (default 5)")
    parser.add_argument("--index", type=Path, help="an index to ask instead, made by `relnotes ingest`")
    options = parser.parse_args()
    if not CORPORA.is_available:
        print(f"Nothing is measured: the questions are about {CORPORA.documents}, which isn't there.")
        return 0
    embedder = open_embedder(cache_dir=cache_folder())
    index = options.index
    if index is None:
        with TerminalProgress() as progress:
            index = open_grown_index(CORPORA.documents, embedder, passages=options.passages, progress=progress)
    questions = load_suite(CORPORA)
    clock = StageClock()
    started = time.perf_counter()
    with Assistant.open(index, embedder=_TimedEmbedder(embedder, clock)) as assistant, clock.on_the_way():
        assistant.ask(questions[0].question)
        opened_ms = _since(started)
        _pass(assistant, questions, clock)
        memory_mib = _resident_mib()
        plain = PlainStack(assistant.index, embedder)
        times, plain_times = [], []
        for _ in range(options.passes):
            times.append(_pass(assistant, questions, clock))
            plain_times.append([plain.ask(question.question) for question in questions])
        manifest = assistant.index.manifest
    print(f"{manifest.passages:,} passages, {manifest.items:,} items; {len(questions)} questions, {len(times)} passes")
    print(f"opening the index and the first answer {opened_ms:.0f} ms; memory in use when warm {memory_mib:.0f} MiB")
    print_table(
        [_fastest(one) for one in zip(*times, strict=True)], [min(one) for one in zip(*plain_times, strict=True)]
    )
    return 0


def print_table(times: Sequence[Times], plain_ms: Sequence[float]) -> None:
    """Each stage's time over the questions, and the ratio to the plain stack."""
    print(f"{'ms':<12} {'p50':>7} {'p95':>7} {'mean':>7} {'mean of one thread of processor':>34}")
    for name in (*(stage for stage, _ in STAGES), "embed", "rest", "whole"):
        _print_row(name, np.array([one.get(name, np.zeros(2)) for one in times]))
    _print_row("plain stack", np.array([(one, np.nan) for one in plain_ms]))
    ratio = np.median([one["whole"][0] / plain for one, plain in zip(times, plain_ms, strict=True)])
    print(f"a whole answer takes {ratio:.2f} times what the plain stack takes to find (median over the questions)")


def _print_row(name: str, times: NDArray[np.float64]) -> None:
    wall, processor = times.T
    middle, slow = np.median(wall), np.percentile(wall, 95)
    print(f"{name:<12} {middle:7.1f} {slow:7.1f} {wall.mean():7.1f} {processor.mean():34.1f}")


def _pass(assistant: Assistant, questions: Sequence[Question], clock: StageClock) -> list[Times]:
    """Each question once; "search" is without "embed", which it calls."""
    found = []
    for question in questions:
        clock.times = {}
        started = _now()
        assistant.ask(question.question, history=question.history)
        whole = _now() - started
        stages = clock.times
        stages["search"] = stages.get("search", np.zeros(2)) - stages.get("embed", np.zeros(2))
        found.append({**stages, "rest": whole - sum(stages.values()), "whole": whole})
    return found


def _fastest(passes: Sequence[Times]) -> Times:
    return {name: np.min([one.get(name, np.zeros(2)) for one in passes], axis=0) for name in passes[0]}


def _now() -> NDArray[np.float64]:
    return 1000 * np.array([time.perf_counter(), time.thread_time()])


class PlainStack:
    """FAISS and bm25s as their tutorials put them together, over the passages of an index."""

    def __init__(self, index: IndexReader, embedder: Embedder) -> None:
        self._index = index
        self._embedder = embedder
        self._vectors = faiss.read_index(str(index.path / index.manifest.vectors_file))

    def ask(self, question: str) -> float:
        """Find the ten best passages; returns how many milliseconds it took."""
        started = time.perf_counter()
        index = self._index
        cosines, rows = self._vectors.search(self._embedder.embed([question]), 100)
        dense = np.zeros(index.manifest.passages, np.float32)
        np.maximum.at(dense, np.searchsorted(index.passages.item_offsets, rows[0], side="right") - 1, cosines[0])
        lexical = index.lexical.scores(question_tokens(question))
        fused = 0.4 * dense + 0.6 * lexical / max(float(lexical.max()), 1e-9)
        best = np.argpartition(-fused, min(_READ, len(fused) - 1))[:_READ]
        for passage in index.load_passages([int(position) for position in best]):
            passage.span.slice(index.text_of(passage))
        return _since(started)


def _since(started: float) -> float:
    return 1000 * (time.perf_counter() - started)


def _resident_mib() -> float:
    """What the process holds now; 0 where the system doesn't tell."""
    if not sys.platform.startswith("linux"):
        return 0.0
    return int(Path("/proc/self/statm").read_text("ascii").split()[1]) * 4096 / 2**20


if __name__ == "__main__":
    run_command(main)
