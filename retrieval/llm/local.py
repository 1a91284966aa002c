"""A language model of a file on this machine (GGUF), run by llama.cpp in a process of its own that ends with this one.

In a process of its own, because neither the file nor what it makes of a prompt can be trusted: one that crashes, takes
too much memory or never ends costs the answer its reading, and nothing else. One process reads for all questions, one
after the other; it keeps what it made of the rules, which every request begins with.
"""

import atexit
import json
import os
import socket
import subprocess
import sys
import threading
import time
from dataclasses import asdict
from importlib.util import find_spec
from pathlib import Path

from corpus.errors import UsageError
from retrieval.llm.chat import Completion, CompletionError, Prompt, WatchedModel

_MAGIC = b"GGUF"
_MOST_BYTES = 64 * 1024
"""Of a reply."""
_MEMORY_BESIDE = 4 * 1024**3
"""What a model may take beside its file: its state, and the libraries."""
_DECIDES_FROM = 1024**3
"""A smaller file holds fewer parameters than choosing needs: one of 135 million chose no better than by chance
(docs/decisions/0014). Chosen by hand; none between that and a large one was tried."""


class LocalModel(WatchedModel):
    """The `ChatModel` of a file; loaded with the first question."""

    few = 8

    def __init__(self, path: Path, *, timeout_s: float) -> None:
        """Check that it can be one.

        Raises:
            UsageError: there is no such file, it isn't a model, or what runs it isn't installed.
        """
        super().__init__(path.stem, timeout_s)
        try:
            with path.open("rb") as file:
                is_model = file.read(len(_MAGIC)) == _MAGIC
        except OSError as error:
            raise UsageError(f"Cannot read the language model {str(path)!r}: {error.strerror}.") from None
        if not is_model:
            raise UsageError(f"{str(path)!r} is no GGUF file. Name a model that llama.cpp can run.")
        if find_spec("llama_cpp") is None:
            raise UsageError("What runs a language model isn't installed. Run: pip install 'relnotes[llm]'.")
        self._path = path.resolve()
        size = path.stat().st_size
        self.decides = size >= _DECIDES_FROM
        self._memory = size + _MEMORY_BESIDE
        self._turn = threading.Lock()
        self._process: subprocess.Popen[bytes] | None = None
        self._link: socket.socket | None = None

    def close(self) -> None:
        """End the process; it begins anew with the next question."""
        atexit.unregister(self.close)
        if self._link is not None:
            self._link.close()
        if self._process is not None:
            self._process.kill()
            self._process.wait()
        self._link = self._process = None

    def _complete(self, prompt: Prompt, within_s: float) -> Completion:
        ends = time.monotonic() + within_s
        if not self._turn.acquire(timeout=within_s):
            raise CompletionError("is busy with other questions")
        try:
            link = self._link or self._begin()
            asked = {"messages": [asdict(message) for message in prompt.messages], "schema": prompt.schema}
            link.settimeout(max(ends - time.monotonic(), 0.001))
            link.sendall(json.dumps(asked).encode() + b"\n")
            return _parse(_read_line(link, ends))
        except CompletionError:
            raise
        except TimeoutError:
            self.close()
            raise self._late() from None
        except (OSError, ValueError):
            self.close()
            raise CompletionError("broke off: its file may be damaged, or take more memory than there is") from None
        finally:
            self._turn.release()

    def _begin(self) -> socket.socket:
        ours, theirs = socket.socketpair()
        with theirs:
            worker = (sys.executable, "-m", "retrieval.llm.worker", self._path, str(theirs.fileno()), str(self._memory))
            # Threads that wait for each other without a pause would take the processors from everything else.
            environment = {**os.environ, "OMP_WAIT_POLICY": "passive"}
            self._process = subprocess.Popen(  # noqa: S603 -- a module of ours, and a file's path
                worker, pass_fds=[theirs.fileno()], env=environment, stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
            )  # fmt: skip
        atexit.register(self.close)
        self._link = ours
        return ours


def _read_line(link: socket.socket, ends: float) -> bytes:
    line = bytearray()
    while not line.endswith(b"\n"):
        link.settimeout(max(ends - time.monotonic(), 0.001))
        part = link.recv(_MOST_BYTES)
        line += part
        if not part or len(line) > _MOST_BYTES:
            raise ConnectionError
    return bytes(line)


def _parse(line: bytes) -> Completion:
    said = json.loads(line)
    if said["text"] is None:
        raise CompletionError("couldn't take the request: its room for text may be too small")
    return Completion(str(said["text"]), int(said["tokens_in"]), int(said["tokens_out"]))
