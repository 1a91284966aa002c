"""The errors for faults of an index: one line each, with the next step."""

import shlex
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from corpus.errors import IndexBusy, IndexCorrupt, IndexNotFound, IndexUnavailable, UsageError

_LOCKED = frozenset({sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED})
_DENIED_BY_SYSTEM = frozenset(
    {sqlite3.SQLITE_PERM, sqlite3.SQLITE_READONLY, sqlite3.SQLITE_IOERR, sqlite3.SQLITE_FULL, sqlite3.SQLITE_CANTOPEN}
)
_REASON_CHARACTERS = 200


def not_found(index: Path) -> IndexNotFound:
    """Return the error for a place without an index."""
    return IndexNotFound(
        f"No index at {str(index)!r}. Make one with `relnotes ingest SOURCE --index {shlex.quote(str(index))}`."
    )


def corrupt(index: Path, detail: str) -> IndexCorrupt:
    """Return the error for an index whose files can't be trusted."""
    return IndexCorrupt(
        f"Index {str(index)!r} is damaged: {detail}. Put back a backup of its folder, or rebuild it with "
        "`relnotes ingest --rebuild SOURCE...`."
    )


def derived_corrupt(index: Path, detail: str) -> IndexCorrupt:
    """Return the error for derived files that can't be trusted; they can be made anew from the tables."""
    return IndexCorrupt(
        f"Cannot serve index {str(index)!r}: {detail}. Run `relnotes ingest SOURCE` with any of its sources, which "
        "derives the file anew from its tables, or rebuild it with `relnotes ingest --rebuild SOURCE...`."
    )


def refused(index: Path, detail: str) -> IndexUnavailable:
    """Return the error for an index that the system doesn't let us read or write."""
    return IndexUnavailable(
        f"Cannot use index {str(index)!r}: {detail}. Check its folder's permissions and the free space on its disk, "
        "or choose another place with `--index`."
    )


def unavailable(index: Path, error: sqlite3.DatabaseError) -> IndexUnavailable:
    """Return the error for an operation that SQLite refused: damage, another process's lock, or the disk."""
    if _sqlite_code(error) in _LOCKED:
        return IndexBusy(f"Index {str(index)!r} is locked by another process. Wait until it is done and try again.")
    if is_denied(error):
        return refused(index, str(error))
    return corrupt(index, _short(error))


def is_denied(error: sqlite3.DatabaseError) -> bool:
    """Return whether the system refused access to a file, or has no room on the disk."""
    return _sqlite_code(error) in _DENIED_BY_SYSTEM


@contextmanager
def reading_values(index: Path) -> Iterator[None]:
    """Report errors from reading stored values in a `with` block as damage of the index.

    Raises:
        IndexCorrupt: the block failed on a value.
    """
    try:
        yield
    except (ValueError, TypeError, LookupError, AttributeError, ArithmeticError, UsageError) as error:
        raise corrupt(index, unreadable(error)) from error


def unreadable(error: BaseException) -> str:
    """Return one line about a stored value that can't be read, with the error's message."""
    return f"a value can't be read ({type(error).__name__}: {_short(error)})"


def _short(error: BaseException) -> str:
    """Return the error's message on one line, cut off because a damaged value may be long."""
    return " ".join(str(error).split())[:_REASON_CHARACTERS]


def _sqlite_code(error: sqlite3.DatabaseError) -> int:
    return getattr(error, "sqlite_errorcode", sqlite3.SQLITE_CORRUPT) & 0xFF
