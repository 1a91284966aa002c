"""Running git read-only: it starts no program that a repository's configuration names, and uses no network or lock."""

import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from types import MappingProxyType

from corpus.children import run_child

_READ_ONLY = {"GIT_OPTIONAL_LOCKS": "0", "GIT_TERMINAL_PROMPT": "0", "GIT_ALLOW_PROTOCOL": "none", "LC_ALL": "C"}
_HOOK_VARIABLES = tuple(
    """GIT_DIR GIT_WORK_TREE GIT_INDEX_FILE GIT_COMMON_DIR GIT_OBJECT_DIRECTORY GIT_ALTERNATE_OBJECT_DIRECTORIES
    GIT_QUARANTINE_PATH GIT_PREFIX GIT_CEILING_DIRECTORIES GIT_CONFIG_GLOBAL GIT_CONFIG_SYSTEM GIT_CONFIG_NOSYSTEM
    GIT_NO_REPLACE_OBJECTS""".split()
)
"""Variables that name the repository, but not those that change how a diff looks or run something."""
_NO_SETTINGS: Mapping[str, str] = MappingProxyType({})


class GitError(Exception):
    """git failed, isn't installed or took too long; `str(error)` is the reason in one line."""


def run_git(
    arguments: Sequence[str],
    folder: Path,
    *,
    seconds: float,
    settings: Mapping[str, str] = _NO_SETTINGS,
    is_in_hook: bool = False,
) -> bytes:
    """Return git's standard output, run in `folder` with these configuration `settings` for this run alone.

    Monitors and hooks are off, and no protocol may be used (a partial clone would fetch missing objects by any program
    that its remote names). Callers turn off what else a command may run (external diffs, filters), and pass no
    stranger's word that begins with a hyphen. Git's own variables, which may name another repository in a hook, are
    passed on only with `is_in_hook`.

    Raises:
        GitError: it failed, isn't installed or took longer than `seconds`.
    """
    # Not `-c`, because a filter's name may contain an equals sign.
    variables = {**_READ_ONLY, "GIT_CONFIG_COUNT": str(len(settings))}
    for number, (name, value) in enumerate(settings.items()):
        variables |= {f"GIT_CONFIG_KEY_{number}": name, f"GIT_CONFIG_VALUE_{number}": value}
    options = ("-C", str(folder.absolute()), "-c", "core.fsmonitor=false", "-c", f"core.hooksPath={os.devnull}")
    try:
        ended = run_child(
            ("git", *options, *arguments),
            environment=os.environ,
            keeps=_HOOK_VARIABLES if is_in_hook else (),
            more=variables,
            seconds=seconds,
        )
    except TimeoutError:
        raise GitError(f"git took more than {seconds:g} s") from None
    except OSError as error:
        raise GitError(f"git can't be run: {error.strerror or error}") from None
    if ended.returncode:
        errors = ended.stderr.decode("utf-8", errors="replace").strip().splitlines()
        raise GitError(errors[0] if errors else f"git ended with status {ended.returncode}")
    return ended.stdout
