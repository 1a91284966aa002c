"""Checking an index on disk, and restoring its search files from its tables; nothing is embedded."""

from collections.abc import Iterator, Sequence
from contextlib import suppress
from pathlib import Path

from corpus.errors import IndexCorrupt, IndexNotFound, StoreUnavailable
from corpus.index.commit import commit_changes
from corpus.index.derived import check_derived, manifest_files, sweep
from corpus.index.layout import newest_manifest
from corpus.index.reader import IndexReader
from corpus.index.source_records import SourceRecord
from corpus.index.tables import TableReader
from corpus.stores.choice import StoreChoice


def verify_index(path: Path) -> tuple[str, ...]:
    """Return every fault found in the database, files, texts and stored offsets, a line each; empty without any.

    If the database file itself is damaged, its contents aren't checked.

    Raises:
        IndexNotFound, IndexMismatch, IndexCorrupt, StoreUnavailable: it can't even be opened.
    """
    with IndexReader.open(path) as reader:
        manifest = reader.manifest
        if faults := reader.check_database():
            return tuple(f"database: {fault}" for fault in faults)
        damaged = tuple(filter(None, (check_derived(path, file) for file in manifest_files(manifest))))
        if damaged and newest_manifest(path) != manifest:
            # A commit in between removed the checked files.
            return verify_index(path)
        return damaged or tuple(_document_faults(reader))


def restore_derived(path: Path, *, store: StoreChoice | None = None, sources: Sequence[SourceRecord] = ()) -> bool:
    """Derive the search files anew if they are missing or damaged, or if `store` differs from the current one.

    Returns whether that was needed (not without an index); if so, `sources` are recorded too. Leftovers of a writer
    that died are swept. The caller has taken `write_lock(path)`.

    Raises:
        IndexMismatch, IndexCorrupt: the tables can't be read either.
        StoreUnavailable: the server that will search it refuses it.
    """
    try:
        manifest = newest_manifest(path)
    except IndexNotFound:
        return False
    if store is None or str(store) == manifest.store:
        files = manifest_files(manifest)
        if not any(check_derived(path, file) for file in files):
            with suppress(IndexCorrupt, StoreUnavailable):
                IndexReader.open(path).close()
                sweep(path, keep=files)
                return False
    commit_changes(path, model=manifest.model, sources=sources, fresh=False, store=store)
    return True


def _document_faults(reader: TableReader) -> Iterator[str]:
    """Yield a line for each text that isn't what was stored, and for each passage with offsets outside its text."""
    for document in reader.documents:
        try:
            length = len(reader.document_text(document.id))
        except IndexCorrupt as error:
            if error.__cause__ is not None:
                # The database itself can't be read.
                raise
            yield f"{document.source}: text doesn't match its checksum"
            continue
        for passage in reader.document_passages(document.id):
            spans = (passage.span, *(item.span for item in passage.items))
            if any(not 0 <= span.start < span.end <= length for span in spans):
                yield f"{document.source}:{passage.span.start}-{passage.span.end}: outside its document"
