"""How an index changes: one writer, one transaction, old files swept afterwards."""

import hashlib
import json
import shlex
import sqlite3
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from corpus.errors import IndexCorrupt, IndexMismatch, UsageError
from corpus.index.derived import DerivedFile, remember_derived, sweep, sweep_drafts
from corpus.index.deriving import derive_files
from corpus.index.faults import corrupt, refused, unavailable
from corpus.index.layout import (
    DATABASE_NAME,
    FORMAT_VERSION,
    SCHEMA,
    SOURCES_SCHEMA,
    Manifest,
    connect,
    read_manifest,
    write_lock,
    write_manifest,
)
from corpus.index.row_checksums import (
    CHECKSUM_TABLES,
    TRUTH_PARTS,
    add_checksums,
    create_checksums,
    part_faults,
    row_faults,
    write_part_checksums,
)
from corpus.index.source_records import SourceRecord, put_source_records
from corpus.index.stored import ModelStamp, text_sha256
from corpus.index.tables import TableReader
from corpus.model import ParsedDocument
from corpus.stores.choice import EMBEDDED, StoreChoice
from corpus.stores.milvus.generations import settle_generations


@dataclass(frozen=True, slots=True)
class EncodedDocument:
    """A parsed document ready to be stored: with each passage's lexical tokens and item vectors."""

    parsed: ParsedDocument
    tokens: tuple[tuple[str, ...], ...]
    vectors: tuple[NDArray[np.float32], ...]
    """One (items, dimensions) matrix for each passage, rows L2-normalised."""


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
    """Change the index in one transaction; whoever reads meanwhile keeps the old state.

    Each document of `add` is written and let go before the next is asked for; `sources` are remembered with them.
    `fresh` starts from nothing, whatever was there. `store` is what shall search the index; None: what searches it now.
    What `before_commit` raises when all is written keeps it from being committed. The caller holds `write_lock(path)`.
    Whatever goes wrong after the commit is left to the next one to tidy up.

    Raises:
        IndexMismatch: the index has another format or model.
        StoreUnavailable: the server that shall search it doesn't take it.
        IndexUnavailable: it can't be written; whoever opens it finds the old state.
    """
    connection = _connect_afresh(path) if fresh else connect(path, create=True)
    try:
        try:
            manifest, previous, derived = _commit(
                connection,
                path,
                model=model,
                remove=remove,
                add=add,
                sources=sources,
                fresh=fresh,
                store=store,
                before_commit=before_commit,
            )
        except BaseException:
            _take_back(connection, path)
            raise
        with suppress(sqlite3.Error, OSError, RuntimeError):
            _tidy_up(connection, path, derived)
            settle_generations(manifest, previous=previous, is_stated=store is not None)
        return manifest
    except sqlite3.DatabaseError as error:
        raise unavailable(path, error) from error
    except (OSError, RuntimeError) as error:
        raise refused(path, str(error)) from error
    finally:
        connection.close()


def _commit(
    connection: sqlite3.Connection,
    path: Path,
    *,
    model: ModelStamp,
    remove: Sequence[int],
    add: Iterable[EncodedDocument],
    sources: Sequence[SourceRecord],
    fresh: bool,
    store: StoreChoice | None,
    before_commit: Callable[[], None],
) -> tuple[Manifest, Manifest, list[DerivedFile]]:
    """What is committed, what was before, and the derived files of the former."""
    # First, so that writers that die again and again don't fill the disk.
    sweep_drafts(path, keep=_named_files(connection))
    connection.execute("BEGIN IMMEDIATE")
    previous = _prepare(connection, path, model=model, fresh=fresh)
    connection.executemany("DELETE FROM documents WHERE id = ?", [(document_id,) for document_id in remove])
    # Of damaged rows sound files would be made, which would hide the damage from whoever searches them.
    if not fresh and (fault := next(row_faults(connection), None)):
        raise corrupt(path, fault)
    _insert_all(connection, add)
    if sources:
        put_source_records(connection, sources)
    manifest, derived = derive_files(connection, path, previous=previous, store=store)
    write_manifest(connection, manifest)
    write_part_checksums(connection)
    before_commit()
    connection.execute("COMMIT")
    return manifest, previous, derived


def _tidy_up(connection: sqlite3.Connection, path: Path, derived: Sequence[DerivedFile]) -> None:
    # A reader on an older state keeps the log from being emptied; that is no reason to wait for it. Nor is a disk that
    # has no room for it: what is committed is read from the log.
    with suppress(sqlite3.OperationalError):
        connection.execute("PRAGMA busy_timeout = 0")
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()
    sweep(path, keep=[file.name for file in derived])
    remember_derived(path, derived)


def _take_back(connection: sqlite3.Connection, path: Path) -> None:
    """Leave nothing of a commit that came to nothing: on a full disk, its files would stand in the way of the next."""
    with suppress(sqlite3.Error, OSError):
        if connection.in_transaction:
            connection.execute("ROLLBACK")
        sweep_drafts(path, keep=_named_files(connection))


def remove_documents(path: Path, *, ids: Sequence[int] = (), product: str | None = None, every: bool = False) -> int:
    """Remove documents by id, by product (name or alias, any case) or all; returns how many.

    Raises:
        UsageError: an id or product that the index doesn't have.
    """
    # A missing index is said to be missing before the lock makes its folder.
    connect(path).close()
    with write_lock(path):
        return _remove_locked(path, ids=ids, product=product, every=every)


def _remove_locked(path: Path, *, ids: Sequence[int], product: str | None, every: bool) -> int:
    with TableReader.open(path) as reader:
        known = {document.id: document for document in reader.documents}
        chosen = set(ids)
        if unknown := sorted(chosen - known.keys()):
            raise UsageError(f"No document {unknown[0]} in the index. `relnotes docs` lists them.")
        if product is not None:
            matches = [found for found in reader.products if found.is_called(product)]
            if not matches:
                names = ", ".join(found.name for found in reader.products) or "none"
                raise UsageError(f"No product {product!r} in the index. It has: {names}.")
            names_of = {name.casefold() for name in (matches[0].name, *matches[0].aliases)}
            chosen |= {document.id for document in known.values() if document.product.casefold() in names_of}
        if every:
            chosen = set(known)
        model = stamp_of(reader.manifest)
    if chosen:
        commit_changes(path, model=model, remove=sorted(chosen), fresh=False)
    return len(chosen)


def stamp_of(manifest: Manifest) -> ModelStamp:
    """The model that an index was built with."""
    return ModelStamp(manifest.model_id, manifest.model_digest, manifest.dimensions)


def _connect_afresh(path: Path) -> sqlite3.Connection:
    """A connection even where the old database is beyond reading: then it is set aside."""
    try:
        connection = connect(path, create=True)
    except IndexCorrupt:
        _set_aside(path)
        return connect(path, create=True)
    try:
        if connection.execute("PRAGMA quick_check").fetchall() == [("ok",)]:
            return connection
    except sqlite3.DatabaseError as error:
        if not isinstance(unavailable(path, error), IndexCorrupt):
            connection.close()
            raise unavailable(path, error) from error
    connection.close()
    _set_aside(path)
    return connect(path, create=True)


def _named_files(connection: sqlite3.Connection) -> tuple[str, ...]:
    """The derived files of the state that readers open now; none where nothing was ever committed."""
    if not connection.execute("SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = 'manifest'").fetchone():
        return ()
    named = "SELECT value FROM manifest WHERE key IN ('vectors_file', 'lexical_folder', 'columns_folder')"
    return tuple(row[0] for row in connection.execute(named))


def _set_aside(path: Path) -> None:
    (path / DATABASE_NAME).replace(path / f"{DATABASE_NAME}.damaged")
    for suffix in ("-wal", "-shm"):
        (path / f"{DATABASE_NAME}{suffix}").unlink(missing_ok=True)


def _prepare(connection: sqlite3.Connection, path: Path, *, model: ModelStamp, fresh: bool) -> Manifest:
    tables = {row[0] for row in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")}
    generation = 0
    stores: dict[str, str] = {}
    if "manifest" in tables and not fresh:
        manifest = read_manifest(connection, path)
        if manifest.model_digest != model.digest:
            raise IndexMismatch(
                f"Cannot add to index {str(path)!r}: built with model {manifest.model_id!r}, configured is "
                f"{model.model_id!r}. Rebuild with `relnotes ingest --rebuild SOURCE...` "
                f"or set RELNOTES_MODEL={shlex.quote(manifest.model_id)}."
            )
        _check_parts(connection, path)
        return manifest
    if "manifest" in tables:
        found = connection.execute("SELECT value FROM manifest WHERE key = 'generation'").fetchone()
        generation = int(found[0]) if found and found[0].isdecimal() else 0
        stores = dict(connection.execute("SELECT key, value FROM manifest WHERE key LIKE 'store%'"))
    for table in (*CHECKSUM_TABLES, "passages", "releases", "documents", "manifest", "sources"):
        connection.execute(f"DROP TABLE IF EXISTS {table}")
    for statement in filter(str.strip, SCHEMA.split(";")):
        connection.execute(statement)
    connection.execute(SOURCES_SCHEMA)
    create_checksums(connection)
    return replace(
        _blank_manifest(model, generation),
        store=stores.get("store", EMBEDDED),
        store_generation=stores.get("store_generation", ""),
        store_before=stores.get("store_before", ""),
    )


def _check_parts(connection: sqlite3.Connection, path: Path) -> None:
    """See that what a commit goes by is what was stored, and forget what it can do without."""
    for part, fault in part_faults(connection):
        if part in TRUTH_PARTS:
            raise corrupt(path, fault)
        if part == "sources":
            connection.execute("DELETE FROM sources")


def _blank_manifest(model: ModelStamp, generation: int) -> Manifest:
    now = datetime.now(UTC).isoformat(timespec="seconds")
    return Manifest(
        format_version=FORMAT_VERSION,
        model_id=model.model_id,
        model_digest=model.digest,
        dimensions=model.dimensions,
        generation=generation,
        documents=0,
        passages=0,
        items=0,
        vectors_file="",
        vectors_sha256="",
        vectors_method="",
        vectors_recall=0.0,
        lexical_folder="",
        lexical_sha256="",
        columns_folder="",
        columns_sha256="",
        store=EMBEDDED,
        store_generation="",
        store_before="",
        created=now,
        updated=now,
    )


def _insert_all(connection: sqlite3.Connection, documents: Iterable[EncodedDocument]) -> None:
    # A function of its own, so that nothing holds the last document when the derived files are made.
    for document in documents:
        _insert(connection, document)


def _insert(connection: sqlite3.Connection, encoded: EncodedDocument) -> None:
    document = encoded.parsed.document
    document_id: int = connection.execute(
        """INSERT INTO documents (root, source, title, product, aliases, version, date, authority, url, media_type,
                                  sha256, text, text_sha256)
           VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)""",
        (
            document.root,
            document.source,
            document.title,
            document.product,
            json.dumps(document.aliases, ensure_ascii=False),
            document.version.label if document.version else None,
            document.date.isoformat() if document.date else None,
            document.authority.value,
            document.url,
            document.media_type,
            document.sha256,
            document.text,
            text_sha256(document.text),
        ),
    ).lastrowid  # type: ignore[assignment]
    release_ids = [
        connection.execute(
            "INSERT INTO releases (document_id, version, label, date, start, end, yanked, pending)"
            " VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
            (
                document_id,
                release.version.label if release.version else None,
                release.label,
                release.date.isoformat() if release.date else None,
                release.span.start,
                release.span.end,
                release.yanked,
                release.pending,
            ),
        ).lastrowid
        for release in encoded.parsed.releases
    ]
    connection.executemany(
        """INSERT INTO passages (document_id, release_id, start, end, heading, kind, symbols, refs, versions,
                                 boilerplate, items, tokens, vectors) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)""",
        (
            (
                document_id,
                release_ids[passage.release],
                passage.span.start,
                passage.span.end,
                json.dumps(passage.heading, ensure_ascii=False),
                passage.kind.value,
                json.dumps(passage.symbols, ensure_ascii=False),
                json.dumps(passage.references),
                json.dumps([version.label for version in passage.versions]),
                passage.boilerplate,
                json.dumps([item.stored() for item in passage.items]),
                " ".join(tokens),
                np.ascontiguousarray(vectors, dtype=np.float32).tobytes(),
            )
            for passage, tokens, vectors in zip(encoded.parsed.passages, encoded.tokens, encoded.vectors, strict=True)
        ),
    )
    add_checksums(connection, document_id)


def fingerprint(*parts: str | bytes) -> str:
    """SHA-256 (hex) over the parts, each with its length, so that no two lists of parts give the same bytes."""
    digest = hashlib.sha256()
    for part in parts:
        data = part.encode("utf-8", "surrogatepass") if isinstance(part, str) else part
        digest.update(len(data).to_bytes(8, "big"))
        digest.update(data)
    return digest.hexdigest()
