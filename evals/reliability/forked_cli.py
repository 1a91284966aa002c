"""Real processes of `relnotes`, forked from one that has its imports behind it, each held until it is let on.

All of it is the product's but the model, which is `HashedWords`. It runs as a program of its own, because evals import
nothing of the entrances.
"""

import json
import os
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType

_REPOSITORY = Path(__file__).parents[2]
_PROGRAM = """
import json, os, resource, sys
from ui.environment import silence_libraries
silence_libraries()
import corpus.index_check, corpus.index_repair, ingest.pipeline, ingest.relnotes_toml
import bm25s, ui.cli.app, ui.cli.progress, ui.feedback, ui.index_rendering, ui.ingest_rendering, ui.opening
from evals.reliability.hashed_words import HashedWords
from ui.cli import main

def run(words, out, err, room, user):
    for path, number in ((out, 1), (err, 2)):
        os.dup2(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC), number)
    if room is not None:
        resource.setrlimit(resource.RLIMIT_FSIZE, (room, room))
    if user is not None:
        os.setgroups([])
        os.setgid(user)
        os.setuid(user)
    if words[0] == "add-feedback":
        feedback = ui.feedback.Feedback(good=True, status="answered", confidence=0.5, question=words[2])
        ui.feedback.FeedbackLog(ui.feedback.Path(words[1]), now=lambda: 0.0, max_bytes=int(words[3])).add(feedback)
        return 0
    sys.argv = ["relnotes", *words]
    try:
        main()
    except SystemExit as end:
        return end.code or 0
    return 0

ui.opening.open_document_embedder = lambda settings: HashedWords()
ui.opening.open_embedder = lambda *_, **__: HashedWords()
while line := sys.stdin.readline():
    go_on, let_on = os.pipe()
    child = os.fork()
    if child == 0:
        status = 70
        try:
            os.close(let_on)
            os.read(go_on, 1)
            os.close(go_on)
            status = run(*json.loads(line))
            sys.stdout.flush()
        finally:
            os._exit(status)
    os.close(go_on)
    print(child, flush=True)
    sys.stdin.readline()
    os.write(let_on, b".")
    os.close(let_on)
    _, status = os.waitpid(child, 0)
    print(os.waitstatus_to_exitcode(status), flush=True)
"""


@dataclass(frozen=True, slots=True)
class Ended:
    """How a process ended: its exit status, or minus the signal, and what it said."""

    status: int
    out: str
    err: str


class ForkedCli:
    """Runs one `relnotes` after the other."""

    def __init__(self, folder: Path) -> None:
        """`folder` is where the processes' output and caches go."""
        self._files = (folder / "stdout", folder / "stderr")
        environment = {
            **os.environ,
            "PYTHONPATH": str(_REPOSITORY),
            "RELNOTES_CACHE_DIR": str(folder / "cache"),
            "OMP_NUM_THREADS": "1",
        }
        self._server = subprocess.Popen(  # noqa: S603 - our own interpreter and program
            [sys.executable, "-c", _PROGRAM],
            env=environment,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )

    def __enter__(self) -> "ForkedCli":
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        for stream in (self._server.stdin, self._server.stdout):
            if stream:
                stream.close()
        self._server.kill()
        self._server.wait()

    def start(self, words: Sequence[str | Path], *, room: int | None = None, user: int | None = None) -> int:
        """Hold a `relnotes WORDS` at its beginning; returns its process id.

        No file that it writes may have more than `room` bytes; it runs as the user of number `user`.
        """
        self._say(json.dumps([[str(word) for word in words], *map(str, self._files), room, user]))
        return int(self._hear())

    def end(self) -> Ended:
        """Let the process on to its end."""
        self._say("go on")
        status = int(self._hear())
        out, err = (file.read_text("utf-8", "replace") for file in self._files)
        return Ended(status, out, err)

    def run(self, words: Sequence[str | Path], *, room: int | None = None, user: int | None = None) -> Ended:
        """`relnotes WORDS` from its start to its end."""
        for file in self._files:
            file.unlink(missing_ok=True)
        self.start(words, room=room, user=user)
        return self.end()

    def _say(self, line: str) -> None:
        if self._server.stdin is None:
            raise OSError("the process that forks has no input")
        self._server.stdin.write(line + "\n")
        self._server.stdin.flush()

    def _hear(self) -> str:
        if self._server.stdout is None:
            raise OSError("the process that forks has no output")
        return self._server.stdout.readline()
