"""Haystack: BM25 and embedding retrieval over its in-memory store, joined by reciprocal rank."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from haystack import Document
from haystack.components.joiners import DocumentJoiner
from haystack.components.preprocessors import DocumentSplitter
from haystack.components.retrievers.in_memory import InMemoryBM25Retriever, InMemoryEmbeddingRetriever
from haystack.document_stores.in_memory import InMemoryDocumentStore

from corpus.embedding import Embedder
from evals.lab.peers.protocol import LISTED, Found, SourceText


class HybridHaystack:
    """See `Peer`. Components are called one after the other, without a pipeline's overhead."""

    def __init__(self, embedder: Embedder) -> None:
        self._embedder = embedder
        self._store = InMemoryDocumentStore(shared=False, return_embedding=False)
        self._lexical = InMemoryBM25Retriever(self._store)
        self._dense = InMemoryEmbeddingRetriever(self._store)
        self._joiner = DocumentJoiner(join_mode="reciprocal_rank_fusion")

    def ingest(self, sources: Sequence[SourceText]) -> None:
        """See `Peer.ingest`."""
        documents = [Document(content=source.text, meta={"file_path": source.path}) for source in sources]
        passages: list[Any] = DocumentSplitter().run(documents=documents)["documents"]
        vectors = self._embedder.embed([passage.content for passage in passages])
        self._store.write_documents(
            [replace(passage, embedding=vector.tolist()) for passage, vector in zip(passages, vectors, strict=True)]
        )

    def search(self, question: str) -> tuple[Found, ...]:
        """See `Peer.search`."""
        (vector,) = self._embedder.embed([question])
        legs = [
            self._lexical.run(query=question, top_k=LISTED)["documents"],
            self._dense.run(query_embedding=vector.tolist(), top_k=LISTED)["documents"],
        ]
        joined = self._joiner.run(documents=legs, top_k=LISTED)["documents"]
        return tuple(
            Found(found.meta["file_path"], found.content, found.meta.get("split_idx_start")) for found in joined
        )
