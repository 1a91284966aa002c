"""What an index holds, whatever its ids and files are called: to tell whether two are alike."""

import hashlib
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from corpus.index.layout import connect

_ROWS = """
SELECT d.root, d.source, d.title, d.product, d.aliases, d.version, d.date, d.authority, d.url, d.media_type, d.sha256,
       d.text_sha256, r.version, r.label, r.date, r.start, r.end, r.yanked, p.start, p.end, p.heading, p.kind,
       p.symbols, p.refs, p.versions, p.boilerplate, p.items, p.tokens
FROM documents d JOIN releases r ON r.document_id = d.id LEFT JOIN passages p ON p.release_id = r.id
ORDER BY d.id, r.id, p.id
"""


@dataclass(frozen=True, slots=True)
class IndexContent:
    """All of an index in the order that it is kept in."""

    sources: tuple[str, ...]
    passages: int
    digest: str
    """SHA-256 (hex) over documents, releases, passages, items and tokens."""
    vectors: NDArray[np.float32]
    """(items, dimensions)."""


def read_content(index: Path) -> IndexContent:
    """Read all that an index holds.

    Raises:
        IndexUnavailable: it can't be read.
    """
    connection = connect(index)
    try:
        digest = hashlib.sha256()
        for row in connection.execute(_ROWS):
            digest.update(repr(row).encode())
        blobs = [row[0] for row in connection.execute("SELECT vectors FROM passages ORDER BY id")]
        (dimensions,) = connection.execute("SELECT value FROM manifest WHERE key = 'dimensions'").fetchone()
        return IndexContent(
            sources=tuple(row[0] for row in connection.execute("SELECT source FROM documents ORDER BY id")),
            passages=len(blobs),
            digest=digest.hexdigest(),
            vectors=np.frombuffer(b"".join(blobs), np.float32).reshape(-1, int(dimensions)),
        )
    finally:
        connection.close()
