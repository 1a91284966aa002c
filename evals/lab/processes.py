"""Runs programs as users do, and measures their time and memory; prepares indexes and questions for trials."""

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
    """One run of a program: its standard output, and its time and memory from start to exit."""

    output: str
    wall_seconds: float
    cpu_seconds: float
    peak_mib: float
    """0 on systems without /proc."""


def proc_lines(*place: str) -> list[str]:
    """Return the lines of a file below /proc; empty on systems without it, or if the process is gone."""
    try:
        return Path("/proc", *place).read_text("utf-8", "replace").splitlines()
    except OSError:
        return []


def proc_mib(name: str, *place: str) -> float:
    """Return the value of the line `name` of a file below /proc, in MiB; 0 if there is none."""
    return next((int(line.split()[1]) / 1024 for line in proc_lines(*place) if line.startswith(f"{name}:")), 0.0)


def run_measured(command: Sequence[str], *, log: Path, **environment: str) -> ProcessRun:
    """Run a program to its end, its standard error into `log`; `environment` is added to our own.

    Raises:
        RelnotesError: the exit status isn't 0; the message has the last line of `log`.
    """
    peak, began, cpu_before = 0.0, time.perf_counter(), _children_seconds()
    with (
        log.open("wb") as errors,
        TemporaryFile() as output,
        subprocess.Popen(command, env=os.environ | environment, stdout=output, stderr=errors) as process,  # noqa: S603
    ):
        while process.poll() is None:
            peak = max(peak, proc_mib("VmHWM", str(process.pid), "status"))
            time.sleep(_LOOK_S)
        wall = time.perf_counter() - began
        output.seek(0)
        printed = output.read().decode()
    if process.returncode:
        lines = log.read_text("utf-8", "replace").strip().splitlines() or ["(it said nothing)"]
        raise RelnotesError(f"`{' '.join(command[1:4])}` ended with status {process.returncode}: {lines[-1]}")
    return ProcessRun(printed, wall, _children_seconds() - cpu_before, peak)


def _children_seconds() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


@contextmanager
def running_server(index: Path) -> Iterator[str]:
    """Run `relnotes serve` over an index on a free port for a `with` block; yield its address."""
    command = (*RELNOTES, "serve", "--port", "0", "--json", "--index", str(index))
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True) as server:  # noqa: S603
        try:
            assert server.stdout is not None
            yield str(json.loads(server.stdout.readline())["address"])
        finally:
            server.terminate()


def run_ingest(documents: Path, index: Path) -> None:
    """Update an index from a folder or file.

    Raises:
        subprocess.CalledProcessError: the ingest failed.
    """
    command = [*RELNOTES, "ingest", str(documents), "--index", str(index), "--json"]
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)  # noqa: S603


def bench_questions() -> tuple[str, ...]:
    """Return the questions without history and filters, so that all systems get the same text.

    Raises:
        UsageError: as for `load_questions`.
    """
    return tuple(q.question for q in load_suite(CORPORA) if not (q.history or q.product or q.version))


def each_ms(ask: Callable[[str], object], questions: Sequence[str], *, seconds: float = inf) -> list[float]:
    """Return the milliseconds of each question; stop after `seconds`, but not before the fifth question."""
    deadline, times = time.perf_counter() + seconds, list[float]()
    for question in questions:
        began = time.perf_counter()
        if began > deadline and len(times) >= _FEWEST:
            break
        ask(question)
        times.append(1000 * (time.perf_counter() - began))
    return times
