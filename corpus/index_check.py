"""Whether an index on disk is sound: its checksums, its tables and every stored offset."""

from collections.abc import Iterator
from pathlib import Path

from corpus.errors import IndexCorrupt
from corpus.index_errors import reading_values, unreadable
from corpus.index_store import IndexReader
from corpus.stored import StoredPassage

_PASSAGES_AT_ONCE = 500


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
        try:
            with reading_values(path):
                faults += _document_faults(reader)
                faults += _count_faults(reader)
                faults += _passage_faults(reader)
        except IndexCorrupt as error:
            faults.append(f"tables: {unreadable(error.__cause__ or error)}")
    return tuple(faults)


def _document_faults(reader: IndexReader) -> Iterator[str]:
    for document in reader.documents:
        if not document.sha256:
            yield f"{document.source}: no fingerprint"
        stored = reader.stored_text(document.id)
        if not stored.is_intact:
            yield f"{document.source}: text doesn't match its checksum"
        length = len(stored.text)
        for release in reader.document_releases(document.id):
            if not 0 <= release.span.start <= release.span.end <= length:
                yield f"{document.source}:{release.span.start}-{release.span.end}: release outside its document"


def _count_faults(reader: IndexReader) -> Iterator[str]:
    """The vectors' file and the tables must agree row by row, or every answer would quote the wrong place."""
    manifest, table = reader.manifest, reader.passages
    for name, stated, found in (
        ("documents", manifest.documents, len(reader.documents)),
        ("passages", manifest.passages, len(table.ids)),
        ("items", manifest.items, int(table.item_offsets[-1])),
    ):
        if stated != found:
            yield f"manifest: {stated} {name} stated, {found} in the tables"


def _passage_faults(reader: IndexReader) -> Iterator[str]:
    table = reader.passages
    lengths = {document.id: len(reader.stored_text(document.id).text) for document in reader.documents}
    for first in range(0, len(table.ids), _PASSAGES_AT_ONCE):
        for passage in reader.load_passages(range(first, min(first + _PASSAGES_AT_ONCE, len(table.ids)))):
            place = f"{passage.document.source}:{passage.span.start}-{passage.span.end}"
            if not 0 <= passage.span.start < passage.span.end <= lengths[passage.document.id]:
                yield f"{place}: passage outside its document"
            rows = int(table.item_offsets[passage.position + 1] - table.item_offsets[passage.position])
            if rows != len(passage.items):
                yield f"{place}: {rows} vectors for {len(passage.items)} items"
            if not _items_in_place(passage):
                yield f"{place}: items out of place"


def _items_in_place(passage: StoredPassage) -> bool:
    """Whether the items lie inside their passage, in order and disjoint."""
    at = passage.span.start
    for item in passage.items:
        if not at <= item.span.start < item.span.end <= passage.span.end:
            return False
        at = item.span.end
    return True
