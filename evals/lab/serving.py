"""The product as its users run it: `relnotes ingest` and `relnotes serve`, each a program of its own."""

import json
import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx

RELNOTES = (sys.executable, "-m", "ui.cli")


@dataclass(frozen=True, slots=True)
class Server:
    """A server that runs: where, and as which process."""

    address: str
    process: int


@contextmanager
def started(index: Path, **environment: str) -> Iterator[Server]:
    """A `relnotes serve` over an index on a free port, for a `with` block; `environment` is added to our own."""
    command = (*RELNOTES, "serve", "--port", "0", "--json", "--index", str(index))
    with subprocess.Popen(  # noqa: S603 our own command
        command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, env=os.environ | environment
    ) as server:
        try:
            assert server.stdout is not None
            # Its first line is JSON that holds its address.
            yield Server(str(json.loads(server.stdout.readline())["address"]), server.pid)
        finally:
            server.terminate()


@contextmanager
def asked_server(index: Path, *, timeout_s: float) -> Iterator[tuple[Server, Callable[[str], Any]]]:
    """A `relnotes serve` over an index for a `with` block, and what asks it a question over HTTP and gives the JSON.

    It raises httpx.HTTPError where a question isn't answered.
    """
    with (
        started(index) as server,
        httpx.Client(base_url=server.address, timeout=timeout_s, trust_env=False) as client,
    ):
        yield server, lambda question: client.post("/v1/ask", json={"question": question}).raise_for_status().json()


def run_ingest(documents: Path, index: Path) -> None:
    """Bring an index up to date with a folder or file.

    Raises:
        subprocess.CalledProcessError: it failed.
    """
    command = [*RELNOTES, "ingest", str(documents), "--index", str(index), "--json"]
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)  # noqa: S603 our own
