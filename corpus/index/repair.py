"""An index made whole again from its tables: what searches it is derived anew, and nothing is embedded."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from corpus.errors import IndexCorrupt, IndexNotFound, StoreUnavailable
from corpus.index.check import truth_faults
from corpus.index.commit import commit_changes, stamp_of
from corpus.index.derived import check_derived, manifest_files, sweep, unnamed_files
from corpus.index.faults import truth_damaged
from corpus.index.layout import Manifest, connect, write_lock
from corpus.index.reader import IndexReader
from corpus.index.row_checksums import TRUTH_PARTS, part_faults
from corpus.index.source_records import SourceRecord
from corpus.index.tables import TableReader
from corpus.stores.choice import StoreChoice


@dataclass(frozen=True, slots=True)
class Repair:
    """What a repair found and left."""

    damaged: tuple[str, ...]
    """The derived files that weren't what was written, a line each; all are made anew whether they were or not."""
    swept: tuple[str, ...]
    """What writers that died had left, by name."""
    manifest: Manifest
    """Of the index as it is now."""


def repair_index(path: Path) -> Repair:
    """Make every derived file anew from the tables, once those are found to be what was stored; sweep what was left.

    Readers keep the old state meanwhile; nothing is changed where the tables themselves are damaged.

    Raises:
        IndexNotFound: there is no index at `path`.
        IndexCorrupt: the tables are damaged; the message says where, and what to do.
        IndexMismatch, IndexBusy, IndexUnavailable: it has another format, somebody writes, or it can't be written.
        StoreUnavailable: the server that searches it doesn't answer.
    """
    # A missing index is reported before the lock makes its folder.
    connect(path).close()
    with write_lock(path):
        manifest = _sound_truth(path)
        files = manifest_files(manifest)
        damaged = tuple(fault for file in files if (fault := check_derived(path, file)))
        swept = unnamed_files(path, keep=[file.name for file in files])
        return Repair(damaged, swept, commit_changes(path, model=stamp_of(manifest), fresh=False))


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
    commit_changes(path, model=stamp_of(manifest), sources=sources, fresh=False, store=store)
    return True


def _sound_truth(path: Path) -> Manifest:
    with TableReader.open(path) as tables:
        faults = tables.check_database()
        if not faults:
            parts = [fault for part, fault in tables.read(part_faults) if part in TRUTH_PARTS]
            faults = (*parts, *truth_faults(tables))
        if faults:
            raise truth_damaged(path, faults)
        return tables.manifest
