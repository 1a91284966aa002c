"""Checksums over the rows of an index's tables: SQLite checks how its pages hang together, never what they hold.

CRC-32, a number for each part of a row that is read by itself, so that a reader checks just what it reads; no lock
against somebody who writes a fitting one beside it. Texts have their SHA-256 in their own row.
"""

import json
import sqlite3
import zlib
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

CHECKSUM_SCHEMA = """
CREATE TABLE checksums (part TEXT PRIMARY KEY, checksum INTEGER NOT NULL) STRICT, WITHOUT ROWID;
CREATE TABLE document_checksums (
    document_id INTEGER PRIMARY KEY REFERENCES documents (id) ON DELETE CASCADE,
    facts INTEGER NOT NULL, versions INTEGER NOT NULL, releases INTEGER NOT NULL
) STRICT;
CREATE TABLE passage_checksums (
    passage_id INTEGER PRIMARY KEY REFERENCES passages (id) ON DELETE CASCADE,
    facts INTEGER NOT NULL, tokens INTEGER NOT NULL, vectors INTEGER NOT NULL
) STRICT;
"""
LAYOUT = "SELECT type, name, tbl_name, sql FROM sqlite_master ORDER BY type, name"
"""Finds what the tables look like."""
DOCUMENT_FACTS = """d.id, d.root, d.source, d.title, d.product, d.aliases, d.version, d.date, d.authority, d.url,
d.media_type, d.sha256, d.text_sha256, d.speaker"""
"""Columns of `documents d`, in the order that their checksum is of."""
PASSAGE_FACTS = """p.id, p.document_id, p.start, p.end, r.version, r.date, p.heading, p.kind, p.items, p.symbols,
p.refs, p.versions, p.boilerplate, p.quoted"""
"""Columns of `passages p JOIN releases r`, likewise."""
RELEASE_FACTS = "version, label, date, start, end, yanked, pending"
"""Columns of `releases`, likewise; a document's rows are in the order of their ids."""
_MANIFEST_TRUTH = tuple(
    "format_version model_id model_digest dimensions store store_generation store_before created".split()
)
"""Keys of the manifest that no commit can work out from the tables."""
_PARTS = {
    "manifest": f"SELECT key, value FROM manifest WHERE key IN {_MANIFEST_TRUTH} ORDER BY key",
    "derived": f"SELECT key, value FROM manifest WHERE key NOT IN {_MANIFEST_TRUTH} ORDER BY key",
    "schema": LAYOUT,
    "sequence": "SELECT seq FROM sqlite_sequence WHERE name = 'documents'",
    "sources": "SELECT * FROM sources ORDER BY root",
}
TRUTH_PARTS = ("manifest", "schema", "sequence")
"""What can't be made anew: the others are derived, or cost a fetch where they are forgotten."""
_WORDS = {
    "sequence": "the counter of documents",
    "schema": "the layout of the tables",
    "sources": "what is remembered of sources",
}

_encode = json.JSONEncoder(separators=(",", ":")).encode


def checksum(values: Sequence[Any]) -> int:
    """The checksum of bytes, of a row, or of several, whose values are texts and numbers."""
    return zlib.crc32(values if isinstance(values, bytes) else _encode(values).encode())


def add_checksums(connection: sqlite3.Connection, document_id: int) -> None:
    """Add those of a document that was just inserted, of its releases and of its passages."""
    connection.execute(
        "INSERT INTO document_checksums (document_id, facts, versions, releases) VALUES (?, ?, ?, ?)",
        _document_checksums(connection, document_id),
    )
    connection.executemany(
        "INSERT INTO passage_checksums (passage_id, facts, tokens, vectors) VALUES (?, ?, ?, ?)",
        [
            (row[0], checksum(row[:-2]), zlib.crc32(row[-2].encode()), zlib.crc32(row[-1]))
            for row in connection.execute(
                f"""SELECT {PASSAGE_FACTS}, p.tokens, p.vectors FROM passages p JOIN releases r ON r.id = p.release_id
                    WHERE p.document_id = ?""",
                [document_id],
            )
        ],
    )


def write_part_checksums(connection: sqlite3.Connection, parts: Sequence[str] = tuple(_PARTS)) -> None:
    """Write those of some parts, all by default; the last thing to do in a transaction that changes them."""
    connection.executemany(
        "INSERT OR REPLACE INTO checksums (part, checksum) VALUES (?, ?)",
        [(part, _part_checksum(connection, part)) for part in parts],
    )


def part_holds(connection: sqlite3.Connection, part: str) -> bool:
    """Whether one part is what was written."""
    stored = connection.execute("SELECT checksum FROM checksums WHERE part = ?", [part]).fetchone()
    return bool(stored == (_part_checksum(connection, part),))


def part_faults(connection: sqlite3.Connection) -> list[tuple[str, str]]:
    """The parts that aren't what was written, each with a line about it."""
    return [
        (part, f"{_WORDS.get(part, 'the manifest')} isn't what was stored")
        for part in _PARTS
        if not part_holds(connection, part)
    ]


def row_faults(connection: sqlite3.Connection) -> Iterator[str]:
    """A line for each document, and each passage, whose rows aren't what was stored; every byte of them is read."""
    sources = dict(connection.execute("SELECT id, source FROM documents"))
    stored = {row[0]: row for row in connection.execute("SELECT * FROM document_checksums")}
    for document_id, source in sources.items():
        if stored.get(document_id) != _document_checksums(connection, document_id):
            yield f"{source}: its document or releases aren't what was stored"
    for table, words in (("document", "documents"), ("passage", "passages")):
        stated, found = connection.execute(
            f"SELECT (SELECT count(*) FROM {table}_checksums), (SELECT count(*) FROM {words})"
        ).fetchone()
        if found < stated:
            yield f"{stated - found} of {stated} {words} are missing"
    rows: Iterable[tuple[Any, ...]] = connection.execute(
        f"""SELECT {PASSAGE_FACTS}, p.tokens, p.vectors, c.facts, c.tokens, c.vectors
            FROM passages p LEFT JOIN releases r ON r.id = p.release_id
            LEFT JOIN passage_checksums c ON c.passage_id = p.id ORDER BY p.id"""
    )
    for *facts, tokens, vectors, of_facts, of_tokens, of_vectors in rows:
        found = (checksum(facts), zlib.crc32(tokens.encode()), zlib.crc32(vectors))
        parts = zip(("facts", "tokens", "vectors"), found, (of_facts, of_tokens, of_vectors), strict=True)
        if wrong := " and ".join(name for name, left, right in parts if left != right):
            source = sources.get(facts[1], f"document {facts[1]}")
            yield f"{source}:{facts[2]}-{facts[3]}: {wrong} aren't what was stored"


def _document_checksums(connection: sqlite3.Connection, document_id: int) -> tuple[int, int, int, int]:
    facts = connection.execute(f"SELECT {DOCUMENT_FACTS} FROM documents d WHERE d.id = ?", [document_id]).fetchone()
    releases = connection.execute(
        f"SELECT {RELEASE_FACTS} FROM releases WHERE document_id = ? ORDER BY id", [document_id]
    ).fetchall()
    # What the catalogue reads: version, date and whether it is pending, of those that have a version.
    versions = [(row[0], row[2], row[6]) for row in releases if row[0] is not None]
    return document_id, checksum(facts), checksum(versions), checksum(releases)


def _part_checksum(connection: sqlite3.Connection, part: str) -> int:
    return checksum(connection.execute(_PARTS[part]).fetchall())
