"""Loads the diff of a review from a file, standard input, or git.

git runs with the repository's own programs turned off: its configuration can name commands for monitors, external
diffs, text conversion, filters and remotes, and a review must run none of them. Nothing is fetched either.
"""

import codecs
import os
import stat
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType

from corpus.dependencies.dependency_files import is_dependency_file
from corpus.errors import UsageError
from corpus.git import GitError, run_git

_GIT_SECONDS = 60
_CONTEXT_LINES = 10  # More than git's three, because a lock names a package some lines above its version.


@dataclass(frozen=True, slots=True)
class DiffSource:
    """A diff's text, and the work tree that its paths are relative to; None if unknown."""

    text: str
    work_tree: Path | None


def load_diff(name: str | None, *, repository: Path | None) -> DiffSource:
    """Read the diff named by `--diff`: an existing file, `-` for standard input, or a git range such as `main..HEAD`.

    A name that is both a file and a range is taken as the range: a file called `HEAD` could hide a change (`./HEAD` is
    the file). If `name` is None, read piped standard input, else compare the work tree with its last commit.

    Raises:
        UsageError: there is no such file or range, it can't be read, or git has no work tree here.
    """
    folder = repository or Path()
    if name == "-" or (name is None and _is_piped()):
        piped = sys.stdin.buffer.read() if sys.stdin is not None else b""
        return DiffSource(_patch_text(piped), work_tree(folder))
    if name is None:
        return _from_git("HEAD", folder, label="the work tree against HEAD")
    if not name.strip():
        raise UsageError("--diff is empty. Name a file, `-`, or a range of git such as main..HEAD.")
    as_range = ["rev-list", "--max-count=0", "--end-of-options", name, "--"]
    if is_file(Path(name)) and _git_or_none(as_range, folder) is None:
        try:
            return DiffSource(_patch_text(Path(name).read_bytes()), work_tree(folder))
        except OSError as error:
            raise UsageError(f"Cannot read the diff {name!r}: {error.strerror}. Check the path.") from None
    return _from_git(name, folder, label=repr(name))


def is_file(path: Path) -> bool:
    """Return whether there is a file; False for the impossible names (too long, with a NUL) that a diff may contain."""
    try:
        return path.is_file()
    except (OSError, ValueError):
        return False


def work_tree(folder: Path) -> Path | None:
    """Return the top of the git work tree around `folder`; None outside a work tree or if git is missing."""
    top = _git_or_none(["rev-parse", "--show-toplevel"], folder)
    return Path(top.rstrip("\n")) if top is not None else None


def _from_git(name: str, folder: Path, *, label: str) -> DiffSource:
    top = work_tree(folder)
    if top is None:
        raise UsageError(
            f"Cannot read the diff {label}: it isn't a file, and {str(folder.resolve())!r} isn't in a git work tree."
            " Give --diff FILE, pipe a diff in, or name the work tree with --repository."
        )
    options = ["--no-ext-diff", "--no-textconv", "--no-color", "-O/dev/null"]
    context = [f"-U{_CONTEXT_LINES}", "--inter-hunk-context=0"]
    prefixes = ["--src-prefix=a/", "--dst-prefix=b/", "--no-relative", "--submodule=short", "--ignore-submodules=dirty"]
    try:
        revision = name
        if name == "HEAD" and _git_or_none(["rev-parse", "--verify", "--quiet", "HEAD^{commit}"], top) is None:
            # A repository without commits is compared with the empty tree.
            revision = _git(["hash-object", "-t", "tree", os.devnull], top).strip()
        # Filters, which would run programs over changed files, are blanked; git exits with 1 if there are none.
        setting = ["config", "--null", "--name-only", "--get-regexp", r"^filter\..*\.(clean|process|required)$"]
        filters = _git_or_none(setting, top) or ""
        settings = dict.fromkeys(filter(None, filters.split("\0")), "")
        diff, revs = ["diff", *options, *prefixes], ["--end-of-options", revision, "--"]
        numbers = _git([*diff, "--numstat", "--no-renames", "-z", *revs], top, settings=settings)
        entries = [entry.split("\t", 2) for entry in numbers.split("\0")]
        # Dependency files that git takes for binary, which an attribute or a NUL byte can cause.
        hidden = [entry[2] for entry in entries if entry[:2] == ["-", "-"] and is_dependency_file(entry[2])]
        text = _git([*diff, *context, *revs, *(f":(exclude,literal){path}" for path in hidden)], top, settings=settings)
        if hidden:
            as_text = [*diff, *context, "--text", *revs, *(f":(literal){path}" for path in hidden)]
            text += _git(as_text, top, settings=settings)
    except GitError as error:
        raise UsageError(
            f"Cannot read the diff {label}: it is neither a file nor a range that git knows ({error}). "
            "Write a range like main..HEAD or HEAD~1."
        ) from None
    return DiffSource(text, top)


def _git_or_none(arguments: list[str], folder: Path) -> str | None:
    try:
        return _git(arguments, folder)
    except (GitError, ValueError):  # a NUL byte is no argument
        return None


def _git(arguments: list[str], folder: Path, *, settings: Mapping[str, str] = MappingProxyType({})) -> str:
    return _decoded(run_git(arguments, folder, seconds=_GIT_SECONDS, settings=settings, is_in_hook=True))


def _decoded(data: bytes) -> str:
    # A line of Latin-1 in one file must not stop the review of all others.
    return data.decode("utf-8", errors="replace")


def _patch_text(data: bytes) -> str:
    """Decode a patch file: UTF-16 with a byte order mark, as PowerShell writes it, else UTF-8; faults are replaced."""
    if data.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        return data.decode("utf-16", errors="replace")
    return _decoded(data)


def _is_piped() -> bool:
    """Return whether standard input is a pipe or a file, and not a socket, a terminal, /dev/null or closed."""
    try:
        mode = os.fstat(sys.stdin.fileno()).st_mode
    except (AttributeError, OSError, ValueError):
        return False
    return stat.S_ISFIFO(mode) or stat.S_ISREG(mode)
