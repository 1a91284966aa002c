"""How an index changes: one writer, one transaction, old files swept afterwards."""

import hashlib
import json
import shlex
import sqlite3
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from functools import partial
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from corpus.derived import DerivedFile, remember_derived, sweep, sweep_drafts, write_derived
from corpus.errors import IndexCorrupt, IndexMismatch, IndexNotFound, StoreUnavailable, UsageError
from corpus.index_errors import corrupt, refused, unavailable
from corpus.index_layout import (
    DATABASE_NAME,
    FORMAT_VERSION,
    SCHEMA,
    Manifest,
    connect,
    read_manifest,
    write_lock,
    write_manifest,
)
from corpus.index_store import IndexReader
from corpus.index_tables import TableReader
from corpus.lexical_index import LexicalIndex
from corpus.milvus.collections import search_method
from corpus.milvus.generations import Generation, settle_generations, write_generation
from corpus.milvus.term_table import TermTable
from corpus.milvus.writing import written_items
from corpus.model import ParsedDocument
from corpus.passage_columns import write_columns
from corpus.store_choice import EMBEDDED, StoreChoice
from corpus.stored import ModelStamp, text_sha256
from corpus.vector_index import VectorMethod, write_vector_index


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
    fresh: bool,
    store: StoreChoice | None = None,
) -> Manifest:
    """Change the index in one transaction; whoever reads meanwhile keeps the old state.

    Each document of `add` is written and let go before the next is asked for. `fresh` starts from nothing,
    whatever was there. `store` is what shall search the index; None: what searches it now. The caller holds
    `write_lock(path)`.

    Raises:
        IndexMismatch: the index has another format or model.
        StoreUnavailable: the server that shall search it doesn't take it.
        IndexUnavailable: it can't be written; whoever opens it finds the old state.
    """
    connection = _connect_afresh(path) if fresh else connect(path, create=True)
    try:
        try:
            return _commit(connection, path, model=model, remove=remove, add=add, fresh=fresh, store=store)
        except BaseException:
            _take_back(connection, path)
            raise
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
    fresh: bool,
    store: StoreChoice | None,
) -> Manifest:
    # First, so that writers that die again and again don't fill the disk.
    sweep_drafts(path, keep=_named_files(connection))
    connection.execute("BEGIN IMMEDIATE")
    previous = _prepare(connection, path, model=model, fresh=fresh)
    connection.executemany("DELETE FROM documents WHERE id = ?", [(document_id,) for document_id in remove])
    _insert_all(connection, add)
    manifest, derived = _derive(connection, path, previous=previous, store=store)
    write_manifest(connection, manifest)
    connection.execute("COMMIT")
    # A reader on an older state keeps the log from being emptied; that is no reason to wait for it. Nor is a disk that
    # has no room for it: what is committed is read from the log.
    with suppress(sqlite3.OperationalError):
        connection.execute("PRAGMA busy_timeout = 0")
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()
    sweep(path, keep=[file.name for file in derived])
    remember_derived(path, derived)
    settle_generations(manifest, previous=previous, is_stated=store is not None)
    return manifest


def _take_back(connection: sqlite3.Connection, path: Path) -> None:
    """Leave nothing of a commit that came to nothing: on a full disk, its files would stand in the way of the next."""
    with suppress(sqlite3.Error, OSError):
        if connection.in_transaction:
            connection.execute("ROLLBACK")
        sweep_drafts(path, keep=_named_files(connection))


def restore_derived(path: Path, *, store: StoreChoice | None = None) -> bool:
    """Derive anew what searches the index, where it is missing or damaged, or where `store` is another one than now.

    Returns whether that was needed. The caller holds `write_lock(path)`.

    Raises:
        IndexMismatch, IndexCorrupt: the tables can't be read either.
        StoreUnavailable: the server that shall search it doesn't take it.
    """
    try:
        with TableReader.open(path) as tables:
            manifest = tables.manifest
    except IndexNotFound:
        return False
    if store is None or str(store) == manifest.store:
        try:
            IndexReader.open(path).close()
        except (IndexCorrupt, StoreUnavailable):
            pass
        else:
            return False
    commit_changes(path, model=_stamp(manifest), fresh=False, store=store)
    return True


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
        model = _stamp(reader.manifest)
    if chosen:
        commit_changes(path, model=model, remove=sorted(chosen), fresh=False)
    return len(chosen)


def _stamp(manifest: Manifest) -> ModelStamp:
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
        return manifest
    if "manifest" in tables:
        found = connection.execute("SELECT value FROM manifest WHERE key = 'generation'").fetchone()
        generation = int(found[0]) if found and found[0].isdecimal() else 0
        stores = dict(connection.execute("SELECT key, value FROM manifest WHERE key LIKE 'store%'"))
    for table in ("passages", "releases", "documents", "manifest", "sources"):
        connection.execute(f"DROP TABLE IF EXISTS {table}")
    for statement in filter(str.strip, SCHEMA.split(";")):
        connection.execute(statement)
    return replace(
        _blank_manifest(model, generation),
        store=stores.get("store", EMBEDDED),
        store_generation=stores.get("store_generation", ""),
        store_before=stores.get("store_before", ""),
    )


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
    document_id = connection.execute(
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
    ).lastrowid
    release_ids = [
        connection.execute(
            "INSERT INTO releases (document_id, version, label, date, start, end, yanked) VALUES (?, ?, ?, ?, ?, ?, ?)",
            (
                document_id,
                release.version.label if release.version else None,
                release.label,
                release.date.isoformat() if release.date else None,
                release.span.start,
                release.span.end,
                release.yanked,
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
                json.dumps([(item.span.start, item.span.end, int(item.retracted)) for item in passage.items]),
                " ".join(tokens),
                np.ascontiguousarray(vectors, dtype=np.float32).tobytes(),
            )
            for passage, tokens, vectors in zip(encoded.parsed.passages, encoded.tokens, encoded.vectors, strict=True)
        ),
    )


def _derive(
    connection: sqlite3.Connection, path: Path, *, previous: Manifest, store: StoreChoice | None
) -> tuple[Manifest, list[DerivedFile]]:
    table = TableReader(path, connection, previous).read_columns()
    columns = write_derived(path, partial(write_columns, table=table), prefix="columns")
    before = Generation.of(previous)
    manifest = replace(
        previous,
        generation=previous.generation + 1,
        documents=connection.execute("SELECT count(*) FROM documents").fetchone()[0],
        passages=len(table.ids),
        items=int(table.item_offsets[-1]),
        columns_folder=columns.name,
        columns_sha256=columns.sha256,
        store_before=str(before) if before else "",
        updated=datetime.now(UTC).isoformat(timespec="seconds"),
    )
    address = (store or StoreChoice.parse(previous.store)).milvus
    if address is None:
        manifest, files = _derive_embedded(connection, path, manifest)
    else:
        terms = TermTable.from_tokens(_stored_tokens(connection))
        generation = write_generation(
            address,
            previous=previous,
            is_stated=store is not None,
            table=table,
            matrices=_stored_vectors(connection, path, dimensions=previous.dimensions),
            tokens=_stored_tokens(connection),
            terms=terms,
        )
        files = [write_derived(path, terms.write, prefix="terms")]
        method, recall = search_method(written_items(table))
        manifest = replace(
            manifest,
            vectors_file="",
            vectors_sha256="",
            vectors_method=method,
            vectors_recall=recall,
            lexical_folder=files[0].name,
            lexical_sha256=files[0].sha256,
            store=str(address),
            store_generation=generation.name,
        )
    return manifest, [*files, columns]


def _derive_embedded(
    connection: sqlite3.Connection, path: Path, manifest: Manifest
) -> tuple[Manifest, list[DerivedFile]]:
    methods: list[VectorMethod] = []

    def write_vectors(draft: Path) -> None:
        matrices = partial(_stored_vectors, connection, path, dimensions=manifest.dimensions)
        methods.append(write_vector_index(draft, matrices, count=manifest.items, dimensions=manifest.dimensions))

    vectors = write_derived(path, write_vectors, prefix="vectors", suffix=".faiss")
    lexical = write_derived(path, LexicalIndex.from_tokens(_stored_tokens(connection)).write, prefix="lexical")
    derived = replace(
        manifest,
        vectors_file=vectors.name,
        vectors_sha256=vectors.sha256,
        vectors_method=methods[0].name,
        vectors_recall=round(methods[0].recall, 4),
        lexical_folder=lexical.name,
        lexical_sha256=lexical.sha256,
        store=EMBEDDED,
        store_generation="",
    )
    return derived, [vectors, lexical]


def _stored_tokens(connection: sqlite3.Connection) -> Iterator[list[str]]:
    """The tokens of each passage, in order."""
    for (tokens,) in connection.execute("SELECT tokens FROM passages ORDER BY id"):
        yield tokens.split()


def _stored_vectors(connection: sqlite3.Connection, path: Path, *, dimensions: int) -> Iterator[NDArray[np.float32]]:
    """A matrix a passage, in order."""
    for (blob,) in connection.execute("SELECT vectors FROM passages ORDER BY id"):
        if len(blob) % (4 * dimensions):
            raise corrupt(path, f"a passage has {len(blob)} bytes of vectors of {4 * dimensions} each")
        yield np.frombuffer(blob, dtype=np.float32).reshape(-1, dimensions)


def fingerprint(*parts: str | bytes) -> str:
    """SHA-256 (hex) over the parts, each with its length, so that no two lists of parts give the same bytes."""
    digest = hashlib.sha256()
    for part in parts:
        data = part.encode("utf-8", "surrogatepass") if isinstance(part, str) else part
        digest.update(len(data).to_bytes(8, "big"))
        digest.update(data)
    return digest.hexdigest()
