"""Whether a file that is held open was written to where it lies.

A derived file is never changed, only replaced or removed, and whoever holds it open keeps what it was. A copy over it
or an editor changes it under its readers: ranks are then of other bytes than were checked, and of a mapped file that
was cut short the system ends whoever reads beyond the end.

The time of the inode's change tells a write of the same size whose time was set back, too. A change of owner or mode
changes it as well; the file is then opened anew and served. What this can't tell is a change within the tick of the
file system's clock, one that happens while a question is answered, and, where the system keeps no such time (Windows),
a write whose time was set back.
"""

import os
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True, slots=True)
class HeldFile:
    """A file as it was when it was opened."""

    path: Path
    inode: int
    bytes: int
    written_ns: int
    """When its content was last written, which whoever writes can set back."""
    changed_ns: int
    """When anything of it was last changed, by the system's clock."""

    @property
    def is_touched(self) -> bool:
        """Whether that very file has another size or other times now; one that was replaced or removed hasn't."""
        try:
            now = self.path.stat()
        except OSError:
            return False
        return now.st_ino == self.inode and _held(self.path, now) != self


def held_files(paths: Iterable[Path]) -> tuple[HeldFile, ...]:
    """The plain files among and in `paths`, as they are now."""
    files = (file for path in paths for file in ((path, *path.iterdir()) if path.is_dir() else (path,)))
    looks = ((file, file.stat()) for file in files if file.is_file())
    return tuple(_held(file, look) for file, look in looks)


def _held(file: Path, look: os.stat_result) -> HeldFile:
    return HeldFile(file, look.st_ino, look.st_size, look.st_mtime_ns, look.st_ctime_ns)
