"""Documents encoded where the ingest runs."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from corpus.acts import act_terms, read_act_terms
from corpus.embedding import Embedder
from corpus.errors import SourceError
from corpus.importance import importance_terms, read_importance
from corpus.index.commit import EncodedDocument
from corpus.model import ParsedDocument, Passage
from ingest.encoding import ChangedSource, EncodedSources
from ingest.parsing import parse_document
from ingest.passages.enrichment import lexical_tokens
from ingest.passages.item_embedding import ItemEmbedding
from ingest.report import IngestProgress
from ingest.sources.files import DocumentKey, FailedSource


class OneProcess:
    """Parses one document after the other, and meanwhile embeds the items of those before."""

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
        with ItemEmbedding(embedder) as embedding:
            for one in changed:
                try:
                    parsed.append(parse_document(one, embed=embedder.embed))
                except SourceError as error:
                    failures[one.key] = FailedSource(one.source.name, str(error))
                else:
                    keys.append(one.key)
                    embedding.add(parsed[-1])
            progress.phase("Embedding", embedding.items)
            vectors = embedding.finish(progress.advance)
        return EncodedSources(tuple(keys), failures, join_vectors(parsed, vectors, digest=embedder.digest))


def embed_items(documents: Sequence[ParsedDocument], *, embedder: Embedder) -> NDArray[np.float32]:
    """Embed every item of every document, rows in their order.

    Raises:
        ModelError: the model can't be used.
    """
    with ItemEmbedding(embedder) as embedding:
        for one in documents:
            embedding.add(one)
        return embedding.finish()


def join_vectors(
    documents: Sequence[ParsedDocument], vectors: NDArray[np.float32], *, digest: str
) -> Iterator[EncodedDocument]:
    """Give each document its lexical tokens, its rows of `vectors` and what its items were read as.

    One when it is asked for. `digest` is that of the model that embedded them.
    """
    row = 0
    for one in documents:
        matrices = []
        for passage in one.passages:
            matrices.append(vectors[row : row + len(passage.items)])
            row += len(passage.items)
        tokens = tuple(lexical_tokens(one.document, one.releases[passage.release], passage) for passage in one.passages)
        passages = tuple(
            _as_read(passage, one.document.text, matrix, digest=digest)
            for passage, matrix in zip(one.passages, matrices, strict=True)
        )
        yield EncodedDocument(parsed=replace(one, passages=passages), tokens=tokens, vectors=tuple(matrices))


def _as_read(passage: Passage, text: str, vectors: NDArray[np.float32], *, digest: str) -> Passage:
    terms = [act_terms(item.span.slice(text), passage.heading) for item in passage.items]
    acts = read_act_terms(terms, vectors, digest=digest)
    told = [
        importance_terms(words, passage.heading, passage.kind, number, act, sure)
        for number, (words, (act, sure)) in enumerate(zip(terms, acts, strict=True))
    ]
    importance = read_importance(told, vectors, digest=digest)
    items = (
        replace(item, act=act, certainty=sure, headline=one.headline, breaking=one.breaking)
        for item, (act, sure), one in zip(passage.items, acts, importance, strict=True)
    )
    return replace(passage, items=tuple(items))
