"""Chroma: a default collection (HNSW), asked by text."""

import uuid
from collections.abc import Sequence
from typing import Any

import chromadb
from chromadb.api.types import EmbeddingFunction

from corpus.embedding import Embedder
from evals.lab.peers.protocol import LISTED, Found, SourceText
from evals.lab.peers.splitting import split_text


class _Function(EmbeddingFunction):  # type: ignore[misc]
    """Our runtime of the model that Chroma's own default function would download."""

    def __init__(self, embedder: Embedder) -> None:
        self._embedder = embedder

    def __call__(self, input: list[str]) -> list[Any]:  # noqa: A002 - Chroma checks this name
        return list(self._embedder.embed(input))

    @staticmethod
    def name() -> str:
        return "relnotes-peers"

    def get_config(self) -> dict[str, Any]:
        return {}

    @staticmethod
    def build_from_config(config: dict[str, Any]) -> "_Function":
        raise NotImplementedError(f"Collections of this run aren't stored, so none is opened from {config!r}.")


class DenseChroma:
    """See `Peer`."""

    def __init__(self, embedder: Embedder) -> None:
        self._client = chromadb.EphemeralClient(chromadb.Settings(anonymized_telemetry=False))
        # Clients of one process share their collections.
        self._collection = self._client.create_collection(uuid.uuid4().hex, embedding_function=_Function(embedder))

    def ingest(self, sources: Sequence[SourceText]) -> None:
        """See `Peer.ingest`."""
        passages = [(source.path, span.start, span.slice(source.text)) for source in sources
                    for span in split_text(source.text)]  # fmt: skip
        size = self._client.get_max_batch_size()
        for first in range(0, len(passages), size):
            batch = passages[first : first + size]
            self._collection.add(
                ids=[str(number) for number in range(first, first + len(batch))],
                documents=[text for _, _, text in batch],
                metadatas=[{"path": path, "start": start} for path, start, _ in batch],
            )

    def search(self, question: str) -> tuple[Found, ...]:
        """See `Peer.search`."""
        answer = self._collection.query(query_texts=[question], n_results=LISTED)
        return tuple(
            Found(details["path"], text, details["start"])
            for text, details in zip(answer["documents"][0], answer["metadatas"][0], strict=True)
        )
