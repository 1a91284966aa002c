"""A peer, or relnotes, at work in a process that does nothing else; what it took is one line of JSON.

python -m evals.lab.peers.process PEER store --folder DIR --texts TEXTS.jsonl [--vectors VECTORS.f32]
python -m evals.lab.peers.process PEER ask --folder DIR --texts TEXTS.jsonl --vectors VECTORS.f32
python -m evals.lab.peers.process relnotes ask --folder INDEX
"""

import argparse
import json
import os
import sys
import time
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict
from functools import partial
from importlib import import_module
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np
from numpy.typing import NDArray

from corpus.cache_folder import cache_folder
from corpus.embedding import Runtime, open_embedder
from corpus.embedding.default_model import DIMENSIONS, default_model_folder
from evals.command import run_command
from evals.lab.peers.libraries import PEERS, Peer, PeerPassage, open_peers
from evals.lab.processes import memory_parts
from evals.lab.questions import ask_in_passes, bench_questions, read_texts
from evals.lab.recall import LISTED, exact_recalls

_BLOCK_ROWS = 65_536


def listed_recall(
    listed: Sequence[Sequence[str]], questions: NDArray[np.float32], *, texts: Path, vectors: NDArray[np.float32]
) -> float:
    """Mean recall@10 of what was listed for each question, against exact products with all `vectors`.

    `questions` has the shape (questions, dimensions), `vectors` (passages, dimensions), a row a line of `texts`. Where
    passages have the same text, the one nearest to the question is taken for the listed one.
    """
    wanted = {text for item in listed for text in item}
    rows = defaultdict(list)
    for row, text in enumerate(read_texts(texts)):
        if text in wanted:
            rows[text].append(row)
    found = np.full((len(listed), LISTED), -1, np.int64)
    for number, (one, question) in enumerate(zip(listed, questions, strict=True)):
        nearest = [max(rows[text], key=lambda row: float(vectors[row] @ question)) for text in dict.fromkeys(one)]
        found[number, : len(nearest)] = nearest[:LISTED]
    blocks = (vectors[first : first + _BLOCK_ROWS] for first in range(0, len(vectors), _BLOCK_ROWS))
    (recall,) = exact_recalls(blocks, questions, [found], [np.ones(len(vectors), np.bool_)])
    return recall


class Relnotes:
    """What is measured beside the peers: everything on, over an index that is there."""

    def __init__(self, index: Path) -> None:
        # Here, so that no peer's memory holds it.
        from retrieval.assistant import Assistant

        embedder = open_embedder(cache_dir=cache_folder())
        self._open = partial(Assistant.open, index, embedder=embedder)

    def open(self) -> None:
        """Open the index, so that questions can be asked."""
        self._assistant = self._open()

    def search(self, question: str) -> Sequence[str]:
        """Parse the question, search, rank, decide, quote and check, and give the passages' texts."""
        return [passage.text for passage in self._assistant.ask(question).passages]


def main(arguments: Sequence[str] | None = None) -> int:
    """Store or ask, and tell what it took; importing the library counts for nobody."""
    parser = argparse.ArgumentParser(prog="python -m evals.lab.peers.process", description="One system at work.")
    parser.add_argument("name", choices=["relnotes", *PEERS])
    parser.add_argument("what", choices=("store", "ask"))
    parser.add_argument("--folder", type=Path, required=True, help="the library's store, or relnotes' index")
    parser.add_argument("--texts", type=Path, help="passages: a JSON string a line")
    parser.add_argument("--vectors", type=Path, help="theirs, as float32, a row a line; default: it embeds them")
    options = parser.parse_args(arguments)
    if options.name == "relnotes":
        measured, _ = _ask(Relnotes(options.folder))
    else:
        factory = open_peers([options.name])[options.name]
        for module in factory.modules:
            import_module(module)
        peer = factory(default_model_folder(), options.folder)
        if options.what == "store":
            started = time.perf_counter()
            peer.store(_passages(options.texts, options.vectors))
            measured = {"seconds": time.perf_counter() - started}
        else:
            measured, listed = _ask(peer)
            # After time and memory were taken.
            measured["recall"] = _recall(listed, options.texts, options.vectors)
    sys.stdout.write(json.dumps(measured) + "\n")
    return 0


def _ask(system: Relnotes | Peer) -> tuple[dict[str, Any], Mapping[str, Sequence[str]]]:
    """What opening and asking took, and what was listed for each question."""
    questions = bench_questions()
    listed: dict[str, Sequence[str]] = {}

    def ask(question: str) -> None:
        listed[question] = system.search(question)

    started = time.perf_counter()
    system.open()
    ask(questions[0])
    opened = time.perf_counter() - started
    times = ask_in_passes(ask, questions)
    return {"open_seconds": opened, "times_ms": times, "memory": asdict(memory_parts(os.getpid()))}, listed


def _recall(listed: Mapping[str, Sequence[str]], texts: Path, vectors: Path) -> float:
    with TemporaryDirectory() as cache:
        asked = open_embedder(cache_dir=Path(cache), runtime=Runtime.NUMPY).embed(list(listed))
    rows = np.memmap(vectors, np.float32, "r").reshape(-1, DIMENSIONS)
    return listed_recall(list(listed.values()), asked, texts=texts, vectors=rows)


def _passages(texts: Path, vectors: Path | None) -> Iterator[PeerPassage]:
    rows = None if vectors is None else np.memmap(vectors, np.float32, "r").reshape(-1, DIMENSIONS)
    for number, text in enumerate(read_texts(texts)):
        yield text, None if rows is None else rows[number]


if __name__ == "__main__":
    run_command(main)
