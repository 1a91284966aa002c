"""The chunking benchmark as a command: `python -m evals.lab.chunking [--json]`.

Cuts and searches the benchmark's corpora in ../shared, prints the table and writes `evals/lab/chunking/RESULTS.md`;
exit 1 where the product's row misses its target. Where the benchmark is absent it says so, and exits 0. The first run
embeds some 30,000 texts, minutes on two cores; later ones find them in the vector cache.
"""

import argparse
import sys
from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from corpus.cache_folder import cache_folder
from corpus.embedding import CachedEmbedder, Embedder, VectorCache, open_embedder
from evals.command import run_command
from evals.lab.chunking.benchmark import QUESTIONS_FILE, corpora_folder, load_benchmark
from evals.lab.chunking.report import TARGET, meets_target, render_json, render_markdown
from evals.lab.chunking.runner import measure_cuts, measure_product
from evals.suite_index import open_suite
from evals.suites import Suite
from ingest.progress import BarProgress

_HERE = Path(__file__).parent
_BENCHMARK = _HERE.parents[3] / "shared" / "chunking_evaluation"


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure and report; 1 where the target is missed."""
    parser = argparse.ArgumentParser(prog="python -m evals.lab.chunking", description="Run the chunking benchmark.")
    parser.add_argument("--json", action="store_true", help="print one JSON document, and write no file")
    as_json = parser.parse_args(arguments).json
    if not _BENCHMARK.is_dir():
        sys.stderr.write("chunking: skipped, the benchmark is not beside this checkout (../shared)\n")
        return 0
    benchmark = load_benchmark(_BENCHMARK)
    suite = Suite("chunking", _BENCHMARK / QUESTIONS_FILE, corpora_folder(_BENCHMARK))
    with BarProgress() as progress:
        cache = cache_folder()
        embedder = open_embedder(cache_dir=cache)
        embed = _with_progress(CachedEmbedder(embedder, VectorCache(cache)), progress)
        rows = list(measure_cuts(benchmark, embedder=embedder, embed=embed))
        with open_suite(suite, progress=progress) as assistant:
            progress.phase("Asking", 1)
            rows.append(measure_product(benchmark, assistant))
            progress.advance(1)
    report = render_markdown(rows, questions=len(benchmark.questions))
    if not as_json:
        (_HERE / "RESULTS.md").write_text(report, encoding="utf-8")
    sys.stdout.write(render_json(rows, questions=len(benchmark.questions)) if as_json else report)
    if meets_target(rows[-1].overall):
        return 0
    sys.stderr.write(f"MISSED: the product's row must reach {TARGET}\n")
    return 1


def _with_progress(embedder: Embedder, progress: BarProgress) -> Callable[[Sequence[str]], NDArray[np.float32]]:
    def embed(texts: Sequence[str]) -> NDArray[np.float32]:
        progress.phase("Embedding", len(texts))
        return embedder.embed(texts, progress=progress.advance)

    return embed


if __name__ == "__main__":
    run_command(main)
