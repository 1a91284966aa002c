"""Every process that relnotes starts, by one function: it runs outside the working directory, which may be anybody's
(whoever wrote a repository or an archive decides what a `pip.py` or an `.npmrc` in it says), and gets no secret.
"""

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
_ELSEWHERE = os.path.abspath(os.sep)  # noqa: PTH100 -- a root, which on Unix nobody but root writes to
_SECRET = re.compile(
    r"TOKEN|SECRET|PASSW|PASSPHRASE|CREDENTIAL|(?:^|_)(?:AUTH|PAT|DSN)(?:_|$)|(?:API|ACCESS|PRIVATE|SIGNING|ENCRYPTION)_?KEY"
    r"|(?:DATABASE|DB|REDIS|MONGO\w*|AMQP|BROKER)_UR[IL]",
    re.IGNORECASE,
)
"""Names of variables whose values are nobody's business."""
_LOADS = ("PYTHON", "LD_PRELOAD", "LD_AUDIT", "DYLD_INSERT", "GIT_", "NODE_OPTIONS", "BASH_ENV", "ENV")
"""How names begin that make a program load or run something."""
_HARMLESS = ("PYTHONUSERBASE", "PYTHONUTF8")


def child_environment(environment: Mapping[str, str], *, keeps: Sequence[str] = ()) -> dict[str, str]:
    """Return what a child gets of `environment`: no secret but those that `keeps` names by patterns, nothing that makes
    a program load something, and of its PATH what isn't relative to the working directory."""
    kept = {
        name: value
        for name, value in environment.items()
        if any(fnmatchcase(name.upper(), pattern.upper()) for pattern in keeps)
        or name in _HARMLESS
        or not (_SECRET.search(name) or name.startswith(_LOADS))
    }
    if "PATH" in kept:
        kept["PATH"] = _absolute(kept["PATH"].split(os.pathsep))
    return {**kept, "PYTHONSAFEPATH": "1"}


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

    It gets `child_environment(environment, keeps=keeps)` with `more` over it. The Python of this process imports from
    where this process does, but for the working directory. `memory` is how many bytes of its own it may have, where the
    system can bound them (Linux).

    Raises:
        FileNotFoundError: there is no such program.
        OSError: it can't be started.
    """
    given = {**child_environment(environment, keeps=keeps), **(more or {})}
    program, *arguments = command
    found = shutil.which(program, path=given.get("PATH", os.defpath))
    if found is None:
        raise FileNotFoundError(f"{program} isn't installed")
    if program == sys.executable:
        here = os.getcwd()  # noqa: PTH109
        stated = environment.get("PYTHONPATH", "").split(os.pathsep)
        given["PYTHONPATH"] = _absolute([*stated, *(folder for folder in sys.path if folder != here)])
    child = subprocess.Popen(  # noqa: S603 -- no shell, and the words are checked by whoever asks
        [found, *arguments], cwd=_ELSEWHERE, env=given, stdin=subprocess.DEVNULL, stdout=stdout, stderr=stderr
    )
    if memory is not None and hasattr(resource, "prlimit"):
        # Its data, not its addresses: models map more than they touch. One that has ended already has none.
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
    """`start_child`, waited for; it reads nothing.

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
    """Ask a child to end, and make it end where it hasn't `within_s` seconds later."""
    for end in (child.terminate, child.kill):
        end()
        with suppress(subprocess.TimeoutExpired):
            child.wait(within_s)


@contextmanager
def as_a_child() -> Iterator[None]:
    """This process in the root folder with a child's environment, for a `with` block in which a library starts
    processes by itself; no other thread may be at work."""
    before = dict(os.environ)
    given = child_environment(before)
    with chdir(_ELSEWHERE):
        try:
            for name in before.keys() - given.keys():
                del os.environ[name]
            os.environ.update(given)
            yield
        finally:
            os.environ.update(before)


def _absolute(folders: Sequence[str]) -> str:
    return os.pathsep.join(dict.fromkeys(folder for folder in folders if os.path.isabs(folder)))  # noqa: PTH117
