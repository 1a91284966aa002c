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
from collections.abc import Sequence
from pathlib import Path
from statistics import mean, median
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np

from corpus.index.tables import TableReader
from evals.lab.bench.grown_corpora import Grown, grown_corpora, sizes_option
from evals.lab.peers.libraries import PEERS, open_peers, versions
from evals.lab.processes import LimitReached, ProcessLimits, available_mib, folder_mib, run_measured
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
    failed: set[str] = set()
    rows, p50_ms, summary = [], [], []
    tables, notes = [], list(_NOTES)
    with TemporaryDirectory() as folder:
        scratch = Path(folder)
        for size in options.sizes:
            grown = grown_corpora(size)
            own = _ask_own(grown, scratch)
            p50_ms.append((size, median(own["times_ms"])))
            with TableReader.open(grown.index) as reader:
                items = reader.manifest.items
            disk = (f"{folder_mib(grown.index):,.0f}", f"{grown.seconds:,.0f}")
            rows.append((f"{size:,}", f"{items:,}", *_cells(own), *disk))
            if len(failed) == len(names):
                continue
            peer_rows, ratios, before_ms = [], dict.fromkeys(names, 0.0), p50_ms[-1][1]
            for name in (name for name in names if name not in failed):
                asked: dict[str, Any] | None = None
                try:
                    asked = _measure_peer(name, grown, scratch)
                except LimitReached as reached:
                    failed.add(name)
                    notes.append(f"{name} isn't among those over {size:,} passages or more: it needed {reached}.")
                after_ms = median(_ask_own(grown, scratch)["times_ms"])
                if asked:
                    ratios[name] = mean((before_ms, after_ms)) / median(asked["times_ms"])
                    peer_rows.append(_peer_row(name, asked, ratios[name]))
                before_ms = after_ms
            tables.append(CountTable(_PEER_HEADER, tuple(peer_rows), f"Peers over {size:,} passages."))
            ratio = warm_ratio(list(ratios.values()))
            faster = [name for name, one in ratios.items() if one > 1]
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


def _ask_own(grown: Grown, scratch: Path) -> dict[str, Any]:
    return _run_process("relnotes", "ask", "--folder", str(grown.index), scratch=scratch)


def _measure_peer(name: str, grown: Grown, scratch: Path) -> dict[str, Any]:
    """What a peer took to be asked, with what it took to be filled.

    Raises:
        LimitReached: it took more than it may, and for what.
    """
    limits = ProcessLimits(_PEER_SECONDS, _MEMORY_SHARE * available_mib())
    with TemporaryDirectory(dir=scratch) as folder:
        given = ("--folder", folder, "--texts", str(grown.texts), "--vectors", str(grown.vectors))
        purpose = "to be filled"
        try:
            filled = _run_process(name, "store", *given, scratch=scratch, limits=limits)
            disk_mib, purpose = folder_mib(Path(folder)), "to be opened and asked"
            asked = _run_process(name, "ask", *given, scratch=scratch, limits=limits)
        except LimitReached as reached:
            raise LimitReached(f"{reached} {purpose}") from None
    return asked | {"fill_seconds": filled["seconds"], "disk_mib": disk_mib}


def _peer_row(name: str, asked: dict[str, Any], ratio: float) -> tuple[str, ...]:
    p50, p95, *others = _cells(asked)
    filled = (f"{asked['disk_mib']:,.0f}", f"{asked['fill_seconds']:,.0f}", f"{asked['recall']:.3f}")
    return (name, p50, p95, f"{ratio:.2f}", str(len(asked["times_ms"])), *others, *filled)


def _cells(asked: dict[str, Any]) -> tuple[str, ...]:
    """p50 and p95 of a process's questions, seconds to open, memory, and what of that is its own."""
    times = (median(asked["times_ms"]), np.percentile(asked["times_ms"], 95), asked["open_seconds"])
    memory = (asked["memory"]["resident"], asked["memory"]["anonymous"])
    return (*(f"{time:.1f}" for time in times), *(f"{mib:,.0f}" for mib in memory))


def warm_ratio(ratios: Sequence[float]) -> float:
    """The median of relnotes' p50 as a part of each peer's; of an even number the mean of the two in the middle.

    A peer that couldn't be asked (0) is slower than all that could; where only one of the two in the middle could,
    it is the median, and where none could, 0 is given. Needs a peer.
    """
    ranked = sorted(ratios)
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
