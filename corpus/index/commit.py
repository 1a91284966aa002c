"""Changing an index: one writer, one transaction, and old files swept afterwards."""

import hashlib
import json
import sqlite3
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, fields
from datetime import UTC, date, datetime
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from corpus.catalogue import check_product
from corpus.errors import IndexCorrupt, UsageError
from corpus.index.derived import manifest_files, sweep
from corpus.index.deriving import derive_files
from corpus.index.faults import refused, unavailable
from corpus.index.layout import (
    DATABASE_NAME,
    FORMAT_VERSION,
    SCHEMA,
    connect,
    read_manifest,
    write_lock,
    write_manifest,
)
from corpus.index.source_records import SourceRecord, put_source_records
from corpus.index.stored import text_sha256, write_speaker
from corpus.index.tables import TableReader
from corpus.manifest import Manifest, ModelStamp
from corpus.model import Document, Entry, Item, ParsedDocument, Passage, Release
from corpus.stores.choice import EMBEDDED, StoreChoice
from corpus.versions import Version


@dataclass(frozen=True, slots=True)
class EncodedDocument:
    """A parsed document ready to be stored, with each passage's lexical tokens and item vectors."""

    parsed: ParsedDocument
    tokens: tuple[str, ...]  # Separated by blanks.
    vectors: tuple[NDArray[np.float32], ...]  # One (items, dimensions) matrix for each passage, rows L2-normalised.
    faults: tuple[str, ...] = ()  # What couldn't be read, or may be wrong, each in one line.


def commit_changes(
    path: Path,
    *,
    model: ModelStamp,
    remove: Sequence[int] = (),
    add: Iterable[EncodedDocument] = (),
    sources: Sequence[SourceRecord] = (),
    fresh: bool,
    store: StoreChoice | None = None,
    before_commit: Callable[[], None] = lambda: None,
) -> Manifest:
    """Change the index in one transaction; readers keep the old state meanwhile.

    Each document of `add` is written and released before the next is taken; `sources` are recorded with them. `fresh`
    starts from nothing. `store` will search the index; None keeps the current store. An exception from `before_commit`,
    called when all is written, prevents the commit. The caller has taken `write_lock(path)`. Errors after the commit
    are ignored; the next commit tidies up.

    Raises:
        IndexMismatch: the index has another format or model.
        StoreUnavailable: the server that will search it refuses it.
        IndexUnavailable: it can't be written; readers keep the old state.
    """
    connection = _connect_afresh(path) if fresh else connect(path, create=True)
    try:
        try:
            # First, so that writers that die again and again don't fill the disk.
            sweep(path, keep=_named_files(connection))
            connection.execute("BEGIN IMMEDIATE")
            previous = _prepare_tables(connection, path, model=model, fresh=fresh)
            connection.executemany("DELETE FROM documents WHERE id = ?", [(document_id,) for document_id in remove])
            _insert_all(connection, add)
            if sources:
                put_source_records(connection, sources)
            manifest = derive_files(connection, path, previous=previous, store=store)
            write_manifest(connection, manifest)
            before_commit()
            connection.execute("COMMIT")
        except BaseException:
            # On a full disk, the files of a failed commit would block the next.
            with suppress(sqlite3.Error, OSError):
                if connection.in_transaction:
                    connection.execute("ROLLBACK")
                sweep(path, keep=_named_files(connection))
            raise
        with suppress(sqlite3.Error, OSError, RuntimeError):
            _truncate_log(connection)
            sweep(path, keep=manifest_files(manifest))
        return manifest
    except sqlite3.DatabaseError as error:
        raise unavailable(path, error) from error
    except (OSError, RuntimeError) as error:
        raise refused(path, str(error)) from error
    finally:
        connection.close()


def remove_documents(path: Path, *, ids: Sequence[int] = (), product: str | None = None, every: bool = False) -> int:
    """Remove documents by id, by product (name or alias, any case) or all; return their number.

    Raises:
        IndexNotFound, UsageError: no index, an id or product that it doesn't have, or no product's name.
    """
    if product is not None:
        check_product(product)
    # A missing index is reported before the lock makes its folder.
    connect(path).close()
    with write_lock(path):
        with TableReader.open(path) as reader:
            stored = {document.id: document for document in reader.documents}
            chosen = set(stored) if every else set(ids)
            if unknown := sorted(chosen - stored.keys()):
                raise UsageError(f"No document {unknown[0]} in the index. `relnotes docs` lists them.")
            if product is not None:
                candidate = next((candidate for candidate in reader.products if candidate.is_called(product)), None)
                if candidate is None:
                    names = ", ".join(candidate.name for candidate in reader.products) or "none"
                    raise UsageError(f"No product {product!r} in the index. It has: {names}.")
                chosen |= {document.id for document in reader.documents_of(candidate.name)}
            model = reader.manifest.model
        if chosen:
            commit_changes(path, model=model, remove=sorted(chosen), fresh=False)
        return len(chosen)


def _connect_afresh(path: Path) -> sqlite3.Connection:
    """Return a connection; a database that can't be read any more is removed first."""
    with suppress(IndexCorrupt):
        connection = connect(path, create=True)
        try:
            if connection.execute("PRAGMA quick_check").fetchall() == [("ok",)]:
                return connection
            connection.close()
        except sqlite3.DatabaseError as error:
            connection.close()
            raise unavailable(path, error) from error
    for suffix in ("", "-wal", "-shm"):
        (path / f"{DATABASE_NAME}{suffix}").unlink(missing_ok=True)
    return connect(path, create=True)


def _named_files(connection: sqlite3.Connection) -> tuple[str, ...]:
    """Return the derived files of the state that readers open now; none if nothing was ever committed."""
    if not connection.execute("SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = 'manifest'").fetchone():
        return ()
    named = "SELECT value FROM manifest WHERE key IN ('vectors_file', 'lexical_folder', 'columns_folder')"
    return tuple(row[0] for row in connection.execute(named))


def _truncate_log(connection: sqlite3.Connection) -> None:
    # A reader of an older state, or a full disk, may prevent this; don't wait, because readers can use the log.
    with suppress(sqlite3.OperationalError):
        connection.execute("PRAGMA busy_timeout = 0")
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()


def _prepare_tables(connection: sqlite3.Connection, path: Path, *, model: ModelStamp, fresh: bool) -> Manifest:
    """Return the manifest to build on: the checked stored one, or if there is none a new one with new tables."""
    tables = {row[0] for row in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")}
    if "manifest" in tables and not fresh:
        return read_manifest(connection, path, model=model)
    old: dict[str, str] = {}
    if "manifest" in tables:
        old = dict(connection.execute("SELECT key, value FROM manifest WHERE key = 'generation' OR key LIKE 'store%'"))
    # Another format may have other tables. Drop the newest first, because they refer to older ones.
    listed = "SELECT type, name FROM sqlite_master WHERE type IN ('table', 'view') AND name NOT LIKE 'sqlite%'"
    for kind, name in connection.execute(f"{listed} ORDER BY rowid DESC").fetchall():
        connection.execute(f'DROP {kind} "{name}"')
    for statement in filter(str.strip, SCHEMA.split(";")):
        connection.execute(statement)
    return Manifest(
        format_version=FORMAT_VERSION,
        model_id=model.model_id,
        model_digest=model.digest,
        dimensions=model.dimensions,
        generation=int(generation) if (generation := old.get("generation", "")).isdecimal() else 0,
        store=old.get("store", EMBEDDED.text),
        store_generation=old.get("store_generation", ""),
        created=datetime.now(UTC).isoformat(timespec="seconds"),
    )


def _insert_all(connection: sqlite3.Connection, documents: Iterable[EncodedDocument]) -> None:
    """Insert the documents with their releases and passages."""
    # In its own function, so that the last document is freed before the derived files are made.
    for encoded in documents:
        parsed = encoded.parsed
        columns = _columns(parsed.document) | {"speaker": write_speaker(parsed.document.speaker)}
        columns |= {"text_sha256": text_sha256(parsed.document.text)}
        document_id = _insert_row(connection, "documents", columns)
        releases = [
            _insert_row(connection, "releases", _columns(release) | {"document_id": document_id})
            for release in parsed.releases
        ]
        for passage, tokens, vectors in zip(parsed.passages, encoded.tokens, encoded.vectors, strict=True):
            columns = _columns(passage)
            columns |= {"document_id": document_id, "release_id": releases[columns.pop("release")]}
            blob = np.ascontiguousarray(vectors, np.float32).tobytes()
            columns |= {"refs": columns.pop("references"), "tokens": tokens, "vectors": blob}
            _insert_row(connection, "passages", columns)


def _insert_row(connection: sqlite3.Connection, table: str, columns: Mapping[str, Any]) -> int:
    names, marks = ", ".join(columns), ", ".join("?" * len(columns))
    row = connection.execute(f"INSERT INTO {table} ({names}) VALUES ({marks})", tuple(columns.values()))
    return row.lastrowid or 0


def _columns(value: Document | Release | Passage) -> dict[str, Any]:
    """Return the fields as the tables store them: a span as two columns, lists as JSON; without the speaker."""
    columns = {
        field.name: _column(getattr(value, field.name))
        for field in fields(value)
        if field.name not in ("span", "speaker")
    }
    return columns if isinstance(value, Document) else columns | {"start": value.span.start, "end": value.span.end}


def _column(value: Any) -> Any:
    """Return a value as stored: items and entries by `stored`, versions by label, dates in ISO 8601, tuples as JSON."""
    if isinstance(value, tuple):
        return json.dumps(value, ensure_ascii=False, default=_column)
    if isinstance(value, Item | Entry):
        return value.stored()
    if isinstance(value, Version):
        return value.label
    return value.isoformat() if isinstance(value, date) else value


def fingerprint(*parts: str | bytes) -> str:
    """Return the SHA-256 (hex) over the parts, each with its length, so that different lists give different bytes."""
    digest = hashlib.sha256()
    for part in parts:
        data = part.encode("utf-8", "surrogatepass") if isinstance(part, str) else part
        digest.update(len(data).to_bytes(8, "big"))
        digest.update(data)
    return digest.hexdigest()
