"""relnotes or a script that is asked in a process that does nothing else; what it took is one line of JSON.

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
from evals.lab.processes import bench_questions, each_ms, told_mib
from evals.suites import BUNDLED, load_suite

_ASKING_S = 120.0
_BEFORE = 30
"""Questions over other documents that are asked before a clock starts: models are loaded and compiled by then."""
_QUIET = {"HF_HUB_OFFLINE": "1", "TOKENIZERS_PARALLELISM": "false"}


class Peer(ABC):
    """A program with its model and a store on the disk."""

    module: ClassVar[str]
    """What of it is imported before a clock starts."""

    def __init__(self, folder: Path) -> None:
        """Name the folder of the store."""
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
    """Everything on, over an index that is there."""

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
    """The same, with a cross-encoder that reads the ten best."""

    name = "rerank"


PEERS: Mapping[str, type[Peer]] = {"relnotes": Relnotes, "dense": Dense, "rerank": Reranked}


def main(arguments: Sequence[str] | None = None) -> int:
    """Ask, and tell what it took; importing the library counts for nobody."""
    parser = argparse.ArgumentParser(prog="python -m evals.lab.peers", description="One system at work.")
    parser.add_argument("name", choices=PEERS)
    parser.add_argument("folder", type=Path, help="the script's store, or relnotes' index")
    options = parser.parse_args(arguments)
    os.environ.update(_QUIET)
    import_module(PEERS[options.name].module)
    sys.stdout.write(json.dumps(_ask(PEERS[options.name](options.folder))) + "\n")
    return 0


def store_passages(index: IndexReader, folder: Path) -> None:
    """Write what the scripts open: the text of each passage that is searched, and one vector of it."""
    numbered = range(index.manifest.passages)
    held = [one for one in zip(index.load_passages(numbered), index.load_vectors(numbered), strict=True) if len(one[1])]
    means = np.stack([matrix.mean(axis=0) for _, matrix in held])
    vectors = faiss.IndexFlatIP(DIMENSIONS)
    vectors.add(means / np.linalg.norm(means, axis=1, keepdims=True))
    faiss.write_index(vectors, str(folder / "vectors.faiss"))
    with closing(sqlite3.connect(folder / "texts.sqlite")) as database, database:
        database.execute("CREATE TABLE passages (text TEXT)")
        texts = ((" ".join(one.span.slice(index.text_of(one)).split()),) for one, _ in held)
        database.executemany("INSERT INTO passages VALUES (?)", texts)


def _ask(peer: Peer) -> dict[str, Any]:
    """What asking took: nothing is asked twice, for a program may remember."""
    questions = bench_questions()
    others = [one.question for one in load_suite(BUNDLED)[:_BEFORE] if not one.history]
    peer.open()
    for question in others:
        peer.search(question)
    used = time.process_time()
    times = each_ms(peer.search, questions, seconds=_ASKING_S)
    cpu_ms = 1000 * (time.process_time() - used) / len(times)
    process = str(os.getpid()), "smaps_rollup"
    memory = {"resident": told_mib("Rss", *process), "own": told_mib("Anonymous", *process)}
    return {"times_ms": times, "cpu_ms": cpu_ms} | memory


if __name__ == "__main__":
    run_command(main)
