"""One committed state of an index's tables, whose rows are held against their checksums as they are read."""

import sqlite3
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from types import TracebackType
from typing import Any, Self, TypeVar

from corpus.errors import IndexCorrupt
from corpus.index.faults import corrupt, unavailable
from corpus.index.layout import DATABASE_NAME, Manifest, connect, read_manifest
from corpus.index.row_checksums import checksum
from corpus.index.stored import ModelStamp

_FILE_VERSIONS_AT, _FILE_VERSIONS = slice(18, 20), {1, 2}
"""Where the file's header says how it may be written and read, and what SQLite knows: without and with a log."""

Found = TypeVar("Found")


class CheckedTables:
    """A snapshot of the tables, its rows and its checksums; safe to share between threads."""

    def __init__(self, path: Path, connection: sqlite3.Connection, manifest: Manifest) -> None:
        self.path = path
        self.manifest = manifest
        self._connection = connection
        self._lock = threading.Lock()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Close the snapshot; the reader can't be used afterwards."""
        self._connection.close()

    def _document_checksums(self, part: str) -> dict[int, int]:
        return dict(self._query(f"SELECT document_id, {part} FROM document_checksums"))

    def _compare(self, kind: str, rows: Mapping[int, Any], stored: Mapping[int, int]) -> None:
        """See that rows, by their ids, are what was stored."""
        for number, row in rows.items():
            if checksum(row) != stored.get(number):
                raise corrupt(self.path, f"{kind} {number} isn't what was stored")

    def check_database(self) -> tuple[str, ...]:
        """What SQLite's own check finds wrong with the database, a line each; empty when nothing is.

        Damage that stops the check itself is one line.
        """
        try:
            rows = self._query("PRAGMA integrity_check")
            with (self.path / DATABASE_NAME).open("rb") as file:
                versions = tuple(file.read(_FILE_VERSIONS_AT.stop)[_FILE_VERSIONS_AT])
        except IndexCorrupt as error:
            return (str(error),)
        except OSError as error:
            return (f"{DATABASE_NAME} can't be read ({error.strerror})",)
        lines = [line for row in rows for line in str(row[0]).splitlines()]
        if not set(versions) <= _FILE_VERSIONS:
            # With another one SQLite reads on, and takes the file for one that may not be written to.
            lines.append(f"the file is said to be of the versions {versions}")
        return tuple(line for line in lines if line != "ok" and not line.startswith("***"))

    def read(self, find: Callable[[sqlite3.Connection], Found]) -> Found:
        """What `find` finds in the snapshot, which other threads wait for.

        Raises:
            IndexCorrupt, IndexUnavailable: the database can't be read.
        """
        with self._lock:
            try:
                return find(self._connection)
            except sqlite3.DatabaseError as error:
                raise unavailable(self.path, error) from error

    def _rows(self, sql: str) -> Iterator[tuple[Any, ...]]:
        """The rows of a query, a few at a time; other threads wait."""
        with self._lock:
            try:
                yield from self._connection.execute(sql)
            except sqlite3.DatabaseError as error:
                raise unavailable(self.path, error) from error

    def _query(self, sql: str, parameters: Sequence[object] = ()) -> list[tuple[Any, ...]]:
        return self.read(lambda connection: connection.execute(sql, parameters).fetchall())


def open_snapshot(path: Path, *, model: ModelStamp | None) -> tuple[sqlite3.Connection, Manifest]:
    """A connection that stays on the newest committed state, and that state's manifest.

    Raises:
        IndexNotFound, IndexMismatch, IndexCorrupt: as for `TableReader.open`.
    """
    connection = connect(path)
    try:
        connection.execute("BEGIN")
        return connection, read_manifest(connection, path, model=model)
    except sqlite3.DatabaseError as error:
        connection.close()
        raise unavailable(path, error) from error
    except BaseException:
        connection.close()
        raise
