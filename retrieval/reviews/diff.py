"""Reading a diff: unified or combined, from git or `diff -u`, alone or in a patch mail.

Paths are only labels: no file is opened. `unidiff` (1.0.1) refuses hunks with wrong line counts, ignores merges and
submodules, and takes quadratic time for a line of binary data: working around that would be most of this module.
Not read: context diffs, `ed` scripts, the bytes of binary patches, and diffs quoted in mail.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field

from corpus.dependencies.model import Line
from corpus.errors import UsageError
from retrieval.upgrades.code_usage import MAX_LINES

MAX_CHARACTERS = 20_000_000

_HUNK = re.compile(r"(?P<at>@@@*+) (?P<ranges>(?:-\d{1,9}(?:,\d{1,9})? )+\+\d{1,9}(?:,\d{1,9})?) (?P=at)")
COLOUR = re.compile(r"\x1b\[[\d;:]*[mK]")  # Escape codes of `git diff --color`, which it also writes into files.
_GIT_HEADERS = ("diff --git ", "diff --cc ", "diff --combined ")
_MISCOUNT = 2  # A diff edited by hand may lack this many lines at its end; one that lacks more is truncated.
_SUBMODULE = re.compile(
    r"Submodule (?P<path>.+?) (?P<before>[0-9a-f]{7,64})\.{2,3}(?P<after>[0-9a-f]{7,64})(?: \([^()]*\))?:?"
)
"""A submodule's change as git writes it with diff.submodule=log."""
_SIGNS = ("+", "-", " ", "\\")
_COMPARED, _DIFFER = "Binary files ", " differ"
_QUOTED_PATH = re.compile(r'"(?>(?:[^"\\]|\\.)*)"')
_ESCAPE = re.compile(rb'\\([0-7]{3}|[abtnvfr"\\])')
_ESCAPED = bytes.maketrans(b"abtnvfr", b"\a\b\t\n\v\f\r")
_PREFIXES = tuple(f"{letter}/" for letter in "abciow12")
"""`a/` and `b/`, those of diff.mnemonicPrefix, and `1/` and `2/` of `git diff --no-index`."""
_NEXT_STEP = "Give the output of `git diff`, `git format-patch` or `diff -u`, whole and unchanged."
_Paths = tuple[str | None, str | None]
"""A file's path on both sides; None on a side without the file, or if not known yet."""


@dataclass(frozen=True, slots=True)
class FileDiff:
    """One file changed by a diff, with the lines shown; in a merge, `before` is the first parent.

    `path_before` is None if the diff adds the file, `path_after` if it deletes it.
    """

    path_before: str | None
    path_after: str | None
    before: tuple[Line, ...]  # Removed lines and context, in order.
    after: tuple[Line, ...]  # Added lines and context, in order.
    removed: tuple[Line, ...]
    added: tuple[Line, ...]
    is_binary: bool = False  # Whether the file was compared as binary, without showing its lines.
    sections: tuple[str, ...] = ()
    """The section in each hunk's header, mostly the line of a function or class."""
    miscounted: tuple[int, ...] = ()
    """The line numbers in the diff of hunks whose header states a wrong line count; their lines are read anyway."""

    @property
    def path(self) -> str:
        """The file's path after the change, or before it if the diff deletes the file."""
        return self.path_after or self.path_before or ""


@dataclass(frozen=True, slots=True)
class Diff:
    """The files changed by a diff, in order; a file may repeat if the diff has several commits."""

    files: tuple[FileDiff, ...]


def read_diff(text: str) -> Diff:
    """Read all files and hunks of a diff; other text around them, as in a patch mail, is ignored.

    Raises:
        UsageError: the text is empty, too long, no diff, malformed or truncated; the message names the line.
    """
    if not text.strip():
        raise UsageError("The diff is empty: there is no line 1 to read. " + _NEXT_STEP)
    if len(text) > MAX_CHARACTERS or text.count("\n") > MAX_LINES:
        raise UsageError(
            f"The diff is too long: at most {MAX_LINES:,} lines and {MAX_CHARACTERS // 1_000_000} MB are read. Leave"
            " generated files out, or give it in parts."
        )
    text = COLOUR.sub("", text)
    if "\r" in text and "\n" not in text:
        raise UsageError(f"Malformed diff, line 1: its lines end in CR alone, which no diff has. {_NEXT_STEP}")
    files = _read_files([line.removesuffix("\r") for line in text.removeprefix("\ufeff").split("\n")])
    if not files:
        first = next(number for number, line in enumerate(text.split("\n"), 1) if line.strip())
        raise UsageError(f"Not a diff: from line {first} on no line begins a file or a hunk. {_NEXT_STEP}")
    return Diff(files)


@dataclass(slots=True)
class _OpenFile:
    """The file whose headers and hunks are being read."""

    paths: _Paths = (None, None)
    is_git: bool = False  # Whether a `diff --git` line opened it.
    has_hunks: bool = False
    is_binary: bool = False
    rows: list[tuple[Line | None, Line | None]] = field(default_factory=list)
    """Each line shown, before and after the change; None on a side without it."""
    sections: list[str] = field(default_factory=list)
    miscounted: list[int] = field(default_factory=list)

    def read_header(self, line: str) -> None:
        """Update the paths from one of git's extended header lines; any other line changes nothing."""
        before, after = self.paths
        if line.startswith(("rename from ", "copy from ")):
            before = _read_path(line.partition(" from ")[2])
        elif line.startswith(("rename to ", "copy to ")):
            after = _read_path(line.partition(" to ")[2])
        elif line.startswith("new file mode "):
            before = None
        elif line.startswith("deleted file mode "):
            after = None
        self.paths = before, after

    def close(self) -> FileDiff:
        return FileDiff(
            *self.paths,
            before=tuple(old for old, _ in self.rows if old),
            after=tuple(new for _, new in self.rows if new),
            removed=tuple(old for old, new in self.rows if old and not new),
            added=tuple(new for old, new in self.rows if new and not old),
            is_binary=self.is_binary,
            sections=tuple(self.sections),
            miscounted=tuple(self.miscounted),
        )


def _malformed(at: int, reason: str) -> UsageError:
    return UsageError(f"Malformed diff, line {at + 1}: {reason}. {_NEXT_STEP}")


def _read_files(lines: Sequence[str]) -> tuple[FileDiff, ...]:
    files: list[_OpenFile] = []
    at = 0
    while at < len(lines):
        line, current = lines[at], files[-1] if files else None
        # Header lines between `diff --git` and the first hunk belong to that file.
        is_begun = current is not None and current.is_git and not current.has_hunks
        if line.startswith(_GIT_HEADERS):
            if "\r" in line:
                raise _malformed(at, "a CR within the line")
            _, form, stated = line.split(" ", 2)
            path = _read_path(stated)
            files.append(_OpenFile(_split_paths(stated, " ") if form == "--git" else (path, path), is_git=True))
        elif line.startswith("--- ") and at + 1 < len(lines) and lines[at + 1].startswith("+++ "):
            if not is_begun:
                files.append(_OpenFile())
            sides = _read_path(line[4:]), _read_path(lines[at + 1][4:])
            files[-1].paths = _strip_prefixes(*sides, header=files[-1].paths)
            at += 1
        elif line.startswith("@@"):
            if current is None:
                raise _malformed(at, "a hunk without the name of its file")
            at = _read_hunk(lines, at, current)
            continue
        elif moved := _SUBMODULE.fullmatch(line):
            rows = [
                (Line(1, f"Subproject commit {moved['before']}"), None),
                (None, Line(1, f"Subproject commit {moved['after']}")),
            ]
            files.append(_OpenFile((moved["path"], moved["path"]), has_hunks=True, rows=rows))
        elif line == "GIT binary patch" and current:
            current.is_binary = True
        elif line.startswith(_COMPARED) and line.endswith(_DIFFER):
            if current and is_begun and not current.is_binary:
                current.is_binary = True
            else:
                files.append(_OpenFile(_split_paths(line[len(_COMPARED) : -len(_DIFFER)], " and "), is_binary=True))
        elif current and not current.has_hunks:
            current.read_header(line)
        at += 1
    return tuple(file.close() for file in files)


def _read_hunk(lines: Sequence[str], start: int, file: _OpenFile) -> int:
    """Add a hunk's lines to `file`; return the index after it. A miscounting header is noted, other faults raise."""
    header = _HUNK.match(lines[start])
    ranges = [_parse_range(part) for part in header["ranges"].split()] if header else []
    width = len(ranges) - 1
    if header is None or len(header["at"]) != width + 1:
        raise _malformed(start, f"{lines[start][:60]!r} isn't a hunk's header")
    file.has_hunks = True
    if section := lines[start][header.end() :].strip():
        file.sections.append(section)
    number_before, number_after = ranges[0][0], ranges[-1][0]
    left = [count for _, count in ranges]
    at, end = start + 1, len(lines) - (not lines[-1])
    while at < end:
        line = lines[at]
        if line.startswith(("@@", "diff --")) if max(left) > 0 else line[:1] not in _SIGNS or line.startswith("--"):
            break
        # A removed `-- a` and an added `++ b` look like a file's names, too: if both are due, and a hunk follows below.
        if (following := _line_of_next_file(lines, at)) and not (set(left) == {1} and following > number_before):
            break
        at += 1
        if line.startswith("\\"):
            continue
        # Mail programs and editors strip the blank of an empty context line.
        columns = line[:width].ljust(width) if not line.strip() else line[:width]
        if len(columns) < width or set(columns) - set("+- "):
            raise _malformed(at - 1, f"{line[:60]!r} doesn't fit the hunk of line {start + 1}")
        in_after = "-" not in columns
        in_side = [*(mark == (" " if in_after else "-") for mark in columns), in_after]
        left = [count - is_present for count, is_present in zip(left, in_side, strict=True)]
        old = Line(number_before, line[width:]) if in_side[0] else None
        new = Line(number_after, line[width:]) if in_after else None
        if old or new:
            file.rows.append((old, new))
        number_before += in_side[0]
        number_after += in_after
    if at == end and max(left) > _MISCOUNT:
        raise UsageError(f"Truncated diff: it ends at line {at} within the hunk of line {start + 1}. {_NEXT_STEP}")
    if any(left):
        file.miscounted.append(start + 1)
    return at


def _line_of_next_file(lines: Sequence[str], at: int) -> int:
    """Return the first line, at least 1, of the old side in the hunk below `---` and `+++` lines at `at`; 0 without."""
    names, below = lines[at : at + 2], lines[at + 2 : at + 3]
    hunk = [name[:4] for name in names] == ["--- ", "+++ "] and below and _HUNK.match(below[0])
    return max(1, _parse_range(hunk["ranges"])[0]) if hunk else 0


def _parse_range(part: str) -> tuple[int, int]:
    """Return first line and count of a hunk's range: "-12,3" -> (12, 3); a missing count is 1."""
    first, _, count = part.split()[0].lstrip("-+").partition(",")
    return int(first), int(count or 1)


def _read_path(text: str) -> str | None:
    """Return the path after a header's mark, unquoted, with its prefix, without a time stamp; None for `/dev/null`."""
    quoted = _QUOTED_PATH.match(text)
    path = _unquote(quoted[0]) if quoted else text.partition("\t")[0].rstrip()
    return None if path == "/dev/null" else path


def _split_paths(text: str, separator: str) -> _Paths:
    """Return both paths of a line that names both, without prefixes: "a/x.py b/x.py" -> ("x.py", "x.py").

    An unquoted path with the separator is split right only if both are equal; otherwise git repeats it in `---` lines.
    """
    text = text.rstrip()
    middle = (len(text) - len(separator)) // 2
    before, after = text[:middle], text[middle + len(separator) :]
    if quoted := _QUOTED_PATH.match(text):
        before, after = quoted[0], text[quoted.end() :].removeprefix(separator)
    elif before + separator + after != text or _without_prefix(before) != _without_prefix(after):
        before, _, after = text.partition(f'{separator}"' if text.endswith('"') else separator)
        after = f'"{after}' if text.endswith('"') else after
    return _strip_prefixes(_read_path(before), _read_path(after))


def _strip_prefixes(before: str | None, after: str | None, *, header: _Paths = (None, None)) -> _Paths:
    """Return both paths without `a/` and `b/`, but only if the prefixes differ, because a repository may have a folder
    `a`. If one side is `/dev/null`, the paths from `diff --git` in `header` decide."""
    if before is None or after is None:
        only = before or after or ""
        if only != header[before is None]:
            only = _without_prefix(only)
        return before and only, after and only
    if before.startswith(_PREFIXES) and after.startswith(_PREFIXES) and before[0] != after[0]:
        return before[2:], after[2:]
    return before, after


def _without_prefix(path: str) -> str:
    return path[2:] if path.startswith(_PREFIXES) else path


def _unquote(quoted: str) -> str:
    """Return a path without git's C-style quotes and escapes, which encode bytes of UTF-8."""

    def byte(escape: re.Match[bytes]) -> bytes:
        code = escape[1]
        return bytes([int(code, 8) & 255]) if len(code) == 3 else code.translate(_ESCAPED)

    return _ESCAPE.sub(byte, quoted[1:-1].encode()).decode("utf-8", "replace")
