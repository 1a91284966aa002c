"""Starts all child processes: they run outside the working directory, whose files strangers may have written (a
`pip.py` or an `.npmrc` in a repository or an archive), and get no secrets."""

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import chdir, contextmanager, suppress
from fnmatch import fnmatchcase

try:
    import resource
except ImportError:  # not on Windows
    resource = None  # type: ignore[assignment]

PIPE = subprocess.PIPE
Child = subprocess.Popen[bytes]
Ended = subprocess.CompletedProcess[bytes]
_ROOT = os.path.abspath(os.sep)  # noqa: PTH100 -- a root; on Unix only root writes there
_SECRET = re.compile(
    r"TOKEN|SECRET|PASSW|PASSPHRASE|CREDENTIAL|(?:^|_)(?:AUTH|PAT|DSN)(?:_|$)|(?:API|ACCESS|PRIVATE|SIGNING|ENCRYPTION)_?KEY"
    r"|(?:DATABASE|DB|REDIS|MONGO\w*|AMQP|BROKER)_UR[IL]",
    re.IGNORECASE,
)
"""Names of variables with secret values."""
_LOADS = ("PYTHON", "LD_PRELOAD", "LD_AUDIT", "DYLD_INSERT", "GIT_", "NODE_OPTIONS", "BASH_ENV", "ENV")
"""Beginnings of names of variables that make a program load or run something."""
_HARMLESS = ("PYTHONUSERBASE", "PYTHONUTF8")


def child_environment(environment: Mapping[str, str], *, keeps: Sequence[str] = ()) -> dict[str, str]:
    """Return the part of `environment` that a child gets: no secrets and no variables that make a program load
    something, unless their names match a pattern in `keeps`, and only the absolute folders of its PATH."""
    variables = {
        name: value
        for name, value in environment.items()
        if any(fnmatchcase(name.upper(), pattern.upper()) for pattern in keeps)
        or name in _HARMLESS
        or not (_SECRET.search(name) or name.startswith(_LOADS))
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
    memory: int | None = None,
) -> subprocess.Popen[bytes]:
    """Start a program, found on the PATH of `environment`, in the root folder: paths in `command` must be absolute.

    Its environment is `child_environment(environment, keeps=keeps)` updated with `more`. A child that runs this
    process's Python imports from the same folders, except the working directory. `memory` limits the bytes of its own
    data if the system can do so (Linux).

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
    child = subprocess.Popen(  # noqa: S603 -- no shell, and callers check the words
        [path, *arguments], cwd=_ROOT, env=variables, stdin=subprocess.DEVNULL, stdout=stdout, stderr=stderr
    )
    if memory is not None and hasattr(resource, "prlimit"):
        # Limit its data, not its address space: models map more than they touch. It may have ended already.
        with suppress(ProcessLookupError):
            resource.prlimit(child.pid, resource.RLIMIT_DATA, (memory, memory))
    return child


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


def end_child(child: subprocess.Popen[bytes], *, within_s: float) -> None:
    """Ask a child to end, and kill it if it hasn't ended `within_s` seconds later."""
    for end in (child.terminate, child.kill):
        end()
        with suppress(subprocess.TimeoutExpired):
            child.wait(within_s)


@contextmanager
def as_a_child() -> Iterator[None]:
    """Run a `with` block in the root folder and with a child's environment, for libraries that start processes
    themselves; no other thread may be running."""
    before = dict(os.environ)
    variables = child_environment(before)
    with chdir(_ROOT):
        try:
            for name in before.keys() - variables.keys():
                del os.environ[name]
            os.environ.update(variables)
            yield
        finally:
            os.environ.update(before)


def _join_absolute(folders: Sequence[str]) -> str:
    return os.pathsep.join(dict.fromkeys(folder for folder in folders if os.path.isabs(folder)))  # noqa: PTH117
