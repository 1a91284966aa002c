"""SHA-256 over what an index's tables hold: SQLite checks how its pages hang together, never what they hold.

The manifest has one over itself and one over all facts of documents; each document has one over its text and one over
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
"""What the catalogue reads, which is the same of all documents at once."""
_ROWS = (
    "SELECT * FROM releases WHERE document_id = ? ORDER BY id",
    """SELECT id, release_id, start, end, heading, kind, symbols, refs, versions, boilerplate, quoted, items, entries,
       search_sha256 FROM passages WHERE document_id = ? ORDER BY id""",
)
_SEARCHED = "SELECT tokens, vectors, search_sha256 FROM passages WHERE document_id = ?"

# A damaged row may hold bytes where there were none.
_encode = json.JSONEncoder(separators=(",", ":"), default=repr).encode


def digest(values: Any) -> str:
    """SHA-256 (hex) of rows whose values are texts and numbers."""
    return hashlib.sha256(_encode(values).encode()).hexdigest()


def search_digest(tokens: str, vectors: bytes) -> str:
    """SHA-256 (hex) of what a passage is found by."""
    return digest([tokens, hashlib.sha256(vectors if isinstance(vectors, bytes) else b"").hexdigest()])


def rows_digest(connection: sqlite3.Connection, document_id: int) -> tuple[str, frozenset[int]]:
    """SHA-256 (hex) of a document's releases and passages, and the ids of these passages."""
    releases, passages = (connection.execute(sql, [document_id]).fetchall() for sql in _ROWS)
    return digest([releases, passages]), frozenset(row[0] for row in passages)


def catalogue_digests(connection: sqlite3.Connection) -> tuple[str, str]:
    """Return what the manifest says of all documents, and of all releases."""
    return digest(connection.execute(DOCUMENTS).fetchall()), digest(connection.execute(RELEASES).fetchall())


def catalogue_faults(connection: sqlite3.Connection, manifest: Manifest) -> Iterator[str]:
    """A line for each list of the tables that isn't what was stored."""
    documents, releases = catalogue_digests(connection)
    if documents != manifest.documents_sha256:
        yield "its documents aren't what was stored"
    if releases != manifest.releases_sha256:
        yield "its releases aren't what was stored"


def row_faults(connection: sqlite3.Connection, *, without: Collection[int] = ()) -> Iterator[str]:
    """A line for each document whose releases or passages aren't what was stored; every byte of them is read."""
    for document_id, source, stored in connection.execute("SELECT id, source, rows_sha256 FROM documents").fetchall():
        if document_id not in without and (
            rows_digest(connection, document_id)[0] != stored
            or any(search_digest(*row[:2]) != row[2] for row in connection.execute(_SEARCHED, [document_id]))
        ):
            yield f"{source}: its rows aren't what was stored"
