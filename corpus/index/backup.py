"""A copy of an index's folder that is whole, made while others ask and ingest.

Each database is copied by SQLite in one state, and the derived files are those that this very state names.
"""

import shutil
import sqlite3
from contextlib import closing
from pathlib import Path

from corpus.errors import IndexUnavailable, RelnotesError, UsageError
from corpus.file_digests import MEMORY_NAME
from corpus.index.derived import DERIVED_PREFIXES, check_derived, manifest_files, sweep
from corpus.index.faults import unavailable
from corpus.index.layout import DATABASE_NAME, LOCK_NAME, connect, newest_manifest
from corpus.manifest import Manifest

_TRIES = 20
_DATABASES = ".sqlite"
_LEFT_OUT = frozenset((LOCK_NAME, MEMORY_NAME, ".incoming"))
_LEFT_OUT_ENDS = ("-wal", "-shm", "-journal", ".lock", ".part")
"""Of others at work: their locks, their logs, what they haven't finished."""


def back_up(index: Path, to: Path) -> Manifest:
    """Copy the index's folder to `to`, which must not exist yet; the state that the copy holds.

    What people gave or said (uploads, verdicts, questions that were kept, Slack's requests) is copied too.

    Raises:
        UsageError: `to` is there already, or inside the index.
        IndexUnavailable: there is no index, or it can't be read.
        RelnotesError: the copy can't be written; nothing is left of it.
    """
    if to.exists() or to.is_symlink():
        raise UsageError(f"Cannot back up to {str(to)!r}: it is there already. Name a folder that isn't.")
    if to.resolve().is_relative_to(index.resolve()):
        raise UsageError(f"Cannot back up to {str(to)!r}: it is inside the index. Name a place outside.")
    part = to.with_name(f"{to.name}.part")
    try:
        shutil.rmtree(part, ignore_errors=True)
        part.mkdir(parents=True, mode=0o700)
        manifest = _copy_state(index, part)
        for path in sorted(index.iterdir()):
            # What a commit under way has written already, or an earlier one hasn't swept yet, is of another state.
            if path.name != DATABASE_NAME and not path.name.startswith(DERIVED_PREFIXES):
                _copy(path, part / path.name)
        part.replace(to)
    except (OSError, shutil.Error) as error:
        reason = getattr(error, "strerror", None) or str(error)[:200]
        raise RelnotesError(f"Cannot back up to {str(to)!r}: {reason}. Nothing is left of it.") from None
    finally:
        shutil.rmtree(part, ignore_errors=True)
    return manifest


def _copy_state(index: Path, part: Path) -> Manifest:
    """The database and the derived files of one state.

    A commit removes the files of the state before, perhaps while they are copied: then the next state is tried. What
    the index itself lacks the copy lacks too; an ingest mends both.
    """
    for _ in range(_TRIES):
        with closing(connect(index)) as connection:
            _copy_database(connection, index, part / DATABASE_NAME)
        manifest = newest_manifest(part)
        files = manifest_files(manifest)
        for file in files:
            _copy(index / file.name, part / file.name)
        if not any(check_derived(part, file) for file in files):
            return manifest
        sweep(part, keep=())
        # As it is, unless it was taken away under our hands.
        if any(check_derived(index, file) for file in files) and newest_manifest(index) == manifest:
            return manifest
    raise IndexUnavailable(f"Cannot back up {str(index)!r}: it changes faster than it is copied. Try again later.")


def _copy_database(connection: sqlite3.Connection, index: Path, to: Path) -> None:
    to.unlink(missing_ok=True)
    with closing(sqlite3.connect(to)) as copy:
        try:
            connection.backup(copy)
        except sqlite3.DatabaseError as error:
            raise unavailable(index, error) from error
    to.chmod(0o600)


def _copy(path: Path, to: Path) -> None:
    """A file, a database or a folder; what goes away meanwhile is left out, and what belongs to others at work."""
    if path.is_symlink() or path.name in _LEFT_OUT or path.name.endswith(_LEFT_OUT_ENDS):
        return
    try:
        if path.is_dir():
            to.mkdir(mode=0o700, exist_ok=True)
            for inner in sorted(path.iterdir()):
                _copy(inner, to / inner.name)
        elif path.suffix == _DATABASES:
            with closing(sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro", uri=True)) as connection:
                _copy_database(connection, path.parent, to)
        elif path.is_file():
            shutil.copy2(path, to)
    except FileNotFoundError:
        if path.exists():
            raise
