"""A copy of an index's folder that is whole, made while others ask and ingest.

Copying the folder file by file gives a whole copy only while nothing is written: the database's file and its log would
be of different moments. Here each database is copied by SQLite in one state, and the derived files are those that
this very state names. The copy is an index's folder like any other; to restore is to put it in the place of the old.
"""

import shutil
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

from corpus.errors import IndexUnavailable, RelnotesError, UsageError
from corpus.file_digests import MEMORY_NAME
from corpus.index.derived import check_derived, remove_derived
from corpus.index.faults import unavailable
from corpus.index.layout import DATABASE_NAME, LOCK_NAME, Manifest, connect, read_manifest
from corpus.index.reader import manifest_files

_TRIES = 20
_DATABASES = ".sqlite"
_LEFT_OUT = frozenset((LOCK_NAME, MEMORY_NAME))
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
        named = {file.name for file in manifest_files(manifest)}
        _copy_others(index, part, leave=named | set(_of_other_states(index, named)))
        part.replace(to)
    except (OSError, shutil.Error) as error:
        reason = getattr(error, "strerror", None) or str(error)[:200]
        raise RelnotesError(f"Cannot back up to {str(to)!r}: {reason}. Nothing is left of it.") from None
    finally:
        shutil.rmtree(part, ignore_errors=True)
    return manifest


def _copy_state(index: Path, part: Path) -> Manifest:
    """The database and the derived files of one state, whose checksums they have.

    A commit takes the files of the state before away, perhaps while they are copied: then the next state is tried.
    What the index itself lacks the copy lacks too; an ingest mends both.
    """
    for _ in range(_TRIES):
        with closing(connect(index)) as connection:
            _copy_database(connection, index, part / DATABASE_NAME)
        with closing(connect(part)) as copied:
            manifest = read_manifest(copied, part)
        files = manifest_files(manifest)
        for file in files:
            _copy(index / file.name, part / file.name)
        if not any(check_derived(part, file) for file in files):
            return manifest
        for file in files:
            remove_derived(part / file.name)
        # As it is, unless it was taken away under our hands.
        if any(check_derived(index, file) for file in files) and _generation(index) == manifest.generation:
            return manifest
    raise IndexUnavailable(f"Cannot back up {str(index)!r}: it changes faster than it is copied. Try again later.")


def _generation(index: Path) -> int:
    with closing(connect(index)) as connection:
        return read_manifest(connection, index).generation


def _copy_database(connection: sqlite3.Connection, index: Path, to: Path) -> None:
    to.unlink(missing_ok=True)
    with closing(sqlite3.connect(to)) as copy:
        try:
            connection.backup(copy)
        except sqlite3.DatabaseError as error:
            raise unavailable(index, error) from error
    to.chmod(0o600)


def _of_other_states(index: Path, named: set[str]) -> Iterator[str]:
    """What a commit under way has written already, or an earlier one hasn't swept yet."""
    kinds = {name.partition("-")[0] for name in named if name}
    yield from (path.name for path in index.iterdir() if path.name.partition("-")[0] in kinds)


def _copy_others(index: Path, part: Path, *, leave: set[str]) -> None:
    for path in sorted(index.iterdir()):
        if path.name not in leave and path.name != DATABASE_NAME and not _is_left_out(path.name):
            _copy(path, part / path.name)


def _copy(path: Path, to: Path) -> None:
    """A file, a database or a folder; what goes away meanwhile is left out."""
    if path.is_symlink():
        return
    try:
        if path.is_dir():
            to.mkdir(mode=0o700, exist_ok=True)
            for one in sorted(path.iterdir()):
                if not _is_left_out(one.name):
                    _copy(one, to / one.name)
        elif path.suffix == _DATABASES:
            with closing(sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro", uri=True)) as connection:
                _copy_database(connection, path.parent, to)
        elif path.is_file():
            shutil.copy2(path, to)
    except FileNotFoundError:
        if path.exists():
            raise


def _is_left_out(name: str) -> bool:
    return name in _LEFT_OUT or name.endswith(_LEFT_OUT_ENDS) or name == ".incoming"
