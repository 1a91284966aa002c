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

MEMORY_NAME = "file-digests.json"
"""The name of the memory file, in the cache directory."""

_MAX_REMEMBERED = 256
"""Files in one memory: it is read whole for each question asked, and files that are gone needn't stay in it."""
_SETTLED_AFTER_NS = 2_000_000_000
"""The coarsest clock of a file system ticks in two seconds: a second change within a tick couldn't be seen."""


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
    stat, held = path.stat(), _load(memory)
    look = [str(path.absolute()), stat.st_size, stat.st_mtime_ns, stat.st_ctime_ns, stat.st_ino]
    for known in held:
        if isinstance(known, list) and known[:-1] == look:
            return str(known[-1])
    digest = file_sha256(path)
    if max(stat.st_mtime_ns, stat.st_ctime_ns) + _SETTLED_AFTER_NS < time.time_ns():
        others: list[object] = [known for known in held if isinstance(known, list) and known[:1] != look[:1]]
        _store(memory, [*others, [*look, digest]][-_MAX_REMEMBERED:])
    return digest


def _load(memory: Path) -> list[object]:
    """What a memory holds, oldest first; nothing where it is missing or can't be read."""
    try:
        held = json.loads(memory.read_bytes())
    except (OSError, ValueError, RecursionError):
        return []
    return held if isinstance(held, list) else []


def _store(memory: Path, held: list[object]) -> None:
    with contextlib.suppress(OSError):
        memory.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(dir=memory.parent, prefix="tmp-") as folder:
            draft = Path(folder) / memory.name
            draft.touch(mode=0o600)
            draft.write_text(json.dumps(held), encoding="utf-8")
            draft.replace(memory)
