"""SHA-256 of files that rarely change, cached so that an unchanged file isn't read again.

As in git's index, a file counts as unchanged while its path, size, times of change and inode are; bytes that a faulty
disk alters go unnoticed.
"""

import hashlib
import os
import re
import time
from contextlib import suppress
from pathlib import Path

MEMORY_NAME = "digests"  # The cache directory's folder with a note for each path.

_SETTLED_AFTER_NS = 2_000_000_000
"""The coarsest clock of a file system ticks every two seconds, and a second change within a tick goes unnoticed."""


def file_sha256(path: Path) -> str:
    """Return the SHA-256 (hex) of a file, which is read whole.

    Raises:
        OSError: it can't be read.
    """
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def remembered_sha256(path: Path, *, memory: Path) -> str:
    """Return the SHA-256 (hex) of a file: from its note in the folder `memory` if unchanged, else by reading the file.

    A memory that is missing, damaged or can't be written costs time but never changes the result. Processes may share
    it.

    Raises:
        OSError: `path` can't be read.
    """
    stat, path_bytes = path.stat(), os.fsencode(path.absolute())
    fingerprint = b"%s\n%d %d %d %d " % (path_bytes, stat.st_size, stat.st_mtime_ns, stat.st_ctime_ns, stat.st_ino)
    note = memory / hashlib.sha256(path_bytes).hexdigest()[:32]
    with suppress(OSError):
        if match := re.fullmatch(re.escape(fingerprint) + rb"([0-9a-f]{64})", note.read_bytes()):
            return match[1].decode()
    digest = file_sha256(path)
    if max(stat.st_mtime_ns, stat.st_ctime_ns) + _SETTLED_AFTER_NS < time.time_ns():
        with suppress(OSError):
            memory.mkdir(mode=0o700, parents=True, exist_ok=True)
            # A half-written note that another process reads doesn't match the pattern.
            note.write_bytes(fingerprint + digest.encode())
    return digest
