"""Vectors of texts embedded before, stored across runs and shared by processes.

This is only a cache: a fault of its file costs time, but never changes a result. It stores hashes, not texts, and only
of documents; questions are never looked up or stored here.
"""

import hashlib
import logging
import sqlite3
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, suppress
from functools import lru_cache
from pathlib import Path
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from corpus.embedding.protocol import Computed, Embedder, embed_distinct

_FILE_NAME = "vectors.sqlite"
_WINDOW = 1024
"""Texts looked up (SQLite's limit is 32,766), or embedded and stored, at once: limits memory and what a kill loses."""
_LOCK_TIMEOUT_S = 30.0
_MAX_NORM_ERROR = 1e-3
_REMEMBERED = 16
_COMPANIONS = (".", ",")  # One is embedded beside a single text.
_SCHEMA = """CREATE TABLE IF NOT EXISTS vectors (
    model TEXT NOT NULL, text_sha256 BLOB NOT NULL, vector BLOB NOT NULL, PRIMARY KEY (model, text_sha256))"""

T = TypeVar("T")

logger = logging.getLogger(__name__)


class VectorCache:
    """A SQLite file of float32 vectors by (model digest, SHA-256 of the text). A faulty file raises no errors."""

    def __init__(self, cache_dir: Path) -> None:
        """Set the file's path; it is opened, and made, when first used."""
        self._path = cache_dir / _FILE_NAME
        self._is_told = False

    def load(self, digest: str, keys: Sequence[bytes], *, dimensions: int) -> tuple[NDArray[np.float32] | None, ...]:
        """Return for each key its vector, or None if the cache has no intact one."""
        marks = ",".join("?" * len(keys))
        sql = f"SELECT text_sha256, vector FROM vectors WHERE model = ? AND text_sha256 IN ({marks})"
        blobs: dict[bytes, bytes] = self._try(
            lambda connection: dict(connection.execute(sql, (digest, *keys))), otherwise={}
        )
        return tuple(_parse_vector(blobs.get(key), dimensions=dimensions) for key in keys)

    def store(self, digest: str, keys: Sequence[bytes], *, vectors: NDArray[np.float32]) -> None:
        """Store `vectors`, one row for each key, in one transaction; nothing if the file fails."""
        rows = [(digest, key, row.astype("<f4").tobytes()) for key, row in zip(keys, vectors, strict=True)]

        def insert(connection: sqlite3.Connection) -> None:
            with connection:
                connection.executemany("INSERT OR REPLACE INTO vectors VALUES (?, ?, ?)", rows)

        self._try(insert, otherwise=None)

    def _try(self, operation: Callable[[sqlite3.Connection], T], *, otherwise: T) -> T:
        """Return the result of `operation` on a new connection; if the file fails, log that once, delete it if it is
        damaged, and return `otherwise`."""
        try:
            self._path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            with closing(sqlite3.connect(self._path, timeout=_LOCK_TIMEOUT_S)) as connection:
                # Losing the last transaction only means embedding its texts again.
                connection.execute("PRAGMA synchronous = NORMAL")
                connection.execute(_SCHEMA)
                return operation(connection)
        except (sqlite3.Error, OSError) as error:
            code = getattr(error, "sqlite_errorcode", None)
            is_damaged = code is not None and code & 0xFF in (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB)
            # Another process may have made it anew just now; losing that only costs time.
            if is_damaged:
                with suppress(OSError):
                    self._path.unlink(missing_ok=True)
            if not self._is_told:
                self._is_told = True
                fate = " It is built anew." if is_damaged else ""
                logger.warning("Working without the vector cache %s: %s.%s", self._path, error, fate)
            return otherwise


class CachedEmbedder:
    """An embedder that looks texts up in the cache first. Only for documents: questions aren't stored on disk."""

    def __init__(self, embedder: Embedder, cache: VectorCache) -> None:
        self._embedder = embedder
        self._cache = cache
        self.model_id, self.digest, self.dimensions = embedder.model_id, embedder.digest, embedder.dimensions

    def embed(self, texts: Sequence[str], *, progress: Callable[[int], None] | None = None) -> NDArray[np.float32]:
        """See `Embedder.embed`; only texts that the cache lacks are computed.

        Raises:
            ModelError: the wrapped embedder does.
        """

        def compute(distinct: Sequence[str]) -> Iterator[Computed]:
            keys = [hashlib.sha256(text.encode("utf-8", "surrogatepass")).digest() for text in distinct]
            missing: list[int] = []
            for first in range(0, len(keys), _WINDOW):
                loaded = self._cache.load(self.digest, keys[first : first + _WINDOW], dimensions=self.dimensions)
                cached = {row: vector for row, vector in enumerate(loaded, start=first) if vector is not None}
                missing += [row for row in range(first, first + len(loaded)) if row not in cached]
                if cached:
                    yield list(cached), np.stack(list(cached.values()))
            for first in range(0, len(missing), _WINDOW):
                rows = missing[first : first + _WINDOW]
                vectors = self._embed_together([distinct[row] for row in rows], progress=progress)
                self._cache.store(self.digest, [keys[row] for row in rows], vectors=vectors)
                yield rows, vectors

        return embed_distinct(texts, compute, dimensions=self.dimensions, progress=progress)

    def _embed_together(self, texts: Sequence[str], *, progress: Callable[[int], None] | None) -> NDArray[np.float32]:
        """Embed texts of documents as a group, adding a companion to a single text.

        `progress` is called with 0 after each batch, because nothing is stored yet; the caller can stop there.

        A runtime takes a single text for a question and computes it in another precision: a document's vector would
        depend on the contents of the cache, and the model would be in memory twice.
        """
        together = texts if len(texts) > 1 else [*texts, next(text for text in _COMPANIONS if text not in texts)]
        vectors = self._embedder.embed(together, progress=(lambda _count: progress(0)) if progress else None)
        return vectors[: len(texts)]


class RememberingEmbedder:
    """An embedder with the vectors of the last few texts in memory, because a question is parsed and searched with the
    same vector. Safe to share between threads."""

    def __init__(self, embedder: Embedder) -> None:
        self._embedder = embedder
        self.model_id, self.digest, self.dimensions = embedder.model_id, embedder.digest, embedder.dimensions
        self._embed_one = lru_cache(maxsize=_REMEMBERED)(lambda text: embedder.embed([text]))

    def embed(self, texts: Sequence[str], *, progress: Callable[[int], None] | None = None) -> NDArray[np.float32]:
        """See `Embedder.embed`."""
        if len(texts) != 1:
            return self._embedder.embed(texts, progress=progress)
        remembered = [([0], self._embed_one(texts[0]))]
        return embed_distinct(texts, lambda _: remembered, dimensions=self.dimensions, progress=progress)


def _parse_vector(blob: bytes | None, *, dimensions: int) -> NDArray[np.float32] | None:
    if blob is None or len(blob) != 4 * dimensions:
        return None
    vector = np.frombuffer(blob, "<f4").astype(np.float32)
    # NaN compares false, so a garbled vector fails too.
    return vector if abs(float(np.linalg.norm(vector)) - 1.0) < _MAX_NORM_ERROR else None
