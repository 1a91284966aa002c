"""One peer at work in a process of its own, which is measured from outside; the answer is one line of JSON.

python -m evals.lab.peers.process NAME store --folder DIR --texts TEXTS.jsonl [--vectors VECTORS.f32]
python -m evals.lab.peers.process NAME ask --folder DIR --texts TEXTS.jsonl --vectors VECTORS.f32 --questions FILE
"""

import argparse
import json
import os
import sys
import time
from collections.abc import Iterator, Sequence
from dataclasses import asdict
from importlib import import_module
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np

from corpus.embedding import Runtime, open_embedder
from corpus.embedding.default_model import DIMENSIONS, default_model_folder
from evals.command import run_command
from evals.lab.bench.asking import ask_in_passes
from evals.lab.bench.peer_recall import listed_recall
from evals.lab.bench.texts import read_texts
from evals.lab.peers.libraries import LIBRARIES, PEERS, Peer, PeerPassage, open_peers
from evals.lab.processes import memory_parts


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
    peer = factory(default_model_folder(), options.folder, hybrid=False)
    if options.what == "ask":
        told = _ask(peer, options)
    else:
        started = time.perf_counter()
        peer.store(_passages(options.texts, options.vectors))
        told = {"seconds": time.perf_counter() - started}
    sys.stdout.write(json.dumps(told) + "\n")
    return 0


def _passages(texts: Path, vectors: Path | None) -> Iterator[PeerPassage]:
    rows = None if vectors is None else np.memmap(vectors, np.float32, "r").reshape(-1, DIMENSIONS)
    for number, text in enumerate(read_texts(texts)):
        yield PeerPassage("", text, None, None if rows is None else rows[number])


def _ask(peer: Peer, options: argparse.Namespace) -> dict[str, object]:
    questions = list(read_texts(options.questions))
    listed: dict[str, list[str]] = {}

    def ask(question: str) -> None:
        listed[question] = [one.text for one in peer.search(question)]

    started = time.perf_counter()
    peer.open()
    ask(questions[0])
    opened = time.perf_counter() - started
    times = ask_in_passes(ask, questions)
    told = {"open_seconds": opened, "times_ms": times, "memory": asdict(memory_parts(os.getpid()))}
    # After time and memory were taken.
    with TemporaryDirectory() as cache:
        asked = open_embedder(cache_dir=Path(cache), runtime=Runtime.NUMPY).embed(list(listed))
    vectors = np.memmap(options.vectors, np.float32, "r").reshape(-1, DIMENSIONS)
    recall = listed_recall(list(listed.values()), asked, texts=options.texts, vectors=vectors)
    return {**told, "recall": recall}


if __name__ == "__main__":
    run_command(main)
