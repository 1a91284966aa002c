"""One peer at work in a process of its own, which is measured from outside; the answer is one line of JSON.

python -m evals.lab.peers.process NAME store --folder DIR --texts TEXTS.jsonl [--vectors VECTORS.f32]
python -m evals.lab.peers.process NAME ask --folder DIR --texts TEXTS.jsonl --vectors VECTORS.f32 --questions FILE
"""

import argparse
import json
import os
import sys
import time
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import asdict
from importlib import import_module
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
from numpy.typing import NDArray

from corpus.embedding import Runtime, open_embedder
from corpus.embedding.default_model import DIMENSIONS, default_model_folder
from evals.command import run_command
from evals.lab.bench.recall import LISTED, exact_recalls
from evals.lab.peers.libraries import LIBRARIES, PEERS, Peer, PeerPassage, open_peers
from evals.lab.processes import memory_parts
from evals.lab.questions import ask_in_passes, read_texts

_BLOCK_ROWS = 65_536


def listed_recall(
    listed: Sequence[Sequence[str]], questions: NDArray[np.float32], *, texts: Path, vectors: NDArray[np.float32]
) -> float:
    """Mean recall@10 of what was listed for each question, against exact products with all `vectors`.

    `questions` has the shape (questions, dimensions), `vectors` (passages, dimensions), a row a line of `texts`. Where
    passages have the same text, the one nearest to the question is taken for the listed one.
    """
    rows = _rows_of({text for item in listed for text in item}, texts)
    found = np.full((len(listed), LISTED), -1, np.int64)
    for number, (one, question) in enumerate(zip(listed, questions, strict=True)):
        nearest = [max(rows[text], key=lambda row: float(vectors[row] @ question)) for text in dict.fromkeys(one)]
        found[number, : len(nearest)] = nearest[:LISTED]
    (recall,) = exact_recalls(_blocks(vectors), questions, [found], [np.ones(len(vectors), np.bool_)])
    return recall


def _rows_of(wanted: set[str], texts: Path) -> dict[str, list[int]]:
    rows = defaultdict(list)
    for row, text in enumerate(read_texts(texts)):
        if text in wanted:
            rows[text].append(row)
    return rows


def _blocks(vectors: NDArray[np.float32]) -> Iterator[NDArray[np.float32]]:
    for first in range(0, len(vectors), _BLOCK_ROWS):
        yield vectors[first : first + _BLOCK_ROWS]


def main(arguments: Sequence[str] | None = None) -> int:
    """Store or ask, and tell what it took; importing the library counts for nobody."""
    parser = argparse.ArgumentParser(prog="python -m evals.lab.peers.process", description="One peer at work.")
    parser.add_argument("name", choices=list(PEERS))
    parser.add_argument("what", choices=("store", "ask"))
    parser.add_argument("--folder", type=Path, required=True, help="for the library's store")
    parser.add_argument("--texts", type=Path, required=True, help="passages: a JSON string a line")
    parser.add_argument("--vectors", type=Path, help="theirs, as float32, a row a line; default: it embeds them")
    parser.add_argument("--questions", type=Path, help="to ask: a JSON string a line")
    options = parser.parse_args(arguments)
    factory = open_peers([options.name])[options.name]
    for library in LIBRARIES[options.name][1]:
        import_module(library)
    peer = factory(default_model_folder(), options.folder)
    if options.what == "ask":
        measured = _ask(peer, options)
    else:
        started = time.perf_counter()
        peer.store(_passages(options.texts, options.vectors))
        measured = {"seconds": time.perf_counter() - started}
    sys.stdout.write(json.dumps(measured) + "\n")
    return 0


def _passages(texts: Path, vectors: Path | None) -> Iterator[PeerPassage]:
    rows = None if vectors is None else np.memmap(vectors, np.float32, "r").reshape(-1, DIMENSIONS)
    for number, text in enumerate(read_texts(texts)):
        yield PeerPassage(text, None if rows is None else rows[number])


def _ask(peer: Peer, options: argparse.Namespace) -> dict[str, object]:
    questions = list(read_texts(options.questions))
    listed: dict[str, Sequence[str]] = {}

    def ask(question: str) -> None:
        listed[question] = peer.search(question)

    started = time.perf_counter()
    peer.open()
    ask(questions[0])
    opened = time.perf_counter() - started
    times = ask_in_passes(ask, questions)
    measured = {"open_seconds": opened, "times_ms": times, "memory": asdict(memory_parts(os.getpid()))}
    # After time and memory were taken.
    with TemporaryDirectory() as cache:
        asked = open_embedder(cache_dir=Path(cache), runtime=Runtime.NUMPY).embed(list(listed))
    vectors = np.memmap(options.vectors, np.float32, "r").reshape(-1, DIMENSIONS)
    recall = listed_recall(list(listed.values()), asked, texts=options.texts, vectors=vectors)
    return {**measured, "recall": recall}


if __name__ == "__main__":
    run_command(main)
