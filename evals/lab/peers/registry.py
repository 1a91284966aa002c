"""The peers by name, and how to get one: its library is imported only then, with telemetry and downloads off."""

import os
from collections.abc import Callable
from dataclasses import dataclass
from importlib import import_module
from importlib.metadata import version

from corpus.embedding import Embedder
from corpus.errors import UsageError
from evals.lab.peers.protocol import Peer


@dataclass(frozen=True, slots=True)
class PeerEntry:
    """A peer: its adapter (`module`, `factory`), the distribution it comes from, and its shape in words."""

    name: str
    module: str
    factory: str
    distribution: str
    shape: str


PEERS = (
    PeerEntry(
        "llamaindex", "llamaindex", "DenseLlamaIndex", "llama-index-core",
        "`VectorStoreIndex` with the default `SentenceSplitter` (1,024 tokens, 200 overlap), file path in the "
        "embedded text",
    ),
    PeerEntry(
        "llamaindex-hybrid", "llamaindex", "HybridLlamaIndex", "llama-index-core",
        "passages of 256 tokens, which the model reads whole, and `BM25Retriever` fused in by `QueryFusionRetriever` "
        "(reciprocal rank, no generated queries)",
    ),
    PeerEntry(
        "haystack", "haystack", "HybridHaystack", "haystack-ai",
        "`InMemoryDocumentStore`, default `DocumentSplitter` (200 words), BM25 and embedding retrievers joined by "
        "reciprocal rank",
    ),
    PeerEntry(
        "txtai", "txtai", "HybridTxtai", "txtai",
        "`Embeddings(hybrid=True, content=True)` over 512-character passages",
    ),
    PeerEntry(
        "chroma", "chroma", "DenseChroma", "chromadb",
        "a default collection over 512-character passages",
    ),
)  # fmt: skip
PEER_NAMES = tuple(entry.name for entry in PEERS)

_QUIET = {
    "ANONYMIZED_TELEMETRY": "False",
    "HAYSTACK_TELEMETRY_ENABLED": "False",
    "HF_HUB_OFFLINE": "1",
    "TOKENIZERS_PARALLELISM": "false",
}


def load_peer(entry: PeerEntry) -> Callable[[Embedder], Peer]:
    """Import a peer's library and give what makes one for a set of documents.

    Raises:
        UsageError: the library isn't installed.
    """
    os.environ.update(_QUIET)
    try:
        module = import_module(f"evals.lab.peers.{entry.module}")
    except ModuleNotFoundError as error:
        raise UsageError(
            f"Cannot run the peer {entry.name!r}: the module {error.name!r} isn't installed. "
            "Install the peers with `pip install 'relnotes[peers]'`."
        ) from error
    factory: Callable[[Embedder], Peer] = getattr(module, entry.factory)
    return factory


def library(entry: PeerEntry) -> str:
    """The installed distribution of a peer with its version."""
    return f"{entry.distribution} {version(entry.distribution)}"
