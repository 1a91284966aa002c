"""The benchmarks, one run to one page: `python -m evals.lab.bench [SECTION]... [--part] [--sizes N,N] [--peer
NAME]...`.

Sections: `growth` (warm questions, memory and disk by size, beside the peers), `cold` (`relnotes ask` beside a script),
`ingest` (beside the peers), `memory` (of a server) and `recall` (of the search of items); without any, all of them.
`page` measures nothing. Whatever was measured, this time or before, is kept in evals/lab/bench/results and becomes
docs/benchmarks.md with its plots. The whole takes an hour or two and 30 GB of disk, `--part` some ten minutes on two
quiet cores.
"""

import argparse
import json
import os
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

from corpus.cache_folder import cache_folder
from corpus.embedding import open_embedder
from evals.command import run_command
from evals.lab.bench.bench_page import render_page, render_plots
from evals.lab.bench.cold import measure_cold
from evals.lab.bench.grown_corpora import Grown, open_grown
from evals.lab.bench.growth import LEAST_PEER_SIZE, PART_SIZES, SIZES, GrowthBench, untried
from evals.lab.bench.ingest_peers import PART, measure_ingest
from evals.lab.bench.peer_python import PeerPython, find_peer_python
from evals.lab.bench.peer_stores import STORES
from evals.lab.bench.processes import run_measured
from evals.lab.bench.recall import RecallRecord
from evals.lab.bench.sections import RESULTS, Record, SectionStore, circumstances
from evals.lab.bench.serving_memory import measure_serving
from evals.suites import CORPORA, require_suites
from ingest.progress import BarProgress

SECTIONS = ("growth", "cold", "ingest", "memory", "recall")
_WITH_PEERS = ("growth", "cold", "ingest")
_PAGE = "page"
DOCS = Path(__file__).parents[3] / "docs"
_COLD_ROUNDS = 5
_COLD_SIZE = 40_000
_OTHER_SIZES = (40_000, 1_000_000)
"""Of sections whose curve says little: the size of one project's notes for years, and of all that a company uses."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure what is asked for, and write the page.

    Raises:
        RelnotesError: ../shared or a peer's library isn't there, or something failed that isn't a peer's doing.
    """
    options = _parser().parse_args(arguments)
    wanted = [name for name in SECTIONS if name in (options.section or SECTIONS)]
    store = SectionStore(RESULTS)
    if wanted:
        require_suites([CORPORA], purpose="The benchmark")
        with TemporaryDirectory(dir=_made(cache_folder() / "bench"), prefix="tmp-") as scratch:
            run = _Run(options, store, Path(scratch))
            for name in wanted:
                run.measure(name)
    sections = store.load()
    (DOCS / "benchmarks.md").write_text(render_page(sections), encoding="utf-8")
    for name, plot in render_plots(sections).items():
        (DOCS / name).write_text(plot, encoding="utf-8")
    return 0


def _made(folder: Path) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    return folder


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m evals.lab.bench", description="Measure, and write docs/benchmarks.md."
    )
    parser.add_argument(
        "section", nargs="*", choices=[*SECTIONS, _PAGE], help="only these (default: all); page measures nothing"
    )
    parser.add_argument("--part", action="store_true", help="up to 40,000 passages, and a part of the ingest")
    parser.add_argument("--sizes", type=_sizes, help="numbers of passages, with commas between them")
    parser.add_argument("--peer", action="append", choices=list(STORES), help="only this peer; may be repeated")
    parser.add_argument("--no-peers", action="store_true", help="growth of relnotes alone")
    parser.add_argument("--peer-python", metavar="PYTHON", help="the Python that has `relnotes[peers]` (default: this)")
    parser.add_argument("--rounds", type=int, default=1, help="rounds of ingest, of which medians are told (default 1)")
    return parser


def _sizes(written: str) -> tuple[int, ...]:
    return tuple(sorted(int(size.replace("_", "")) for size in written.split(",")))


_Keep = Callable[[str, Record], None]
"""Keeps a record under a name as soon as it is there."""


@dataclass(frozen=True, slots=True)
class _Run:
    """One run of the command: each method measures a section."""

    options: argparse.Namespace
    store: SectionStore
    scratch: Path

    def measure(self, section: str) -> None:
        """Measure a section by its name; the load is that before it began."""
        methods: dict[str, Callable[[_Keep], None]] = {
            "growth": self._growth,
            "cold": self._cold,
            "ingest": self._ingest,
            "memory": self._memory,
            "recall": self._recall,
        }
        has_peers = section in _WITH_PEERS and not (section == "growth" and self.options.no_peers)
        python = self._peer_python() if has_peers else None
        under = circumstances(self._command(section), libraries=python.libraries if python else ())

        def keep(name: str, record: Record) -> None:
            self.store.put(name, under, record)
            sys.stderr.write(f"{name} is measured\n")

        methods[section](keep)

    def _growth(self, keep: _Keep) -> None:
        """relnotes at each size, and the peers at those from 10,000 on."""
        peers = () if self.options.no_peers else self._peers()
        bench = GrowthBench(self._peer_python() if peers else None, self.scratch)
        failed: set[str] = set()
        for size in self._sizes(PART_SIZES if self.options.part else SIZES):
            grown = self._grown(size)
            keep(f"growth-{size}", bench.own(grown))
            for name in peers if size >= LEAST_PEER_SIZE else ():
                record = untried(name, size) if name in failed else bench.peer(name, grown)
                if record.failure:
                    failed.add(name)
                keep(f"growth-{size}-{name}", record)

    def _cold(self, keep: _Keep) -> None:
        for size in self._sizes([_COLD_SIZE]):
            grown = self._grown(size)
            keep(f"cold-{size}", measure_cold(grown, self._peer_python(), rounds=_COLD_ROUNDS, scratch=self.scratch))

    def _ingest(self, keep: _Keep) -> None:
        suite = PART if self.options.part else CORPORA
        keep("ingest", measure_ingest(suite, self._peers(), self._peer_python(), rounds=self.options.rounds))

    def _memory(self, keep: _Keep) -> None:
        for size in self._sizes(self._other_sizes()):
            keep(f"memory-{size}", measure_serving(self._grown(size)))

    def _recall(self, keep: _Keep) -> None:
        """In a process of its own, whose memory ends with it."""
        for size in self._sizes(self._other_sizes()):
            command = [
                sys.executable,
                "-m",
                "evals.lab.bench.recall",
                "--json",
                "--index",
                str(self._grown(size).index),
            ]
            run = run_measured(command, environment=os.environ, log=self.scratch / "log")
            keep(f"recall-{size}", RecallRecord(**json.loads(run.output)))

    def _sizes(self, default: Sequence[int]) -> Sequence[int]:
        return self.options.sizes or default

    def _other_sizes(self) -> Sequence[int]:
        return [size for size in _OTHER_SIZES if not self.options.part or size <= max(PART_SIZES)]

    def _peers(self) -> Sequence[str]:
        return [name for name in STORES if name in (self.options.peer or STORES)]

    def _peer_python(self) -> PeerPython:
        return find_peer_python(self.options.peer_python)

    def _grown(self, size: int) -> Grown:
        with BarProgress() as progress:
            embedder = open_embedder(cache_dir=cache_folder())
            return open_grown(CORPORA.documents, embedder, passages=size, progress=progress)

    def _command(self, section: str) -> str:
        """What measures this section as it was measured, without where this machine has its Pythons."""
        options = self.options
        words = ["python -m evals.lab.bench", section]
        words += ["--part"] if options.part else []
        words += [f"--sizes {','.join(map(str, options.sizes))}"] if options.sizes else []
        words += [f"--peer {name}" for name in options.peer or ()]
        words += ["--no-peers"] if options.no_peers else []
        words += [f"--rounds {options.rounds}"] if options.rounds > 1 else []
        return " ".join(words)


if __name__ == "__main__":
    run_command(main)
