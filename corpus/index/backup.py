"""A copy of an index's folder that is whole, made while others ask and ingest."""

import shutil
import sqlite3
from contextlib import closing
from dataclasses import replace
from pathlib import Path

from corpus.errors import IndexUnavailable, RelnotesError, UsageError
from corpus.file_digests import MEMORY_NAME
from corpus.index.commit import commit_changes
from corpus.index.derived import DERIVED_PREFIXES
from corpus.index.faults import unavailable
from corpus.index.layout import connect, newest_manifest, write_lock, write_manifest
from corpus.manifest import Manifest
from corpus.stores.choice import EMBEDDED

_LEFT_OUT = shutil.ignore_patterns(
    *(f"{prefix}*" for prefix in DERIVED_PREFIXES), "*.sqlite[-.]*", "*.lock", "*.part", MEMORY_NAME, ".incoming"
)
"""What is derived, and of others at work their logs, their locks and what they haven't finished."""


def back_up(index: Path, to: Path) -> Manifest:
    """Copy the index's folder to `to`, which must not exist yet; the state that the copy holds.

    Each database is copied by SQLite in one state, and what searches is made anew of it in the copy's own folder. What
    people gave or said (uploads, verdicts, questions that were kept, Slack's requests) is copied too.

    Raises:
        UsageError: `to` is there already, or inside the index.
        IndexUnavailable: there is no index, or it can't be read or is damaged; nothing is left of the copy.
        RelnotesError: the copy can't be written; nothing is left of it.
    """
    if to.exists() or to.is_symlink():
        raise UsageError(f"Cannot back up to {str(to)!r}: it is there already. Name a folder that isn't.")
    if to.resolve().is_relative_to(index.resolve()):
        raise UsageError(f"Cannot back up to {str(to)!r}: it is inside the index. Name a place outside.")
    connect(index).close()
    part = to.with_name(f"{to.name}.part")
    try:
        shutil.rmtree(part, ignore_errors=True)
        part.mkdir(parents=True, mode=0o700)
        shutil.copytree(index, part, dirs_exist_ok=True, symlinks=True, ignore=_LEFT_OUT, copy_function=_copy)
        manifest = _derive(part)
        part.replace(to)
    except IndexUnavailable as error:
        raise type(error)(str(error).replace(str(part), str(index))) from error
    except sqlite3.DatabaseError as error:
        raise unavailable(index, error) from error
    except (OSError, shutil.Error) as error:
        reason = getattr(error, "strerror", None) or str(error)[:200]
        raise RelnotesError(f"Cannot back up to {str(to)!r}: {reason}. Nothing is left of it.") from None
    finally:
        shutil.rmtree(part, ignore_errors=True)
    return manifest


def _copy(path: str, to: str) -> None:
    """Copy a file; a database in one state, whoever writes to it."""
    if not path.endswith(".sqlite"):
        shutil.copy2(path, to)
        return
    address = f"{Path(path).absolute().as_uri()}?mode=ro"
    with closing(sqlite3.connect(address, uri=True)) as connection, closing(sqlite3.connect(to)) as copy:
        connection.backup(copy)
    Path(to).chmod(0o600)


def _derive(part: Path) -> Manifest:
    with write_lock(part):
        manifest = newest_manifest(part)
        if manifest.store != EMBEDDED.text:
            # The copy lets go of the server, which searches for the index alone.
            with closing(connect(part)) as connection:
                connection.execute("BEGIN IMMEDIATE")
                write_manifest(connection, replace(manifest, store=EMBEDDED.text, store_generation=""))
                connection.execute("COMMIT")
        return commit_changes(part, model=manifest.model, fresh=False, store=EMBEDDED)
