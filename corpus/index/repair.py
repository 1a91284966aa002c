"""Whether an index on disk is sound, and how it is made whole again from its tables; nothing is embedded."""

from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import fields
from pathlib import Path

import numpy as np

from corpus.errors import IndexCorrupt, IndexNotFound, StoreUnavailable
from corpus.file_digests import MEMORY_NAME
from corpus.index.commit import commit_changes
from corpus.index.derived import check_derived, manifest_files, sweep
from corpus.index.faults import reading_values, unreadable
from corpus.index.reader import IndexReader
from corpus.index.row_checksums import part_faults, row_faults
from corpus.index.source_records import SourceRecord
from corpus.index.tables import TableReader
from corpus.stores.choice import StoreChoice
from corpus.stores.passage_table import PassageTable


def verify_index(path: Path) -> tuple[str, ...]:
    """Every fault found in checksums, tables and stored offsets, a line each; empty when the index is sound.

    Where the database file itself is damaged, what it holds isn't judged.

    Raises:
        IndexNotFound, IndexMismatch, IndexCorrupt: it can't even be opened.
    """
    with IndexReader.open(path) as reader:
        if faults := reader.check_database():
            return tuple(f"database: {fault}" for fault in faults)
        # Every byte of the derived files against their checksums.
        if any(damaged := [check_derived(path, file) for file in manifest_files(reader.manifest)]):
            # So that the next ingest looks for itself, and derives them anew.
            with suppress(OSError):
                (path / MEMORY_NAME).unlink()
        with TableReader.open(path) as tables:
            if tables.manifest != reader.manifest:
                # A commit came between, and took away what was looked at.
                return verify_index(path)
            parts = (fault for _, fault in tables.read(part_faults))
            return (*filter(None, damaged), *parts, *_truth_faults(tables, columns=reader.passages))


def restore_derived(path: Path, *, store: StoreChoice | None = None, sources: Sequence[SourceRecord] = ()) -> bool:
    """Derive anew what searches the index, where it is missing or damaged, or where `store` is another one than now.

    Returns whether that was needed, and `sources` are remembered with it; what a writer that died has left is swept in
    either case. The caller holds `write_lock(path)`.

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
            sweep(path, keep=[file.name for file in manifest_files(manifest)])
            return False
    commit_changes(path, model=manifest.model, sources=sources, fresh=False, store=store)
    return True


def _truth_faults(tables: TableReader, *, columns: PassageTable | None = None) -> tuple[str, ...]:
    """Every fault found in documents, releases and passages, a line each, whatever became of the derived files.

    Rows that aren't what was stored aren't judged further; those that are may still have been stored wrong. `columns`
    are compared with them.
    """
    try:
        if altered := tables.read(lambda connection: tuple(row_faults(connection))):
            return altered
        with reading_values(tables.path):
            beside = () if columns is None else tuple(_count_faults(tables)) or _column_faults(columns, tables.passages)
            return (*beside, *_document_faults(tables))
    except IndexCorrupt as error:
        return (f"tables: {unreadable(error.__cause__ or error)}",)


def _count_faults(tables: TableReader) -> Iterator[str]:
    """The files of vectors and terms were held against the manifest's counts: the tables must have as many."""
    manifest, table = tables.manifest, tables.passages
    counted = (
        ("documents", manifest.documents, len(tables.documents)),
        ("passages", manifest.passages, len(table.ids)),
        ("items", manifest.items, int(table.item_offsets[-1])),
    )
    for name, stated, found in counted:
        if stated != found:
            yield f"manifest: {stated} {name} stated, {found} in the tables"


def _column_faults(columns: PassageTable, table: PassageTable) -> Iterator[str]:
    """Filters look at the columns, answers quote the tables: both must be of the same passages."""
    for field in fields(table):
        left, right = getattr(columns, field.name), getattr(table, field.name)
        if not (left == right if isinstance(right, tuple) else np.array_equal(left, right)):
            yield f"columns: {field.name} isn't what the tables have"


def _document_faults(reader: TableReader) -> Iterator[str]:
    offsets = reader.passages.item_offsets
    for document in reader.documents:
        if not document.sha256:
            yield f"{document.source}: no fingerprint"
        try:
            length = len(reader.document_text(document.id))
        except IndexCorrupt as error:
            if error.__cause__ is not None:
                # The database itself can't be read.
                raise
            yield f"{document.source}: text doesn't match its checksum"
            continue
        for release in reader.document_releases(document.id):
            if not 0 <= release.span.start <= release.span.end <= length:
                yield f"{document.source}:{release.span.start}-{release.span.end}: release outside its document"
        for passage in reader.document_passages(document.id):
            place = f"{document.source}:{passage.span.start}-{passage.span.end}"
            if not 0 <= passage.span.start < passage.span.end <= length:
                yield f"{place}: passage outside its document"
            rows = int(offsets[passage.position + 1] - offsets[passage.position])
            if rows != len(passage.items):
                yield f"{place}: {rows} vectors for {len(passage.items)} items"
            at = passage.span.start
            for item in passage.items:
                if not at <= item.span.start < item.span.end <= passage.span.end:
                    yield f"{place}: items out of place"
                    break
                at = item.span.end
