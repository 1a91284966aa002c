"""One peer's whole ingest in a process of its own, as that library's documentation does it.

Each brings its own runtime of the model (all of them sentence-transformers on torch), its default batches and its
own store, kept on the disk. `evals.lab.bench.ingest_peers` starts this; the answer is one line of JSON.

    python -m evals.lab.bench.peer_ingests NAME --texts TEXTS.jsonl [--split] --store DIR --embedded EMBEDDED.jsonl
"""

import argparse
import json
import os
import sys
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Protocol

from corpus.embedding.default_model import default_model_folder
from evals.command import run_command
from evals.lab.peers.splitting import split_text

_QUIET = {"ANONYMIZED_TELEMETRY": "False", "HAYSTACK_TELEMETRY_ENABLED": "False", "HF_HUB_OFFLINE": "1"}


class PeerIngest(Protocol):
    """A library with its model loaded. A passage is whatever the library calls one."""

    def wrap(self, texts: Sequence[str]) -> Sequence[Any]:
        """Passages that hold these texts, one each."""
        ...

    def split(self, texts: Sequence[str]) -> Sequence[Any]:
        """Passages of these documents, cut by the library's own splitter where it has one."""
        ...

    def store(self, passages: Sequence[Any]) -> None:
        """Embed and index the passages, and write the index to the disk."""
        ...

    def embedded_text(self, passage: Any) -> str:
        """What of a passage went into the model."""
        ...


class LlamaIndexIngest:
    """`VectorStoreIndex` over nodes, persisted by its storage context."""

    def __init__(self, model: Path, folder: Path) -> None:
        from llama_index.embeddings.huggingface import HuggingFaceEmbedding

        self._folder = folder
        self._embedding = HuggingFaceEmbedding(model_name=str(model), device="cpu")

    def wrap(self, texts: Sequence[str]) -> Sequence[Any]:
        from llama_index.core.schema import TextNode

        return [TextNode(text=text) for text in texts]

    def split(self, texts: Sequence[str]) -> Sequence[Any]:
        from llama_index.core import Document
        from llama_index.core.node_parser import SentenceSplitter

        # The default of 1,024 tokens is four times what the model reads.
        splitter = SentenceSplitter(chunk_size=256, chunk_overlap=20)
        nodes: Sequence[Any] = splitter.get_nodes_from_documents([Document(text=text) for text in texts])
        return nodes

    def store(self, passages: Sequence[Any]) -> None:
        from llama_index.core import VectorStoreIndex

        index = VectorStoreIndex(nodes=list(passages), embed_model=self._embedding)
        index.storage_context.persist(str(self._folder))

    def embedded_text(self, passage: Any) -> str:
        from llama_index.core.schema import MetadataMode

        return str(passage.get_content(metadata_mode=MetadataMode.EMBED))


class HaystackIngest:
    """Splitter, embedder and writer over the in-memory store, which is then saved."""

    def __init__(self, model: Path, folder: Path) -> None:
        from haystack.document_stores.in_memory import InMemoryDocumentStore
        from haystack_integrations.components.embedders.sentence_transformers import (
            SentenceTransformersDocumentEmbedder,
        )

        self._file = folder / "store.json"
        self._store = InMemoryDocumentStore()
        self._embedder = SentenceTransformersDocumentEmbedder(model=str(model), progress_bar=False)
        self._embedder.warm_up()

    def wrap(self, texts: Sequence[str]) -> Sequence[Any]:
        from haystack import Document

        # A document's id is made of its content, and the store keeps one of each id.
        return [Document(content=text, meta={"number": number}) for number, text in enumerate(texts)]

    def split(self, texts: Sequence[str]) -> Sequence[Any]:
        from haystack.components.preprocessors import DocumentSplitter

        passages: Sequence[Any] = DocumentSplitter().run(documents=self.wrap(texts))["documents"]
        return passages

    def store(self, passages: Sequence[Any]) -> None:
        from haystack.components.writers import DocumentWriter

        embedded = self._embedder.run(documents=list(passages))["documents"]
        DocumentWriter(document_store=self._store).run(documents=embedded)
        self._store.save_to_disk(str(self._file))

    def embedded_text(self, passage: Any) -> str:
        return str(passage.content)


class _PlainPassages:
    """For libraries whose passages are strings."""

    def wrap(self, texts: Sequence[str]) -> Sequence[str]:
        return texts

    def split(self, texts: Sequence[str]) -> Sequence[str]:
        pieces = (span.slice(text) for text in texts for span in split_text(text))
        return [piece for piece in pieces if piece.strip()]

    def embedded_text(self, passage: str) -> str:
        return passage


class TxtaiIngest(_PlainPassages):
    """One hybrid index with content, saved."""

    def __init__(self, model: Path, folder: Path) -> None:
        from txtai import Embeddings

        self._folder = folder
        self._embeddings = Embeddings(path=str(model), hybrid=True, content=True)

    def store(self, passages: Sequence[str]) -> None:
        self._embeddings.index((number, text, None) for number, text in enumerate(passages))
        self._embeddings.save(str(self._folder))


class ChromaIngest(_PlainPassages):
    """A default collection of a persistent client, added to in batches of the size it allows."""

    def __init__(self, model: Path, folder: Path) -> None:
        import chromadb
        from chromadb.utils.embedding_functions import SentenceTransformerEmbeddingFunction

        self._client = chromadb.PersistentClient(str(folder), chromadb.Settings(anonymized_telemetry=False))
        # Its default function is the same model, downloaded and padded to 256 tokens: slower, so not this.
        function: Any = SentenceTransformerEmbeddingFunction(model_name=str(model))
        self._collection = self._client.create_collection("passages", embedding_function=function)

    def store(self, passages: Sequence[str]) -> None:
        size = self._client.get_max_batch_size()
        for first in range(0, len(passages), size):
            batch = list(passages[first : first + size])
            self._collection.add(ids=[str(first + number) for number in range(len(batch))], documents=batch)


INGESTS: Mapping[str, Callable[[Path, Path], PeerIngest]] = {
    "llamaindex": LlamaIndexIngest,
    "haystack": HaystackIngest,
    "txtai": TxtaiIngest,
    "chroma": ChromaIngest,
}


def read_texts(path: Path) -> Iterator[str]:
    """Texts of a JSON-lines file, one string a line, in order."""
    with path.open(encoding="utf-8") as lines:
        for line in lines:
            yield json.loads(line)


def write_texts(path: Path, texts: Iterable[str]) -> None:
    """Write what `read_texts` reads."""
    with path.open("w", encoding="utf-8") as file:
        file.writelines(json.dumps(text) + "\n" for text in texts)


def main() -> int:
    """Ingest, then tell the seconds it took, without those of importing the library and loading the model."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0] if __doc__ else None)
    parser.add_argument("name", choices=list(INGESTS))
    parser.add_argument("--texts", type=Path, required=True, help="passages, or with --split documents")
    parser.add_argument("--split", action="store_true", help="cut the texts by the library's own splitter")
    parser.add_argument("--store", type=Path, required=True, help="a folder for the library's index")
    parser.add_argument("--embedded", type=Path, required=True, help="where the embedded texts are told")
    options = parser.parse_args()
    os.environ.update(_QUIET)
    peer = INGESTS[options.name](default_model_folder(), options.store)
    started = time.perf_counter()
    texts = list(read_texts(options.texts))
    passages = peer.split(texts) if options.split else peer.wrap(texts)
    peer.store(passages)
    seconds = time.perf_counter() - started
    write_texts(options.embedded, (peer.embedded_text(passage) for passage in passages))
    sys.stdout.write(json.dumps({"seconds": seconds, "passages": len(passages)}) + "\n")
    return 0


if __name__ == "__main__":
    run_command(main)
