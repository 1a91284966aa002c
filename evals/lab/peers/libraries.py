"""The libraries as their documentation uses them: each keeps passages on the disk and searches them by vector."""

import os
from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Mapping, Sequence
from importlib.metadata import version
from importlib.util import find_spec
from itertools import chain, islice
from pathlib import Path
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from corpus.errors import UsageError

LISTED = 10
"""How many passages a peer returns for a question, as relnotes does."""
_QUIET = {
    "ANONYMIZED_TELEMETRY": "False",
    "HAYSTACK_TELEMETRY_ENABLED": "False",
    "HF_HUB_OFFLINE": "1",
    "TOKENIZERS_PARALLELISM": "false",
}


PeerPassage = tuple[str, NDArray[np.float32] | None]
"""A passage that a peer is given, ready cut; without a vector it embeds the text itself."""


class Peer(ABC):
    """A library with its model and a store on the disk."""

    distribution: ClassVar[str]
    modules: ClassVar[tuple[str, ...]]
    """What of it is imported before a clock starts."""

    @abstractmethod
    def __init__(self, model: Path, folder: Path) -> None:
        """Take the model's folder, and one for the store."""

    @abstractmethod
    def store(self, passages: Iterable[PeerPassage]) -> None:
        """Embed passages that have no vector, index all, and write what `open` reads."""

    @abstractmethod
    def open(self) -> None:
        """Read the store, so that questions can be asked."""

    @abstractmethod
    def search(self, question: str) -> Sequence[str]:
        """The texts of the best `LISTED` passages, best first; fewer where there are no more."""


class LlamaIndex(Peer):
    """`VectorStoreIndex` over its simple store, persisted."""

    distribution = "llama-index-core"
    modules = ("llama_index.core", "llama_index.embeddings.huggingface")

    def __init__(self, model: Path, folder: Path) -> None:
        from llama_index.embeddings.huggingface import HuggingFaceEmbedding

        self._folder = str(folder)
        self._embedding = HuggingFaceEmbedding(model_name=str(model), device="cpu")
        self._retriever: Any = None

    def store(self, passages: Iterable[PeerPassage]) -> None:
        from llama_index.core import VectorStoreIndex
        from llama_index.core.schema import TextNode

        nodes = [TextNode(text=text, embedding=_listed(vector)) for text, vector in passages]
        VectorStoreIndex(nodes=nodes, embed_model=self._embedding).storage_context.persist(self._folder)

    def open(self) -> None:
        from llama_index.core import StorageContext, load_index_from_storage

        context = StorageContext.from_defaults(persist_dir=self._folder)
        index: Any = load_index_from_storage(context, embed_model=self._embedding)
        self._retriever = index.as_retriever(similarity_top_k=LISTED)

    def search(self, question: str) -> Sequence[str]:
        return [found.node.text for found in self._retriever.retrieve(question)]


class Haystack(Peer):
    """The in-memory store, saved, with its retriever by embedding."""

    distribution = "haystack-ai"
    modules = ("haystack", "haystack_integrations.components.embedders.sentence_transformers")

    def __init__(self, model: Path, folder: Path) -> None:
        self._model = str(model)
        self._file = str(folder / "store.json")
        self._embedder: Any = None
        self._retriever: Any = None

    def store(self, passages: Iterable[PeerPassage]) -> None:
        from haystack import Document
        from haystack.document_stores.in_memory import InMemoryDocumentStore
        from haystack_integrations.components.embedders.sentence_transformers import (
            SentenceTransformersDocumentEmbedder,
        )

        # A document's id is made of its content and meta, and the store keeps one of each id.
        documents = [
            Document(content=text, meta={"number": number}, embedding=_listed(vector))
            for number, (text, vector) in enumerate(passages)
        ]
        if any(document.embedding is None for document in documents):
            embedder = SentenceTransformersDocumentEmbedder(model=self._model, progress_bar=False)
            embedder.warm_up()
            documents = embedder.run(documents=documents)["documents"]
        store = InMemoryDocumentStore()
        store.write_documents(documents)
        store.save_to_disk(self._file)

    def open(self) -> None:
        from haystack.components.retrievers.in_memory import InMemoryEmbeddingRetriever
        from haystack.document_stores.in_memory import InMemoryDocumentStore
        from haystack_integrations.components.embedders.sentence_transformers import SentenceTransformersTextEmbedder

        self._embedder = SentenceTransformersTextEmbedder(model=self._model, progress_bar=False)
        self._embedder.warm_up()
        self._retriever = InMemoryEmbeddingRetriever(InMemoryDocumentStore.load_from_disk(self._file), top_k=LISTED)

    def search(self, question: str) -> Sequence[str]:
        vector = self._embedder.run(text=question)["embedding"]
        return [hit.content for hit in self._retriever.run(query_embedding=vector)["documents"]]


class Txtai(Peer):
    """`Embeddings` with content, saved: an IVF index of FAISS from 5,000 passages on."""

    distribution = "txtai"
    modules = ("txtai",)

    def __init__(self, model: Path, folder: Path) -> None:
        self._model, self._folder = str(model), str(folder)
        self._embeddings: Any = None

    def store(self, passages: Iterable[PeerPassage]) -> None:
        from txtai import Embeddings

        given: list[NDArray[np.float32]] = []
        taken = 0

        def rows() -> Iterator[tuple[int, str, None]]:
            for number, (text, vector) in enumerate(passages):
                given.extend([] if vector is None else [vector])
                yield number, text, None

        # It asks for the vectors of its texts in their order.
        def transform(batch: Sequence[str]) -> NDArray[np.float32]:
            nonlocal taken
            taken += len(batch)
            return np.array(given[taken - len(batch) : taken])

        documents = rows()
        first = list(islice(documents, 1))
        own = {"method": "external", "transform": transform} if given else {"path": self._model}
        embeddings = Embeddings(**own, content=True)
        embeddings.index(chain(first, documents))
        embeddings.save(self._folder)

    def open(self) -> None:
        from txtai import Embeddings

        self._embeddings = Embeddings()
        self._embeddings.load(self._folder, config={"path": self._model, "method": None, "transform": None})

    def search(self, question: str) -> Sequence[str]:
        return [hit["text"] for hit in self._embeddings.search(question, LISTED)]


class Chroma(Peer):
    """A default collection (HNSW) of a persistent client."""

    distribution = "chromadb"
    modules = ("chromadb",)

    def __init__(self, model: Path, folder: Path) -> None:
        import chromadb
        from chromadb.utils.embedding_functions import SentenceTransformerEmbeddingFunction

        # Its default function is the same model, downloaded and padded to 256 tokens: slower, so not this.
        self._function: Any = SentenceTransformerEmbeddingFunction(model_name=str(model))
        self._client = chromadb.PersistentClient(str(folder), chromadb.Settings(anonymized_telemetry=False))
        self._collection: Any = None

    def store(self, passages: Iterable[PeerPassage]) -> None:
        collection: Any = self._client.create_collection("passages", embedding_function=self._function)
        size, first, rest = self._client.get_max_batch_size(), 0, iter(passages)
        while batch := list(islice(rest, size)):
            vectors = [vector for _, vector in batch if vector is not None]
            collection.add(
                ids=[str(first + number) for number in range(len(batch))],
                documents=[text for text, _ in batch],
                embeddings=vectors or None,
            )
            first += len(batch)

    def open(self) -> None:
        self._collection = self._client.get_collection("passages", embedding_function=self._function)

    def search(self, question: str) -> Sequence[str]:
        texts: Sequence[str] = self._collection.query(query_texts=[question], n_results=LISTED)["documents"][0]
        return texts


def _listed(vector: NDArray[np.float32] | None) -> list[float] | None:
    return None if vector is None else vector.tolist()


PEERS: Mapping[str, type[Peer]] = {"llamaindex": LlamaIndex, "haystack": Haystack, "txtai": Txtai, "chroma": Chroma}


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
    """The libraries of these peers with their versions, for a note."""
    distributions = (PEERS[name].distribution for name in names)
    return ", ".join(f"{one} {version(one)}" for one in distributions)
