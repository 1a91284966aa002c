"""When each source of an index was last found to be what the index holds, and how to ask whether it changed."""

import json
import sqlite3
from collections.abc import Sequence
from contextlib import closing, suppress
from dataclasses import astuple, dataclass, fields, replace
from pathlib import Path

from corpus.errors import IndexNotFound
from corpus.index.digests import digest
from corpus.index.faults import unavailable
from corpus.index.layout import connect, has_our_tables
from corpus.versions import Version


@dataclass(frozen=True, slots=True)
class SourceRecord:
    """What is remembered of one root."""

    root: str
    state: str  # What its connector wants to know the next time (a server's validators); empty where there is nothing.
    made_with: str  # A digest of all else that its documents were made with: another one makes `state` worthless.
    documents: int  # How many documents the index held of it then; counted when the record is written.
    synced_at: str  # ISO 8601, UTC: when the index was last found or made to hold what the source has.
    gone_since: str | None = None
    """ISO 8601, UTC: when the source was first found to be there no more; None for one that is there."""
    note: str = ""  # What there is to know of what the source gave, in one line; empty where there is nothing.

    @property
    def package(self) -> Version | None:
        """The version of the package that was fetched; None for what is no package."""
        is_package = self.state and self.root.startswith(("pypi:", "npm:"))
        return Version.try_parse(str(json.loads(self.state)[0])) if is_package else None


_FIELDS = [field.name for field in fields(SourceRecord)]


def read_source_records(connection: sqlite3.Connection) -> tuple[SourceRecord, ...]:
    """All records by root that are what was written; none in an index of another format.

    The others are better forgotten than believed: a source that is fetched again is learned anew.
    """
    if not has_our_tables(connection):
        return ()
    rows = connection.execute(f"SELECT {', '.join(_FIELDS)}, sha256 FROM sources ORDER BY root").fetchall()
    return tuple(SourceRecord(*row) for *row, sha256 in rows if digest(row) == sha256)


def write_source_records(path: Path, records: Sequence[SourceRecord]) -> None:
    """Put `records` in place of those of their roots, and forget the roots of which the index held documents and has
    none any more.

    The caller holds `write_lock(path)`. Where there is no index of this format, nothing is written.

    Raises:
        IndexUnavailable: it can't be written.
    """
    with suppress(IndexNotFound), closing(connect(path)) as connection:
        try:
            connection.execute("BEGIN IMMEDIATE")
            if has_our_tables(connection):
                put_source_records(connection, records)
            connection.execute("COMMIT")
        except sqlite3.DatabaseError as error:
            raise unavailable(path, error) from error


def put_source_records(connection: sqlite3.Connection, records: Sequence[SourceRecord]) -> None:
    """The same inside the caller's transaction, in a table that is there."""
    counts = dict(connection.execute("SELECT root, count(*) FROM documents GROUP BY root"))
    known = {record.root: record for record in read_source_records(connection)}
    known |= {record.root: replace(record, documents=counts.get(record.root, 0)) for record in records}
    kept = [one for one in known.values() if one.root in counts or not (one.documents or one.state == "")]
    connection.execute("DELETE FROM sources")
    connection.executemany(
        f"INSERT INTO sources ({', '.join(_FIELDS)}, sha256) VALUES ({', '.join('?' * (len(_FIELDS) + 1))})",
        [(*row, digest(row)) for row in map(astuple, kept)],
    )
