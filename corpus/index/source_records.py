"""For each source of an index: when the index was last known to match it, and how to ask it for changes."""

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
    """What is remembered about one root."""

    root: str
    state: str  # What its connector needs at the next fetch (a server's validators); empty for nothing.
    made_with: str  # A digest of everything else that shaped its documents; if it changes, `state` is void.
    documents: int  # Its documents in the index, counted when the record is written.
    synced_at: str  # ISO 8601, UTC: when the index last matched the source.
    gone_since: str | None = None
    """ISO 8601, UTC: when the source was first found missing; None if it is present."""
    note: str = ""  # A remark about the source's content, in one line; may be empty.

    @property
    def package(self) -> Version | None:
        """The version of the fetched package; None if the source is no package, or states none that can be read."""
        is_package = self.state and self.root.startswith(("pypi:", "npm:"))
        return Version.try_parse(str(json.loads(self.state)[0])) if is_package else None


_FIELDS = [field.name for field in fields(SourceRecord)]


def read_source_records(connection: sqlite3.Connection) -> tuple[SourceRecord, ...]:
    """Return the intact records by root; none from an index of another format.

    Damaged records are better forgotten than believed: their sources are fetched and recorded again.
    """
    if not has_our_tables(connection):
        return ()
    rows = connection.execute(f"SELECT {', '.join(_FIELDS)}, sha256 FROM sources ORDER BY root").fetchall()
    return tuple(SourceRecord(*row) for *row, sha256 in rows if digest(row) == sha256)


def write_source_records(path: Path, records: Sequence[SourceRecord]) -> None:
    """Replace the records of these roots, and delete records of roots whose documents were all removed.

    The caller has taken `write_lock(path)`. If there is no index of this format, nothing is written.

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
    """Do the same as `write_source_records` inside the caller's transaction, in an existing table."""
    counts = dict(connection.execute("SELECT root, count(*) FROM documents GROUP BY root"))
    by_root = {record.root: record for record in read_source_records(connection)}
    by_root |= {record.root: replace(record, documents=counts.get(record.root, 0)) for record in records}
    remaining = [each for each in by_root.values() if each.root in counts or not (each.documents or each.state == "")]
    connection.execute("DELETE FROM sources")
    connection.executemany(
        f"INSERT INTO sources ({', '.join(_FIELDS)}, sha256) VALUES ({', '.join('?' * (len(_FIELDS) + 1))})",
        [(*row, digest(row)) for row in map(astuple, remaining)],
    )
