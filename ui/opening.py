"""The assistant as the settings want it: its index, its embedding model, its caches."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from ui.settings import IndexSettings

if TYPE_CHECKING:
    from corpus.embedding import Embedder
    from retrieval.assistant import Assistant
    from retrieval.rerank import Reranker


def open_document_embedder(settings: IndexSettings) -> "Embedder":
    """Open the embedding model of `settings` for documents: what was embedded before comes from the cache.

    Raises:
        ModelError: the model is missing, altered or can't be loaded.
    """
    from corpus.embedding import CachedEmbedder, VectorCache

    return CachedEmbedder(open_question_embedder(settings), VectorCache(settings.cache_dir))


def open_question_embedder(settings: IndexSettings) -> "Embedder":
    """Open the embedding model of `settings` for questions, of which nothing is kept on disk.

    Raises:
        ModelError: the model is missing, altered or can't be loaded.
    """
    from corpus.embedding import open_embedder

    return open_embedder(settings.model, cache_dir=settings.cache_dir)


def open_reranker(settings: IndexSettings) -> "Reranker | None":
    """Open the reranker of `settings`; None where they name none.

    Raises:
        ModelError: the model is missing, unfit or can't be loaded.
    """
    if settings.reranker is None:
        return None
    from retrieval.rerank import CrossEncoderReranker

    return CrossEncoderReranker(settings.reranker)


@contextmanager
def open_assistant(settings: IndexSettings) -> Iterator["Assistant"]:
    """Open the assistant over the index of `settings`; closed at the end of the block.

    Raises:
        IndexUnavailable: there is no index, or it can't be served with this model.
        ModelError: the model is missing, altered or can't be loaded.
    """
    from retrieval.assistant import Assistant

    assistant = Assistant.open(
        settings.index, embedder=open_question_embedder(settings), reranker=open_reranker(settings)
    )
    try:
        yield assistant
    finally:
        assistant.close()
