"""The seam between the story of an ingest and where its work is done: what changed goes in, encoded documents come out.

`ingest.one_process` encodes in this process, `ingest.cluster.encoder` on a Ray cluster.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from corpus.embedding import Embedder
from corpus.index.commit import EncodedDocument
from ingest.report import IngestProgress
from ingest.sources.files import DocumentKey, FailedSource, Source


@dataclass(frozen=True, slots=True)
class ChangedSource:
    """A document that is new to the index or differs from what it holds, with all that parsing needs."""

    source: Source
    content: bytes
    permalink: str | None
    """Its place in a source repository, pinned to a commit."""
    sha256: str
    """Hex digest of everything that the indexed form depends on."""

    @property
    def key(self) -> DocumentKey:
        """What the index knows it by."""
        return self.source.root, self.source.name


@dataclass(frozen=True, slots=True)
class EncodedSources:
    """What became of the documents that changed; each has either its key here or its failure."""

    keys: tuple[DocumentKey, ...]
    """Those that were encoded, in the order that they were given in."""
    failures: Mapping[DocumentKey, FailedSource]
    documents: Iterator[EncodedDocument]
    """One for each key, in their order, made or loaded when it is asked for; to be gone through once."""


class Encoding(Protocol):
    """Where and how documents are parsed and embedded."""

    def encode(
        self, changed: Iterable[ChangedSource], *, index: Path, embedder: Embedder, progress: IngestProgress
    ) -> EncodedSources:
        """Parse and embed documents with the model of `embedder`.

        `changed` reads the next document when it is asked for it, and has its own phase of `progress`. A document that
        can't be parsed is among the failures and stops no other. What is kept meanwhile lies in the folder `index`,
        whose write lock the caller holds.

        Raises:
            ModelError: the model can't be used.
        """
        ...
