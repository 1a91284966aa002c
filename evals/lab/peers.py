"""relnotes or a script at work in a process that does nothing else; what it took is one line of JSON.

python -m evals.lab.peers dense store --folder DIR --texts TEXTS.jsonl --vectors VECTORS.f32
python -m evals.lab.peers {relnotes,dense,rerank} ask --folder DIR
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
from numpy.typing import NDArray

from corpus.cache_folder import cache_folder
from corpus.embedding import open_embedder
from corpus.embedding.default_model import DIMENSIONS, default_model_folder
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
    def store(self, texts: Sequence[str], vectors: NDArray[np.float32]) -> None:
        """Index passages, and write what `open` reads."""

    @abstractmethod
    def open(self) -> None:
        """Read the store, so that questions can be asked."""

    @abstractmethod
    def search(self, question: str) -> Sequence[str]:
        """Return the texts of the ten best passages, best first."""


class Relnotes(Peer):
    """Everything on, over an index that is there."""

    module = "retrieval.assistant"

    def store(self, texts: Sequence[str], vectors: NDArray[np.float32]) -> None:
        raise NotImplementedError

    def open(self) -> None:
        from retrieval.assistant import Assistant

        self.opened = Assistant.open(self.folder, embedder=open_embedder(cache_dir=cache_folder()))

    def search(self, question: str) -> Sequence[str]:
        return [passage.text for passage in self.opened.ask(question).passages]


class Dense(Peer):
    """The script `one_shot.py`: a flat FAISS index, and texts in SQLite."""

    module = "evals.lab.one_shot"
    name: ClassVar[str] = "dense"

    def store(self, texts: Sequence[str], vectors: NDArray[np.float32]) -> None:
        index = faiss.IndexFlatIP(DIMENSIONS)
        index.add(np.ascontiguousarray(vectors))
        faiss.write_index(index, f"{self.folder}/vectors.faiss")
        with closing(sqlite3.connect(f"{self.folder}/texts.sqlite")) as database, database:
            database.execute("CREATE TABLE passages (text TEXT)")
            database.executemany("INSERT INTO passages VALUES (?)", ((text,) for text in texts))

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
    """Store or ask, and tell what it took; importing the library counts for nobody."""
    parser = argparse.ArgumentParser(prog="python -m evals.lab.peers", description="One system at work.")
    parser.add_argument("name", choices=PEERS)
    parser.add_argument("what", choices=("store", "ask"))
    for option, about in (("folder", "the script's store, or relnotes' index"), ("texts", ""), ("vectors", "")):
        parser.add_argument(f"--{option}", type=Path, help=about)
    options = parser.parse_args(arguments)
    os.environ.update(_QUIET)
    import_module(PEERS[options.name].module)
    peer = PEERS[options.name](options.folder)
    measured = _store(peer, options) if options.what == "store" else _ask(peer)
    sys.stdout.write(json.dumps(measured) + "\n")
    return 0


def _store(peer: Peer, options: argparse.Namespace) -> dict[str, Any]:
    texts = [json.loads(line) for line in options.texts.read_text("utf-8").splitlines()]
    vectors = np.memmap(options.vectors, np.float32, "r").reshape(-1, DIMENSIONS)
    began = time.perf_counter()
    peer.store(texts, vectors)
    return {"seconds": time.perf_counter() - began}


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
