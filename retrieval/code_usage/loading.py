"""Code in, the names it uses out."""

import time
from pathlib import Path, PurePosixPath

from retrieval.code_usage.code import CodeUsage
from retrieval.code_usage.files import MAX_FILES, CodeFiles
from retrieval.code_usage.grammars import GRAMMARS
from retrieval.code_usage.model import FileNames, LeftOut, Unparsable
from retrieval.code_usage.plain_names import PLAIN_ENDINGS, PLAIN_NAMES, read_plain
from retrieval.code_usage.tree_names import read_tree

_LONGEST_LINE = 20_000
_SECONDS = 180.0


def load_code(path: Path) -> CodeUsage:
    """Read the names that the code in `path` uses: a file, or a directory with what git tracks of it.

    Nothing of the code is run or imported. Files that can't be parsed, are too large or hold no text are left out and
    counted in `CodeUsage.left_out`.

    Raises:
        UsageError: `path` doesn't exist.
    """
    found = CodeFiles(path)
    files: dict[str, FileNames] = {}
    until = time.monotonic() + _SECONDS
    for name, text in found.read():
        if time.monotonic() > until:
            found.leave_out(name, "more than can be read in three minutes")
            continue
        try:
            names = read_names(name, text)
        except Unparsable as error:
            found.leave_out(name, str(error))
            continue
        if names:
            files[name] = names
    left_out = [LeftOut(reason, len(names), names[0]) for reason, names in sorted(found.left_out.items())]
    if found.truncated:
        left_out.append(LeftOut(f"beyond the first {MAX_FILES:,} files or 200 MB", 1, str(path)))
    return CodeUsage.from_files(files, left_out=left_out)


def read_names(name: str, text: str) -> FileNames | None:
    """The names of one file; None where it isn't of a kind that is read.

    Raises:
        Unparsable: its text can't be parsed.
    """
    ending = PurePosixPath(name).suffix.lower()
    plain = is_plain(PurePosixPath(name), text)
    if not plain and ending not in GRAMMARS:
        return None
    if any(len(line) > _LONGEST_LINE for line in text.split("\n")):
        raise Unparsable("a line is too long to be written by hand")
    if plain:
        return read_plain(text)
    return read_tree(text, ending=ending, name=name)


def is_plain(path: PurePosixPath, text: str) -> bool:
    """Whether a file is a script of a shell or a configuration, by its name or its first line."""
    ending = path.suffix.lower()
    if ending in GRAMMARS:
        return False
    return ending in PLAIN_ENDINGS or bool(PLAIN_NAMES.fullmatch(path.name)) or (not ending and text.startswith("#!"))
