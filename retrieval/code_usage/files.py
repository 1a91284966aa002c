"""Which files of a directory are code to read: git's where there is a work tree, else a walk; bounded either way.

Nothing is executed: git is asked with hooks, monitors and the user's own configuration turned off, and links that lead
out of the directory are never followed.
"""

import os
from collections.abc import Iterator
from pathlib import Path

from corpus.errors import UsageError
from corpus.git import GitError, run_git, without_gits_own

MAX_FILE_BYTES = 1_000_000
MAX_FILES = 20_000
MAX_BYTES = 200_000_000
_GIT_SECONDS = 30
_SNIFFED_BYTES = 8_192
_SKIPPED_FOLDERS = frozenset(
    "node_modules bower_components __pycache__ venv env virtualenv build dist out target site-packages vendor"
    " coverage htmlcov eggs wheels sdist".split()
)
NO_CODE = frozenset(
    ".md .rst .txt .adoc .html .htm .css .scss .less .svg .csv .tsv .ipynb .lock .po .pot .map .xml .xsd .patch .diff"
    " .jsonl .ndjson .log .sum .pem .crt .tex .bib .rtf .sql .snap".split()
)


class CodeFiles:
    """The readable files of a file or directory, one after another; what is left out is counted on the way."""

    def __init__(self, root: Path) -> None:
        """Look at `root`.

        Raises:
            UsageError: `root` doesn't exist or can't be read.
        """
        if not root.exists():
            raise UsageError(f"Cannot scan {str(root)!r}: there is no such file or directory. Give the code's folder.")
        self._root = root.parent if root.is_file() else root
        self._names = iter((root.name,)) if root.is_file() else _names(root)
        self.left_out: dict[str, list[str]] = {}
        self.truncated = False

    def leave_out(self, name: str, reason: str) -> None:
        """Count `name` among those that weren't read."""
        self.left_out.setdefault(reason, []).append(name)

    def read(self) -> Iterator[tuple[str, str]]:
        """Each file by its name with its text, in a fixed order; stops at the limits on number and size in all.

        Names are relative to the directory that was scanned, with `/`.
        """
        files = read_bytes = 0
        inside = self._root.resolve()
        for name in self._names:
            path = self._root / name
            if ".." in path.relative_to(self._root).parts or path.suffix.lower() in NO_CODE:
                continue
            reason, data = _load(path, inside)
            if reason:
                self.leave_out(name, reason)
            if data is None:
                continue
            files, read_bytes = files + 1, read_bytes + len(data)
            if files > MAX_FILES or read_bytes > MAX_BYTES:
                self.truncated = True
                return
            yield name, data.decode("utf-8", errors="replace")


def _load(path: Path, inside: Path) -> tuple[str | None, bytes | None]:
    """Why the file isn't read, or its bytes; neither for what is no file at all."""
    try:
        if path.is_symlink() and not path.resolve().is_relative_to(inside):
            return "a link that leads out of the folder", None
        # A pipe or a device would be waited on for ever.
        if not path.is_file():
            return None, None
        if path.stat().st_size > MAX_FILE_BYTES:
            return "larger than 1 MB", None
        data = path.read_bytes()
    except (OSError, RuntimeError):
        return "can't be opened", None
    return ("binary", None) if b"\0" in data[:_SNIFFED_BYTES] else (None, data)


def _names(root: Path) -> Iterator[str]:
    tracked = _git_names(root)
    return iter(tracked) if tracked else _walk(root)


def _git_names(root: Path) -> tuple[str, ...]:
    """The files below `root` that git tracks, or would once added; empty outside a work tree."""
    if not any((folder / ".git").exists() for folder in (root.resolve(), *root.resolve().parents)):
        return ()
    wanted = ("ls-files", "-z", "--cached", "--others", "--exclude-standard")
    try:
        listed = run_git(wanted, root, environment=without_gits_own(os.environ), seconds=_GIT_SECONDS)
    except GitError:
        return ()
    names = (os.fsdecode(name) for name in listed.split(b"\0") if name)
    return tuple(sorted(dict.fromkeys(names)))


def _walk(root: Path) -> Iterator[str]:
    for folder, folders, files in os.walk(root):
        folders[:] = sorted(
            name for name in folders if name.casefold() not in _SKIPPED_FOLDERS and not _is_hidden(name)
        )
        if "pyvenv.cfg" in files:
            folders.clear()
            continue
        below = Path(folder).relative_to(root)
        yield from ((below / name).as_posix() for name in sorted(files))


def _is_hidden(name: str) -> bool:
    # Workflows are code of the project, wherever git isn't there to say so.
    return name.startswith(".") and name not in (".github", ".ci", ".circleci", ".gitlab")
