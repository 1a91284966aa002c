"""SHA-256 of files that rarely change, remembered so that an unchanged one isn't read again.

As git's index does, a file is taken for unchanged while its path, size, times of change and inode are; a disk that
returns other bytes than it was given isn't noticed so.
"""

import contextlib
import hashlib
import json
import tempfile
import time
from pathlib import Path
from typing import NamedTuple

MEMORY_NAME = "file-digests.json"
"""The usual name of a memory file, in the cache directory."""

_MAX_REMEMBERED = 256
"""Files in one memory: it is read whole for each question asked, and files that are gone needn't stay in it."""
_MAX_BYTES = 8 * 1024 * 1024
"""Of a memory: more than so many of the longest paths take."""
_SETTLED_AFTER_NS = 2_000_000_000
"""The coarsest clock of a file system ticks in two seconds: a second change within a tick couldn't be seen."""


class FileLook(NamedTuple):
    """What of a file changes whenever it is written to."""

    bytes: int
    written_ns: int
    """When its content was last written, which a writer can set back."""
    changed_ns: int
    """When anything of it was last changed, by the system's clock."""
    inode: int

    @classmethod
    def of(cls, path: Path) -> "FileLook":
        """Return how a file looks now.

        Raises:
            OSError: it can't be looked at.
        """
        stat = path.stat()
        return cls(stat.st_size, stat.st_mtime_ns, stat.st_ctime_ns, stat.st_ino)


def file_sha256(path: Path) -> str:
    """SHA-256 (hex) of a file, read now.

    Raises:
        OSError: it can't be read.
    """
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def remembered_sha256(path: Path, *, memory: Path) -> str:
    """SHA-256 (hex) of a file: from the file `memory` if nothing has touched it since, else read now and remembered.

    A memory that is missing, damaged or can't be written costs time, never an answer. Processes may share it: what one
    of two that write at once remembered may be lost.

    Raises:
        OSError: `path` can't be read.
    """
    key, look = str(path.absolute()), FileLook.of(path)
    known = _load(memory).get(key)
    if isinstance(known, list) and known == _entry(key, look, known[-2:-1]):
        return str(known[-2])
    digest = file_sha256(path)
    is_settled = max(look.written_ns, look.changed_ns) + _SETTLED_AFTER_NS < time.time_ns()
    if is_settled and FileLook.of(path) == look:
        _store(memory, key, _entry(key, look, [digest]))
    return digest


def remember_sha256(path: Path, digest: str, *, memory: Path) -> None:
    """Remember the SHA-256 (hex) of a file that the caller has just written and that nobody else writes to.

    Never raises: what can't be remembered is read when it is asked for.
    """
    key = str(path.absolute())
    with contextlib.suppress(OSError):
        _store(memory, key, _entry(key, FileLook.of(path), [digest]))


def _entry(key: str, look: FileLook, digest: list[object]) -> list[object]:
    """Return what is kept of a file, with a seal: a damaged line would refuse a sound file for ever."""
    seal = hashlib.sha256(json.dumps([key, *look, *digest]).encode()).hexdigest()
    return [*look, *digest, seal]


def _load(memory: Path) -> dict[str, object]:
    """Return what a memory holds, oldest first, not yet believed; nothing where it is missing or can't be read."""
    # One that came with somebody else's index may be a pipe, or have no end.
    if not memory.is_file():
        return {}
    try:
        with memory.open("rb") as file:
            held = json.loads(file.read(_MAX_BYTES))
    except (OSError, ValueError, RecursionError):
        return {}
    return held if isinstance(held, dict) else {}


def _store(memory: Path, key: str, entry: list[object]) -> None:
    held = _load(memory)
    held.pop(key, None)
    newest = [*held.items(), (key, entry)][-_MAX_REMEMBERED:]
    with contextlib.suppress(OSError):
        memory.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(dir=memory.parent, prefix="tmp-") as folder:
            draft = Path(folder) / memory.name
            draft.touch(mode=0o600)
            draft.write_text(json.dumps(dict(newest)), encoding="utf-8")
            draft.replace(memory)
