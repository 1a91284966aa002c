"""LlamaIndex: the five-line vector index of its documentation, and a hybrid with passages that the model can read."""

from collections.abc import Sequence
from typing import Any

from llama_index.core import Document, VectorStoreIndex
from llama_index.core.embeddings import BaseEmbedding
from llama_index.core.llms import MockLLM
from llama_index.core.node_parser import SentenceSplitter
from llama_index.core.retrievers import QueryFusionRetriever
from llama_index.retrievers.bm25 import BM25Retriever
from pydantic import PrivateAttr

from corpus.embedding import Embedder
from evals.lab.peers.protocol import LISTED, Found, SourceText

_BATCH = 1024
"""Larger than the default, which would starve our runtime."""


class _Embedding(BaseEmbedding):  # type: ignore[misc]
    """Our runtime of the model."""

    _embedder: Embedder = PrivateAttr()

    def __init__(self, embedder: Embedder) -> None:
        super().__init__(model_name=embedder.model_id, embed_batch_size=_BATCH)
        self._embedder = embedder

    def _get_text_embeddings(self, texts: list[str]) -> list[list[float]]:
        vectors: list[list[float]] = self._embedder.embed(texts).tolist()
        return vectors

    def _get_text_embedding(self, text: str) -> list[float]:
        return self._get_text_embeddings([text])[0]

    def _get_query_embedding(self, query: str) -> list[float]:
        return self._get_text_embeddings([query])[0]

    async def _aget_query_embedding(self, query: str) -> list[float]:
        return self._get_query_embedding(query)


class DenseLlamaIndex:
    """See `Peer`."""

    def __init__(self, embedder: Embedder) -> None:
        self._embedding = _Embedding(embedder)
        self._retriever: Any = None

    def ingest(self, sources: Sequence[SourceText]) -> None:
        """See `Peer.ingest`."""
        documents = [Document(text=source.text, metadata={"file_path": source.path}) for source in sources]
        index = VectorStoreIndex.from_documents(
            documents, embed_model=self._embedding, transformations=[self._splitter()]
        )
        self._retriever = self._retrieve_from(index)

    def search(self, question: str) -> tuple[Found, ...]:
        """See `Peer.search`."""
        nodes = (found.node for found in self._retriever.retrieve(question))
        return tuple(Found(node.metadata["file_path"], node.text, node.start_char_idx) for node in nodes)

    def _splitter(self) -> Any:
        return SentenceSplitter()

    def _retrieve_from(self, index: Any) -> Any:
        return index.as_retriever(similarity_top_k=LISTED)


class HybridLlamaIndex(DenseLlamaIndex):
    """See `Peer`. The default passages have 1,024 tokens, of which the model reads the first 256."""

    def _splitter(self) -> Any:
        return SentenceSplitter(chunk_size=256, chunk_overlap=20)

    def _retrieve_from(self, index: Any) -> Any:
        legs = [
            super()._retrieve_from(index),
            BM25Retriever.from_defaults(docstore=index.docstore, similarity_top_k=LISTED),
        ]
        # One query, so that the language model is never called; without one the class looks for OpenAI.
        return QueryFusionRetriever(
            legs, llm=MockLLM(), mode="reciprocal_rerank", num_queries=1, similarity_top_k=LISTED, use_async=False
        )
