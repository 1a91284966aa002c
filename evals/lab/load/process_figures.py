"""What a running process holds: memory, open files, threads, temporary files; and whether it grows."""

import contextlib
from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np

from evals.lab.processes import memory_parts

_PROC = Path("/proc")


def read_figures(process: int, *, temporary: Path) -> Mapping[str, float]:
    """The figures of a process now, by name; all 0 where the system doesn't tell.

    File pages are what was touched of libraries, the model and the mapped index, which the system may drop and read
    again. There are as many sockets as clients just now, and those that they keep open for a while. `temporary` is the
    folder of its temporary files.
    """
    memory = memory_parts(process)
    descriptors = _listed(_PROC / str(process) / "fd")
    sockets = 0
    for descriptor in descriptors:
        # It may be closed just now.
        with contextlib.suppress(OSError):
            sockets += str(descriptor.readlink()).startswith("socket:")
    return {
        "resident MiB": memory.resident,
        "own MiB": memory.anonymous,
        "file pages MiB": memory.of_files,
        "open files": len(descriptors) - sockets,
        "sockets": sockets,
        "threads": len(_listed(_PROC / str(process) / "task")),
        "temporary files": sum(path.is_file() for path in temporary.rglob("*")),
    }


def slope_an_hour(seconds: Sequence[float], values: Sequence[float]) -> float:
    """How much a figure grows in an hour: the straight line of least squares through the last two thirds of the time.

    The first third is left out: what is loaded at first and kept is no growth. Fewer than three samples give 0.
    """
    kept = [(at, value) for at, value in zip(seconds, values, strict=True) if at >= seconds[-1] / 3]
    if len(kept) < 3:
        return 0.0
    at, of = np.array(kept).T
    return float(np.polyfit(at / 3600, of, 1)[0])


def _listed(folder: Path) -> list[Path]:
    try:
        return list(folder.iterdir())
    except OSError:
        return []
