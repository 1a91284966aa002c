"""Reading a diff: unified or combined, of git or of `diff -u`, in a patch mail or alone.

Paths are labels here: nothing is opened. Written rather than taken from `unidiff`, which passes over merge diffs in
silence, keeps git's quoted paths as they are, accepts a text without any diff, and doesn't say which line is wrong.
Not read: context diffs, `ed` scripts, the bytes of binary patches, and diffs quoted in mail.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace

from corpus.dependencies.model import Line
from corpus.errors import UsageError

MAX_CHARACTERS = 20_000_000
MAX_LINES = 200_000

_HUNK = re.compile(r"(?P<at>@@@*+) (?P<before>(?:-\d{1,9}(?:,\d{1,9})? )+)\+(?P<after>\d{1,9}(?:,\d{1,9})?) (?P=at)")
_GIT_HEADERS = ("diff --git ", "diff --cc ", "diff --combined ")
_MISCOUNT = 1
"""A diff that lacks more lines at its end than whoever edits one by hand miscounts is cut off."""
_SIGNS = ("+", "-", " ", "\\")
_BINARY_PATCH = "GIT binary patch"
_COMPARED, _DIFFER = "Binary files ", " differ"
_DEV_NULL = "/dev/null"
_QUOTED_PATH = re.compile(r'"(?>(?:[^"\\]|\\.)*)"')
_ESCAPE = re.compile(rb'\\([0-7]{3}|[abtnvfr"\\])')
_ESCAPED_BYTES = {b"a": b"\a", b"b": b"\b", b"t": b"\t", b"n": b"\n", b"v": b"\v", b"f": b"\f", b"r": b"\r"}
_AND, _MOST_ANDS = " and ", 32
_PREFIXES = tuple(f"{letter}/" for letter in "abciow12")
"""`a/` and `b/`, those of diff.mnemonicPrefix, and `1/` and `2/` of `git diff --no-index`."""
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
    if "\r" in text and "\n" not in text:
        raise UsageError(f"Malformed diff, line 1: its lines end in CR alone, which no diff has. {_NEXT_STEP}")
    files = tuple(_iter_files(tuple(line.removesuffix("\r") for line in text.removeprefix("\ufeff").split("\n"))))
    if not files:
        first = next(number for number, line in enumerate(text.split("\n"), 1) if line.strip())
        raise UsageError(f"Not a diff: from line {first} on no line begins a file or a hunk. {_NEXT_STEP}")
    return Diff(files)


@dataclass(frozen=True, slots=True)
class _Paths:
    """A file's name on both sides; None on a side that hasn't the file, or as long as it isn't known."""

    before: str | None
    after: str | None

    def told_by(self, line: str) -> "_Paths":
        """The names after one more of git's extended header lines; any other line changes nothing."""
        if line.startswith(("rename from ", "copy from ")):
            return replace(self, before=_read_path(line.split(" from ", 1)[1]))
        if line.startswith(("rename to ", "copy to ")):
            return replace(self, after=_read_path(line.split(" to ", 1)[1]))
        if line.startswith("new file mode "):
            return replace(self, before=None)
        if line.startswith("deleted file mode "):
            return replace(self, after=None)
        return self


@dataclass(slots=True)
class _OpenFile:
    """The file whose headers and hunks are being read."""

    paths: _Paths
    is_git: bool = False
    """Whether a `diff --git` line opened it."""
    has_hunks: bool = False
    is_binary: bool = False
    rows: list[tuple[Line | None, Line | None]] = field(default_factory=list)
    """Each line that a hunk shows, as it stands before and after."""
    sections: list[str] = field(default_factory=list)
    miscounted: list[int] = field(default_factory=list)

    def close(self) -> FileDiff:
        return FileDiff(
            self.paths.before,
            self.paths.after,
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


def _iter_files(lines: Sequence[str]) -> Iterator[FileDiff]:
    current: _OpenFile | None = None
    opened: _OpenFile | None = None
    at = 0
    while at < len(lines):
        line = lines[at]
        if line.startswith(_GIT_HEADERS):
            if "\r" in line:
                raise _malformed(at, "a CR within the line")
            _, form, stated = line.split(" ", 2)
            path = _read_path(stated)
            opened = _OpenFile(_read_git_paths(stated) if form == "--git" else _Paths(path, path), True)
        elif line.startswith("--- ") and at + 1 < len(lines) and lines[at + 1].startswith("+++ "):
            is_same = current is not None and current.is_git and not current.has_hunks
            named = current if current is not None and is_same else (opened := _OpenFile(_Paths(None, None)))
            named.paths = _strip_prefixes(_read_path(line[4:]), _read_path(lines[at + 1][4:]), header=named.paths)
            at += 1
        elif line.startswith("@@"):
            if current is None:
                raise _malformed(at, "a hunk without the name of its file")
            at = _read_hunk(lines, at, current)
            continue
        elif line == _BINARY_PATCH and current:
            current.is_binary = True
        elif line.startswith(_COMPARED) and line.endswith(_DIFFER):
            if current and current.is_git and not current.has_hunks and not current.is_binary:
                current.is_binary = True
            else:
                opened = _OpenFile(_read_compared_paths(line[len(_COMPARED) : -len(_DIFFER)]), is_binary=True)
        elif current and not current.has_hunks:
            current.paths = current.paths.told_by(line)
        if opened is not None:
            if current:
                yield current.close()
            current, opened = opened, None
        at += 1
    if current:
        yield current.close()


def _read_hunk(lines: Sequence[str], start: int, file: _OpenFile) -> int:
    """Add a hunk's lines to `file`; the index of the first line after it, wherever its header says that it ends."""
    header = _HUNK.match(lines[start])
    if header is None or len(header["at"]) != header["before"].count("-") + 1:
        raise _malformed(start, f"{lines[start][:60]!r} isn't a hunk's header")
    file.has_hunks = True
    parents = [_numbers(part) for part in header["before"].split()]
    left = [count for _, count in parents]
    number_before = parents[0][0]
    number_after, left_after = _numbers(header["after"])
    if section := lines[start][header.end() :].strip():
        file.sections.append(section)
    width, at = len(parents), start + 1
    end = len(lines) - (not lines[-1])
    while at < end:
        line, is_due = lines[at], max(left_after, *left) > 0
        if line.startswith(("@@", "diff --")) if is_due else line[:1] not in _SIGNS or line.startswith("--"):
            break
        # A removed `-- a` looks like another file, too: where lines of both sides are due, and a hunk goes on below.
        goes_on = {left_after, *left} == {1}
        if (following := _line_of_next_file(lines, at)) and not (goes_on and following > number_before):
            break
        at += 1
        if line.startswith("\\"):
            continue
        # Mail programs and editors cut the blank that stands for an empty line of context.
        columns = line[:width].ljust(width) if not line.strip() else line[:width]
        in_after = "-" not in columns
        held = [mark == (" " if in_after else "-") for mark in columns]
        left = [count - is_held for count, is_held in zip(left, held, strict=False)]
        left_after -= in_after
        if len(columns) < width or set(columns) - set("+- "):
            raise _malformed(at - 1, f"{line[:60]!r} doesn't fit the hunk of line {start + 1}")
        old = Line(number_before, line[width:]) if held[0] else None
        new = Line(number_after, line[width:]) if in_after else None
        if old or new:
            file.rows.append((old, new))
        number_before += held[0]
        number_after += in_after
    if at == end and max(left_after, *left) > _MISCOUNT:
        raise UsageError(f"Truncated diff: it ends at line {at} within the hunk of line {start + 1}. {_NEXT_STEP}")
    if left_after or any(left):
        file.miscounted.append(start + 1)
    return at


def _line_of_next_file(lines: Sequence[str], at: int) -> int:
    """Where the first hunk of a file begins whose two lines of names stand here; 0 where they don't."""
    names, below = lines[at : at + 2], lines[at + 2 : at + 3]
    begins = [name[:4] for name in names] == ["--- ", "+++ "] and below and _HUNK.match(below[0])
    return max(1, _numbers(begins["before"].split()[0])[0]) if begins else 0


def _numbers(part: str) -> tuple[int, int]:
    """First line and count of `-12,3`; a count left out is 1."""
    first, _, count = part.lstrip("-+").partition(",")
    return int(first), int(count or 1)


def _read_path(text: str) -> str | None:
    """One path as a header line writes it, prefix and all: unquoted, without a time stamp; None for `/dev/null`."""
    quoted = _QUOTED_PATH.match(text)
    path = _unquoted(quoted[0]) if quoted else text.partition("\t")[0].rstrip()
    return None if path == _DEV_NULL else path


def _read_git_paths(text: str) -> _Paths:
    """Both paths of `diff --git`, without prefixes.

    Unquoted paths with blanks are told apart only where both sides have the same name; otherwise git says them again
    in `rename from` or `---`.
    """
    if quoted := _QUOTED_PATH.match(text):
        return _strip_prefixes(_read_path(quoted[0]), _read_path(text[quoted.end() :].lstrip()))
    text = text.rstrip()
    middle = len(text) // 2
    before, after = text[:middle], text[middle + 1 :]
    if text[middle : middle + 1] != " " or _bare(before) != _bare(after):
        before, _, after = text.partition(' "' if text.endswith('"') else " ")
        after = f'"{after}' if text.endswith('"') else after
    return _strip_prefixes(before, _read_path(after))


def _read_compared_paths(text: str) -> _Paths:
    """Both paths of `Binary files a/x and b/x differ`, given what stands between, without prefixes."""
    parts = text.split(_AND, _MOST_ANDS)
    sides = [(_AND.join(parts[:at]), _AND.join(parts[at:])) for at in range(1, len(parts))]
    pairs = [_strip_prefixes(_read_path(before), _read_path(after)) for before, after in sides]
    same = (pair for pair in pairs if pair.before == pair.after)
    return next(same, pairs[0] if pairs else _Paths(None, None))


def _strip_prefixes(before: str | None, after: str | None, *, header: _Paths | None = None) -> _Paths:
    """Both names without `a/` and `b/`: only where the two sides' prefixes differ, as a repository may have a folder
    `a`. `header` is what `diff --git` said: it decides where one side is `/dev/null`."""
    if before is None or after is None:
        known = (header.after if before is None else header.before) if header else None
        only = before or after or ""
        if only != known:
            only = _bare(only)
        return _Paths(before and only, after and only)
    if before.startswith(_PREFIXES) and after.startswith(_PREFIXES) and before[0] != after[0]:
        return _Paths(before[2:], after[2:])
    return _Paths(before, after)


def _bare(path: str) -> str:
    return path[2:] if path.startswith(_PREFIXES) else path


def _unquoted(quoted: str) -> str:
    """A path in git's C-style quotes, whose escapes stand for bytes of UTF-8."""

    def byte(found: re.Match[bytes]) -> bytes:
        code = found[1]
        return bytes([int(code, 8) & 255]) if len(code) == 3 else _ESCAPED_BYTES.get(code, code)

    return _ESCAPE.sub(byte, quoted[1:-1].encode()).decode("utf-8", "replace")
