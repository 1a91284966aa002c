"""SHA-256 over the contents of an index's tables: SQLite checks the structure of its pages, never their contents.

The manifest has one over itself and one over all documents' columns; each document has one over its text and one over
its releases and passages; each passage one over its tokens and vectors, which are many and seldom read.
"""

import hashlib
import json
import sqlite3
from collections.abc import Collection, Iterator
from typing import Any

from corpus.manifest import Manifest

DOCUMENTS = """SELECT d.id, d.root, d.source, d.title, d.product, d.aliases, d.version, d.date, d.authority, d.url,
d.media_type, d.sha256, d.text_sha256, d.rows_sha256, d.speaker FROM documents d ORDER BY d.id"""
RELEASES = "SELECT document_id, version, date, pending, yanked FROM releases WHERE version IS NOT NULL ORDER BY id"
"""The columns that the catalogue reads, for all documents at once."""
_ROWS = (
    "SELECT * FROM releases WHERE document_id = ? ORDER BY id",
    """SELECT id, release_id, start, end, heading, kind, symbols, refs, versions, boilerplate, quoted, items, entries,
       search_sha256 FROM passages WHERE document_id = ? ORDER BY id""",
)
_SEARCHED = "SELECT tokens, vectors, search_sha256 FROM passages WHERE document_id = ?"

# Damaged rows may contain bytes, which JSON can't encode.
_encode = json.JSONEncoder(separators=(",", ":"), default=repr).encode


def digest(values: Any) -> str:
    """Return the SHA-256 (hex) of rows whose values are texts and numbers."""
    return hashlib.sha256(_encode(values).encode()).hexdigest()


def search_digest(tokens: str, vectors: bytes) -> str:
    """Return the SHA-256 (hex) of a passage's tokens and vectors, which count as empty if damaged to another type."""
    return digest([tokens, hashlib.sha256(vectors if isinstance(vectors, bytes) else b"").hexdigest()])


def rows_digest(connection: sqlite3.Connection, document_id: int) -> tuple[str, frozenset[int]]:
    """Return the SHA-256 (hex) of a document's releases and passages, and the ids of the passages."""
    releases, passages = (connection.execute(sql, [document_id]).fetchall() for sql in _ROWS)
    return digest([releases, passages]), frozenset(row[0] for row in passages)


def catalogue_digests(connection: sqlite3.Connection) -> tuple[str, str]:
    """Return the digests of all documents and of all releases, which the manifest records."""
    return digest(connection.execute(DOCUMENTS).fetchall()), digest(connection.execute(RELEASES).fetchall())


def catalogue_faults(connection: sqlite3.Connection, manifest: Manifest) -> Iterator[str]:
    """Yield a line for each list, documents or releases, that isn't what was stored."""
    documents, releases = catalogue_digests(connection)
    if documents != manifest.documents_sha256:
        yield "its documents aren't what was stored"
    if releases != manifest.releases_sha256:
        yield "its releases aren't what was stored"


def row_faults(connection: sqlite3.Connection, *, without: Collection[int] = ()) -> Iterator[str]:
    """Yield a line for each document whose releases or passages aren't what was stored; reads every byte of them."""
    for document_id, source, stored in connection.execute("SELECT id, source, rows_sha256 FROM documents").fetchall():
        if document_id not in without and (
            rows_digest(connection, document_id)[0] != stored
            or any(search_digest(*row[:2]) != row[2] for row in connection.execute(_SEARCHED, [document_id]))
        ):
            yield f"{source}: its rows aren't what was stored"
