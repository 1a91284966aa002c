"""How long a warm question takes relnotes, stage by stage, in a process that does nothing else.

One thread asks one question after another, as a server's worker does, everything on: parsing, both searches, the
ranker, the decision, quotes and their check. Each question's fastest of several passes counts. `evals.lab.bench.growth`
starts this beside the peers; alone it prints a table.

    python -m evals.lab.bench.query --index FOLDER [--json]
"""

import argparse
import json
import os
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import asdict
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

import retrieval.assistant
from corpus.cache_folder import cache_folder
from corpus.embedding import Embedder, open_embedder
from evals.command import run_command
from evals.lab.processes import memory_parts
from evals.lab.questions import ask_in_passes, bench_questions
from evals.tables import render_table
from retrieval.assistant import Assistant

STAGES = (
    ("parse", "parse_query"),
    ("search", "search"),
    ("rank", "rank_hits"),
    ("items", "score_items"),
    ("evidence", "gather_evidence"),
    ("draft", "draft_answer"),
    ("compose", "compose_answer"),
)
"""What is timed on the way, and the function of `retrieval.assistant` that does it."""


class StageClock:
    """How long each stage took of the question asked last."""

    def __init__(self) -> None:
        self.times: dict[str, float] = {}
        """Milliseconds; of a stage without those of stages within it."""
        self._within: list[float] = []
        """Of each stage that runs now, the milliseconds of those within it."""

    def timed(self, stage: str, function: Callable[..., Any]) -> Callable[..., Any]:
        """`function`, its time added to `stage`."""

        def call(*arguments: Any, **options: Any) -> Any:
            started = time.perf_counter()
            self._within.append(0.0)
            try:
                return function(*arguments, **options)
            finally:
                took = 1000 * (time.perf_counter() - started)
                self.times[stage] = self.times.get(stage, 0.0) + took - self._within.pop()
                if self._within:
                    self._within[-1] += took

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


class _StagedAsking:
    """Asks, and keeps each question's stages of its fastest time."""

    def __init__(self, assistant: Assistant, clock: StageClock) -> None:
        self._assistant = assistant
        self._clock = clock
        self._fastest: dict[str, dict[str, float]] = {}

    def ask(self, question: str) -> None:
        """Ask, with the stages timed."""
        self._clock.times = {}
        started = time.perf_counter()
        self._assistant.ask(question)
        whole = 1000 * (time.perf_counter() - started)
        known = self._fastest.get(question)
        if known is None or whole < sum(known.values()):
            self._fastest[question] = {**self._clock.times, "rest": whole - sum(self._clock.times.values())}

    def stages(self) -> dict[str, float]:
        """For each stage the mean milliseconds over the questions."""
        names = (*(stage for stage, _ in STAGES), "embed", "rest")
        return {name: float(np.mean([one.get(name, 0.0) for one in self._fastest.values()] or [0.0])) for name in names}


def main() -> int:
    """Ask, and print what it took."""
    parser = argparse.ArgumentParser(
        prog="python -m evals.lab.bench.query", description="Time warm questions by stage."
    )
    parser.add_argument("--index", type=Path, required=True, help="an index made by `relnotes ingest`, or a grown one")
    parser.add_argument("--json", action="store_true", help="print one line of JSON")
    options = parser.parse_args()
    questions = bench_questions()
    embedder = open_embedder(cache_dir=cache_folder())
    clock = StageClock()
    started = time.perf_counter()
    with Assistant.open(options.index, embedder=_TimedEmbedder(embedder, clock)) as assistant, clock.on_the_way():
        assistant.ask(questions[0])
        opened = time.perf_counter() - started
        staged = _StagedAsking(assistant, clock)
        times = ask_in_passes(staged.ask, questions)
        memory = memory_parts(os.getpid())
        manifest = assistant.index.manifest
    if options.json:
        measured = {"open_seconds": opened, "times_ms": times, "memory": asdict(memory), "stages_ms": staged.stages()}
        print(json.dumps({**measured, "passages": manifest.passages, "items": manifest.items}))
        return 0
    print(f"{manifest.passages:,} passages, {manifest.items:,} items; {len(times)} questions")
    print(f"opened and answered in {opened:.2f} s; {memory.resident:.0f} MiB, {memory.anonymous:.0f} of them its own")
    print(f"p50 {np.median(times):.1f} ms, p95 {np.percentile(times, 95):.1f} ms")
    print(render_table(("stage", "mean ms", "share"), stage_rows(staged.stages())))
    return 0


def stage_rows(stages_ms: Mapping[str, float]) -> list[tuple[str, str, str]]:
    """The stages, the longest first, with their share of the whole."""
    whole = sum(stages_ms.values()) or 1.0
    ordered = sorted(stages_ms.items(), key=lambda stage: -stage[1])
    return [(name, f"{ms:.1f}", f"{100 * ms / whole:.0f} %") for name, ms in ordered]


if __name__ == "__main__":
    run_command(main)
