"""git, run so that it only reads: no program that a repository's configuration can name, no network, no lock."""

import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from types import MappingProxyType

from corpus.children import run_child

_READING = {"GIT_OPTIONAL_LOCKS": "0", "GIT_TERMINAL_PROMPT": "0", "GIT_ALLOW_PROTOCOL": "none", "LC_ALL": "C"}
_OF_A_HOOK = tuple(
    """GIT_DIR GIT_WORK_TREE GIT_INDEX_FILE GIT_COMMON_DIR GIT_OBJECT_DIRECTORY GIT_ALTERNATE_OBJECT_DIRECTORIES
    GIT_QUARANTINE_PATH GIT_PREFIX GIT_CEILING_DIRECTORIES GIT_CONFIG_GLOBAL GIT_CONFIG_SYSTEM GIT_CONFIG_NOSYSTEM
    GIT_NO_REPLACE_OBJECTS""".split()
)
"""What says which repository is meant; not what changes how a diff looks, or runs something."""
_NO_SETTINGS: Mapping[str, str] = MappingProxyType({})


class GitError(Exception):
    """git failed, isn't installed or took too long; `str(error)` is one line of why."""


def run_git(
    arguments: Sequence[str],
    folder: Path,
    *,
    seconds: float,
    settings: Mapping[str, str] = _NO_SETTINGS,
    is_in_hook: bool = False,
) -> bytes:
    """Return what git prints when it is run in `folder`, with `settings` of configuration for this run alone.

    Monitors and hooks are off, no protocol may be used (a partial clone would fetch what it lacks by whatever program
    its remote names). What a command needs off beyond that (external diffs, filters) is its caller's to say; no word of
    `arguments` may be a stranger's that begins with a hyphen. Git's variables, which speak of another repository inside
    a hook, count with `is_in_hook` alone.

    Raises:
        GitError: it failed, isn't installed or took longer than `seconds`.
    """
    # Not `-c`: the name of a filter may hold an equals sign.
    given = {**_READING, "GIT_CONFIG_COUNT": str(len(settings))}
    for number, (name, value) in enumerate(settings.items()):
        given |= {f"GIT_CONFIG_KEY_{number}": name, f"GIT_CONFIG_VALUE_{number}": value}
    safely = ("-C", str(folder.absolute()), "-c", "core.fsmonitor=false", "-c", f"core.hooksPath={os.devnull}")
    try:
        ran = run_child(
            ("git", *safely, *arguments),
            environment=os.environ,
            keeps=_OF_A_HOOK if is_in_hook else (),
            more=given,
            seconds=seconds,
        )
    except TimeoutError:
        raise GitError(f"git took more than {seconds:g} s") from None
    except OSError as error:
        raise GitError(f"git can't be run: {error.strerror or error}") from None
    if ran.returncode:
        errors = ran.stderr.decode("utf-8", errors="replace").strip().splitlines()
        raise GitError(errors[0] if errors else f"git ended with status {ran.returncode}")
    return ran.stdout
