"""How long what people asked and said is kept (feedback.jsonl, feedback.jsonl.1 and unanswered.jsonl): some days."""

import errno
import json
import logging
import os
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path

from filelock import FileLock

from corpus.errors import RelnotesError

_LOG = logging.getLogger("relnotes.retention")
_EVERY_S = 6 * 3600.0
_PATIENCE_S = 10
_LOCK = "kept.lock"
_TIMES = ("at", "last_asked")


@contextmanager
def guard(path: Path) -> Iterator[None]:
    """Held while one of these files is written: two processes may, and a rewrite must lose no line.

    Raises:
        OSError: its folder isn't there or can't be written to, or somebody holds it for ten seconds.
    """
    if not path.parent.is_dir():
        raise FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT), str(path.parent))
    with FileLock(path.with_name(_LOCK), timeout=_PATIENCE_S, mode=0o600):
        yield


def forget_before(path: Path, moment: datetime | None) -> int:
    """Delete the lines of `path` from before `moment`, all of them without one; how many were deleted.

    A line without a time is deleted too. A file without lines is deleted.

    Raises:
        RelnotesError: it can't be read or written.
    """
    try:
        if not path.exists():
            return 0
        with guard(path):
            lines = path.read_text(encoding="utf-8", errors="replace").splitlines(keepends=True)
            kept = [line for line in lines if moment is not None and _is_since(line, moment)]
            if not kept:
                path.unlink()
            elif len(kept) < len(lines):
                part = path.with_name(f"{path.name}.part")
                descriptor = os.open(part, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
                with os.fdopen(descriptor, "w", encoding="utf-8") as file:
                    file.writelines(kept)
                part.replace(path)
            return len(lines) - len(kept)
    except OSError as error:
        raise RelnotesError(f"Cannot delete from {str(path)!r}: {error.strerror or error}.") from None


def _is_since(line: str, moment: datetime) -> bool:
    try:
        entry = json.loads(line)
        (stated,) = (entry[name] for name in _TIMES if name in entry)
        return datetime.fromisoformat(stated) >= moment
    except (ValueError, KeyError, TypeError, RecursionError):
        return False


class Retention(threading.Thread):
    """A thread that deletes what is older than `days` from the files, at the start and every six hours."""

    def __init__(
        self, files: Sequence[Path], *, days: int, now: Callable[[], datetime] = lambda: datetime.now(UTC)
    ) -> None:
        super().__init__(name="retention", daemon=True)
        self._files = files
        self._days = days
        self._now = now
        self._over = threading.Event()

    def close(self) -> None:
        """End."""
        self._over.set()

    def forget(self) -> int:
        """Do it once; how many lines were deleted. What can't be written is logged."""
        before = self._now() - timedelta(days=self._days)
        deleted = 0
        for path in self._files:
            try:
                deleted += forget_before(path, before)
            except RelnotesError as error:
                _LOG.warning("%s", error)
        return deleted

    def run(self) -> None:
        """Do it until it is closed."""
        while True:
            self.forget()
            if self._over.wait(_EVERY_S):
                return
