"""A server's assistant that holds an index open, in a process of its own that may die.

All of it is the product's but the model.
"""

import json
from pathlib import Path

from evals.lab.reliability.line_program import LineProgram

ANSWERED, REFUSED, TRIPPED, DIED = "answered", "refused", "tripped", "died"
_PROGRAM = """
import json, os, sys
from pathlib import Path
from ui.environment import silence_libraries
silence_libraries()
import bm25s, corpus.embedding, corpus.index.reader, retrieval.assistant, ui.server.live_assistant
from corpus.errors import RelnotesError
from evals.lab.reliability.fault_place import told_answers
from evals.lab.reliability.hashed_words import HashedWords

def tell(assistants):
    try:
        with assistants.borrow() as assistant:
            return ["answered", *told_answers(assistant)]
    except RelnotesError as error:
        return ["refused", str(error)]
    except Exception as error:
        return ["tripped", f"{type(error).__name__}: {error}"]

def serve(index):
    assistants = ui.server.live_assistant.LiveAssistant(Path(index), open_embedder=HashedWords)
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


class HeldIndex(LineProgram):
    """One such assistant after the other."""

    def __init__(self, folder: Path) -> None:
        super().__init__(_PROGRAM, folder=folder)

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
        self.say(line)
        told = json.loads(self.hear())
        return told if isinstance(told, list) else [DIED, f"status {told}"]
