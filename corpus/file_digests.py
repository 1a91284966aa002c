"""SHA-256 of files that rarely change, remembered so that an unchanged one isn't read again.

As git's index does, a file is taken for unchanged while its path, size, times of change and inode are. So this tells
a file that was exchanged or written to; it can't tell a disk that returns other bytes than it was given. Whoever wants
that told hashes the file itself.
"""

import contextlib
import hashlib
import json
import os
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from typing import TypeAlias

MEMORY_NAME = "file-digests.json"
"""The usual name of a memory file, in the cache directory."""

_MAX_REMEMBERED = 256
"""Files in one memory: it is read whole for each question asked, and files that are gone needn't stay in it."""
_SETTLED_AFTER_NS = 2_000_000_000
"""The coarsest clock of a file system ticks in two seconds: a second change within a tick couldn't be told."""

_Look: TypeAlias = list[int]
"""Size, time of the last change of content and of the inode in nanoseconds, inode."""


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
    look = _look(path.stat())
    known = _load(memory).get(_key(path))
    if isinstance(known, list) and known == _entry(_key(path), look, known[4:5]):
        return str(known[4])
    with path.open("rb") as file:
        before = os.fstat(file.fileno())
        digest = hashlib.file_digest(file, "sha256").hexdigest()
        after = os.fstat(file.fileno())
    changed_ns = max(after.st_mtime_ns, after.st_ctime_ns)
    if _look(before) == _look(after) and changed_ns + _SETTLED_AFTER_NS < time.time_ns():
        _store(memory, _key(path), _look(after), digest)
    return digest


def remember_sha256(path: Path, digest: str, *, memory: Path) -> None:
    """Remember the SHA-256 (hex) of a file that the caller has just written and that nobody else writes to.

    Never raises: what can't be remembered is computed when it is asked for.
    """
    with contextlib.suppress(OSError):
        _store(memory, _key(path), _look(path.stat()), digest)


def _key(path: Path) -> str:
    return str(path.absolute())


def _look(stat: os.stat_result) -> _Look:
    return [stat.st_size, stat.st_mtime_ns, stat.st_ctime_ns, stat.st_ino]


def _load(memory: Path) -> dict[str, object]:
    """What a memory holds, oldest first, not yet believed; nothing where it is missing or can't be read."""
    try:
        held = json.loads(memory.read_bytes())
    except (OSError, ValueError, RecursionError):
        return {}
    return held if isinstance(held, dict) else {}


def _entry(path: str, look: _Look, digest: Sequence[object]) -> list[object]:
    """What is kept of a file, with a seal: a damaged line would refuse a sound file for ever."""
    seal = hashlib.sha256(json.dumps([path, *look, *digest]).encode()).hexdigest()
    return [*look, *digest, seal]


def _store(memory: Path, key: str, look: _Look, digest: str) -> None:
    held = _load(memory)
    held.pop(key, None)
    held[key] = _entry(key, look, [digest])
    newest = dict(list(held.items())[-_MAX_REMEMBERED:])
    draft = None
    try:
        memory.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        with tempfile.NamedTemporaryFile(
            "w", encoding="utf-8", dir=memory.parent, prefix=f"tmp-{memory.name}.", delete=False
        ) as file:
            draft = Path(file.name)
            json.dump(newest, file)
        draft.replace(memory)
    except OSError:
        if draft is not None:
            with contextlib.suppress(OSError):
                draft.unlink()
