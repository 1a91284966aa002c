"""When each source of an index was last found to be what the index holds, and how to ask whether it changed."""

import sqlite3
from collections.abc import Sequence
from contextlib import closing, suppress
from dataclasses import astuple, dataclass, fields
from pathlib import Path

from corpus.errors import IndexNotFound
from corpus.index.faults import unavailable
from corpus.index.layout import connect, has_our_tables
from corpus.index.row_checksums import part_holds, write_part_checksums


@dataclass(frozen=True, slots=True)
class SourceRecord:
    """What is remembered of one root."""

    root: str
    state: str
    """What its connector wants to know the next time (a server's validators); empty where there is nothing."""
    made_with: str
    """A digest of all else that its documents were made with: another one makes `state` worthless."""
    documents: int
    """How many documents the index held of it then; counted when the record is written."""
    synced_at: str
    """ISO 8601, UTC: when the index was last found or made to hold what the source has."""
    gone_since: str | None = None
    """ISO 8601, UTC: when the source was first found to be there no more; None for one that is there."""
    note: str = ""
    """What there is to know of what the source gave, in one line; empty where there is nothing."""


_COLUMNS = ", ".join(field.name for field in fields(SourceRecord))


def read_source_records(connection: sqlite3.Connection) -> tuple[SourceRecord, ...]:
    """All records by root; none in an index of an earlier format."""
    if not has_our_tables(connection) or not part_holds(connection, "sources"):
        # Better forgotten than believed: a source that is fetched again is learned anew.
        return ()
    return tuple(SourceRecord(*row) for row in connection.execute(f"SELECT {_COLUMNS} FROM sources ORDER BY root"))


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
                if not part_holds(connection, "sources"):
                    connection.execute("DELETE FROM sources")
                put_source_records(connection, records)
                write_part_checksums(connection, ("sources",))
            connection.execute("COMMIT")
        except sqlite3.DatabaseError as error:
            raise unavailable(path, error) from error


def put_source_records(connection: sqlite3.Connection, records: Sequence[SourceRecord]) -> None:
    """The same inside the caller's transaction, in a table that is there; the checksum is left to the caller."""
    connection.executemany(
        f"""INSERT OR REPLACE INTO sources ({_COLUMNS})
            VALUES (?1, ?2, ?3, (SELECT count(*) FROM documents WHERE root = ?1), ?5, ?6, ?7)""",
        map(astuple, records),
    )
    connection.execute(
        "DELETE FROM sources WHERE root NOT IN (SELECT root FROM documents) AND (documents > 0 OR state = '')"
    )
