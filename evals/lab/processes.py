"""What a process costs: seconds of wall and of processor, and memory, its children's included."""

import os
import subprocess
import threading
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from corpus.errors import RelnotesError

_EVERY_SECONDS = 0.02
_PROC = Path("/proc")


@dataclass(frozen=True, slots=True)
class ProcessRun:
    """One run of a program: its standard output, and what it cost from start to exit."""

    output: str
    wall_seconds: float
    cpu_seconds: float
    """User and system time of the process and the children it waited for."""
    peak_mib: float
    """The most memory resident at one time, over the whole tree."""


@dataclass(frozen=True, slots=True)
class ProcessLimits:
    """What a process may take at most; whoever takes more is ended."""

    seconds: float
    mib: float


class LimitReached(RelnotesError):
    """A measured process took more than it may; the message says of what."""


@dataclass(frozen=True, slots=True)
class MemoryParts:
    """What a running process holds in memory, in MiB."""

    resident: float
    proportional: float
    """Pages that several processes share count in part (PSS)."""
    anonymous: float
    """Its own; the rest of `resident` is pages of files, which the system may drop and read again."""

    @property
    def of_files(self) -> float:
        """Resident pages of files: libraries, the model, what of an index is mapped."""
        return self.resident - self.anonymous


def proc_lines(*place: str) -> list[str]:
    """The lines of a file below /proc; none where the system doesn't tell (it isn't Linux), or the process is gone."""
    try:
        return _PROC.joinpath(*place).read_text("utf-8", "replace").splitlines()
    except OSError:
        return []


def memory_parts(process: int) -> MemoryParts:
    """What a process holds now; all 0 where the system doesn't tell."""
    told = (line.partition(":") for line in proc_lines(str(process), "smaps_rollup")[1:])
    kib = {name: int(rest.split()[0]) for name, _, rest in told}
    return MemoryParts(*(kib.get(name, 0) / 1024 for name in ("Rss", "Pss", "Anonymous")))


def available_mib() -> float:
    """Memory that a new process could take without swapping; infinite where the system doesn't tell."""
    return _first_mib(proc_lines("meminfo"), "MemAvailable:", default=float("inf"))


def _first_mib(lines: Sequence[str], name: str, *, default: float) -> float:
    return next((int(line.split()[1]) / 1024 for line in lines if line.startswith(name)), default)


def folder_mib(folder: Path) -> float:
    """What the files of a folder hold."""
    return sum(path.stat().st_size for path in folder.rglob("*") if path.is_file()) / 2**20


def run_measured(
    command: Sequence[str], *, environment: Mapping[str, str], log: Path, limits: ProcessLimits | None = None
) -> ProcessRun:
    """Run a program to its end, its standard error into `log`.

    Memory is sampled over the tree, and as the system keeps the root's highest, a short peak of it isn't missed.
    What `wait4` tells of memory serves only where there is no /proc: it begins with this process's own peak.

    Raises:
        LimitReached: it took more than `limits` and was ended.
        RelnotesError: it ended with another status than 0; the last line of `log` is told.
    """
    started = time.perf_counter()
    with (
        log.open("wb") as errors,
        subprocess.Popen(  # noqa: S603 - a benchmark's own command
            list(command), env=dict(environment), stdout=subprocess.PIPE, stderr=errors
        ) as process,
    ):
        watch = _TreeWatch(process, limits)
        watch.start()
        output = process.stdout.read() if process.stdout else b""
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        wall_seconds = time.perf_counter() - started
        watch.stop()
    if watch.reached:
        raise LimitReached(watch.reached)
    if process.returncode:
        lines = log.read_text("utf-8", "replace").strip().splitlines() or ["(it said nothing)"]
        raise RelnotesError(f"`{' '.join(command[1:4])}` ended with status {process.returncode}: {lines[-1]}")
    return ProcessRun(
        output=output.decode("utf-8"),
        wall_seconds=wall_seconds,
        cpu_seconds=usage.ru_utime + usage.ru_stime,
        peak_mib=watch.peak_mib or usage.ru_maxrss / 1024,
    )


class _TreeWatch(threading.Thread):
    """Looks again and again at how much memory a process and its descendants hold; ends it at its limits."""

    def __init__(self, process: subprocess.Popen[bytes], limits: ProcessLimits | None) -> None:
        super().__init__(daemon=True)
        self.peak_mib = 0.0
        self.reached = ""
        """The limit that was reached, in words; empty where none was."""
        self._process = process
        self._limits = limits
        self._ended = threading.Event()

    def run(self) -> None:
        root = self._process.pid
        until = time.perf_counter() + (self._limits.seconds if self._limits else float("inf"))
        while not self._ended.wait(_EVERY_SECONDS):
            now_mib = _tree_mib(root)
            self.peak_mib = max(
                self.peak_mib, now_mib, _first_mib(proc_lines(str(root), "status"), "VmHWM:", default=0.0)
            )
            if self._limits and not self.reached:
                if now_mib > self._limits.mib:
                    self.reached = f"more than {self._limits.mib / 1024:.1f} GiB of memory"
                elif time.perf_counter() > until:
                    self.reached = f"more than {self._limits.seconds / 60:.0f} minutes"
                if self.reached:
                    self._process.kill()

    def stop(self) -> None:
        self._ended.set()
        self.join()


def _tree_mib(process: int) -> float:
    """Resident memory of a process and all below it; 0 once it is gone."""
    folder = _PROC / str(process)
    try:
        pages = int((folder / "statm").read_text("ascii").split()[1])
        children = [int(child) for task in (folder / "task").iterdir()
                    for child in (task / "children").read_text("ascii").split()]  # fmt: skip
    except (OSError, ValueError, IndexError):
        return 0.0
    return pages * os.sysconf("SC_PAGESIZE") / 2**20 + sum(_tree_mib(child) for child in children)
