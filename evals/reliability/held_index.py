"""A server's assistant that holds an index open, in a process of its own that may die.

It runs as a program, because evals import nothing of the entrances; all of it is the product's but the model.
"""

import json
import subprocess
import sys
from pathlib import Path
from types import TracebackType

from evals.reliability.forked_cli import environment_in

ANSWERED, REFUSED, TRIPPED, DIED = "answered", "refused", "tripped", "died"
_PROGRAM = """
import json, os, sys
from pathlib import Path
from ui.environment import silence_libraries
silence_libraries()
import bm25s, corpus.embedding, corpus.index_store, retrieval.assistant, ui.live_assistant
from corpus.errors import RelnotesError
from evals.reliability.fault_place import told_answers
from evals.reliability.hashed_words import HashedWords

def tell(assistants):
    try:
        with assistants.borrow() as assistant:
            return ["answered", *told_answers(assistant)]
    except RelnotesError as error:
        return ["refused", str(error)]
    except Exception as error:
        return ["tripped", f"{type(error).__name__}: {error}"]

def serve(index):
    assistants = ui.live_assistant.LiveAssistant(Path(index), open_embedder=HashedWords)
    while True:
        print(json.dumps(tell(assistants)), flush=True)
        if sys.stdin.readline() != "again\\n":
            os._exit(0)

while line := sys.stdin.readline():
    child = os.fork()
    if child == 0:
        try:
            serve(json.loads(line))
        finally:
            os._exit(70)
    _, status = os.waitpid(child, 0)
    print(os.waitstatus_to_exitcode(status), flush=True)
"""


class HeldIndex:
    """One such assistant after the other."""

    def __init__(self, folder: Path) -> None:
        self._program = subprocess.Popen(  # noqa: S603 - our own interpreter and program
            [sys.executable, "-c", _PROGRAM],
            env=environment_in(folder),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )

    def __enter__(self) -> "HeldIndex":
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        for stream in (self._program.stdin, self._program.stdout):
            if stream:
                stream.close()
        self._program.kill()
        self._program.wait()

    def open(self, index: Path) -> list[str]:
        """What a new one tells: one of the four words above, then its answers to the questions, or why it has none."""
        return self._told(json.dumps(str(index)))

    def ask_again(self) -> list[str]:
        """What it tells now; one that died is gone."""
        return self._told("again")

    def end(self) -> None:
        """Let go of it."""
        self._told("enough")

    def _told(self, line: str) -> list[str]:
        if self._program.stdin is None or self._program.stdout is None:
            raise OSError("the program that serves has no input or output")
        self._program.stdin.write(line + "\n")
        self._program.stdin.flush()
        told = json.loads(self._program.stdout.readline())
        return told if isinstance(told, list) else [DIED, f"status {told}"]
