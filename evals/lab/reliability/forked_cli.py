"""Real processes of `relnotes`, forked from one that has its imports behind it, each held until it is let on.

All of it is the product's but the model, which is `HashedWords`.
"""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from evals.lab.reliability.line_program import LineProgram

_PROGRAM = """
import contextlib, json, os, pathlib, resource, sys, time
from ui.environment import silence_libraries
silence_libraries()
import corpus.index.check, corpus.index.repair, ingest.pipeline, ingest.sources.relnotes_toml
import bm25s, corpus.index.backup, ui.cli.app, ingest.progress, ui.contract.index, ui.feedback.log
import ui.library.apart, ui.library.ingest_tools, ui.library.ingesting, ui.library.changes, ui.library.lists
import ui.library.requests, ui.opening, ui.rendering.index, ui.rendering.ingest
from ingest.sources.connectors import Connectors, ConnectorSettings
from evals.lab.reliability.hashed_words import HashedWords
from ui.cli import main

def library(index, *upload):
    # What a server does when it starts, and with a file that is given to it over the page.
    def connectors():
        return Connectors(ConnectorSettings())
    # Here, for it is this process that is killed.
    tools = ui.library.ingest_tools.IngestTools(pathlib.Path(index), HashedWords, connectors)
    library = ui.library.changes.Library(tools, open_runner=lambda: contextlib.nullcontext(ui.library.apart.run_here))
    for name, file, version in [upload] if upload else []:
        key = library.uploads.take_in(name, pathlib.Path(file).read_bytes())
        job = library.add_files([key], ui.library.requests.AddHints("Given", version))
        while job.state.outcome is None:
            time.sleep(0.01)
        outcome = job.state.outcome
        print(outcome.error, *outcome.refused, file=sys.stderr, flush=True)
        return 0 if outcome.kept else 1
    return 0

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
        from ui.feedback.log import Feedback, FeedbackLog
        feedback = Feedback(good=True, status="answered", confidence=0.5, question=words[2])
        FeedbackLog(pathlib.Path(words[1]), now=lambda: 0.0, max_bytes=int(words[3])).add(feedback)
        return 0
    if words[0] in ("start-library", "add-upload"):
        return library(*words[1:])
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


class ForkedCli(LineProgram):
    """Runs one `relnotes` after the other."""

    def __init__(self, folder: Path) -> None:
        """`folder` is where the processes' output and caches go."""
        self._files = (folder / "stdout", folder / "stderr")
        super().__init__(_PROGRAM, folder=folder)

    def start(self, words: Sequence[str | Path], *, room: int | None = None, user: int | None = None) -> int:
        """Hold a `relnotes WORDS` at its beginning; returns its process id.

        No file that it writes may have more than `room` bytes; it runs as the user of number `user`.
        """
        self.say(json.dumps([[str(word) for word in words], *map(str, self._files), room, user]))
        return int(self.hear())

    def end(self) -> Ended:
        """Let the process on to its end."""
        self.say("go on")
        status = int(self.hear())
        out, err = (file.read_text("utf-8", "replace") for file in self._files)
        return Ended(status, out, err)

    def run(self, words: Sequence[str | Path], *, room: int | None = None, user: int | None = None) -> Ended:
        """`relnotes WORDS` from its start to its end."""
        for file in self._files:
            file.unlink(missing_ok=True)
        self.start(words, room=room, user=user)
        return self.end()
