"""relnotes or another library at work in a process that does nothing else; what it took is one line of JSON.

    python -m evals.lab.peers PEER {store,ask} --folder DIR --texts TEXTS.jsonl --vectors VECTORS.f32
    python -m evals.lab.peers relnotes ask --folder INDEX [--passes N]

Each library as its documentation uses it: passages and their vectors are given, kept on the disk, searched by vector.
"""

import argparse
import json
import os
import sqlite3
import sys
import time
from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from contextlib import closing
from importlib import import_module
from importlib.metadata import version
from importlib.util import find_spec
from itertools import islice
from pathlib import Path
from typing import Any, ClassVar

import faiss
import numpy as np
from numpy.typing import NDArray

from corpus.cache_folder import cache_folder
from corpus.embedding import open_embedder
from corpus.embedding.default_model import DIMENSIONS, default_model_folder
from corpus.errors import UsageError
from evals.command import run_command
from evals.lab.processes import bench_questions, fastest_ms, read_texts, told_mib
from evals.suites import BUNDLED, load_suite

LISTED = 10
"""How many passages a peer returns for a question, as relnotes does."""
_ASKING_S = 120.0
_BEFORE = 30
"""Questions over other documents that are asked before a clock starts: models are loaded and compiled by then."""
_QUIET = {
    "ANONYMIZED_TELEMETRY": "False",
    "HAYSTACK_TELEMETRY_ENABLED": "False",
    "HF_HUB_OFFLINE": "1",
    "TOKENIZERS_PARALLELISM": "false",
}


class Peer(ABC):
    """A library with its model and a store on the disk."""

    distribution: ClassVar[str]
    modules: ClassVar[tuple[str, ...]]
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
        """Return the texts of the best `LISTED` passages, best first."""


class Relnotes(Peer):
    """Everything on, over an index that is there."""

    distribution, modules = "relnotes", ("retrieval.assistant",)

    def store(self, texts: Sequence[str], vectors: NDArray[np.float32]) -> None:
        raise NotImplementedError

    def open(self) -> None:
        from retrieval.assistant import Assistant

        self.opened = Assistant.open(self.folder, embedder=open_embedder(cache_dir=cache_folder()))

    def search(self, question: str) -> Sequence[str]:
        return [passage.text for passage in self.opened.ask(question).passages]


class LlamaIndex(Peer):
    """`VectorStoreIndex` over its simple store, persisted."""

    distribution, modules = "llama-index-core", ("llama_index.core", "llama_index.embeddings.huggingface")

    def _embedding(self) -> Any:
        from llama_index.embeddings.huggingface import HuggingFaceEmbedding

        return HuggingFaceEmbedding(model_name=self.model, device="cpu")

    def store(self, texts: Sequence[str], vectors: NDArray[np.float32]) -> None:
        from llama_index.core import VectorStoreIndex
        from llama_index.core.schema import TextNode

        nodes = [TextNode(text=text, embedding=vector.tolist()) for text, vector in zip(texts, vectors, strict=True)]
        VectorStoreIndex(nodes=nodes, embed_model=self._embedding()).storage_context.persist(self.folder)

    def open(self) -> None:
        from llama_index.core import StorageContext, load_index_from_storage

        context = StorageContext.from_defaults(persist_dir=self.folder)
        index: Any = load_index_from_storage(context, embed_model=self._embedding())
        self.opened = index.as_retriever(similarity_top_k=LISTED)

    def search(self, question: str) -> Sequence[str]:
        return [found.node.text for found in self.opened.retrieve(question)]


class Haystack(Peer):
    """The in-memory store, saved, with its retriever by embedding."""

    distribution = "haystack-ai"
    modules = ("haystack", "haystack_integrations.components.embedders.sentence_transformers")

    def store(self, texts: Sequence[str], vectors: NDArray[np.float32]) -> None:
        from haystack import Document
        from haystack.document_stores.in_memory import InMemoryDocumentStore

        store = InMemoryDocumentStore()
        # A document's id is made of its content and meta, and the store keeps one of each id.
        store.write_documents(
            [
                Document(content=text, meta={"number": number}, embedding=vector.tolist())
                for number, (text, vector) in enumerate(zip(texts, vectors, strict=True))
            ]
        )
        store.save_to_disk(f"{self.folder}/store.json")

    def open(self) -> None:
        from haystack.components.retrievers.in_memory import InMemoryEmbeddingRetriever
        from haystack.document_stores.in_memory import InMemoryDocumentStore
        from haystack_integrations.components.embedders.sentence_transformers import SentenceTransformersTextEmbedder

        embedder = SentenceTransformersTextEmbedder(model=self.model, progress_bar=False)
        embedder.warm_up()
        store = InMemoryDocumentStore.load_from_disk(f"{self.folder}/store.json")
        self.opened = embedder, InMemoryEmbeddingRetriever(store, top_k=LISTED)

    def search(self, question: str) -> Sequence[str]:
        embedder, retriever = self.opened
        return [
            hit.content for hit in retriever.run(query_embedding=embedder.run(text=question)["embedding"])["documents"]
        ]


class Txtai(Peer):
    """`Embeddings` with content, saved: an IVF index of FAISS from 5,000 passages on."""

    distribution, modules = "txtai", ("txtai",)

    def store(self, texts: Sequence[str], vectors: NDArray[np.float32]) -> None:
        from txtai import Embeddings

        taken = iter(vectors)

        # It asks for the vectors of its texts in their order.
        def transform(batch: Sequence[str]) -> NDArray[np.float32]:
            return np.array(list(islice(taken, len(batch))))

        embeddings = Embeddings(method="external", transform=transform, content=True)
        embeddings.index((number, text, None) for number, text in enumerate(texts))
        embeddings.save(self.folder)

    def open(self) -> None:
        from txtai import Embeddings

        self.opened = Embeddings()
        self.opened.load(self.folder, config={"path": self.model, "method": None, "transform": None})

    def search(self, question: str) -> Sequence[str]:
        return [hit["text"] for hit in self.opened.search(question, LISTED)]


class Chroma(Peer):
    """A default collection (HNSW) of a persistent client."""

    distribution, modules = "chromadb", ("chromadb",)

    def _client(self) -> tuple[Any, dict[str, Any]]:
        import chromadb
        from chromadb.utils.embedding_functions import SentenceTransformerEmbeddingFunction

        # Its default function is the same model, downloaded and padded to 256 tokens: slower, so not this.
        function: Any = SentenceTransformerEmbeddingFunction(model_name=self.model)
        client = chromadb.PersistentClient(self.folder, chromadb.Settings(anonymized_telemetry=False))
        return client, {"name": "passages", "embedding_function": function}

    def store(self, texts: Sequence[str], vectors: NDArray[np.float32]) -> None:
        client, named = self._client()
        collection, size = client.create_collection(**named), client.get_max_batch_size()
        for first in range(0, len(texts), size):
            batch = texts[first : first + size]
            ids = [str(first + number) for number in range(len(batch))]
            collection.add(ids=ids, documents=batch, embeddings=list(vectors[first : first + size]))

    def open(self) -> None:
        client, named = self._client()
        self.opened = client.get_collection(**named)

    def search(self, question: str) -> Sequence[str]:
        texts: Sequence[str] = self.opened.query(query_texts=[question], n_results=LISTED)["documents"][0]
        return texts


class Dense(Peer):
    """The script `one_shot.py`: a flat FAISS index, and texts in SQLite."""

    distribution, modules = "sentence-transformers", ("evals.lab.one_shot",)
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


PEERS: Mapping[str, type[Peer]] = {
    "llamaindex": LlamaIndex, "haystack": Haystack, "txtai": Txtai, "chroma": Chroma, "dense": Dense, "rerank": Reranked
}  # fmt: skip


def open_peers(names: Iterable[str]) -> Mapping[str, type[Peer]]:
    """Those of these names, with telemetry and downloads off.

    Raises:
        UsageError: a library isn't installed.
    """
    os.environ.update(_QUIET)
    found = {name: peer for name, peer in PEERS.items() if name in names}
    absent = [name for name, peer in found.items() if find_spec(peer.modules[0].partition(".")[0]) is None]
    if absent:
        raise UsageError(
            f"Cannot run {', '.join(absent)}: not installed for this Python. Install the peers with "
            "`pip install '.[peers]'`, best into an environment of their own, and run this with its Python."
        )
    return found


def versions(names: Iterable[str]) -> str:
    """Return the libraries of these peers with their versions, for a note."""
    return ", ".join(f"{one} {version(one)}" for one in (PEERS[name].distribution for name in names))


def recall(
    listed: Iterable[Sequence[str]], asked: NDArray[np.float32], texts: Sequence[str], vectors: NDArray[np.float32]
) -> float:
    """Return the mean share of the `LISTED` nearest passages by exact product that was listed for each question, by
    their texts; `asked` are the questions' vectors, `vectors` those of `texts`."""
    shares = []
    for found, question in zip(listed, asked, strict=True):
        products = vectors @ question
        nearest = np.argpartition(-products, LISTED)[:LISTED] if len(products) > LISTED else range(len(products))
        exact = {texts[row] for row in nearest}
        shares.append(len(exact.intersection(found)) / len(exact))
    return float(np.mean(shares))


def main(arguments: Sequence[str] | None = None) -> int:
    """Store or ask, and tell what it took; importing the library counts for nobody."""
    parser = argparse.ArgumentParser(prog="python -m evals.lab.peers", description="One system at work.")
    parser.add_argument("name", choices=["relnotes", *PEERS])
    parser.add_argument("what", choices=("store", "ask"))
    for option, about in (("folder", "the library's store, or relnotes' index"), ("texts", ""), ("vectors", "")):
        parser.add_argument(f"--{option}", type=Path, help=about)
    parser.add_argument("--passes", type=int, default=3, help="a question's fastest counts; 1: nothing is asked twice")
    options = parser.parse_args(arguments)
    factory = Relnotes if options.name == "relnotes" else open_peers([options.name])[options.name]
    for module in factory.modules:
        import_module(module)
    peer: Peer = factory(options.folder)
    measured = _store(peer, options) if options.what == "store" else _ask(peer, options)
    sys.stdout.write(json.dumps(measured) + "\n")
    return 0


def _given(options: argparse.Namespace) -> tuple[Sequence[str], NDArray[np.float32]]:
    return list(read_texts(options.texts)), np.memmap(options.vectors, np.float32, "r").reshape(-1, DIMENSIONS)


def _store(peer: Peer, options: argparse.Namespace) -> dict[str, Any]:
    texts, vectors = _given(options)
    began = time.perf_counter()
    peer.store(texts, vectors)
    return {"seconds": time.perf_counter() - began}


def _ask(peer: Peer, options: argparse.Namespace) -> dict[str, Any]:
    """What opening and asking took; of a library also how much of the nearest it listed, found out after that."""
    questions, listed = bench_questions(), dict[str, Sequence[str]]()
    others = [one.question for one in load_suite(BUNDLED)[:_BEFORE] if not one.history]

    def ask(question: str) -> None:
        listed[question] = peer.search(question)

    began = time.perf_counter()
    peer.open()
    peer.search(others[0])
    measured: dict[str, Any] = {"open_seconds": time.perf_counter() - began}
    for question in others[1:]:
        peer.search(question)
    used = time.process_time()
    measured["times_ms"] = fastest_ms(ask, questions, passes=options.passes, seconds=_ASKING_S)
    measured["cpu_ms"] = 1000 * (time.process_time() - used) / len(measured["times_ms"]) / options.passes
    process = str(os.getpid()), "smaps_rollup"
    measured |= {"resident": told_mib("Rss", *process), "own": told_mib("Anonymous", *process)}
    if options.texts:
        asked = open_embedder(cache_dir=cache_folder()).embed(list(listed))
        measured["recall"] = recall(listed.values(), asked, *_given(options))
    return measured


if __name__ == "__main__":
    run_command(main)
