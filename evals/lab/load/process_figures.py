"""What a running process holds: memory, open files, threads, temporary files; and whether it grows."""

import contextlib
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from evals.lab.processes import memory_parts

_PROC = Path("/proc")


@dataclass(frozen=True, slots=True)
class ProcessFigures:
    """A process at one moment; all 0 but `seconds` where the system doesn't tell."""

    seconds: float
    """Since the trial began."""
    resident_mib: float
    own_mib: float
    """Without pages of files, which the system may drop and read again."""
    open_files: int
    sockets: int
    """As many as there are clients just now, and those that they keep open for a while."""
    threads: int
    temporary_files: int
    """Of all programs that keep theirs in the same folder, which the trial gives the server for itself."""

    @property
    def file_pages_mib(self) -> float:
        """The rest of what is resident: what was touched of libraries, the model and the mapped index."""
        return self.resident_mib - self.own_mib


def read_figures(process: int, *, seconds: float, temporary: Path) -> ProcessFigures:
    """The figures of a process now; `temporary` is its folder for such files."""
    memory = memory_parts(process)
    open_files, sockets = _descriptors(process)
    return ProcessFigures(
        seconds,
        memory.resident,
        memory.anonymous,
        open_files,
        sockets,
        len(_listed(_PROC / str(process) / "task")),
        sum(path.is_file() for path in temporary.rglob("*")),
    )


def slope_an_hour(seconds: Sequence[float], values: Sequence[float]) -> float:
    """How much a figure grows in an hour: the straight line of least squares through the last two thirds of the time.

    The first third is left out: what is loaded at first and kept is no growth. Fewer than three samples give 0.
    """
    kept = [(at, value) for at, value in zip(seconds, values, strict=True) if at >= seconds[-1] / 3]
    if len(kept) < 3:
        return 0.0
    at, of = np.array(kept).T
    return float(np.polyfit(at / 3600, of, 1)[0])


def _descriptors(process: int) -> tuple[int, int]:
    """How many of a process's descriptors are no sockets, and how many are."""
    sockets = 0
    found = _listed(_PROC / str(process) / "fd")
    for entry in found:
        # It may be closed just now.
        with contextlib.suppress(OSError):
            sockets += str(entry.readlink()).startswith("socket:")
    return len(found) - sockets, sockets


def _listed(folder: Path) -> list[Path]:
    try:
        return list(folder.iterdir())
    except OSError:
        return []
