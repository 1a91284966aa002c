"""Starts all child processes: they run outside the working directory, whose files strangers may have written (a
`pip.py` or an `.npmrc` in a repository or an archive), and get no secrets. A `Worker` is a fork of this process."""

import os
import pickle
import select
import shutil
import signal
import socket
import subprocess
import sys
import threading
import traceback
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import chdir, contextmanager, suppress
from fnmatch import fnmatchcase
from typing import Any, BinaryIO, NoReturn, TypeVar

PIPE = subprocess.PIPE
Ended = subprocess.CompletedProcess[bytes]
_ROOT = os.path.abspath(os.sep)  # noqa: PTH100 -- a root; on Unix only root writes there
_GIVEN = tuple(
    """PATH HOME USER LOGNAME LANG LANGUAGE LC_* TZ TMPDIR TEMP TMP HTTP_PROXY HTTPS_PROXY ALL_PROXY NO_PROXY SSL_CERT_*
    XDG_* OMP_* RELNOTES_CACHE_DIR PYTHONUTF8 PYTHONUSERBASE SYSTEMROOT USERPROFILE APPDATA LOCALAPPDATA""".split()
)
"""Patterns for the variables that every child gets; no other may have a secret or make a program load something."""
_Result = TypeVar("_Result")
_REPLY_BYTES = 32
_Apply = Callable[[Callable[..., Any], tuple[Any, ...]], object]


def child_environment(environment: Mapping[str, str], *, keeps: Sequence[str] = ()) -> dict[str, str]:
    """Return the part of `environment` that a child gets: the variables that match a pattern in `_GIVEN` or `keeps`,
    in any case, and only the absolute folders of its PATH."""
    patterns = [pattern.upper() for pattern in (*_GIVEN, *keeps)]
    variables = {
        name: value
        for name, value in environment.items()
        if any(fnmatchcase(name.upper(), pattern) for pattern in patterns)
    }
    if "PATH" in variables:
        variables["PATH"] = _join_absolute(variables["PATH"].split(os.pathsep))
    return {**variables, "PYTHONSAFEPATH": "1"}


def start_child(
    command: Sequence[str],
    *,
    environment: Mapping[str, str],
    keeps: Sequence[str] = (),
    more: Mapping[str, str] | None = None,
    stdout: int = subprocess.DEVNULL,
    stderr: int = subprocess.DEVNULL,
) -> subprocess.Popen[bytes]:
    """Start a program, found on the PATH of `environment`, in the root folder: paths in `command` must be absolute.

    Its environment is `child_environment(environment, keeps=keeps)` updated with `more`. A child that runs this
    process's Python imports from the same folders, except the working directory.

    Raises:
        FileNotFoundError: there is no such program.
        OSError: it can't be started.
    """
    variables = {**child_environment(environment, keeps=keeps), **(more or {})}
    program, *arguments = command
    path = shutil.which(program, path=variables.get("PATH", os.defpath))
    if path is None:
        raise FileNotFoundError(f"{program} isn't installed")
    if program == sys.executable:
        current = os.getcwd()  # noqa: PTH109
        python_path = environment.get("PYTHONPATH", "").split(os.pathsep)
        variables["PYTHONPATH"] = _join_absolute([*python_path, *(folder for folder in sys.path if folder != current)])
    return subprocess.Popen(  # noqa: S603 -- no shell, and callers check the words
        [path, *arguments], cwd=_ROOT, env=variables, stdin=subprocess.DEVNULL, stdout=stdout, stderr=stderr
    )


def run_child(
    command: Sequence[str],
    *,
    environment: Mapping[str, str],
    seconds: float,
    keeps: Sequence[str] = (),
    more: Mapping[str, str] | None = None,
) -> Ended:
    """Run `start_child` to its end, with no input, and return its status and output.

    Raises:
        TimeoutError: it took longer than `seconds`, and was ended.
        FileNotFoundError: there is no such program.
        OSError: it can't be started.
    """
    with start_child(command, environment=environment, keeps=keeps, more=more, stdout=PIPE, stderr=PIPE) as child:
        try:
            output, errors = child.communicate(timeout=seconds)
        except subprocess.TimeoutExpired:
            raise TimeoutError(f"{command[0]} took more than {seconds:g} s") from None
        finally:
            # Killing a child that has ended does nothing.
            child.kill()
    return Ended(command, child.returncode, output, errors)


@contextmanager
def as_a_child() -> Iterator[None]:
    """Run a `with` block in the root folder and with a child's environment, for Ray, which starts processes
    itself; no other thread may be running."""
    before = dict(os.environ)
    variables = child_environment(before, keeps=("RAY_*",))
    with chdir(_ROOT):
        try:
            for name in before.keys() - variables.keys():
                del os.environ[name]
            os.environ.update(variables)
            yield
        finally:
            os.environ.update(before)


class Worker:
    """A fork of this process that calls functions, one at a time, and that the system ends if one takes too long; the
    next call gets a new fork. A context manager. It has this process's modules, and its environment.

    Functions, arguments and results are pickled.
    """

    def __init__(self, forker: "Forker | None" = None) -> None:
        """Prepare; the first call forks this process, or has `forker` do so."""
        self._fork = forker.fork if forker else _fork
        self._wait = forker.wait if forker else _wait
        self._process = 0
        self._ends: tuple[BinaryIO, BinaryIO] | None = None

    def __enter__(self) -> "Worker":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def start(self) -> None:
        """Fork now, unless there is a fork: before threads, locks and models, if there will be any."""
        if self._ends is None:
            (calls, to_calls), (from_results, results) = os.pipe(), os.pipe()
            self._process = self._fork(calls, results)
            os.close(calls)
            os.close(results)
            self._ends = os.fdopen(from_results, "rb"), os.fdopen(to_calls, "wb")

    def call(
        self, function: Callable[..., _Result], *arguments: object, seconds: float, processor_s: float = 0
    ) -> tuple[_Result, float]:
        """Return the function's result and the seconds left of `processor_s`, its limit of processor time (0: none).

        Raises:
            TimeoutError: it took longer, or longer than `seconds` by the clock.
            ChildProcessError: the fork ended by itself.
        """
        if seconds <= 0:
            raise TimeoutError
        if self._ends and select.select(self._ends[:1], (), (), 0)[0]:
            # It has ended by itself since the last call.
            self.close()
        self.start()
        assert self._ends is not None
        results, calls = self._ends
        try:
            pickle.dump((function, arguments, seconds, processor_s), calls, pickle.HIGHEST_PROTOCOL)
            calls.flush()
            result, error = pickle.load(results)  # noqa: S301 -- made by our own fork
            left_s: float = pickle.load(results)  # noqa: S301
        except (EOFError, BrokenPipeError, pickle.UnpicklingError):
            status = self.close()
            if -status in (signal.SIGALRM, signal.SIGPROF):
                raise TimeoutError from None
            raise ChildProcessError(f"the process that did it ended by itself ({status})") from None
        except BaseException:
            # A result that is still to come must not become another call's.
            self.close()
            raise
        if error is not None:
            raise error
        return result, left_s

    def close(self) -> int:
        """End the fork at once, if there is one, and return its status; negative for the signal that ended it."""
        if self._ends is None:
            return 0
        for end in self._ends:
            # What a broken pipe didn't take is lost.
            with suppress(BrokenPipeError):
                end.close()
        self._ends = None
        with suppress(ProcessLookupError):
            os.kill(self._process, signal.SIGKILL)
        return self._wait(self._process)


class Forker:
    """A fork of this process that forks workers: made before there are threads, open databases and models, which a fork
    can't use, and which its workers therefore don't have. Safe to share between threads."""

    def __init__(self, apply: _Apply | None = None) -> None:
        """Fork; in the workers, `apply` calls the functions with what it keeps there."""
        self._lock = threading.Lock()
        self._socket, theirs = socket.socketpair()
        with theirs:
            self._process = os.fork()
            if self._process == 0:
                _fork_workers(theirs, apply or _apply)
        # A group of their own, to be ended as one; Ctrl-C reaches the parent's, and the parent decides.
        os.setpgid(self._process, 0)

    def close(self) -> None:
        """End the fork and its workers at once, whatever they do."""
        with suppress(ProcessLookupError):
            os.killpg(self._process, signal.SIGKILL)
        self._socket.close()
        _wait(self._process)

    def fork(self, calls: int, results: int) -> int:
        """Fork a worker that reads calls and writes results; return its process."""
        with self._lock:
            socket.send_fds(self._socket, [b"fork"], [calls, results])
            return int(self._socket.recv(_REPLY_BYTES))

    def wait(self, process: int) -> int:
        """Wait for the end of a worker, and return its status; negative for the signal that ended it."""
        with self._lock:
            self._socket.sendall(b"%d" % process)
            return int(self._socket.recv(_REPLY_BYTES))


def _fork_workers(requests: socket.socket, apply: _Apply) -> NoReturn:
    """Do what a `Forker` is requests for, in its process, until its parent is gone."""
    try:
        signal.signal(signal.SIGTERM, signal.SIG_DFL)
        _close_all_but(requests.fileno())
        while True:
            message, pipes, *_ = socket.recv_fds(requests, _REPLY_BYTES, 2)
            if not message:
                break
            if pipes:
                calls, results = pipes
                requests.sendall(b"%d" % _fork(calls, results, apply))
                for pipe in pipes:
                    os.close(pipe)
            else:
                requests.sendall(b"%d" % _wait(int(message)))
    finally:
        os._exit(0)


def _fork(calls: int, results: int, apply: _Apply | None = None) -> int:
    process = os.fork()
    if process == 0:
        _answer_calls(calls, results, apply or _apply)
    return process


def _wait(process: int) -> int:
    return os.waitstatus_to_exitcode(os.waitpid(process, 0)[1])


def _close_all_but(*kept: int) -> None:
    """Close what this process has open, but for the standard streams and `kept`."""
    first = 3
    for number in (*sorted(kept), os.sysconf("SC_OPEN_MAX")):
        os.closerange(first, number)
        first = number + 1


def _answer_calls(calls: int, results: int, apply: _Apply) -> NoReturn:
    """Answer the calls of a `Worker`, in its fork, until it ends.

    The limits are timers of the system, whose signals end a process in any state: no pattern and no loop delays them.
    """
    # Ctrl-C reaches the whole group: the parent decides.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    for number in (signal.SIGTERM, signal.SIGALRM, signal.SIGPROF):
        signal.signal(number, signal.SIG_DFL)
    # What the parent opened (a lock, a listener, pipes of other forks) must end with it.
    _close_all_but(calls, results)
    try:
        with os.fdopen(calls, "rb") as given, os.fdopen(results, "wb") as answers:
            while True:
                function, arguments, seconds, processor_s = pickle.load(given)  # noqa: S301 -- made by our parent
                signal.setitimer(signal.ITIMER_REAL, seconds)
                signal.setitimer(signal.ITIMER_PROF, processor_s)
                answers.write(_answer(apply, function, arguments))
                signal.setitimer(signal.ITIMER_REAL, 0)
                answers.write(pickle.dumps(signal.setitimer(signal.ITIMER_PROF, 0)[0]))
                answers.flush()
    finally:
        # There are no more calls, or nobody to answer: the parent is gone.
        os._exit(0)


def _apply(function: Callable[..., object], arguments: tuple[object, ...]) -> object:
    return function(*arguments)


def _answer(apply: Callable[..., object], function: object, arguments: object) -> bytes:
    """Return the pickled `(result, None)` of a call, or `(None, error)` if it fails or its result can't be pickled."""
    try:
        return pickle.dumps((apply(function, arguments), None), pickle.HIGHEST_PROTOCOL)
    except Exception as error:
        error.add_note("".join(traceback.format_tb(error.__traceback__)))
        try:
            answer = pickle.dumps((None, error))
            pickle.loads(answer)  # noqa: S301 -- some errors can be written and not read
        except Exception:
            return pickle.dumps((None, RuntimeError(f"{type(error).__name__}: {error}")))
        return answer


def _join_absolute(folders: Sequence[str]) -> str:
    return os.pathsep.join(dict.fromkeys(folder for folder in folders if os.path.isabs(folder)))  # noqa: PTH117
