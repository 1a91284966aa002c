"""Real processes of the command line, for tests of what stops them: forked from one that has its imports behind it.

All of it is the product's but the model, which is `HashedEmbedder`, and that each phase is told and waits to be let on.
"""

import json
import os
import signal
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType

TESTS = Path(__file__).parent

_PROGRAM = """
import json, os, resource, sys
from ui.environment import silence_libraries
silence_libraries()
import corpus.index.repair, ingest.pipeline, ingest.sources.requests, ui.cli.app, ingest.progress
import ui.contract.ingest, ui.opening, ui.rendering.index, ui.rendering.ingest
import asyncio, bm25s, filelock, ssl, ingest.formats.markdown  # what it otherwise imports late, each time anew
from small_corpus import HashedEmbedder
from ui.cli import main

def tell_phase(self, name, total):
    os.write(told, f"{name}\\n".encode())
    os.read(0, 1)

def run(words, out, err, room):
    for path, number in ((out, 1), (err, 2)):
        os.dup2(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC), number)
    if room is not None:
        resource.setrlimit(resource.RLIMIT_FSIZE, (room, room))
    sys.argv = ["relnotes", *words]
    try:
        main()
    except SystemExit as end:
        return end.code or 0
    return 0

told = os.dup(1)
ui.opening.open_document_embedder = lambda settings: HashedEmbedder()
ingest.progress.BarProgress.phase = tell_phase
while read := os.read(0, 65536):
    command = read.lstrip(b".")
    if not command:
        continue  # was for a child that was killed before it was let on
    if command == b"reap":
        _, status = os.waitpid(child, 0)
        os.write(told, f"{os.waitstatus_to_exitcode(status)}\\n".encode())
        continue
    child = os.fork()
    if child == 0:
        status = 70
        os.write(told, f"{os.getpid()}\\n".encode())  # Its own first word, before any of its phases.
        try:
            status = run(*json.loads(command))
            sys.stdout.flush()
        finally:
            os._exit(status)
    os.waitid(os.P_PID, child, os.WEXITED | os.WNOWAIT)
    os.write(told, b"ended\\n")
"""


@dataclass(frozen=True)
class Ended:
    """How a process ended: its exit status, or minus the signal, and what it said."""

    status: int
    out: str
    err: str


class ForkedRelnotes:
    """Runs one `relnotes` after the other; each is started, let on from phase to phase, and ended."""

    def __init__(self, folder: Path) -> None:
        self._files = (folder / "stdout", folder / "stderr")
        environment = {**os.environ, "PYTHONPATH": os.pathsep.join((str(TESTS), str(TESTS.parent)))}
        self._server = subprocess.Popen(
            [sys.executable, "-c", _PROGRAM], env=environment, stdin=subprocess.PIPE, stdout=subprocess.PIPE, bufsize=0
        )
        assert self._server.stdin is not None
        assert self._server.stdout is not None
        self._in, self._told = self._server.stdin, self._server.stdout
        self._child = 0
        self._is_waiting = False

    def __enter__(self) -> "ForkedRelnotes":
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._in.close()
        self._server.kill()
        self._server.wait()
        self._told.close()

    def start(self, *words: str | Path, room: int | None = None) -> None:
        """Begin `relnotes WORDS`; no file that it writes may have more than `room` bytes."""
        self._in.write(json.dumps([list(map(str, words)), *map(str, self._files), room]).encode())
        self._child = int(self._line())
        self._is_waiting = False

    def next_phase(self) -> str | None:
        """Let the process on to its next phase, where it waits; None where it ended before."""
        self.let_on()
        line = self._line()
        self._is_waiting = line != "ended"
        return line if self._is_waiting else None

    def reach(self, phase: str) -> None:
        """Let the process on until it waits at the beginning of `phase`."""
        while (reached := self.next_phase()) != phase:
            assert reached is not None, f"ended before {phase}: {self.reap()}"

    def let_on(self) -> None:
        """Let the process on where it waits."""
        if self._is_waiting:
            self._in.write(b".")
            self._is_waiting = False

    def signal(self, number: signal.Signals) -> None:
        """Send a signal; nothing happens to a process that has ended."""
        os.kill(self._child, number)

    def end(self) -> Ended:
        """Let the process on to its end."""
        self.let_on()
        while self._line() != "ended":
            self._in.write(b".")
        return self.reap()

    def reap(self) -> Ended:
        """How a process that is over ended."""
        self._in.write(b"reap")
        status = int(self._line())
        out, err = (file.read_text() for file in self._files)
        return Ended(status, out, err)

    def run(self, *words: str | Path, room: int | None = None) -> Ended:
        """`relnotes WORDS` from its start to its end."""
        self.start(*words, room=room)
        return self.end()

    def _line(self) -> str:
        line = bytearray()
        while (byte := self._told.read(1)) not in (b"\n", b"", None):
            line += byte or b""
        return line.decode()
