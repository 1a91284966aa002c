"""Embedding texts as vectors: the `Embedder` protocol, its runtimes, and the cache of vectors.

Importing this package loads no model library: the functions that open a model import the runtime that they need.
"""

from corpus.embedding.opening import Runtime, open_document_embedder, open_embedder
from corpus.embedding.protocol import Embedder
from corpus.embedding.vector_cache import CachedEmbedder, VectorCache

__all__ = ["CachedEmbedder", "Embedder", "Runtime", "VectorCache", "open_document_embedder", "open_embedder"]
