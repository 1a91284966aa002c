"""Code in, the names it uses out."""

import contextlib
import gc
from collections.abc import Iterator
from pathlib import Path

from retrieval.code_usage.code import CodeUsage
from retrieval.code_usage.files import MAX_FILES, CodeFiles
from retrieval.code_usage.model import FileNames, LeftOut
from retrieval.code_usage.python_names import Unparsable, read_python

_LONGEST_LINE = 20_000


def load_code(path: Path) -> CodeUsage:
    """Read the names that the code in `path` uses: a file, or a directory with what git tracks of it.

    Nothing of the code is run or imported. Files that can't be parsed, are too large or hold no text are left out and
    counted in `CodeUsage.left_out`.

    Raises:
        UsageError: `path` doesn't exist.
    """
    found = CodeFiles(path)
    files: dict[str, FileNames] = {}
    with _without_collection():
        for file, text in found.read():
            try:
                names = read_names(file.name, text)
            except Unparsable:
                found.leave_out(file.name, "not parsable")
                continue
            if names:
                files[file.name] = names
    left_out = [LeftOut(reason, len(names), names[0]) for reason, names in sorted(found.left_out.items())]
    if found.truncated:
        left_out.append(LeftOut(f"beyond the first {MAX_FILES:,} files or 200 MB", 1, str(path)))
    return CodeUsage.from_files(files, left_out=left_out)


def read_names(name: str, text: str) -> FileNames | None:
    """The names of one file; None where it isn't of a kind that is read.

    Raises:
        Unparsable: its text can't be parsed.
    """
    if any(len(line) > _LONGEST_LINE for line in text.split("\n")):
        raise Unparsable("written by a program: a line is too long")
    if name.endswith((".py", ".pyi")):
        return read_python(text, name=name)
    return None


@contextlib.contextmanager
def _without_collection() -> Iterator[None]:
    """Trees of syntax are many small objects without cycles: collecting among them doubles the time."""
    enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if enabled:
            gc.enable()
