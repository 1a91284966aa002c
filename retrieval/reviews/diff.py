"""Reading a diff: unified or combined, of git or of `diff -u`, in a patch mail or alone.

Paths are labels here: nothing is opened. Written rather than taken from `unidiff`, which passes over merge diffs in
silence, keeps git's quoted paths as they are, accepts a text without any diff, and doesn't say which line is wrong.
Not read: context diffs, `ed` scripts, the bytes of binary patches, and diffs quoted in mail.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from corpus.dependencies.model import Line
from corpus.errors import UsageError
from retrieval.reviews.diff_paths import Paths, read_compared_paths, read_git_paths, read_path, strip_prefixes

MAX_CHARACTERS = 20_000_000
MAX_LINES = 200_000

_HUNK = re.compile(r"(?P<at>@@@*+) (?P<before>(?:-\d{1,9}(?:,\d{1,9})? )+)\+(?P<after>\d{1,9}(?:,\d{1,9})?) (?P=at)")
_GIT_HEADER = re.compile(r"diff --(?P<form>git|cc|combined) (?P<paths>.*)")
_BINARY_PATCH = "GIT binary patch"
_COMPARED, _DIFFER = "Binary files ", " differ"
_NEXT_STEP = "Give the output of `git diff`, `git format-patch` or `diff -u`, whole and unchanged."


@dataclass(frozen=True, slots=True)
class FileDiff:
    """One file that a diff changes. Of a merge, `before` is its first parent."""

    path_before: str | None
    """None where the diff adds the file."""
    path_after: str | None
    """None where the diff deletes the file."""
    before: tuple[Line, ...]
    """The lines of the old side that the diff shows, in order: removed ones and context."""
    after: tuple[Line, ...]
    """The lines of the new side that the diff shows, in order: added ones and context."""
    removed: tuple[Line, ...]
    added: tuple[Line, ...]
    is_binary: bool = False
    """Whether the file was compared as binary: its lines aren't shown."""
    sections: tuple[str, ...] = ()
    """What the hunks' headers say of where they stand: mostly the line of a function or class."""

    @property
    def path(self) -> str:
        """What the file is called after the change; before it where the diff deletes the file."""
        return self.path_after or self.path_before or ""


@dataclass(frozen=True, slots=True)
class Diff:
    """The files that a diff changes, in its order; a file may come again where the diff has several commits."""

    files: tuple[FileDiff, ...]


def read_diff(text: str) -> Diff:
    """Read every file and hunk of a diff; what stands around them, as in a patch mail, is passed over.

    Raises:
        UsageError: the text is empty, too long or no diff, or a hunk in it is malformed or cut off; the message names
            the line.
    """
    if not text.strip():
        raise UsageError("The diff is empty: there is no line 1 to read. " + _NEXT_STEP)
    if len(text) > MAX_CHARACTERS or text.count("\n") > MAX_LINES:
        raise UsageError(
            f"The diff is too long: at most {MAX_LINES:,} lines and {MAX_CHARACTERS // 1_000_000} MB are read. Leave"
            " generated files out, or give it in parts."
        )
    if "\r" in text and "\n" not in text:
        raise UsageError(f"Malformed diff, line 1: its lines end in CR alone, which no diff has. {_NEXT_STEP}")
    files = tuple(_iter_files(tuple(line.removesuffix("\r") for line in text.removeprefix("\ufeff").split("\n"))))
    if not files:
        first = next(number for number, line in enumerate(text.split("\n"), 1) if line.strip())
        raise UsageError(f"Not a diff: from line {first} on no line begins a file or a hunk. {_NEXT_STEP}")
    return Diff(files)


class _OpenFile:
    """The file whose headers and hunks are being read; `git` holds what its `diff --git` lines say of the paths."""

    def __init__(self, paths: Paths, *, is_git: bool) -> None:
        self.paths = paths
        self.is_git = is_git
        self.has_hunks = False
        self.before: list[Line] = []
        self.after: list[Line] = []
        self.removed: list[Line] = []
        self.added: list[Line] = []
        self.is_binary = False
        self.sections: list[str] = []

    def close(self) -> FileDiff:
        shown, changed = (tuple(self.before), tuple(self.after)), (tuple(self.removed), tuple(self.added))
        told = self.is_binary, tuple(self.sections)
        return FileDiff(self.paths.before, self.paths.after, *shown, *changed, *told)


def _iter_files(lines: Sequence[str]) -> Iterator[FileDiff]:
    current: _OpenFile | None = None
    at = 0
    hunk_end = -1
    while at < len(lines):
        line = lines[at]
        if line.startswith("diff --") and (header := _GIT_HEADER.match(line)):
            if "\r" in line:
                raise UsageError(f"Malformed diff, line {at + 1}: a CR within the line. {_NEXT_STEP}")
            if current:
                yield current.close()
            is_pair = header["form"] == "git"
            path = None if is_pair else read_path(header["paths"])
            current = _OpenFile(read_git_paths(header["paths"]) if is_pair else Paths(path, path), is_git=True)
        elif line.startswith("--- ") and at + 1 < len(lines) and lines[at + 1].startswith("+++ "):
            if current is None or current.has_hunks or not current.is_git:
                if current:
                    yield current.close()
                current = _OpenFile(Paths(None, None), is_git=False)
            current.paths = strip_prefixes(read_path(line[4:]), read_path(lines[at + 1][4:]), header=current.paths)
            at += 1
        elif line.startswith("@@"):
            if current is None:
                raise UsageError(f"Malformed diff, line {at + 1}: a hunk without the name of its file. {_NEXT_STEP}")
            at = hunk_end = _read_hunk(lines, at, current)
            continue
        elif line == _BINARY_PATCH or (line.startswith(_COMPARED) and line.endswith(_DIFFER)):
            is_told = line == _BINARY_PATCH or (
                current and current.is_git and not current.has_hunks and not current.is_binary
            )
            if not is_told:
                if current:
                    yield current.close()
                current = _OpenFile(read_compared_paths(line[len(_COMPARED) : -len(_DIFFER)]), is_git=False)
            if current:
                current.is_binary = True
        elif at == hunk_end and line[:1] in {"+", "-"} and not line.startswith("--"):
            raise UsageError(f"Malformed diff, line {at + 1}: the hunk is longer than its header says. {_NEXT_STEP}")
        elif current and not current.has_hunks:
            current.paths = current.paths.told_by(line)
        at += 1
    if current:
        yield current.close()


def _read_hunk(lines: Sequence[str], start: int, file: _OpenFile) -> int:
    """Add a hunk's lines to `file`; the index of the first line after it."""
    header = _HUNK.match(lines[start])
    if header is None or len(header["at"]) != header["before"].count("-") + 1:
        raise UsageError(f"Malformed diff, line {start + 1}: {lines[start][:60]!r} isn't a hunk's header. {_NEXT_STEP}")
    file.has_hunks = True
    parents = [_numbers(part) for part in header["before"].split()]
    left = [count for _, count in parents]
    number_before = parents[0][0]
    number_after, left_after = _numbers(header["after"])
    if section := lines[start][header.end() :].strip():
        file.sections.append(section)
    width, at = len(parents), start + 1
    while left_after or any(left):
        if at == len(lines) or (at == len(lines) - 1 and not lines[at]):
            raise UsageError(f"Truncated diff: it ends at line {at} within the hunk of line {start + 1}. {_NEXT_STEP}")
        line = lines[at]
        if line.startswith("\\"):
            at += 1
            continue
        # Mail programs and editors cut the blank that stands for an empty line of context.
        columns = line[:width].ljust(width) if not line.strip() else line[:width]
        in_after = "-" not in columns
        held = [mark == ("-" if not in_after else " ") for mark in columns]
        left = [count - is_held for count, is_held in zip(left, held, strict=False)]
        left_after -= in_after
        if len(columns) < width or set(columns) - set("+- ") or left_after < 0 or min(left) < 0:
            raise UsageError(
                f"Malformed diff, line {at + 1}: {line[:60]!r} doesn't fit the hunk of line {start + 1}. {_NEXT_STEP}"
            )
        old, new = Line(number_before, line[width:]), Line(number_after, line[width:])
        if held[0]:
            file.before.append(old)
            number_before += 1
        if in_after:
            file.after.append(new)
            number_after += 1
        if held[0] and not in_after:
            file.removed.append(old)
        elif in_after and not held[0]:
            file.added.append(new)
        at += 1
    while at < len(lines) and lines[at].startswith("\\"):
        at += 1
    return at


def _numbers(part: str) -> tuple[int, int]:
    """First line and count of `-12,3`; a count left out is 1."""
    first, _, count = part.lstrip("-+").partition(",")
    return int(first), int(count or 1)
