"""A folder that servers share: who is alone in it when it starts may clear what others left.

Each server holds a shared lock for its life, and clears only while it has the lock to itself, before anything of its
own lies there. So nobody clears what waits at a server that runs, however many start and end beside it. Where the
system or the file system has no such locks, nothing is ever cleared.
"""

import os
import weakref
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path


class SharedFolder:
    """One server's share of a folder, from when it joins to its end; the system lets go of it for one that dies."""

    def __init__(self, lock: Path) -> None:
        """`lock` is the file that all of them lock."""
        self._lock = lock
        self._has_joined = False

    def join(self, clear: Callable[[], None]) -> None:
        """Join once, and `clear` where no other server is there.

        Raises:
            OSError: the file of the lock can't be opened; whoever asks again tries again.
        """
        if self._has_joined:
            return
        try:
            import fcntl
        except ImportError:
            self._has_joined = True
            return
        held = os.open(self._lock, os.O_RDWR | os.O_CREAT | getattr(os, "O_NOFOLLOW", 0), 0o600)
        weakref.finalize(self, os.close, held)
        self._has_joined = True
        with suppress(OSError):
            fcntl.flock(held, fcntl.LOCK_EX | fcntl.LOCK_NB)
            clear()
        with suppress(OSError):
            # Waits for one that is at its clearing, which is short: nothing of ours lies there yet.
            fcntl.flock(held, fcntl.LOCK_SH)
