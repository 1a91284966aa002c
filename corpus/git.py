"""git, run so that it only reads: no program that a repository's configuration can name, no network, no lock."""

import os
import subprocess
from collections.abc import Mapping, Sequence
from pathlib import Path
from types import MappingProxyType

_READING = {
    "GIT_OPTIONAL_LOCKS": "0",
    "GIT_TERMINAL_PROMPT": "0",
    "GIT_ALLOW_PROTOCOL": "none",
    "LC_ALL": "C",
}
_NO_SETTINGS: Mapping[str, str] = MappingProxyType({})


class GitError(Exception):
    """git failed, isn't installed or took too long; `str(error)` is one line of why."""


def without_gits_own(environment: Mapping[str, str]) -> dict[str, str]:
    """An environment without git's variables: inside a hook they speak of another repository."""
    return {name: value for name, value in environment.items() if not name.startswith("GIT_")}


def run_git(
    arguments: Sequence[str],
    folder: Path,
    *,
    environment: Mapping[str, str],
    seconds: float,
    settings: Mapping[str, str] = _NO_SETTINGS,
) -> bytes:
    """What git prints when it is run in `folder`, with `settings` of configuration for this run alone.

    Monitors and hooks are off, no protocol may be used (a partial clone would fetch what it lacks by whatever program
    its remote names). What a command needs off beyond that (external diffs, filters) is its caller's to say; no word of
    `arguments` may be a stranger's that begins with a hyphen.

    Raises:
        GitError: it failed, isn't installed or took longer than `seconds`.
    """
    # Not `-c`: the name of a filter may hold an equals sign.
    given = {"GIT_CONFIG_COUNT": str(len(settings))}
    for number, (name, value) in enumerate(settings.items()):
        given |= {f"GIT_CONFIG_KEY_{number}": name, f"GIT_CONFIG_VALUE_{number}": value}
    try:
        ran = subprocess.run(  # noqa: S603 no shell, and words of our own
            ["git", "-c", "core.fsmonitor=false", "-c", f"core.hooksPath={os.devnull}", *arguments],  # noqa: S607
            cwd=folder,
            env={**environment, **_READING, **given},
            stdin=subprocess.DEVNULL,
            capture_output=True,
            timeout=seconds,
        )
    except subprocess.TimeoutExpired:
        raise GitError(f"git took more than {seconds:g} s") from None
    except OSError as error:
        raise GitError(f"git can't be run: {error.strerror}") from None
    if ran.returncode:
        said = ran.stderr.decode("utf-8", errors="replace").strip().splitlines()
        raise GitError(said[0] if said else f"git ended with status {ran.returncode}")
    return ran.stdout
