"""txtai: one hybrid index, dense and BM25, with content stored."""

from collections.abc import Sequence
from typing import Any

from txtai import Embeddings

from corpus.embedding import Embedder
from evals.lab.peers.protocol import LISTED, Found, SourceText
from evals.lab.peers.splitting import split_text


class HybridTxtai:
    """See `Peer`."""

    def __init__(self, embedder: Embedder) -> None:
        # txtai takes a plain function only.
        def transform(texts: list[str]) -> Any:
            return embedder.embed(texts)

        self._embeddings = Embeddings(method="external", transform=transform, hybrid=True, content=True)
        self._passages: list[Found] = []

    def ingest(self, sources: Sequence[SourceText]) -> None:
        """See `Peer.ingest`."""
        self._passages = [
            Found(source.path, span.slice(source.text), span.start)
            for source in sources
            for span in split_text(source.text)
            if span.slice(source.text).strip()
        ]
        self._embeddings.index((number, found.text, None) for number, found in enumerate(self._passages))

    def search(self, question: str) -> tuple[Found, ...]:
        """See `Peer.search`."""
        return tuple(self._passages[int(result["id"])] for result in self._embeddings.search(question, LISTED))
