"""One peer over vectors made before: it is filled and kept on the disk, or opened and asked, in a process of its own.

Each is given the same texts with the same vectors, one a passage, and keeps them as its documentation does it; a
question is embedded by the peer's own runtime of the model (sentence-transformers on torch), as its users' would be,
and searched by vector alone. `evals.lab.bench.growth` starts this; the answer is one line of JSON.

    python -m evals.lab.bench.peer_stores NAME fill --store DIR --texts TEXTS.jsonl --vectors VECTORS.f32
    python -m evals.lab.bench.peer_stores NAME ask --store DIR --texts TEXTS.jsonl --vectors VECTORS.f32
        --questions FILE.json [--passes N] [--seconds S]
"""

import argparse
import json
import os
import sys
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict
from importlib import import_module
from itertools import islice
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from corpus.embedding import Runtime, open_embedder
from corpus.embedding.default_model import DIMENSIONS, default_model_folder
from evals.command import run_command
from evals.lab.bench.asking import ask_in_passes, read_questions
from evals.lab.bench.peer_ingests import read_texts
from evals.lab.bench.peer_recall import listed_recall
from evals.lab.bench.processes import memory_parts

LISTED = 10

Passages = Iterator[tuple[str, NDArray[np.float32]]]


class PeerStore(Protocol):
    """A library with a store on the disk."""

    def fill(self, passages: Passages) -> None:
        """Take texts with their vectors, and write what `open` reads."""
        ...

    def open(self) -> None:
        """Read the store and load the model, so that questions can be asked."""
        ...

    def ask(self, question: str) -> Sequence[str]:
        """The texts of the ten nearest passages, best first."""
        ...


class LlamaIndexStore:
    """`VectorStoreIndex` over its default simple store, persisted."""

    def __init__(self, model: Path, folder: Path) -> None:
        from llama_index.embeddings.huggingface import HuggingFaceEmbedding

        self._folder = str(folder)
        self._embedding = HuggingFaceEmbedding(model_name=str(model), device="cpu")
        self._retriever: Any = None

    def fill(self, passages: Passages) -> None:
        from llama_index.core import VectorStoreIndex
        from llama_index.core.schema import TextNode

        # Nodes that have an embedding aren't embedded.
        nodes = [TextNode(text=text, embedding=vector.tolist()) for text, vector in passages]
        VectorStoreIndex(nodes=nodes, embed_model=self._embedding).storage_context.persist(self._folder)

    def open(self) -> None:
        from llama_index.core import StorageContext, load_index_from_storage

        context = StorageContext.from_defaults(persist_dir=self._folder)
        index: Any = load_index_from_storage(context, embed_model=self._embedding)
        self._retriever = index.as_retriever(similarity_top_k=LISTED)

    def ask(self, question: str) -> Sequence[str]:
        return [found.node.text for found in self._retriever.retrieve(question)]


class HaystackStore:
    """The in-memory store, saved, with its retriever by embedding."""

    def __init__(self, model: Path, folder: Path) -> None:
        self._model = str(model)
        self._file = str(folder / "store.json")
        self._embedder: Any = None
        self._retriever: Any = None

    def fill(self, passages: Passages) -> None:
        from haystack import Document
        from haystack.document_stores.in_memory import InMemoryDocumentStore

        store = InMemoryDocumentStore()
        # A document's id is made of its content and meta, and the store keeps one of each id.
        store.write_documents(
            [
                Document(content=text, meta={"number": number}, embedding=vector.tolist())
                for number, (text, vector) in enumerate(passages)
            ]
        )
        store.save_to_disk(self._file)

    def open(self) -> None:
        from haystack.components.retrievers.in_memory import InMemoryEmbeddingRetriever
        from haystack.document_stores.in_memory import InMemoryDocumentStore
        from haystack_integrations.components.embedders.sentence_transformers import SentenceTransformersTextEmbedder

        self._embedder = SentenceTransformersTextEmbedder(model=self._model, progress_bar=False)
        self._embedder.warm_up()
        self._retriever = InMemoryEmbeddingRetriever(InMemoryDocumentStore.load_from_disk(self._file), top_k=LISTED)

    def ask(self, question: str) -> Sequence[str]:
        vector = self._embedder.run(text=question)["embedding"]
        return [found.content for found in self._retriever.run(query_embedding=vector)["documents"]]


class TxtaiStore:
    """`Embeddings` with content, whose default is an IVF index of FAISS from 5,000 passages on."""

    def __init__(self, model: Path, folder: Path) -> None:
        self._model = str(model)
        self._folder = str(folder)
        self._embeddings: Any = None

    def fill(self, passages: Passages) -> None:
        from txtai import Embeddings

        made: list[NDArray[np.float32]] = []
        rows = 0

        def texts() -> Iterator[tuple[int, str, None]]:
            for number, (text, vector) in enumerate(passages):
                made.append(vector)
                yield number, text, None

        # It asks for the vectors of its texts in their order.
        def transform(batch: Sequence[str]) -> NDArray[np.float32]:
            nonlocal rows
            rows += len(batch)
            return np.array(made[rows - len(batch) : rows])

        embeddings = Embeddings(method="external", transform=transform, content=True)
        embeddings.index(texts())
        embeddings.save(self._folder)

    def open(self) -> None:
        from txtai import Embeddings

        self._embeddings = Embeddings()
        self._embeddings.load(self._folder, config={"path": self._model, "method": None, "transform": None})

    def ask(self, question: str) -> Sequence[str]:
        return [found["text"] for found in self._embeddings.search(question, LISTED)]


class ChromaStore:
    """A default collection (HNSW) of a persistent client."""

    def __init__(self, model: Path, folder: Path) -> None:
        import chromadb

        self._model = str(model)
        self._client = chromadb.PersistentClient(str(folder), chromadb.Settings(anonymized_telemetry=False))
        self._collection: Any = None

    def fill(self, passages: Passages) -> None:
        collection = self._client.create_collection("passages", embedding_function=None)
        size = self._client.get_max_batch_size()
        first = 0
        while batch := list(islice(passages, size)):
            collection.add(
                ids=[str(first + number) for number in range(len(batch))],
                documents=[text for text, _ in batch],
                embeddings=[vector for _, vector in batch],
            )
            first += len(batch)

    def open(self) -> None:
        from chromadb.utils.embedding_functions import SentenceTransformerEmbeddingFunction

        function: Any = SentenceTransformerEmbeddingFunction(model_name=self._model)
        self._collection = self._client.get_collection("passages", embedding_function=function)

    def ask(self, question: str) -> Sequence[str]:
        texts: Sequence[str] = self._collection.query(query_texts=[question], n_results=LISTED)["documents"][0]
        return texts


STORES: Mapping[str, Callable[[Path, Path], PeerStore]] = {
    "llamaindex": LlamaIndexStore,
    "haystack": HaystackStore,
    "txtai": TxtaiStore,
    "chroma": ChromaStore,
}


_LIBRARIES = {
    "llamaindex": ("llama_index.core", "llama_index.embeddings.huggingface"),
    "haystack": ("haystack", "haystack_integrations.components.embedders.sentence_transformers"),
    "txtai": ("txtai",),
    "chroma": ("chromadb",),
}
"""Imported before the clock starts: importing counts for nobody but the cold question."""


def main() -> int:
    """Fill or ask, and tell what it took."""
    options = _parser().parse_args()
    for library in _LIBRARIES[options.name]:
        import_module(library)
    peer = STORES[options.name](default_model_folder(), options.store)
    vectors = np.memmap(options.vectors, np.float32, "r").reshape(-1, DIMENSIONS)
    started = time.perf_counter()
    if options.what == "fill":
        peer.fill(zip(read_texts(options.texts), vectors, strict=True))
        sys.stdout.write(json.dumps({"seconds": time.perf_counter() - started, "passages": len(vectors)}) + "\n")
        return 0
    questions = read_questions(options.questions)
    peer.open()
    listed = len(peer.ask(questions[0]))
    opened = time.perf_counter() - started
    answered: dict[str, Sequence[str]] = {}

    def ask(question: str) -> None:
        answered[question] = peer.ask(question)

    times = ask_in_passes(ask, questions, passes=options.passes, seconds=options.seconds)
    told = {"open_seconds": opened, "times_ms": times, "memory": asdict(memory_parts(os.getpid())), "listed": listed}
    # After time and memory were taken.
    with TemporaryDirectory() as cache:
        embedder = open_embedder(cache_dir=Path(cache), runtime=Runtime.NUMPY)
        asked = embedder.embed(list(answered))
    told["recall"] = listed_recall(list(answered.values()), asked, texts=options.texts, vectors=vectors)
    sys.stdout.write(json.dumps(told) + "\n")
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m evals.lab.bench.peer_stores", description="One peer's store.")
    parser.add_argument("name", choices=list(STORES))
    parser.add_argument("what", choices=("fill", "ask"))
    parser.add_argument("--store", type=Path, required=True, help="a folder for the library's store")
    parser.add_argument("--texts", type=Path, required=True, help="what it holds: a JSON string a line")
    parser.add_argument("--vectors", type=Path, required=True, help="float32, a row a line of the texts")
    parser.add_argument("--questions", type=Path, help="to ask: a JSON list")
    parser.add_argument("--passes", type=int, default=3, help="passes over the questions (default 3)")
    parser.add_argument("--seconds", type=float, default=120.0, help="begin no question after this long (default 120)")
    return parser


if __name__ == "__main__":
    run_command(main)
