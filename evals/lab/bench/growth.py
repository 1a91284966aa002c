"""How a warm question, memory and disk grow with the number of passages, for relnotes and its peers over the same.

At each size relnotes is asked in a process of its own, then each peer is filled with the same texts and vectors,
opened and asked in processes of theirs, and after each relnotes again: a peer's ratio is to the runs before and after
it. A peer that needs more than most of the memory, or more than an hour, is ended there and told so, and isn't tried
on more. A million passages take an hour or two and 30 GB of disk. Run it with a Python that has `relnotes[peers]`.
"""

import json
import math
import os
import sys
from argparse import ArgumentParser, Namespace
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import mean, median
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np

from corpus.index.tables import TableReader
from evals.lab.bench.grown_corpora import Grown, grown_corpora, sizes_option
from evals.lab.peers.libraries import PEERS, open_peers, versions
from evals.lab.processes import LimitReached, MemoryParts, ProcessLimits, available_mib, folder_mib, run_measured
from evals.lab.trials import CountTable, SummaryRow, TrialFindings

_PEER_SECONDS = 3600.0
"""To be filled, or to be asked: several times what relnotes needs for a million passages."""
_MEMORY_SHARE = 0.85
_GROWTH_FROM, _GROWTH_TO, _MAX_EXPONENT = 10_000, 1_000_000, 0.8
_OWN_HEADER = (
    "passages", "items", "p50, ms", "p95, ms", "open, s", "memory, MiB", "own, MiB", "disk, MiB", "grown, s",
)  # fmt: skip
_PEER_HEADER = (
    "system", "p50, ms", "p95, ms", "ratio", "questions", "open, s", "memory, MiB", "own, MiB", "disk, MiB",
    "filled, s", "recall",
)  # fmt: skip
_NOTES = (
    "The index of each size holds the documents of `../shared/corpora`, parsed as ever, and altered copies of them as "
    "further products with other versions and in part other words, their vectors those of the original with noise (a "
    "cosine of about 0.95). Time, memory and what filters select are real; whether an answer is right isn't measured.",
    "relnotes answers with everything on: it parses the question, searches by meaning and by words, ranks, decides, "
    "quotes and checks the quotes. A peer finds ten passages by vector; it is given the same texts and one vector "
    "each, where relnotes holds one for each sentence or entry. Each embeds the question by its own runtime, in "
    "float32. Of the 118 questions 97 name their product. relnotes filters by it; a peer isn't told of it and searches "
    "everything.",
    "p50 and p95 are over the questions, of which each counts with its fastest of three passes; a system that is slow "
    "is asked fewer. *open* is from a loaded library to the first answer. Memory is what the process holds after its "
    "questions, *own* without pages of files. *grown* and *filled* are from given vectors to the index on the disk; of "
    "relnotes with making the copies. A peer's *ratio* is relnotes' p50, the mean of the runs right before and after "
    "that peer, as a part of the peer's; one that was ended counts as slower than all that weren't. Its *recall* is "
    "how much of the ten nearest by exact product is among the ten that it lists.",
)


@dataclass(frozen=True, slots=True)
class TimedQuestions:
    """A process that opened its index and answered questions: each question counts with its fastest."""

    times_ms: Sequence[float]
    open_seconds: float
    """From a loaded library to the first answer, the model's loading included."""
    memory: MemoryParts

    @property
    def p50_ms(self) -> float:
        """Over the questions."""
        return median(self.times_ms)

    @property
    def cells(self) -> tuple[str, ...]:
        """p50, p95, seconds to open, memory, and what of that is its own."""
        times = (self.p50_ms, float(np.percentile(self.times_ms, 95)), self.open_seconds)
        memory = (self.memory.resident, self.memory.anonymous)
        return (*(f"{time:.1f}" for time in times), *(f"{mib:,.0f}" for mib in memory))


@dataclass(frozen=True, slots=True)
class PeerGrowth:
    """A peer at one size, with relnotes' p50 right before and after; `failure` says why it isn't measured, if so."""

    system: str
    own_p50_ms: tuple[float, float]
    failure: str = ""
    fill_seconds: float = 0.0
    disk_mib: float = 0.0
    asked: TimedQuestions | None = None
    recall: float = 0.0

    @property
    def ratio(self) -> float | None:
        """relnotes' p50 as a part of the peer's."""
        return mean(self.own_p50_ms) / self.asked.p50_ms if self.asked else None


def add_options(parser: ArgumentParser) -> None:
    """What this trial can be told."""
    sizes_option(parser, [1_000, 10_000, 40_000, 100_000, 300_000, 1_000_000])
    parser.add_argument("--peer", action="append", choices=list(PEERS), help="beside this library; may be repeated")


def run(options: Namespace) -> TrialFindings:
    """relnotes and the peers at each size.

    Raises:
        RelnotesError: relnotes failed, or a peer's library isn't installed; a peer that fails is told in a note.
    """
    names = tuple(open_peers(options.peer or ()))
    failed: dict[str, str] = {}
    rows, p50_ms, summary = [], [], []
    tables, notes = [], list(_NOTES)
    with TemporaryDirectory() as scratch:
        for size in options.sizes:
            grown = grown_corpora(size)
            own = _ask_own(grown, Path(scratch))
            p50_ms.append((size, own.p50_ms))
            with TableReader.open(grown.index) as reader:
                items = reader.manifest.items
            disk = (f"{folder_mib(grown.index):,.0f}", f"{grown.seconds:,.0f}")
            rows.append((f"{size:,}", f"{items:,}", *own.cells, *disk))
            peers, before_ms = [], own.p50_ms
            for name in (name for name in names if name not in failed):
                peers.append(_measure_peer(name, grown, Path(scratch), before_ms))
                before_ms = peers[-1].own_p50_ms[1]
                if peers[-1].failure:
                    failed[name] = peers[-1].failure
                    notes.append(f"{name} isn't among those over {size:,} passages or more: {failed[name]}.")
            if peers:
                tables.append(CountTable(_PEER_HEADER, tuple(_peer_rows(peers)), f"Peers over {size:,} passages."))
                ratio = warm_ratio([peer.ratio for peer in peers] + [None] * (len(names) - len(peers)))
                faster = [peer.system for peer in peers if peer.ratio and peer.ratio > 1]
                told_ratio = f"{ratio:.2f}" + (f"; faster: {' and '.join(faster)}" if faster else "")
                measure = f"p50 over {size:,} passages, everything on, as a part of each peer's plain search by vector"
                summary.append((measure, "≤ 1 in the median", told_ratio, ratio <= 1))
    summary += _growth(p50_ms)
    if names:
        notes.append(f"Beside {versions(names)}.")
    return TrialFindings(
        title=f"Warm questions, memory and disk, up to {max(options.sizes):,} passages",
        summary=tuple(summary),
        tables=(CountTable(_OWN_HEADER, tuple(rows), "relnotes."), *tables),
        notes=tuple(notes),
    )


def _run_process(*words: str, scratch: Path, limits: ProcessLimits | None = None) -> dict[str, Any]:
    """What a system tells that is at work in a process of its own."""
    command = [sys.executable, "-m", "evals.lab.peers.process", *words]
    done = run_measured(command, environment=os.environ, log=scratch / "log", limits=limits)
    told: dict[str, Any] = json.loads(done.output)
    return told


def _asked(told: dict[str, Any]) -> TimedQuestions:
    return TimedQuestions(told["times_ms"], told["open_seconds"], MemoryParts(**told["memory"]))


def _ask_own(grown: Grown, scratch: Path) -> TimedQuestions:
    return _asked(_run_process("relnotes", "ask", "--folder", str(grown.index), scratch=scratch))


def _measure_peer(name: str, grown: Grown, scratch: Path, before_ms: float) -> PeerGrowth:
    """A peer, and relnotes once more after it."""
    limits = ProcessLimits(_PEER_SECONDS, _MEMORY_SHARE * available_mib())
    fill_seconds, disk_mib, asked, recall, failure = 0.0, 0.0, None, 0.0, ""
    with TemporaryDirectory(dir=scratch) as folder:
        given = ("--folder", folder, "--texts", str(grown.texts), "--vectors", str(grown.vectors))
        try:
            fill_seconds = _run_process(name, "store", *given, scratch=scratch, limits=limits)["seconds"]
            disk_mib = folder_mib(Path(folder))
            answered = _run_process(name, "ask", *given, scratch=scratch, limits=limits)
            asked, recall = _asked(answered), answered["recall"]
        except LimitReached as reached:
            failure = f"it needed {reached} {'to be opened and asked' if fill_seconds else 'to be filled'}"
    after = _ask_own(grown, scratch)
    return PeerGrowth(name, (before_ms, after.p50_ms), failure, fill_seconds, disk_mib, asked, recall)


def _peer_rows(peers: Sequence[PeerGrowth]) -> Iterator[tuple[str, ...]]:
    for peer in peers:
        if peer.asked:
            p50, p95, *others = peer.asked.cells
            filled = (f"{peer.disk_mib:,.0f}", f"{peer.fill_seconds:,.0f}", f"{peer.recall:.3f}")
            yield (peer.system, p50, p95, f"{peer.ratio:.2f}", str(len(peer.asked.times_ms)), *others, *filled)


def warm_ratio(ratios: Sequence[float | None]) -> float:
    """The median of relnotes' p50 as a part of each peer's; of an even number the mean of the two in the middle.

    A peer that couldn't be asked (None) is slower than all that could; where only one of the two in the middle could,
    it is the median, and where none could, 0 is given. Needs a peer.
    """
    ranked = sorted(ratio or 0.0 for ratio in ratios)
    middle = [ratio for ratio in ranked[(len(ranked) - 1) // 2 : len(ranked) // 2 + 1] if ratio]
    return mean(middle) if middle else 0.0


def growth_exponent(first: tuple[int, float], last: tuple[int, float]) -> float:
    """The power of the number of passages by which p50 grew between two of (passages, p50): 1 is linear."""
    return math.log(last[1] / first[1]) / math.log(last[0] / first[0])


def _growth(p50_ms: Sequence[tuple[int, float]]) -> list[SummaryRow]:
    """What is promised of sizes from ten thousand to a million, where both were measured."""
    found = [m for m in p50_ms if m[0] >= _GROWTH_FROM]
    if len(found) < 2 or found[-1][0] < _GROWTH_TO:
        return []
    exponent = growth_exponent(found[0], found[-1])
    grown = f"{exponent:.2f}: {found[-1][1] / found[0][1]:.1f} times from {found[0][0]:,} to {found[-1][0]:,} passages"
    must = f"a power of the passages ≤ {_MAX_EXPONENT}"
    return [("growth of a warm question's p50", must, grown, exponent <= _MAX_EXPONENT)]
