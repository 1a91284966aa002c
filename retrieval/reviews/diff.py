"""Reading a diff: unified or combined, of git or of `diff -u`, in a patch mail or alone.

Paths are labels here: nothing is opened. `unidiff` (1.0.1) refuses a hunk that miscounts, takes merges and submodules
for nothing, and takes the square of the length of a line of binary files: what would mend that is most of what is here.
Not read: context diffs, `ed` scripts, the bytes of binary patches, and diffs quoted in mail.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field

from corpus.dependencies.model import Line
from corpus.errors import UsageError
from retrieval.code_usage.code import MAX_LINES

MAX_CHARACTERS = 20_000_000

_HUNK = re.compile(r"(?P<at>@@@*+) (?P<ranges>(?:-\d{1,9}(?:,\d{1,9})? )+\+\d{1,9}(?:,\d{1,9})?) (?P=at)")
COLOUR = re.compile(r"\x1b\[[\d;:]*[mK]")  # As `git diff --color` colours lines, into files as well.
_GIT_HEADERS = ("diff --git ", "diff --cc ", "diff --combined ")
_MISCOUNT = 2  # A diff that lacks more lines at its end than whoever edits one by hand miscounts is cut off.
_SUBMODULE = re.compile(
    r"Submodule (?P<path>.+?) (?P<before>[0-9a-f]{7,64})\.{2,3}(?P<after>[0-9a-f]{7,64})(?: \([^()]*\))?:?"
)
"""As git writes it with diff.submodule=log."""
_SIGNS = ("+", "-", " ", "\\")
_COMPARED, _DIFFER = "Binary files ", " differ"
_QUOTED_PATH = re.compile(r'"(?>(?:[^"\\]|\\.)*)"')
_ESCAPE = re.compile(rb'\\([0-7]{3}|[abtnvfr"\\])')
_ESCAPED = bytes.maketrans(b"abtnvfr", b"\a\b\t\n\v\f\r")
_PREFIXES = tuple(f"{letter}/" for letter in "abciow12")
"""`a/` and `b/`, those of diff.mnemonicPrefix, and `1/` and `2/` of `git diff --no-index`."""
_NEXT_STEP = "Give the output of `git diff`, `git format-patch` or `diff -u`, whole and unchanged."
_Paths = tuple[str | None, str | None]
"""A file's name on both sides; None on a side that hasn't the file, or as long as it isn't known."""


@dataclass(frozen=True, slots=True)
class FileDiff:
    """One file that a diff changes, with the lines that it shows of it; of a merge, `before` is the first parent.

    `path_before` is None where the diff adds the file, `path_after` where it deletes it.
    """

    path_before: str | None
    path_after: str | None
    before: tuple[Line, ...]  # Removed lines and context, in order.
    after: tuple[Line, ...]  # Added lines and context, in order.
    removed: tuple[Line, ...]
    added: tuple[Line, ...]
    is_binary: bool = False  # Whether the file was compared as binary: its lines aren't shown.
    sections: tuple[str, ...] = ()
    """What the hunks' headers say of where they stand: mostly the line of a function or class."""
    miscounted: tuple[int, ...] = ()
    """The diff's lines whose hunks hold more or fewer lines than they say; what stands there is read."""

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
        UsageError: the text is empty, too long or no diff, or it is malformed or cut off; the message names the line.
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
    """Each line that a hunk shows, as it stands before and after."""
    sections: list[str] = field(default_factory=list)
    miscounted: list[int] = field(default_factory=list)

    def read_header(self, line: str) -> None:
        """Take what one of git's extended header lines says of the names; any other line changes nothing."""
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
        # Names and notes between `diff --git` and a hunk are of the same file.
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
    """Add a hunk's lines to `file`; the index of the first line after it, wherever its header says that it ends."""
    header = _HUNK.match(lines[start])
    ranges = [_numbers(part) for part in header["ranges"].split()] if header else []
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
        # A removed `-- a` looks like another file, too: where lines of both sides are due, and a hunk goes on below.
        if (following := _line_of_next_file(lines, at)) and not (set(left) == {1} and following > number_before):
            break
        at += 1
        if line.startswith("\\"):
            continue
        # Mail programs and editors cut the blank that stands for an empty line of context.
        columns = line[:width].ljust(width) if not line.strip() else line[:width]
        if len(columns) < width or set(columns) - set("+- "):
            raise _malformed(at - 1, f"{line[:60]!r} doesn't fit the hunk of line {start + 1}")
        in_after = "-" not in columns
        held = [*(mark == (" " if in_after else "-") for mark in columns), in_after]
        left = [count - is_held for count, is_held in zip(left, held, strict=True)]
        old = Line(number_before, line[width:]) if held[0] else None
        new = Line(number_after, line[width:]) if in_after else None
        if old or new:
            file.rows.append((old, new))
        number_before += held[0]
        number_after += in_after
    if at == end and max(left) > _MISCOUNT:
        raise UsageError(f"Truncated diff: it ends at line {at} within the hunk of line {start + 1}. {_NEXT_STEP}")
    if any(left):
        file.miscounted.append(start + 1)
    return at


def _line_of_next_file(lines: Sequence[str], at: int) -> int:
    """Return where the first hunk of a file begins whose two lines of names stand here; 0 where they don't."""
    names, below = lines[at : at + 2], lines[at + 2 : at + 3]
    begins = [name[:4] for name in names] == ["--- ", "+++ "] and below and _HUNK.match(below[0])
    return max(1, _numbers(begins["ranges"])[0]) if begins else 0


def _numbers(part: str) -> tuple[int, int]:
    """First line and count of `-12,3`; a count left out is 1."""
    first, _, count = part.split()[0].lstrip("-+").partition(",")
    return int(first), int(count or 1)


def _read_path(text: str) -> str | None:
    """One path as a header line writes it, prefix and all: unquoted, without a time stamp; None for `/dev/null`."""
    quoted = _QUOTED_PATH.match(text)
    path = _unquoted(quoted[0]) if quoted else text.partition("\t")[0].rstrip()
    return None if path == "/dev/null" else path


def _split_paths(text: str, separator: str) -> _Paths:
    """Both paths of a line that names both, without prefixes.

    Unquoted paths that hold the separator are told apart only where both sides have the same name; otherwise git says
    them again in `rename from` or `---`.
    """
    text = text.rstrip()
    middle = (len(text) - len(separator)) // 2
    before, after = text[:middle], text[middle + len(separator) :]
    if quoted := _QUOTED_PATH.match(text):
        before, after = quoted[0], text[quoted.end() :].removeprefix(separator)
    elif before + separator + after != text or _bare(before) != _bare(after):
        before, _, after = text.partition(f'{separator}"' if text.endswith('"') else separator)
        after = f'"{after}' if text.endswith('"') else after
    return _strip_prefixes(_read_path(before), _read_path(after))


def _strip_prefixes(before: str | None, after: str | None, *, header: _Paths = (None, None)) -> _Paths:
    """Both names without `a/` and `b/`: only where the two sides' prefixes differ, as a repository may have a folder
    `a`. `header` is what `diff --git` said: it decides where one side is `/dev/null`."""
    if before is None or after is None:
        only = before or after or ""
        if only != header[before is None]:
            only = _bare(only)
        return before and only, after and only
    if before.startswith(_PREFIXES) and after.startswith(_PREFIXES) and before[0] != after[0]:
        return before[2:], after[2:]
    return before, after


def _bare(path: str) -> str:
    return path[2:] if path.startswith(_PREFIXES) else path


def _unquoted(quoted: str) -> str:
    """A path in git's C-style quotes, whose escapes stand for bytes of UTF-8."""

    def byte(found: re.Match[bytes]) -> bytes:
        code = found[1]
        return bytes([int(code, 8) & 255]) if len(code) == 3 else code.translate(_ESCAPED)

    return _ESCAPE.sub(byte, quoted[1:-1].encode()).decode("utf-8", "replace")
