"""The machine that something was measured on, in words."""

import os
import platform
from collections.abc import Sequence
from pathlib import Path


def describe_machine() -> str:
    """Its cores, memory and system."""
    names = [line.partition(":")[2].strip() for line in _lines(Path("/proc/cpuinfo")) if line.startswith("model name")]
    memory = [int(line.split()[1]) for line in _lines(Path("/proc/meminfo")) if line.startswith("MemTotal:")]
    gib = f", {memory[0] / 2**20:.0f} GiB" if memory else ""
    return f"{usable_cores()} cores ({names[0] if names else platform.machine()}){gib}, {platform.system()}"


def usable_cores() -> int:
    """How many cores this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def _lines(path: Path) -> Sequence[str]:
    try:
        return path.read_text("utf-8", "replace").splitlines()
    except OSError:
        return ()
