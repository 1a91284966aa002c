"""How fast the default model embeds: our runtime against sentence-transformers' torch backend.

Same texts, same run, alternating rounds, each runtime in a process of its own so that its peak memory is its
own. Texts come from ../shared/corpora where it is there, otherwise from our own documents.

    python -m evals.lab.bench.embedding [--rounds N]
"""

import argparse
import random
import re
import resource
import sys
import tempfile
import time
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from functools import cache
from multiprocessing import get_context
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from evals.command import run_command

_REPOSITORY = Path(__file__).parents[3]
_CORPORA = _REPOSITORY.parent / "shared" / "corpora"
_OWN_DOCUMENTS = _REPOSITORY / "corpus" / "documents"
_RUNTIMES = ("openvino fastest", "openvino exact", "torch")


@dataclass(frozen=True, slots=True)
class Measurement:
    """One round: how long embedding took, the process's peak memory so far, and the vectors."""

    seconds: float
    peak_mib: float
    vectors: NDArray[np.float32]


def main() -> int:
    """Measure and print the table."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0] if __doc__ else None)
    parser.add_argument("--rounds", type=int, default=3, help="rounds a runtime; the fastest counts (default 3)")
    rounds = parser.parse_args().rounds
    with tempfile.TemporaryDirectory() as cache_dir:
        # The one export needs torch: in a process of its own, or it would count as the runtime's memory.
        with ProcessPoolExecutor(max_workers=1, mp_context=get_context("spawn")) as exporter:
            exporter.submit(measure, _RUNTIMES[0], ("a",), cache_dir=cache_dir).result()
        pools = {runtime: ProcessPoolExecutor(max_workers=1, mp_context=get_context("spawn")) for runtime in _RUNTIMES}
        try:
            for runtime, pool in pools.items():
                pool.submit(measure, runtime, ("a", "b"), cache_dir=cache_dir).result()
            print(f"{'texts':<22} {'runtime':<18} {'texts/s':>8} {'ratio':>6} {'min cosine':>11} {'peak MiB':>9}")
            for name, texts in (("passages", passages()), ("sentences", sentences())):
                best = {runtime: _round(pool, runtime, texts, cache_dir) for runtime, pool in pools.items()}
                for _ in range(rounds - 1):
                    for runtime, pool in pools.items():
                        again = _round(pool, runtime, texts, cache_dir)
                        if again.seconds < best[runtime].seconds:
                            best[runtime] = again
                _print_rows(f"{len(texts)} {name}", best, count=len(texts))
        finally:
            for pool in pools.values():
                pool.shutdown()
    return 0


def _round(pool: ProcessPoolExecutor, runtime: str, texts: Sequence[str], cache_dir: str) -> Measurement:
    return pool.submit(measure, runtime, tuple(texts), cache_dir=cache_dir).result()


def _print_rows(label: str, best: dict[str, Measurement], *, count: int) -> None:
    reference = best["torch"]
    for runtime, one in best.items():
        cosine = float((one.vectors * reference.vectors).sum(axis=1).min())
        print(
            f"{label:<22} {runtime:<18} {count / one.seconds:8.1f} {reference.seconds / one.seconds:6.2f} "
            f"{cosine:11.6f} {one.peak_mib:9.0f}"
        )


def measure(runtime: str, texts: Sequence[str], *, cache_dir: str) -> Measurement:
    """Embed `texts` once in this process, loading the model before the clock starts."""
    model = _model(runtime, cache_dir)
    started = time.perf_counter()
    if runtime == "torch":
        vectors = model.encode(list(texts), normalize_embeddings=True, show_progress_bar=False)
    else:
        vectors = model.embed(texts)
    seconds = time.perf_counter() - started
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return Measurement(seconds, peak / (1024 if sys.platform != "darwin" else 1024 * 1024), vectors)


@cache
def _model(runtime: str, cache_dir: str) -> Any:
    from corpus.embedding.default_model import find_default_model

    files = find_default_model(cache_dir=Path(cache_dir))
    if runtime == "torch":
        from sentence_transformers import SentenceTransformer

        return SentenceTransformer(str(files.folder), device="cpu", local_files_only=True)
    from corpus.embedding.openvino_runtime import BulkPrecision, OpenVinoEmbedder

    return OpenVinoEmbedder(files, cache_dir=Path(cache_dir), bulk_precision=BulkPrecision(runtime.split()[1]))


def passages(count: int = 600) -> tuple[str, ...]:
    """Paragraphs put together to about 1,000 characters, sampled over all documents, the same every time."""
    found = []
    for text in _documents():
        current = ""
        for paragraph in re.split(r"\n\s*\n", text):
            if current and len(current) + len(paragraph) > 1200:
                found.append(current)
                current = ""
            current = f"{current}\n\n{paragraph}".strip()
    return _sample([text for text in found if 700 <= len(text) <= 1300], count)


def sentences(count: int = 2000) -> tuple[str, ...]:
    """Sentences and entries of 20 to 400 characters, sampled in the same way."""
    found = [part.strip() for text in _documents() for part in re.split(r"(?<=[.!?])\s+|\n\s*\n|\n(?=\s*[-*] )", text)]
    return _sample([text for text in found if 20 < len(text) < 400], count)


def _documents() -> list[str]:
    root = _CORPORA if _CORPORA.is_dir() else _OWN_DOCUMENTS
    files = sorted(path for path in root.rglob("*") if path.is_file() and path.suffix not in {".tsv", ".toml"})
    return [path.read_text("utf-8", "replace") for path in files]


def _sample(texts: Sequence[str], count: int) -> tuple[str, ...]:
    distinct = sorted(set(texts))
    return tuple(random.Random(7).sample(distinct, min(count, len(distinct))))  # noqa: S311  # a sample, no secret


if __name__ == "__main__":
    run_command(main)
