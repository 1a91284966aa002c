"""Servers and a browser for measurements and pictures: a program of its own, and Chromium that reaches nothing else."""

import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from playwright.sync_api import Browser

RELNOTES = (sys.executable, "-m", "ui.cli")
_CHROMIUM = "/usr/bin/chromium"
_FLAGS = ("--no-sandbox", "--disable-dev-shm-usage", "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1")


@dataclass(frozen=True, slots=True)
class Server:
    """A server that runs: where, and as which process."""

    address: str
    process: int


@contextmanager
def running(command: Sequence[str], **environment: str) -> Iterator[str]:
    """The address of a server for a `with` block; as `started`."""
    with started(command, **environment) as server:
        yield server.address


@contextmanager
def started(command: Sequence[str], **environment: str) -> Iterator[Server]:
    """A server for a `with` block: its first line of output is JSON that holds its address.

    `environment` is added to our own.
    """
    with subprocess.Popen(  # noqa: S603 our own command
        command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, env=os.environ | environment
    ) as server:
        try:
            assert server.stdout is not None
            yield Server(str(json.loads(server.stdout.readline())["address"]), server.pid)
        finally:
            server.terminate()


def serving(index: Path, **environment: str) -> AbstractContextManager[str]:
    """The address of a `relnotes serve` over an index for a `with` block."""
    return running(serve_command(index), **environment)


def serve_command(index: Path) -> tuple[str, ...]:
    """What starts a `relnotes serve` over an index on a free port."""
    return (*RELNOTES, "serve", "--port", "0", "--json", "--index", str(index))


@contextmanager
def running_relnotes(*sources: Path) -> Iterator[str]:
    """The address of a `relnotes serve` over these documents, which are ingested first."""
    with tempfile.TemporaryDirectory() as folder:
        index = Path(folder) / "index"
        ingest = [*RELNOTES, "ingest", *map(str, sources), "--index", str(index), "--json"]
        subprocess.run(ingest, check=True, stdout=subprocess.DEVNULL)  # noqa: S603 our own command
        with serving(index) as address:
            yield address


@contextmanager
def chromium() -> Iterator["Browser"]:
    """A browser that resolves no name and so reaches this machine alone."""
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=_CHROMIUM, args=list(_FLAGS))
        try:
            yield browser
        finally:
            browser.close()
