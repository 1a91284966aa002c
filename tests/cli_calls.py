"""Commands of `relnotes` in this process, as the tests of the command line call them."""

import os
import subprocess
import sys
from pathlib import Path

from typer.testing import CliRunner, Result

from ui.cli.app import app
from ui.environment import silence_libraries

silence_libraries()
REPOSITORY = Path(__file__).parents[1]
ENVIRONMENT = {**os.environ, "PYTHONPATH": str(REPOSITORY)}
"""Of a command as a process of its own."""


def process(*words: str | Path, prelude: str = "") -> list[str]:
    """What starts a command as a process, after some lines of Python."""
    return [sys.executable, "-c", f"{prelude}\nfrom ui.cli import main; main()", *map(str, words)]


def on_a_terminal(*words: str | Path) -> str:
    """The beginning of what a command shows on a terminal without colours."""
    ours, theirs = os.openpty()
    subprocess.run(process(*words), stdout=theirs, check=True, env={**ENVIRONMENT, "NO_COLOR": "1"})
    os.close(theirs)
    shown = os.read(ours, 4_000).decode()
    os.close(ours)
    return shown


def run(*words: str | Path, text: str | bytes | None = None, env: dict[str, str] | None = None) -> Result:
    """What a command says and ends with, given `text` on standard input; an error that isn't handled fails the test."""
    result = CliRunner().invoke(app, [str(word) for word in words], input=text, env=env, prog_name="relnotes")
    assert result.exception is None or isinstance(result.exception, SystemExit), result.exc_info
    return result


def fails(*words: str | Path, status: int, because: str, text: str | bytes | None = None) -> None:
    """The command ends with this status, says why on one line of stderr and nothing on stdout."""
    result = run(*words, text=text)
    assert (result.exit_code, result.stdout) == (status, "")
    assert because in result.stderr
    assert "Traceback" not in result.stderr
    assert len(result.stderr.strip().splitlines()) == 1
