"""Whether an index on disk is sound: its checksums, its tables and every stored offset."""

from collections.abc import Iterator
from dataclasses import fields
from pathlib import Path

import numpy as np

from corpus.errors import IndexCorrupt
from corpus.index.derived import check_derived, manifest_files
from corpus.index.faults import reading_values, unreadable
from corpus.index.reader import IndexReader
from corpus.index.row_checksums import part_faults, row_faults
from corpus.index.stored import PassageTable
from corpus.index.tables import TableReader


def verify_index(path: Path) -> tuple[str, ...]:
    """Every fault found in checksums, tables and stored offsets, a line each; empty when the index is sound.

    Where the database file itself is damaged, what it holds isn't judged.

    Raises:
        IndexNotFound, IndexMismatch, IndexCorrupt: it can't even be opened.
    """
    with IndexReader.open(path) as reader:
        faults = [f"database: {fault}" for fault in reader.check_database()]
        if faults:
            return tuple(faults)
        # Every byte of the derived files against their checksums.
        damaged = (check_derived(path, file) for file in manifest_files(reader.manifest))
        faults += [fault for fault in damaged if fault]
        with TableReader.open(path) as tables:
            if tables.manifest != reader.manifest:
                return verify_index(path)
            faults += [fault for _, fault in tables.read(part_faults)]
            faults += truth_faults(tables, columns=reader.passages)
    return tuple(faults)


def truth_faults(tables: TableReader, *, columns: PassageTable | None = None) -> tuple[str, ...]:
    """Every fault found in documents, releases and passages, a line each, whatever became of the derived files.

    The database file itself is taken to be sound (`TableReader.check_database`). Rows that aren't what was stored
    aren't judged further; those that are may still have been stored wrong. `columns` are compared with them.
    """
    try:
        if altered := tables.read(lambda connection: tuple(row_faults(connection))):
            return altered
        with reading_values(tables.path):
            beside = [] if columns is None else _count_faults(tables) or _column_faults(columns, tables.passages)
            return (*_document_faults(tables), *beside)
    except IndexCorrupt as error:
        return (f"tables: {unreadable(error.__cause__ or error)}",)


def _column_faults(columns: PassageTable, table: PassageTable) -> Iterator[str]:
    """Filters look at the columns, answers quote the tables: both must be of the same passages."""
    for name in (field.name for field in fields(columns)):
        if not np.array_equal(getattr(columns, name), getattr(table, name)):
            yield f"columns: {name} isn't what the tables say"


def _count_faults(reader: TableReader) -> list[str]:
    """The vectors' file and the tables must agree row by row, or every answer would quote the wrong place."""
    manifest, table = reader.manifest, reader.passages
    counted = (
        ("documents", manifest.documents, len(reader.documents)),
        ("passages", manifest.passages, len(table.ids)),
        ("items", manifest.items, int(table.item_offsets[-1])),
    )
    return [
        f"manifest: {stated} {name} stated, {found} in the tables" for name, stated, found in counted if stated != found
    ]


def _document_faults(reader: TableReader) -> Iterator[str]:
    for document in reader.documents:
        if not document.sha256:
            yield f"{document.source}: no fingerprint"
        try:
            length = len(reader.document_text(document.id))
        except IndexCorrupt:
            yield f"{document.source}: text doesn't match its checksum"
            continue
        for release in reader.document_releases(document.id):
            if not 0 <= release.span.start <= release.span.end <= length:
                yield f"{document.source}:{release.span.start}-{release.span.end}: release outside its document"
        yield from _passage_faults(reader, document.id, length)


def _passage_faults(reader: TableReader, document_id: int, length: int) -> Iterator[str]:
    offsets = reader.passages.item_offsets
    for passage in reader.document_passages(document_id):
        place = f"{passage.document.source}:{passage.span.start}-{passage.span.end}"
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
