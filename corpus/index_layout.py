"""Where an index keeps what: the schema, the derived files, the manifest and the write lock.

An index is a directory:

    relnotes.sqlite          the truth: documents, releases, passages with their vectors, the manifest
    vectors-<digest>.faiss   derived: one row for each item, in passage order
    lexical-<digest>/        derived: BM25 over passages
    write.lock               held by the one writer

Derived files are named by their content and referenced by the manifest in the same transaction that changes
the tables, so a kill at any instant leaves the old index whole. What the manifest doesn't name is garbage,
which the next writer sweeps away.
"""

import sqlite3
from contextlib import AbstractContextManager
from dataclasses import dataclass, fields
from pathlib import Path

from filelock import FileLock, Timeout

from corpus.errors import IndexBusy, IndexCorrupt, IndexMismatch, IndexNotFound, IndexUnavailable

FORMAT_VERSION = 1
DATABASE_NAME = "relnotes.sqlite"
LOCK_NAME = "write.lock"

_HELD_ELSEWHERE = frozenset({sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED})
_DENIED_BY_SYSTEM = frozenset(
    {sqlite3.SQLITE_PERM, sqlite3.SQLITE_READONLY, sqlite3.SQLITE_IOERR, sqlite3.SQLITE_FULL, sqlite3.SQLITE_CANTOPEN}
)

SCHEMA = """
CREATE TABLE manifest (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE documents (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    root TEXT NOT NULL, source TEXT NOT NULL, title TEXT NOT NULL, product TEXT NOT NULL, aliases TEXT NOT NULL,
    version TEXT, date TEXT, authority TEXT NOT NULL, url TEXT, media_type TEXT NOT NULL,
    sha256 TEXT NOT NULL, text TEXT NOT NULL,
    UNIQUE (root, source)
);
CREATE TABLE releases (
    id INTEGER PRIMARY KEY, document_id INTEGER NOT NULL REFERENCES documents (id) ON DELETE CASCADE,
    version TEXT, label TEXT NOT NULL, date TEXT, start INTEGER NOT NULL, end INTEGER NOT NULL, yanked INTEGER NOT NULL
);
CREATE INDEX releases_by_document ON releases (document_id);
CREATE TABLE passages (
    id INTEGER PRIMARY KEY, document_id INTEGER NOT NULL REFERENCES documents (id) ON DELETE CASCADE,
    release_id INTEGER NOT NULL REFERENCES releases (id) ON DELETE CASCADE,
    start INTEGER NOT NULL, end INTEGER NOT NULL, heading TEXT NOT NULL, kind TEXT NOT NULL,
    symbols TEXT NOT NULL, refs TEXT NOT NULL, versions TEXT NOT NULL, boilerplate INTEGER NOT NULL,
    items TEXT NOT NULL, tokens TEXT NOT NULL, vectors BLOB NOT NULL
);
CREATE INDEX passages_by_document ON passages (document_id);
"""


@dataclass(frozen=True, slots=True)
class Manifest:
    """What the index is made of; one row for each field in the table `manifest`."""

    format_version: int
    model_id: str
    model_digest: str
    dimensions: int
    generation: int
    """Counts commits, from 1."""
    documents: int
    passages: int
    items: int
    vectors_file: str
    vectors_sha256: str
    lexical_folder: str
    lexical_sha256: str
    created: str
    """ISO 8601, UTC."""
    updated: str


def connect(index: Path, *, create: bool = False) -> sqlite3.Connection:
    """Open the index's database.

    Raises:
        IndexNotFound: there is no index at `index` and `create` is false.
        IndexCorrupt: the file there is not a database.
        IndexBusy, IndexUnavailable: it is locked, or the system refuses to open it.
    """
    path = index / DATABASE_NAME
    if not create and not path.is_file():
        raise _not_found(index)
    try:
        connection = sqlite3.connect(path, isolation_level=None, check_same_thread=False, timeout=30)
    except sqlite3.DatabaseError as error:
        raise unavailable(index, error) from error
    try:
        connection.execute("PRAGMA journal_mode = WAL")
        connection.execute("PRAGMA foreign_keys = ON")
        connection.execute("PRAGMA synchronous = FULL")
        # What is removed is overwritten, so that no text outlives its document in the file's free pages.
        connection.execute("PRAGMA secure_delete = ON").fetchone()
    except sqlite3.DatabaseError as error:
        connection.close()
        raise unavailable(index, error) from error
    return connection


def read_manifest(connection: sqlite3.Connection, index: Path) -> Manifest:
    """The manifest of an open index.

    Raises:
        IndexNotFound: nothing was ever committed: the first ingest is still at work, or died.
        IndexCorrupt: it is missing or incomplete.
        IndexMismatch: the index has another format version.
    """
    try:
        if connection.execute("SELECT count(*) FROM sqlite_master").fetchone() == (0,):
            raise _not_found(index)
        rows = dict(connection.execute("SELECT key, value FROM manifest"))
    except sqlite3.DatabaseError as error:
        raise unavailable(index, error) from error
    found = rows.get("format_version", "none")
    if rows and found != str(FORMAT_VERSION):
        raise IndexMismatch(
            f"Cannot open index {str(index)!r}: it has format {found}, this relnotes reads {FORMAT_VERSION}. "
            "Rebuild it with `relnotes ingest --rebuild SOURCE...`."
        )
    try:
        values = {
            field.name: int(rows[field.name]) if field.type is int else rows[field.name] for field in fields(Manifest)
        }
    except (KeyError, ValueError) as error:
        raise corrupt(index, f"the manifest lacks {error}") from error
    return Manifest(**values)  # type: ignore[arg-type]


def write_manifest(connection: sqlite3.Connection, manifest: Manifest) -> None:
    """Replace the manifest inside the caller's transaction."""
    connection.execute("DELETE FROM manifest")
    connection.executemany(
        "INSERT INTO manifest (key, value) VALUES (?, ?)",
        [(field.name, str(getattr(manifest, field.name))) for field in fields(Manifest)],
    )


def write_lock(index: Path) -> AbstractContextManager[object]:
    """Hold the index's write lock for a `with` block; the operating system frees it if the process dies.

    The index's folder is made where there is none.

    Raises:
        IndexBusy: another process is writing.
        IndexUnavailable: the folder can't be made or written to.
    """
    lock = FileLock(index / LOCK_NAME, timeout=0)
    try:
        index.mkdir(parents=True, exist_ok=True)
        return lock.acquire()
    except Timeout as error:
        raise IndexBusy(
            f"Another relnotes process is writing to {str(index)!r}. Wait until it is done and try again."
        ) from error
    except OSError as error:
        raise refused(index, error.strerror or str(error)) from error


def unavailable(index: Path, error: sqlite3.DatabaseError) -> IndexUnavailable:
    """The error for what SQLite refused: damage, another process's lock, or the disk."""
    code = getattr(error, "sqlite_errorcode", sqlite3.SQLITE_CORRUPT) & 0xFF
    if code in _HELD_ELSEWHERE:
        return IndexBusy(f"Index {str(index)!r} is locked by another process. Wait until it is done and try again.")
    if code in _DENIED_BY_SYSTEM:
        return refused(index, str(error))
    return corrupt(index, str(error))


def refused(index: Path, detail: str) -> IndexUnavailable:
    """The error for an index that the system doesn't let us read or write."""
    return IndexUnavailable(
        f"Cannot use index {str(index)!r}: {detail}. Check its folder's permissions and the free space on its disk, "
        "or choose another place with `--index`."
    )


def _not_found(index: Path) -> IndexNotFound:
    return IndexNotFound(f"No index at {str(index)!r}. Make one with `relnotes ingest SOURCE --index {index}`.")


def corrupt(index: Path, detail: str) -> IndexCorrupt:
    """The error for an index whose files can't be trusted."""
    return IndexCorrupt(
        f"Index {str(index)!r} is damaged: {detail}. Rebuild it with `relnotes ingest --rebuild SOURCE...`."
    )
