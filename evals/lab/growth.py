"""How a warm question, memory and disk grow with the number of passages, for relnotes and its peers over the same.

At each size relnotes is asked in a process of its own, then each peer is filled with the same texts and vectors,
opened and asked in processes of theirs, and after each relnotes again: a peer's ratio is to the runs before and after
it. A peer that needs more than most of the memory, or more than an hour, is ended there and told so, and isn't tried
on more. A million passages take an hour or two and 30 GB of disk. Run it with a Python that has `relnotes[peers]`.
"""

import json
import math
import sys
from argparse import ArgumentParser, Namespace
from collections.abc import Sequence
from pathlib import Path
from statistics import mean, median
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np

from evals.lab.grown import Grown, grown_corpora, sizes_option
from evals.lab.peers import PEERS, open_peers, versions
from evals.lab.processes import LimitReached, folder_mib, run_measured, told_mib
from evals.lab.trials import CountTable, SummaryRow, TrialFindings

_PEER_SECONDS, _MEMORY_SHARE = 3600.0, 0.85
_GROWTH_FROM, _GROWTH_TO, _MAX_EXPONENT = 10_000, 1_000_000, 0.8
_HEADER = (
    "system", "passages", "p50, ms", "p95, ms", "questions", "open, s", "memory, MiB", "own, MiB", "disk, MiB",
    "filled, s", "ratio", "recall",
)  # fmt: skip
_NOTES = (
    "The index of each size holds the documents of `../shared/corpora`, parsed as ever, and altered copies of them as "
    "further products with other versions and in part other words, their vectors those of the original with noise (a "
    "cosine of about 0.95). Time, memory and what filters select are real; whether an answer is right isn't measured.",
    "relnotes answers with everything on: it parses the question, searches by meaning and by words, ranks, decides, "
    "quotes and checks the quotes. A peer finds ten passages by vector; it is given the same texts and one vector "
    "each, where relnotes holds one for each sentence or entry. Each embeds the question by its own runtime, in "
    "float32. Most questions name their product: relnotes filters by it; a peer isn't told of it and searches "
    "everything.",
    "p50 and p95 are over the questions, of which each counts with its fastest of three passes; a system that is slow "
    "is asked fewer. *open* is from a loaded library to the first answer. Memory is what the process holds after its "
    "questions, *own* without pages of files. *filled* is from given vectors to the index on the disk; of relnotes "
    "with making the copies. A peer's *ratio* is relnotes' p50, the mean of the runs right before and after that peer, "
    "as a part of the peer's; one that was ended counts as slower than all that weren't. Its *recall* is how much of "
    "the ten nearest by exact product is among the ten that it lists.",
)


def add_options(parser: ArgumentParser) -> None:
    """What this trial can be told."""
    sizes_option(parser, "1000,10000,40000,100000,300000,1000000")
    parser.add_argument("--peer", action="append", choices=list(PEERS), help="beside this library; may be repeated")


def run(options: Namespace) -> TrialFindings:
    """relnotes and the peers at each size.

    Raises:
        RelnotesError: relnotes failed, or a peer's library isn't installed; a peer that is ended is told in a note.
    """
    names = list(open_peers(options.peer or ()))
    rows: list[tuple[str, ...]] = []
    p50_ms: list[tuple[int, float]] = []
    summary: list[SummaryRow] = []
    notes = [*_NOTES, *([f"Beside {versions(names)}."] if names else [])]
    failed: set[str] = set()
    with TemporaryDirectory() as folder:
        scratch = Path(folder)
        for size in options.sizes:
            grown = grown_corpora(size)
            own = _ask_own(grown, scratch)
            before_ms = median(own["times_ms"])
            p50_ms.append((size, before_ms))
            rows.append(_row("relnotes", size, own))
            ratios: dict[str, float] = {}
            for name in names:
                if name not in failed:
                    try:
                        asked = _measure_peer(name, grown, scratch)
                    except LimitReached as reached:
                        failed.add(name)
                        notes.append(f"{name} isn't among those over {size:,} passages or more: it needed {reached}.")
                        continue
                    after_ms = median(_ask_own(grown, scratch)["times_ms"])
                    ratios[name] = mean((before_ms, after_ms)) / median(asked["times_ms"])
                    rows.append(_row(name, size, asked, f"{ratios[name]:.2f}", f"{asked['recall']:.3f}"))
                    before_ms = after_ms
            if ratios:
                ratio = median([*ratios.values(), *[0.0] * (len(names) - len(ratios))])
                faster = " and ".join(name for name, one in ratios.items() if one > 1)
                measure = f"p50 over {size:,} passages, everything on, as a part of each peer's plain search by vector"
                told = f"{ratio:.2f}" + (f"; faster: {faster}" if faster else "")
                summary.append((measure, "≤ 1 in the median", told, ratio <= 1))
    return TrialFindings(
        title=f"Warm questions, memory and disk, up to {max(options.sizes):,} passages",
        summary=(*summary, *growth(p50_ms)),
        tables=(CountTable(_HEADER, tuple(rows)),),
        notes=tuple(notes),
    )


def run_system(*words: object, scratch: Path, seconds: float = math.inf, mib: float = math.inf) -> dict[str, Any]:
    """Return what a system tells that is at work in a process of its own (`evals.lab.peers`).

    Raises:
        RelnotesError: it failed, or took more than it may.
    """
    command = [sys.executable, "-m", "evals.lab.peers", *map(str, words)]
    told: dict[str, Any] = json.loads(run_measured(command, log=scratch / "log", seconds=seconds, mib=mib).output)
    return told


def _ask_own(grown: Grown, scratch: Path) -> dict[str, Any]:
    asked = run_system("relnotes", "ask", "--folder", grown.index, scratch=scratch)
    return asked | {"seconds": grown.seconds, "disk": folder_mib(grown.index)}


def _measure_peer(name: str, grown: Grown, scratch: Path) -> dict[str, Any]:
    """What a peer took to be filled and to be asked.

    Raises:
        LimitReached: it took more than it may.
    """
    limits = {"seconds": _PEER_SECONDS, "mib": _MEMORY_SHARE * told_mib("MemAvailable", "meminfo") or math.inf}
    with TemporaryDirectory(dir=scratch) as folder:
        given = ("--folder", folder, "--texts", grown.texts, "--vectors", grown.vectors)
        filled = run_system(name, "store", *given, scratch=scratch, **limits)
        disk = {"disk": folder_mib(Path(folder))}
        return filled | disk | run_system(name, "ask", *given, scratch=scratch, **limits)


def _row(name: str, size: int, asked: dict[str, Any], *more: str) -> tuple[str, ...]:
    times = asked["times_ms"]
    told = (f"{median(times):.1f}", f"{np.percentile(times, 95):.1f}", str(len(times)), f"{asked['open_seconds']:.1f}")
    sizes = (f"{asked[what]:,.0f}" for what in ("resident", "own", "disk", "seconds"))
    return (name, f"{size:,}", *told, *sizes, *(more or ("", "")))


def growth(p50_ms: Sequence[tuple[int, float]]) -> tuple[SummaryRow, ...]:
    """What is promised of sizes from ten thousand to a million, where both were measured."""
    found = [one for one in p50_ms if one[0] >= _GROWTH_FROM]
    if len(found) < 2 or found[-1][0] < _GROWTH_TO:
        return ()
    (few, before), (many, after) = found[0], found[-1]
    power = math.log(after / before) / math.log(many / few)
    told = f"{power:.2f}: {after / before:.1f} times from {few:,} to {many:,} passages"
    must = f"a power of the passages ≤ {_MAX_EXPONENT}"
    return (("growth of a warm question's p50", must, told, power <= _MAX_EXPONENT),)
