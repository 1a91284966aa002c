"""The libraries as their documentation uses them: each cuts, embeds, keeps and searches passages on the disk."""

import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from importlib.metadata import version
from importlib.util import find_spec
from itertools import chain, islice
from pathlib import Path
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from corpus.errors import UsageError
from evals.lab.peers.splitting import split_text

LISTED = 10
"""How many passages a peer returns for a question, as relnotes does."""
_QUIET = {
    "ANONYMIZED_TELEMETRY": "False",
    "HAYSTACK_TELEMETRY_ENABLED": "False",
    "HF_HUB_OFFLINE": "1",
    "TOKENIZERS_PARALLELISM": "false",
}


@dataclass(frozen=True, slots=True)
class SourceText:
    """A document as a peer gets it: the path that citations show, and the text that relnotes indexed too."""

    path: str
    text: str


@dataclass(frozen=True, slots=True)
class PeerPassage:
    """A passage of a peer. `start` is its offset in the document where the library keeps one."""

    path: str
    text: str
    start: int | None = None
    vector: NDArray[np.float32] | None = None

    @classmethod
    def at(cls, place: Mapping[str, Any], text: str) -> "PeerPassage":
        """One that a library gives back, with the `place` that it was given."""
        return cls(place.get("path", ""), text, place.get("start"))

    @property
    def place(self) -> dict[str, str | int]:
        """Path and offset, where they are known, for a library to keep."""
        start = {} if self.start is None else {"start": self.start}
        return {"path": self.path, **start} if self.path else {}


class Peer(Protocol):
    """A library with its model and a store on the disk."""

    def split(self, sources: Sequence[SourceText]) -> Sequence[PeerPassage]:
        """Cut documents by the library's own splitter, where it has one."""
        ...

    def store(self, passages: Iterable[PeerPassage]) -> None:
        """Embed passages that have no vector, index all, and write what `open` reads."""
        ...

    def open(self) -> None:
        """Read the store, so that questions can be asked."""
        ...

    def search(self, question: str) -> tuple[PeerPassage, ...]:
        """The best `LISTED` passages, best first; fewer where there are no more."""
        ...


class LlamaIndex:
    """`VectorStoreIndex` over its simple store, persisted; hybrid with `BM25Retriever`, fused by reciprocal rank."""

    def __init__(self, model: Path, folder: Path, *, hybrid: bool) -> None:
        from llama_index.embeddings.huggingface import HuggingFaceEmbedding

        self._folder = str(folder)
        self._hybrid = hybrid
        self._embedding = HuggingFaceEmbedding(model_name=str(model), device="cpu")
        self._retriever: Any = None

    def split(self, sources: Sequence[SourceText]) -> Sequence[PeerPassage]:
        """See `Peer.split`."""
        from llama_index.core import Document
        from llama_index.core.node_parser import SentenceSplitter

        # The default of 1,024 tokens is four times what the model reads.
        splitter = SentenceSplitter(chunk_size=256, chunk_overlap=20)
        documents = [Document(text=source.text, metadata={"path": source.path}) for source in sources]
        nodes: Sequence[Any] = splitter.get_nodes_from_documents(documents)
        return [PeerPassage(node.metadata["path"], node.text, node.start_char_idx) for node in nodes]

    def store(self, passages: Iterable[PeerPassage]) -> None:
        """See `Peer.store`."""
        from llama_index.core import VectorStoreIndex
        from llama_index.core.schema import TextNode

        nodes = [
            TextNode(
                text=passage.text,
                metadata=passage.place,
                excluded_embed_metadata_keys=["path", "start"],
                embedding=None if passage.vector is None else passage.vector.tolist(),
            )
            for passage in passages
        ]
        VectorStoreIndex(nodes=nodes, embed_model=self._embedding).storage_context.persist(self._folder)

    def open(self) -> None:
        """See `Peer.open`."""
        from llama_index.core import StorageContext, load_index_from_storage

        context = StorageContext.from_defaults(persist_dir=self._folder)
        index: Any = load_index_from_storage(context, embed_model=self._embedding)
        self._retriever = index.as_retriever(similarity_top_k=LISTED)
        if self._hybrid:
            from llama_index.core.llms import MockLLM
            from llama_index.core.retrievers import QueryFusionRetriever
            from llama_index.retrievers.bm25 import BM25Retriever

            lexical = BM25Retriever.from_defaults(docstore=index.docstore, similarity_top_k=LISTED)
            # One query, so that the language model is never called; without one the class looks for OpenAI.
            self._retriever = QueryFusionRetriever(
                [self._retriever, lexical],
                llm=MockLLM(),
                mode="reciprocal_rerank",
                num_queries=1,
                similarity_top_k=LISTED,
                use_async=False,
            )

    def search(self, question: str) -> tuple[PeerPassage, ...]:
        """See `Peer.search`."""
        nodes = (found.node for found in self._retriever.retrieve(question))
        return tuple(PeerPassage.at(node.metadata, node.text) for node in nodes)


class Haystack:
    """The in-memory store, saved, with its retriever by embedding; hybrid with BM25, joined by reciprocal rank."""

    def __init__(self, model: Path, folder: Path, *, hybrid: bool) -> None:
        self._model = str(model)
        self._file = str(folder / "store.json")
        self._hybrid = hybrid
        self._embedder: Any = None
        self._dense: Any = None
        self._lexical: Any = None

    def split(self, sources: Sequence[SourceText]) -> Sequence[PeerPassage]:
        """See `Peer.split`."""
        from haystack import Document
        from haystack.components.preprocessors import DocumentSplitter

        documents = [Document(content=source.text, meta={"path": source.path}) for source in sources]
        pieces = DocumentSplitter().run(documents=documents)["documents"]
        return [PeerPassage(piece.meta["path"], piece.content, piece.meta.get("split_idx_start")) for piece in pieces]

    def store(self, passages: Iterable[PeerPassage]) -> None:
        """See `Peer.store`."""
        from haystack import Document
        from haystack.document_stores.in_memory import InMemoryDocumentStore
        from haystack_integrations.components.embedders.sentence_transformers import (
            SentenceTransformersDocumentEmbedder,
        )

        # A document's id is made of its content and meta, and the store keeps one of each id.
        documents = [
            Document(
                content=passage.text,
                meta={**passage.place, "number": number},
                embedding=None if passage.vector is None else passage.vector.tolist(),
            )
            for number, passage in enumerate(passages)
        ]
        if any(document.embedding is None for document in documents):
            embedder = SentenceTransformersDocumentEmbedder(model=self._model, progress_bar=False)
            embedder.warm_up()
            documents = embedder.run(documents=documents)["documents"]
        store = InMemoryDocumentStore()
        store.write_documents(documents)
        store.save_to_disk(self._file)

    def open(self) -> None:
        """See `Peer.open`."""
        from haystack.components.retrievers.in_memory import InMemoryBM25Retriever, InMemoryEmbeddingRetriever
        from haystack.document_stores.in_memory import InMemoryDocumentStore
        from haystack_integrations.components.embedders.sentence_transformers import SentenceTransformersTextEmbedder

        self._embedder = SentenceTransformersTextEmbedder(model=self._model, progress_bar=False)
        self._embedder.warm_up()
        store = InMemoryDocumentStore.load_from_disk(self._file)
        self._dense = InMemoryEmbeddingRetriever(store, top_k=LISTED)
        self._lexical = InMemoryBM25Retriever(store, top_k=LISTED) if self._hybrid else None

    def search(self, question: str) -> tuple[PeerPassage, ...]:
        """See `Peer.search`."""
        vector = self._embedder.run(text=question)["embedding"]
        found = self._dense.run(query_embedding=vector)["documents"]
        if self._lexical:
            from haystack.components.joiners import DocumentJoiner

            legs = [self._lexical.run(query=question)["documents"], found]
            found = DocumentJoiner(join_mode="reciprocal_rank_fusion").run(documents=legs, top_k=LISTED)["documents"]
        return tuple(PeerPassage.at(hit.meta, hit.content) for hit in found)


class _CutByUs:
    """For libraries that bring no splitter."""

    def split(self, sources: Sequence[SourceText]) -> Sequence[PeerPassage]:
        """Pieces of at most 512 characters, as recursive splitters of tutorials cut them."""
        spans = ((source, span) for source in sources for span in split_text(source.text))
        pieces = (PeerPassage(source.path, span.slice(source.text), span.start) for source, span in spans)
        return [piece for piece in pieces if piece.text.strip()]


class Txtai(_CutByUs):
    """`Embeddings` with content, saved: an IVF index of FAISS from 5,000 passages on; hybrid with its own BM25."""

    def __init__(self, model: Path, folder: Path, *, hybrid: bool) -> None:
        self._model, self._folder = str(model), str(folder)
        self._hybrid = hybrid
        self._embeddings: Any = None
        self._places: dict[int, Mapping[str, Any]] = {}
        """Of the passages that this process stored: it keeps no offsets itself."""

    def store(self, passages: Iterable[PeerPassage]) -> None:
        """See `Peer.store`."""
        from txtai import Embeddings

        given: list[NDArray[np.float32]] = []
        taken = 0

        def rows() -> Iterator[tuple[int, str, None]]:
            for number, passage in enumerate(passages):
                given.extend([] if passage.vector is None else [passage.vector])
                self._places[number] = passage.place
                yield number, passage.text, None

        # It asks for the vectors of its texts in their order.
        def transform(batch: Sequence[str]) -> NDArray[np.float32]:
            nonlocal taken
            taken += len(batch)
            return np.array(given[taken - len(batch) : taken])

        documents = rows()
        first = list(islice(documents, 1))
        own = {"method": "external", "transform": transform} if given else {"path": self._model}
        embeddings = Embeddings(**own, hybrid=self._hybrid, content=True)
        embeddings.index(chain(first, documents))
        embeddings.save(self._folder)

    def open(self) -> None:
        """See `Peer.open`."""
        from txtai import Embeddings

        self._embeddings = Embeddings()
        self._embeddings.load(self._folder, config={"path": self._model, "method": None, "transform": None})

    def search(self, question: str) -> tuple[PeerPassage, ...]:
        """See `Peer.search`."""
        found = self._embeddings.search(question, LISTED)
        return tuple(PeerPassage.at(self._places.get(int(hit["id"]), {}), hit["text"]) for hit in found)


class Chroma(_CutByUs):
    """A default collection (HNSW) of a persistent client, which knows no hybrid search."""

    def __init__(self, model: Path, folder: Path, *, hybrid: bool) -> None:  # noqa: ARG002
        import chromadb
        from chromadb.utils.embedding_functions import SentenceTransformerEmbeddingFunction

        # Its default function is the same model, downloaded and padded to 256 tokens: slower, so not this.
        self._function: Any = SentenceTransformerEmbeddingFunction(model_name=str(model))
        self._client = chromadb.PersistentClient(str(folder), chromadb.Settings(anonymized_telemetry=False))
        self._collection: Any = None

    def store(self, passages: Iterable[PeerPassage]) -> None:
        """See `Peer.store`."""
        collection: Any = self._client.create_collection("passages", embedding_function=self._function)
        size, first, rest = self._client.get_max_batch_size(), 0, iter(passages)
        while batch := list(islice(rest, size)):
            vectors = [one.vector for one in batch if one.vector is not None]
            collection.add(
                ids=[str(first + number) for number in range(len(batch))],
                documents=[one.text for one in batch],
                metadatas=[one.place for one in batch] if batch[0].path else None,
                embeddings=vectors or None,
            )
            first += len(batch)

    def open(self) -> None:
        """See `Peer.open`."""
        self._collection = self._client.get_collection("passages", embedding_function=self._function)

    def search(self, question: str) -> tuple[PeerPassage, ...]:
        """See `Peer.search`."""
        found = self._collection.query(query_texts=[question], n_results=LISTED)
        places = found["metadatas"][0]
        return tuple(
            PeerPassage.at(place or {}, text) for place, text in zip(places, found["documents"][0], strict=True)
        )


class PeerFactory(Protocol):
    """Makes a peer of a folder for its store, from the model's folder."""

    def __call__(self, model: Path, folder: Path, *, hybrid: bool) -> Peer: ...


PEERS: Mapping[str, PeerFactory] = {"llamaindex": LlamaIndex, "haystack": Haystack, "txtai": Txtai, "chroma": Chroma}
LIBRARIES = {
    "llamaindex": ("llama-index-core", ("llama_index.core", "llama_index.embeddings.huggingface")),
    "haystack": ("haystack-ai", ("haystack", "haystack_integrations.components.embedders.sentence_transformers")),
    "txtai": ("txtai", ("txtai",)),
    "chroma": ("chromadb", ("chromadb",)),
}
"""The distribution of each, and what of it is imported before a clock starts."""


def open_peers(names: Iterable[str]) -> Mapping[str, PeerFactory]:
    """Those of these names, with telemetry and downloads off.

    Raises:
        UsageError: a library isn't installed.
    """
    os.environ.update(_QUIET)
    found = {name: factory for name, factory in PEERS.items() if name in names}
    absent = [name for name in found if find_spec(LIBRARIES[name][1][0].partition(".")[0]) is None]
    if absent:
        raise UsageError(
            f"Cannot run {', '.join(absent)}: not installed for this Python. Install the peers with "
            "`pip install '.[peers]'`, best into an environment of their own, and run this with its Python."
        )
    return found


def versions(names: Iterable[str]) -> str:
    """The libraries of these peers with their versions, for a note."""
    return ", ".join(f"{LIBRARIES[name][0]} {version(LIBRARIES[name][0])}" for name in names)
