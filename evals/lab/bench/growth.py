"""How a warm question, memory and disk grow with the number of passages, for relnotes and its peers over the same.

At each size relnotes is asked in a process of its own, then each peer is filled with the same texts and vectors,
opened and asked in processes of theirs, and after each relnotes again: a peer's ratio is to the runs before and after
it. A peer that needs more than most of the memory, or more than an hour, is ended there and told so, and isn't tried
on more.
"""

import json
import os
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import mean, median
from tempfile import TemporaryDirectory

import numpy as np

from evals.lab.bench.asking import write_questions
from evals.lab.bench.grown_corpora import Grown
from evals.lab.bench.peer_python import PeerPython
from evals.lab.bench.processes import (
    LimitReached,
    MemoryParts,
    ProcessLimits,
    ProcessRun,
    available_mib,
    folder_mib,
    run_measured,
)
from evals.lab.bench.questions import bench_questions

SIZES = (1_000, 10_000, 40_000, 100_000, 300_000, 1_000_000)
PART_SIZES = (1_000, 10_000, 40_000)
LEAST_PEER_SIZE = 10_000
"""Below, every library answers at once."""

_PEER_MINUTES = 60
"""To be filled, or to be asked: several times what relnotes needs for a million passages."""
_MEMORY_SHARE = 0.85
_PASSES = 3
_SECONDS = 120
"""No question is begun after so long in a process, so that a slow one isn't waited for."""


@dataclass(frozen=True, slots=True)
class AskedRecord:
    """A process that opened its index and answered questions: p50 and p95 are over the questions, each its fastest."""

    questions: int
    p50_ms: float
    p95_ms: float
    open_seconds: float
    """From a loaded library to the first answer, the model's loading included."""
    memory: MemoryParts
    peak_mib: float


@dataclass(frozen=True, slots=True)
class OwnGrowth:
    """relnotes at one size."""

    passages: int
    items: int
    grow_seconds: float
    disk_mib: float
    asked: AskedRecord
    stages_ms: dict[str, float]


@dataclass(frozen=True, slots=True)
class PeerGrowth:
    """A peer at one size, with relnotes' p50 right before and after; what it did before a `failure` is kept."""

    system: str
    passages: int
    failure: str
    """Why it isn't measured, in words; empty where it is."""
    fill_seconds: float | None
    disk_mib: float | None
    asked: AskedRecord | None
    own_p50_ms: tuple[float, ...]
    recall: float | None = None
    """Of the ten nearest by exact product, over the questions that it was asked; None where that wasn't measured."""

    @property
    def ratio(self) -> float | None:
        """relnotes' p50 as a part of the peer's."""
        return mean(self.own_p50_ms) / self.asked.p50_ms if self.asked else None


def untried(system: str, passages: int) -> PeerGrowth:
    """A peer that failed at a smaller size."""
    return PeerGrowth(system, passages, "it wasn't tried, having failed with fewer", None, None, None, ())


class GrowthBench:
    """Runs relnotes and peers over grown indexes; what they write to the disk is gone afterwards."""

    def __init__(self, peer_python: PeerPython | None, scratch: Path) -> None:
        self._peer_python = peer_python
        self._scratch = scratch
        self._questions = scratch / "questions.json"
        self._last_p50_ms = 0.0
        """relnotes', of its newest run."""
        write_questions(self._questions, bench_questions())

    def own(self, grown: Grown) -> OwnGrowth:
        """relnotes, everything on.

        Raises:
            RelnotesError: it failed.
        """
        run = run_measured(
            [
                sys.executable, "-m", "evals.lab.bench.query", "--json", "--index", str(grown.index),
                "--questions", str(self._questions), "--passes", str(_PASSES), "--seconds", str(_SECONDS),
            ],
            environment=os.environ,
            log=self._scratch / "log",
        )  # fmt: skip
        told = json.loads(run.output)
        asked = _asked(told, run)
        self._last_p50_ms = asked.p50_ms
        return OwnGrowth(
            passages=grown.passages,
            items=told["items"],
            grow_seconds=grown.seconds,
            disk_mib=folder_mib(grown.index),
            asked=asked,
            stages_ms=told["stages_ms"],
        )

    def peer(self, name: str, grown: Grown) -> PeerGrowth:
        """A peer, and relnotes once more after it; the run before it is that of `own`, or the one after another peer.

        Raises:
            RelnotesError: relnotes failed; a peer that does is told in the record.
        """
        fill_seconds, disk_mib, asked, recall, failure = None, None, None, None, ""
        with TemporaryDirectory(dir=self._scratch) as store:
            given = ["--store", store, "--texts", str(grown.texts), "--vectors", str(grown.vectors)]
            asking = [
                *given, "--questions", str(self._questions), "--passes", str(_PASSES), "--seconds", str(_SECONDS),
            ]  # fmt: skip
            try:
                filled = self._run_peer([name, "fill", *given])
                fill_seconds, disk_mib = json.loads(filled.output)["seconds"], folder_mib(Path(store))
                run = self._run_peer([name, "ask", *asking])
                told = json.loads(run.output)
                asked, recall = _asked(told, run), told["recall"]
            except LimitReached as reached:
                what = "to be filled" if fill_seconds is None else "to be opened and asked"
                failure = f"it needed {reached} {what}"
        before_ms, after_ms = self._last_p50_ms, self.own(grown).asked.p50_ms
        return PeerGrowth(
            system=name,
            passages=grown.passages,
            failure=failure,
            fill_seconds=fill_seconds,
            disk_mib=disk_mib,
            asked=asked,
            own_p50_ms=(before_ms, after_ms),
            recall=recall,
        )

    def _run_peer(self, words: Sequence[str]) -> ProcessRun:
        assert self._peer_python is not None, "peers are measured only where there is a Python for them"
        return run_measured(
            [self._peer_python.path, "-m", "evals.lab.bench.peer_stores", *words],
            environment=self._peer_python.environment(),
            log=self._scratch / "log",
            limits=ProcessLimits(60 * _PEER_MINUTES, _MEMORY_SHARE * available_mib()),
        )


def _asked(told: dict[str, object], run: ProcessRun) -> AskedRecord:
    times = np.array(told["times_ms"])
    memory, opened = told["memory"], told["open_seconds"]
    assert isinstance(memory, dict)
    assert isinstance(opened, float)
    return AskedRecord(
        questions=len(times),
        p50_ms=float(median(times)),
        p95_ms=float(np.percentile(times, 95)),
        open_seconds=opened,
        memory=MemoryParts(**memory),
        peak_mib=run.peak_mib,
    )
