"""The code files of a directory: those that git lists in a work tree, else all by a walk; bounded either way.

Nothing is executed: git runs without hooks, monitors and the user's configuration, and links that lead out of the
directory are never followed.
"""

import os
from collections.abc import Iterator
from pathlib import Path

from corpus.errors import UsageError
from corpus.git import GitError, run_git

MAX_FILE_BYTES = 1_000_000
MAX_FILES, MAX_BYTES = 20_000, 200_000_000
_GIT_SECONDS, _SNIFFED_BYTES = 30, 8_192
_SKIPPED_FOLDERS = frozenset("node_modules __pycache__ venv env build dist out target site-packages vendor".split())
NO_CODE = frozenset(
    ".md .rst .txt .adoc .html .htm .css .scss .less .svg .csv .tsv .ipynb .lock .po .pot .map .xml .xsd .patch .diff"
    " .jsonl .ndjson .log .sum .pem .crt .tex .bib .rtf .sql .snap".split()
)


def read_files(root: Path) -> Iterator[tuple[str, str | None]]:
    """Yield (name, text) of a file, or of each file in a directory, in a fixed order; the text is None if it isn't
    read. Stops at the limits on count and total size. Names are relative to the directory, with `/`.

    Raises:
        UsageError: `root` doesn't exist.
    """
    if not root.exists():
        raise UsageError(f"Cannot scan {str(root)!r}: there is no such file or directory. Give the code's folder.")
    folder = root.parent if root.is_file() else root
    files = read_bytes = 0
    inside = folder.resolve()
    for name in [root.name] if root.is_file() else _git_names(root) or _walk(root):
        path = folder / name
        try:
            # Skip all but plain files: reading a pipe would wait forever.
            if path.suffix.lower() in NO_CODE or not path.is_file():
                continue
            # Don't follow links out of the folder.
            is_read = path.resolve().is_relative_to(inside) and path.stat().st_size <= MAX_FILE_BYTES
            data = path.read_bytes() if is_read else b"\0"
        except (OSError, RuntimeError):
            data = b"\0"
        is_text = b"\0" not in data[:_SNIFFED_BYTES]
        files, read_bytes = files + is_text, read_bytes + len(data) * is_text
        is_beyond = files > MAX_FILES or read_bytes > MAX_BYTES
        yield name, data.decode("utf-8", errors="replace") if is_text and not is_beyond else None
        if is_beyond:
            return


def _git_names(root: Path) -> list[str]:
    """Return the files below `root` that git tracks or doesn't ignore, sorted; empty if git fails, as outside."""
    wanted = ("ls-files", "-z", "--cached", "--others", "--exclude-standard")
    try:
        listed = run_git(wanted, root, seconds=_GIT_SECONDS)
    except GitError:
        return []
    return sorted({os.fsdecode(name) for name in listed.split(b"\0") if name})


def _walk(root: Path) -> Iterator[str]:
    for folder, folders, files in os.walk(root):
        visible = (name for name in folders if name == ".github" or not name.startswith("."))
        folders[:] = sorted(name for name in visible if "pyvenv.cfg" not in files and name not in _SKIPPED_FOLDERS)
        yield from (
            (Path(folder).relative_to(root) / name).as_posix() for name in sorted(files) if "pyvenv.cfg" not in files
        )
