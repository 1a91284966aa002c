"""SHA-256 of files that rarely change, remembered so that an unchanged one isn't read again.

As git's index does, a file is taken for unchanged while its path, size, times of change and inode are; a disk that
returns other bytes than it was given isn't noticed so.
"""

import hashlib
import os
import re
import time
from contextlib import suppress
from pathlib import Path

MEMORY_NAME = "digests"  # The folder of what is remembered, in the cache directory: a note for each path.

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
    """SHA-256 (hex) of a file: from its note in the folder `memory` if nothing has touched it since, else read now.

    A memory that is missing, damaged or can't be written costs time, never an answer. Processes may share it.

    Raises:
        OSError: `path` can't be read.
    """
    stat, place = path.stat(), os.fsencode(path.absolute())
    look = b"%s\n%d %d %d %d " % (place, stat.st_size, stat.st_mtime_ns, stat.st_ctime_ns, stat.st_ino)
    note = memory / hashlib.sha256(place).hexdigest()[:32]
    with suppress(OSError):
        if known := re.fullmatch(re.escape(look) + rb"([0-9a-f]{64})", note.read_bytes()):
            return known[1].decode()
    digest = file_sha256(path)
    if max(stat.st_mtime_ns, stat.st_ctime_ns) + _SETTLED_AFTER_NS < time.time_ns():
        with suppress(OSError):
            memory.mkdir(mode=0o700, parents=True, exist_ok=True)
            # Half of one, which another process may read, isn't of that form.
            note.write_bytes(look + digest.encode())
    return digest
