"""Programs as their users run them, and what they take; the files and questions that trials hand to them."""

import json
import os
import resource
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from math import inf
from pathlib import Path
from tempfile import TemporaryFile

from corpus.errors import RelnotesError
from evals.suites import CORPORA, load_suite

RELNOTES = (sys.executable, "-m", "ui.cli")
_LOOK_S = 0.005
_FEWEST = 5


@dataclass(frozen=True, slots=True)
class ProcessRun:
    """One run of a program: its standard output, and what it took from start to exit."""

    output: str
    wall_seconds: float
    cpu_seconds: float
    peak_mib: float
    """0 where the system doesn't tell: it isn't Linux."""


def proc_lines(*place: str) -> list[str]:
    """Return the lines of a file below /proc; none where the system doesn't tell, or the process is gone."""
    try:
        return Path("/proc", *place).read_text("utf-8", "replace").splitlines()
    except OSError:
        return []


def told_mib(name: str, *place: str) -> float:
    """What a line of a file below /proc tells, in MiB; 0 where the system doesn't tell."""
    return next((int(line.split()[1]) / 1024 for line in proc_lines(*place) if line.startswith(f"{name}:")), 0.0)


def run_measured(command: Sequence[str], *, log: Path, **environment: str) -> ProcessRun:
    """Run a program to its end, its standard error into `log`; `environment` is added to our own.

    Raises:
        RelnotesError: it ended with another status than 0; the last line of `log` is told.
    """
    peak, began, used = 0.0, time.perf_counter(), _children_seconds()
    with (
        log.open("wb") as errors,
        TemporaryFile() as output,
        subprocess.Popen(command, env=os.environ | environment, stdout=output, stderr=errors) as process,  # noqa: S603
    ):
        while process.poll() is None:
            peak = max(peak, told_mib("VmHWM", str(process.pid), "status"))
            time.sleep(_LOOK_S)
        wall = time.perf_counter() - began
        output.seek(0)
        said = output.read().decode()
    if process.returncode:
        lines = log.read_text("utf-8", "replace").strip().splitlines() or ["(it said nothing)"]
        raise RelnotesError(f"`{' '.join(command[1:4])}` ended with status {process.returncode}: {lines[-1]}")
    return ProcessRun(said, wall, _children_seconds() - used, peak)


def _children_seconds() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


@contextmanager
def started(index: Path) -> Iterator[str]:
    """Return the address of a `relnotes serve` over an index, on a free port, for a `with` block."""
    command = (*RELNOTES, "serve", "--port", "0", "--json", "--index", str(index))
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True) as server:  # noqa: S603
        try:
            assert server.stdout is not None
            yield str(json.loads(server.stdout.readline())["address"])
        finally:
            server.terminate()


def run_ingest(documents: Path, index: Path) -> None:
    """Bring an index up to date with a folder or file.

    Raises:
        subprocess.CalledProcessError: it failed.
    """
    command = [*RELNOTES, "ingest", str(documents), "--index", str(index), "--json"]
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)  # noqa: S603


def bench_questions() -> tuple[str, ...]:
    """Questions without a conversation before them and without a channel's product, so that all systems get the same.

    Raises:
        UsageError: as `load_questions`.
    """
    return tuple(one.question for one in load_suite(CORPORA) if not (one.history or one.product or one.version))


def each_ms(ask: Callable[[str], object], questions: Sequence[str], *, seconds: float = inf) -> list[float]:
    """Each question's milliseconds; once `seconds` have gone no further one begins, after five questions at least."""
    until, times = time.perf_counter() + seconds, list[float]()
    for question in questions:
        began = time.perf_counter()
        if began > until and len(times) >= _FEWEST:
            break
        ask(question)
        times.append(1000 * (time.perf_counter() - began))
    return times
