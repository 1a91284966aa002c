"""Documents encoded where the ingest runs."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from corpus.embedding import Embedder
from corpus.errors import SourceError
from corpus.index_commit import EncodedDocument
from corpus.model import ParsedDocument
from ingest.encoding import ChangedSource, EncodedSources
from ingest.enrichment import embedded_text, lexical_tokens
from ingest.failures import DocumentKey
from ingest.parsing import parse_document
from ingest.report import IngestProgress
from ingest.sources import FailedSource

_EMBED_BATCH = 4096


class OneProcess:
    """Parses one document after the other, then embeds all their items."""

    def encode(
        self,
        changed: Iterable[ChangedSource],
        *,
        index: Path,  # noqa: ARG002 - nothing is kept on disk here
        embedder: Embedder,
        progress: IngestProgress,
    ) -> EncodedSources:
        """See `Encoding.encode`."""
        parsed: list[ParsedDocument] = []
        keys: list[DocumentKey] = []
        failures: dict[DocumentKey, FailedSource] = {}
        for one in changed:
            try:
                parsed.append(parse_document(one, embed=embedder.embed))
            except SourceError as error:
                failures[one.key] = FailedSource(one.source.name, str(error))
            else:
                keys.append(one.key)
        progress.phase("Embedding", sum(len(passage.items) for one in parsed for passage in one.passages))
        vectors = embed_items(parsed, embedder=embedder, advance=progress.advance)
        return EncodedSources(tuple(keys), failures, join_vectors(parsed, vectors))


def embed_items(
    documents: Sequence[ParsedDocument], *, embedder: Embedder, advance: Callable[[int], None] | None = None
) -> NDArray[np.float32]:
    """Embed every item of every document, rows in their order; `advance` hears how many more are done.

    Longest first over all documents: texts of like length fill a batch without padding, what takes most memory
    comes at once, and the time that is left is never told too short.
    """
    texts = [
        embedded_text(one.document.text, item)
        for one in documents
        for passage in one.passages
        for item in passage.items
    ]
    vectors = np.empty((len(texts), embedder.dimensions), dtype=np.float32)
    order = sorted(range(len(texts)), key=lambda row: len(texts[row]), reverse=True)
    for first in range(0, len(order), _EMBED_BATCH):
        rows = order[first : first + _EMBED_BATCH]
        vectors[rows] = embedder.embed([texts[row] for row in rows], progress=advance)
    return vectors


def join_vectors(documents: Sequence[ParsedDocument], vectors: NDArray[np.float32]) -> Iterator[EncodedDocument]:
    """Give each document its lexical tokens and its rows of `vectors`, one when it is asked for."""
    row = 0
    for one in documents:
        matrices = []
        for passage in one.passages:
            matrices.append(vectors[row : row + len(passage.items)])
            row += len(passage.items)
        tokens = tuple(lexical_tokens(one.document, one.releases[passage.release], passage) for passage in one.passages)
        yield EncodedDocument(parsed=one, tokens=tokens, vectors=tuple(matrices))
