"""Processes killed at a system call that was chosen before, by `strace`, which needs Linux and leave to trace.

A kill ends a process before the call is carried out. What was written before stays in the system's memory: this is
what a process that dies leaves, not what a machine without power does.
"""

import re
import shutil
import subprocess
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

WATCHED = (
    "open,openat,creat,write,writev,pwrite64,pwritev,fsync,fdatasync,ftruncate,rename,renameat,renameat2,unlink,"
    "unlinkat,rmdir,mkdir,mkdirat,chmod,fchmod,fchmodat,fallocate,link,linkat,symlink,flock,copy_file_range,sendfile"
)
"""The calls that change what a disk holds, and those that open a file."""
_CALL = re.compile(r"^(\d+) +(\w+)\((.*)$")
_READING = re.compile(r"O_RDONLY")

Result = TypeVar("Result")


@dataclass(frozen=True, slots=True)
class Call:
    """The `number`th call of its name, counted from 1, that the busiest thread of a process makes."""

    name: str
    number: int
    told: str
    """Its arguments, as strace tells them."""


def can_trace() -> bool:
    """Whether a process may be traced here."""
    strace = shutil.which("strace")
    if strace is None:
        return False
    tried = subprocess.run([strace, "-o", "/dev/null", "true"], capture_output=True, check=False)  # noqa: S603
    return tried.returncode == 0


def list_calls(process: int, let_on: Callable[[], Result], log: Path) -> tuple[Result, tuple[Call, ...]]:
    """Let a held process on; returns what that gave, and the calls that its busiest thread made, in order.

    Files that are opened only to be read are left out: nothing changes between them.
    """
    with _Tracer(process, ["-e", f"trace={WATCHED}", "-s", "60"], log):
        result = let_on()
    made = [found for line in log.read_text("utf-8", "replace").splitlines() if (found := _CALL.match(line))]
    # A server ingests in a thread of its own; what it is killed at is counted by thread.
    ((busiest, _),) = Counter(found[1] for found in made).most_common(1)
    counts: dict[str, int] = {}
    calls = []
    for found in made:
        if found[1] != busiest:
            continue
        counts[found[2]] = counts.get(found[2], 0) + 1
        if not _READING.search(found[3]):
            calls.append(Call(found[2], counts[found[2]], found[3]))
    return result, tuple(calls)


def kill_at(process: int, call: Call, let_on: Callable[[], Result], log: Path) -> Result:
    """Let a held process on that is killed as it makes `call`; returns what letting it on gave."""
    inject = f"inject={call.name}:signal=KILL:when={call.number}"
    with _Tracer(process, ["-e", f"trace={call.name}", "-e", inject], log):
        return let_on()


class _Tracer:
    """A strace that is attached to a process for a `with` block."""

    def __init__(self, process: int, options: list[str], log: Path) -> None:
        command = ["strace", "-f", "-p", str(process), "-o", str(log), *options]
        self._strace = subprocess.Popen(command, stderr=subprocess.PIPE, text=True)  # noqa: S603
        if self._strace.stderr is None or "attached" not in self._strace.stderr.readline():
            self._strace.kill()
            self._strace.wait()
            raise OSError(f"strace can't be attached to process {process}")

    def __enter__(self) -> None:
        pass

    def __exit__(self, *_: object) -> None:
        self._strace.communicate()
