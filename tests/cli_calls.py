"""Commands of `relnotes` in this process, as the tests of the command line call them."""

from pathlib import Path

from typer.testing import CliRunner, Result

from ui.cli.app import app
from ui.environment import silence_libraries

silence_libraries()


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
