"""Real processes of `relnotes serve`, forked from one that has its imports behind it: those cost more than all else.

All is as in a process of its own but for what of its environment is read at import, and that first questions aren't
prepared (1.4 s of work; `test_ui_live_assistant` holds that they are). `test_ui_cli` starts the command itself.
"""

import contextlib
import json
import os
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Any

REPOSITORY = Path(__file__).parents[1]

_PROGRAM = """
import gc, json, os, signal, socket, sys
from ui.environment import silence_libraries
silence_libraries()
from ui.settings import load_settings
os.environ.setdefault("GRADIO_TEMP_DIR", str(load_settings().cache_dir / "page"))
import ui.cli.app, ui.http.workers, ui.mcp.endpoint, ui.server.live_assistant, ui.assembly
import bm25s, faiss, openvino, tokenizers, ui.opening, ui.log, ui.web.page, uvicorn
from ui.cli import main
ui.http.workers.prepare = lambda assistant: None

def run(words, environment, prelude, out, log):
    os.dup2(out, 1)
    os.dup2(log, 2)
    os.environ.clear()
    os.environ.update(environment)
    sys.argv = ["relnotes", *words]
    exec(prelude)
    try:
        main()
    except SystemExit as end:
        return end.code or 0
    return 0

def watch(asker):
    request, (out, log), _, _ = socket.recv_fds(asker, 1 << 20, 2)
    child = os.fork()
    if child == 0:
        status = 70
        try:
            asker.close()
            status = run(*json.loads(request), out, log)
            sys.stdout.flush()
        finally:
            os._exit(status)
    os.close(out)
    os.close(log)
    asker.sendall(b"%d\\n" % child)
    _, status = os.waitpid(child, 0)
    asker.sendall(b"%d\\n" % os.waitstatus_to_exitcode(status))

gc.collect()
gc.freeze()
signal.signal(signal.SIGCHLD, signal.SIG_DFL)
asked = socket.socket(fileno=int(sys.argv[1]))
while message := socket.recv_fds(asked, 1, 1)[1]:
    watcher = os.fork()
    if watcher == 0:
        if os.fork() == 0:
            asked.close()
            watch(socket.socket(fileno=message[0]))
        os._exit(0)
    os.waitpid(watcher, 0)
    os.close(message[0])
"""


class WarmServer:
    """A running `relnotes serve`, with what tests ask of a `Popen`."""

    def __init__(self, words: list[str], environment: Mapping[str, str], prelude: str, log: int) -> None:
        ours, theirs = socket.socketpair()
        out, written = os.pipe()
        with theirs:
            socket.send_fds(_forker(), [b"+"], [theirs.fileno()])
        socket.send_fds(ours, [json.dumps([words, dict(environment), prelude]).encode()], [written, log])
        os.close(written)
        self._watcher = ours.makefile()
        ours.close()
        self.stdout = os.fdopen(out)
        self._pid = int(self._watcher.readline())
        self._status: int | None = None

    def send_signal(self, number: signal.Signals) -> None:
        """Send a signal; nothing happens to a process that has ended."""
        if self._status is None:
            with contextlib.suppress(ProcessLookupError):
                os.kill(self._pid, number)

    def kill(self) -> None:
        """End it at once."""
        self.send_signal(signal.SIGKILL)

    def wait(self) -> int:
        """How it ended: its exit status, or minus the signal."""
        if self._status is None:
            self._status = int(self._watcher.readline())
        return self._status

    def close(self) -> None:
        """Kill it, if it still runs."""
        self.kill()
        self.wait()
        self._watcher.close()
        self.stdout.close()


@contextlib.contextmanager
def running_serve(
    index: Path, *, prelude: str = "", log: int = 2, **environment: str
) -> Iterator[tuple[WarmServer, str]]:
    """A real `relnotes serve` over `index`, and its address; killed at the end if it still runs.

    It begins with `prelude`, some Python, and logs to the descriptor `log`.
    """
    words = ["serve", "--port", "0", "--json", "--index", str(index)]
    server = WarmServer(words, os.environ | environment, prelude, log)
    try:
        line = server.stdout.readline()
        assert line, f"the server ended with {server.wait()}"
        yield server, str(json.loads(line)["address"])
    finally:
        server.close()


@cache
def _forker() -> socket.socket:
    """Asks the process that forks; it ends when this one does."""
    ours, theirs = socket.socketpair()
    variables = {**os.environ, "PYTHONPATH": str(REPOSITORY)}
    process: subprocess.Popen[Any] = subprocess.Popen(
        [sys.executable, "-c", _PROGRAM, str(theirs.fileno())],
        env=variables,
        cwd=REPOSITORY,
        pass_fds=[theirs.fileno()],
        stdin=subprocess.DEVNULL,
    )
    theirs.close()
    _PROCESSES.append(process)
    return ours


_PROCESSES: list["subprocess.Popen[Any]"] = []


def stop_forking() -> None:
    """End the process that forks, if there is one."""
    if _PROCESSES:
        _forker().close()
        _PROCESSES.pop().wait()
