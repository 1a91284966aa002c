"""Embedding texts as vectors: the `Embedder` protocol and its runtimes.

Importing this package loads no model library: the functions that open a model import the runtime that they need.
"""

from corpus.embedding.opening import Runtime, open_bulk_embedder, open_embedder
from corpus.embedding.protocol import Embedder

__all__ = ["Embedder", "Runtime", "open_bulk_embedder", "open_embedder"]
