"""Asks relnotes or a script questions in a process of its own; prints its times and memory as one line of JSON.

python -m evals.lab.peers {relnotes,dense,rerank} DIR
"""

import argparse
import json
import os
import sqlite3
import sys
import time
from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from contextlib import closing
from importlib import import_module
from pathlib import Path
from typing import Any, ClassVar

import faiss
import numpy as np

from corpus.cache_folder import cache_folder
from corpus.embedding import open_embedder
from corpus.embedding.default_model import DIMENSIONS, default_model_folder
from corpus.index.reader import IndexReader
from evals.command import run_command
from evals.lab.processes import bench_questions, each_ms, proc_mib
from evals.suites import BUNDLED, load_suite

_ASKING_S = 120.0
_BEFORE = 30
"""Questions over other documents that are asked before measuring, to load and compile the models."""
_QUIET = {"HF_HUB_OFFLINE": "1", "TOKENIZERS_PARALLELISM": "false"}


class Peer(ABC):
    """A program with its model and a store on the disk."""

    module: ClassVar[str]
    """The module that is imported before measuring."""

    def __init__(self, folder: Path) -> None:
        """Set the folder of the store; nothing is opened."""
        self.folder = str(folder)
        self.model = str(default_model_folder())
        self.opened: Any = None

    @abstractmethod
    def open(self) -> None:
        """Read the store, so that questions can be asked."""

    @abstractmethod
    def search(self, question: str) -> Sequence[str]:
        """Return the texts of the ten best passages, best first."""


class Relnotes(Peer):
    """relnotes with everything on, over an existing index."""

    module = "retrieval.assistant"

    def open(self) -> None:
        from retrieval.assistant import Assistant

        self.opened = Assistant.open(self.folder, embedder=open_embedder(cache_dir=cache_folder()))

    def search(self, question: str) -> Sequence[str]:
        return [passage.text for passage in self.opened.ask(question).passages]


class Dense(Peer):
    """The script `one_shot.py`: a flat FAISS index, and texts in SQLite."""

    module = "evals.lab.one_shot"
    name: ClassVar[str] = "dense"

    def open(self) -> None:
        from evals.lab.one_shot import Search

        self.opened = Search(self.name, self.model, self.folder)

    def search(self, question: str) -> Sequence[str]:
        texts: Sequence[str] = self.opened.ten_best(question)
        return texts


class Reranked(Dense):
    """The script with a cross-encoder that reads the ten best texts."""

    name = "rerank"


PEERS: Mapping[str, type[Peer]] = {"relnotes": Relnotes, "dense": Dense, "rerank": Reranked}


def main(arguments: Sequence[str] | None = None) -> int:
    """Ask the questions and print the times and memory; the import of the library isn't measured."""
    parser = argparse.ArgumentParser(prog="python -m evals.lab.peers", description="One system at work.")
    parser.add_argument("name", choices=PEERS)
    parser.add_argument("folder", type=Path, help="the script's store, or relnotes' index")
    options = parser.parse_args(arguments)
    os.environ.update(_QUIET)
    import_module(PEERS[options.name].module)
    sys.stdout.write(json.dumps(_ask(PEERS[options.name](options.folder))) + "\n")
    return 0


def store_passages(index: IndexReader, folder: Path) -> None:
    """Write the scripts' store: the text of each passage with vectors, and the mean of its vectors."""
    numbered = range(index.manifest.passages)
    pairs = [p for p in zip(index.load_passages(numbered), index.load_vectors(numbered), strict=True) if len(p[1])]
    means = np.stack([matrix.mean(axis=0) for _, matrix in pairs])
    vectors = faiss.IndexFlatIP(DIMENSIONS)
    vectors.add(means / np.linalg.norm(means, axis=1, keepdims=True))
    faiss.write_index(vectors, str(folder / "vectors.faiss"))
    with closing(sqlite3.connect(folder / "texts.sqlite")) as database, database:
        database.execute("CREATE TABLE passages (text TEXT)")
        texts = ((" ".join(passage.span.slice(index.text_of(passage)).split()),) for passage, _ in pairs)
        database.executemany("INSERT INTO passages VALUES (?)", texts)


def _ask(peer: Peer) -> dict[str, Any]:
    """Return the times and memory of asking; no question is asked twice, because a program may cache answers."""
    questions = bench_questions()
    warm_up = [entry.question for entry in load_suite(BUNDLED)[:_BEFORE] if not entry.history]
    peer.open()
    for question in warm_up:
        peer.search(question)
    cpu_before = time.process_time()
    times = each_ms(peer.search, questions, seconds=_ASKING_S)
    cpu_ms = 1000 * (time.process_time() - cpu_before) / len(times)
    process = str(os.getpid()), "smaps_rollup"
    memory = {"resident": proc_mib("Rss", *process), "own": proc_mib("Anonymous", *process)}
    return {"times_ms": times, "cpu_ms": cpu_ms} | memory


if __name__ == "__main__":
    run_command(main)
