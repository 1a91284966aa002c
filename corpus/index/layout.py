"""The layout of an index on disk: the schema, its manifest and the write lock; `docs/operations.md` lists all files.

Derived files are named by their content and referenced by the manifest in the same transaction that changes the tables,
so a kill at any instant leaves the old index whole. Files that the manifest doesn't name are garbage, which the next
writer sweeps away. The folder and its files are accessible to their owner alone.
"""

import shlex
import sqlite3
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager, closing, suppress
from dataclasses import fields
from functools import cache
from pathlib import Path

from corpus.errors import IndexBusy, IndexMismatch
from corpus.index.digests import digest
from corpus.index.faults import corrupt, is_denied, not_found, refused, unavailable
from corpus.manifest import Manifest, ModelStamp

FORMAT_VERSION = 11
DATABASE_NAME = "relnotes.sqlite"
LOCK_NAME = "write.lock"

SCHEMA = """
CREATE TABLE manifest (key TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT, WITHOUT ROWID;
CREATE TABLE documents (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    root TEXT NOT NULL, source TEXT NOT NULL, title TEXT NOT NULL, product TEXT NOT NULL, aliases TEXT NOT NULL,
    version TEXT, date TEXT, authority TEXT NOT NULL, url TEXT, media_type TEXT NOT NULL, speaker TEXT NOT NULL,
    sha256 TEXT NOT NULL, text_sha256 TEXT NOT NULL, text TEXT NOT NULL,
    UNIQUE (root, source)
) STRICT;
CREATE TABLE releases (
    id INTEGER PRIMARY KEY, document_id INTEGER NOT NULL REFERENCES documents (id) ON DELETE CASCADE,
    version TEXT, label TEXT NOT NULL, date TEXT, start INTEGER NOT NULL, end INTEGER NOT NULL, yanked INTEGER NOT NULL,
    pending INTEGER NOT NULL
) STRICT;
CREATE INDEX releases_by_document ON releases (document_id);
CREATE TABLE passages (
    id INTEGER PRIMARY KEY, document_id INTEGER NOT NULL REFERENCES documents (id) ON DELETE CASCADE,
    release_id INTEGER NOT NULL REFERENCES releases (id) ON DELETE CASCADE,
    start INTEGER NOT NULL, end INTEGER NOT NULL, heading TEXT NOT NULL, kind TEXT NOT NULL,
    symbols TEXT NOT NULL, refs TEXT NOT NULL, versions TEXT NOT NULL, boilerplate INTEGER NOT NULL,
    quoted TEXT NOT NULL,
    items TEXT NOT NULL, entries TEXT NOT NULL, tokens TEXT NOT NULL, vectors BLOB NOT NULL
) STRICT;
CREATE INDEX passages_by_document ON passages (document_id);
CREATE TABLE sources (
    root TEXT PRIMARY KEY, state TEXT NOT NULL, made_with TEXT NOT NULL, documents INTEGER NOT NULL,
    synced_at TEXT NOT NULL, gone_since TEXT, note TEXT NOT NULL, sha256 TEXT NOT NULL
) STRICT, WITHOUT ROWID;
"""
_LAYOUT = "SELECT type, name, tbl_name, sql FROM sqlite_master ORDER BY type, name"  # The tables' definitions.

_PRAGMAS = (
    "journal_mode = WAL",
    "foreign_keys = ON",
    "synchronous = FULL",
    # Overwrite removed rows, so that no text outlives its document in the file's free pages.
    "secure_delete = ON",
)
_IS_OF_THIS_FORMAT = f"SELECT 1 FROM manifest WHERE key = 'format_version' AND value = '{FORMAT_VERSION}'"
_SHOWN_CHARACTERS = 40  # Of a manifest's version in an error, which may be no number.
_KINDS: dict[object, Callable[[str], int | float | str]] = {int: int, float: float, str: str}


def connect(index: Path, *, create: bool = False) -> sqlite3.Connection:
    """Open the index's database; read-only if nothing can be written beside it.

    Raises:
        IndexNotFound: there is no index at `index` and `create` is false.
        IndexCorrupt: the file there is not a database, or has other tables than relnotes makes.
        IndexBusy, IndexUnavailable: it is locked, or the system refuses to open it.
    """
    path = index / DATABASE_NAME
    # An empty file was emptied, or is being made, and then opening it would wait for its maker.
    if not create and not (path.is_file() and path.stat().st_size):
        raise not_found(index)
    if create and not path.exists():
        # SQLite gives its other files the same mode. Errors are left to SQLite.
        with suppress(OSError):
            path.touch(mode=0o600)
    try:
        return _checked(
            sqlite3.connect(path, isolation_level=None, check_same_thread=False, timeout=30), index, _PRAGMAS
        )
    except UnicodeDecodeError as error:
        # The layout of the tables is damaged, and SQLite's message quotes it.
        raise corrupt(index, "the layout of its tables can't be read") from error
    except sqlite3.DatabaseError as error:
        # Even readers of a database in WAL mode write files beside it, which fails in a read-only folder or on a full
        # disk. Without a log, all committed data is in the database itself.
        with suppress(OSError, sqlite3.DatabaseError):
            log = path.with_name(f"{path.name}-wal")
            if not create and is_denied(error) and not (log.exists() and log.stat().st_size):
                address = f"{path.absolute().as_uri()}?mode=ro&immutable=1"
                return _checked(
                    sqlite3.connect(address, uri=True, isolation_level=None, check_same_thread=False), index
                )
        raise unavailable(index, error) from error


def _checked(connection: sqlite3.Connection, index: Path, pragmas: Sequence[str] = ()) -> sqlite3.Connection:
    """Return the connection after checking that its tables are ours; close it if they aren't.

    Reading a view that somebody put in a table's place may never end. An index of another format has other tables, but
    the same `manifest`, which gives its format.

    Raises:
        IndexCorrupt: the tables aren't ours.
    """
    try:
        for pragma in ("trusted_schema = OFF", *pragmas):
            connection.execute(f"PRAGMA {pragma}").fetchall()
        # Read layout and format from one state, because a rebuild may come between. The first read opens the log, which
        # should fail here rather than in the middle of an answer.
        connection.execute("BEGIN")
        if not has_our_tables(connection) and (layout := connection.execute(_LAYOUT).fetchall()):
            has_manifest = any(row in layout for row in _our_layout() if row[1] == "manifest")
            if not has_manifest or connection.execute(_IS_OF_THIS_FORMAT).fetchone():
                raise corrupt(index, "its tables aren't as relnotes makes them, so that nothing was read from them")
        connection.execute("COMMIT")
    except BaseException:
        connection.close()
        raise
    return connection


def has_our_tables(connection: sqlite3.Connection) -> bool:
    """Return whether the tables are exactly those of this format."""
    return connection.execute(_LAYOUT).fetchall() == _our_layout()


@cache
def _our_layout() -> list[tuple[str, ...]]:
    with closing(sqlite3.connect(":memory:")) as blank:
        blank.executescript(SCHEMA)
        return blank.execute(_LAYOUT).fetchall()


def newest_manifest(index: Path) -> Manifest:
    """Return an index's current manifest.

    Raises:
        IndexUnavailable: as `connect` and `read_manifest`.
    """
    with closing(connect(index)) as connection:
        return read_manifest(connection, index)


def read_manifest(connection: sqlite3.Connection, index: Path, *, model: ModelStamp | None = None) -> Manifest:
    """Return the manifest of an open index, which must have been built with `model` if one is given.

    Raises:
        IndexNotFound: nothing was ever committed: the first ingest is still running, or died.
        IndexCorrupt, IndexBusy, IndexUnavailable: it isn't what was stored, or can't be read.
        IndexMismatch: the index has another format version or model.
    """
    try:
        if connection.execute("SELECT count(*) FROM sqlite_master").fetchone() == (0,):
            raise not_found(index)
        rows = dict(connection.execute("SELECT key, value FROM manifest"))
    except sqlite3.DatabaseError as error:
        raise unavailable(index, error) from error
    # Cut it, because Python refuses to parse numbers of thousands of digits.
    version = rows.get("format_version", "none")[:_SHOWN_CHARACTERS]
    if rows and version != str(FORMAT_VERSION):
        is_newer = version.isdecimal() and int(version) > FORMAT_VERSION
        newer = "A newer relnotes made it: install that one again, or rebuild" if is_newer else "Rebuild"
        raise IndexMismatch(
            f"Cannot open index {str(index)!r}: it has format {version}, this relnotes reads {FORMAT_VERSION}. "
            f"{newer} it with `relnotes ingest --rebuild SOURCE...`."
        )
    if rows.pop("sha256", "") != digest(sorted(rows.items())):
        raise corrupt(index, "its manifest isn't what was stored")
    values = {field.name: _KINDS[field.type](rows[field.name]) for field in fields(Manifest)}
    manifest = Manifest(**values)  # type: ignore[arg-type]
    if model and model.digest != manifest.model_digest:
        raise IndexMismatch(
            f"Cannot use index {str(index)!r}: built with model {manifest.model_id!r} "
            f"({manifest.dimensions} dimensions, {manifest.model_digest[:12]}), configured is "
            f"{model.model_id!r} ({model.dimensions} dimensions, {model.digest[:12]}). "
            "Rebuild with `relnotes ingest --rebuild SOURCE...` "
            f"or set RELNOTES_MODEL={shlex.quote(manifest.model_id)}."
        )
    return manifest


def open_snapshot(path: Path, *, model: ModelStamp | None) -> tuple[sqlite3.Connection, Manifest]:
    """Return a connection that stays on the newest committed state, and that state's manifest.

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


def write_manifest(connection: sqlite3.Connection, manifest: Manifest) -> None:
    """Replace the manifest inside the caller's transaction."""
    rows = sorted((field.name, str(getattr(manifest, field.name))) for field in fields(Manifest))
    connection.execute("DELETE FROM manifest")
    connection.executemany("INSERT INTO manifest (key, value) VALUES (?, ?)", [*rows, ("sha256", digest(rows))])


def write_lock(index: Path) -> AbstractContextManager[object]:
    """Take the index's write lock for a `with` block; the operating system frees it if the process dies.

    The index's folder is made if there is none.

    Raises:
        IndexBusy: another process is writing.
        IndexUnavailable: the folder can't be made or written to.
    """
    # Imported here because readers need no lock, and the import takes time.
    from filelock import FileLock

    lock = FileLock(index / LOCK_NAME, timeout=0, mode=0o600)
    try:
        index.mkdir(mode=0o700, parents=True, exist_ok=True)
        return lock.acquire()
    except TimeoutError as error:
        raise IndexBusy(
            f"Another relnotes process is writing to {str(index)!r}. Wait until it is done and try again."
        ) from error
    except OSError as error:
        raise refused(index, error.strerror or str(error)) from error
