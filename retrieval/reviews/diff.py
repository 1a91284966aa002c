"""Reading a unified diff: from git or `diff -u`, alone or in a patch mail. Paths are only labels: no file is opened."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from unidiff import PatchedFile, PatchSet, UnidiffParseError

from corpus.dependencies.model import Line
from corpus.errors import UsageError
from retrieval.upgrades.code_usage import MAX_LINES

MAX_CHARACTERS = 20_000_000

COLOUR = re.compile(r"\x1b\[[\d;:]*[mK]")  # Escape codes of `git diff --color`, which it also writes into files.
_COMBINED = ("@@@", "diff --cc ", "diff --combined ")
_HEADERS = ("diff --git ", "Binary file")
_COMPARED = ("differ", "has changed")
_MAX_HEADER = 1_000  # Characters; unidiff takes more than linear time for these lines.
_HUNK = re.compile(r"@@ -\d{1,9}(?:,\d{1,9})? \+\d{1,9}(?:,\d{1,9})? @@")
_FAULTS = (UnidiffParseError, AttributeError, UnboundLocalError)
"""What unidiff raises; the latter two for lines of a file before its header."""
_ESCAPE = re.compile(rb'\\([0-7]{3}|[abtnvfr"\\])')
_ESCAPED = bytes.maketrans(b"abtnvfr", b"\a\b\t\n\v\f\r")
_PREFIX = re.compile(r"[abciow12]/")
"""`a/` and `b/`, those of diff.mnemonicPrefix, and `1/` and `2/` of `git diff --no-index`."""
_NEXT_STEP = "Give the output of `git diff`, `git format-patch` or `diff -u`, whole and unchanged."


@dataclass(frozen=True, slots=True)
class FileDiff:
    """One file changed by a diff, with the lines shown.

    `path_before` is None if the diff adds the file, `path_after` if it deletes it.
    """

    path_before: str | None
    path_after: str | None
    before: tuple[Line, ...]  # Removed lines and context, in order.
    after: tuple[Line, ...]  # Added lines and context, in order.
    removed: tuple[Line, ...]
    added: tuple[Line, ...]
    is_binary: bool = False  # Whether the file was compared as binary, without showing its lines.

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
        UsageError: the text is empty, too long, no diff, a merge's, malformed or truncated; the message names the line.
    """
    if not text.strip():
        raise UsageError("The diff is empty: there is no line 1 to read. " + _NEXT_STEP)
    if len(text) > MAX_CHARACTERS or text.count("\n") > MAX_LINES:
        raise UsageError(
            f"The diff is too long: at most {MAX_LINES:,} lines and {MAX_CHARACTERS // 1_000_000} MB are read. Leave"
            " generated files out, or give it in parts."
        )
    lines = COLOUR.sub("", text).removeprefix("\ufeff").removesuffix("\n").split("\n")
    at = 0

    def checked() -> Iterator[str]:
        """Yield the lines as unidiff takes them; an empty one, whose blank mail programs strip, with its blank."""
        nonlocal at
        for at, line in enumerate(lines, start=1):
            if reason := _fault(line):
                raise UsageError(f"Malformed diff, line {at}: {reason}. {_NEXT_STEP}")
            is_text = line.startswith("Binary file") and not line.rstrip().endswith(_COMPARED)
            yield ("#" if is_text else line.removesuffix("\r") or " ") + "\n"

    try:
        files = tuple(map(_read_file, PatchSet(checked())))
    except _FAULTS as error:
        reason = str(error).partition(":")[0] if isinstance(error, UnidiffParseError) else "a file without a header"
        raise UsageError(f"Malformed diff, line {at}: {reason} ({lines[at - 1][:60]!r}). {_NEXT_STEP}") from None
    if not files and not any(line.startswith("diff --git ") for line in lines):
        raise UsageError(f"Not a diff: from line 1 on no line begins a file or a hunk. {_NEXT_STEP}")
    return Diff(files)


def _fault(line: str) -> str | None:
    """Return why a diff with this line isn't read; None if nothing is wrong."""
    if line.startswith(_COMBINED):
        return "it is a merge's combined diff, so compare with one parent (`git diff HEAD^1 HEAD`)"
    if line.startswith("@@ ") and not _HUNK.match(line):
        return f"{line[:60]!r} isn't a hunk's header"
    if line.startswith(_HEADERS) and (len(line) > _MAX_HEADER or line.count("://") > 2):
        return f"a header of over {_MAX_HEADER:,} characters, or of several addresses"
    return None


def _read_file(file: PatchedFile) -> FileDiff:
    rows = [row for hunk in file for row in hunk if row.line_type != "\\"]

    def numbered(*, is_after: bool, only_changed: bool) -> tuple[Line, ...]:
        sign = "+" if is_after else "-"
        numbers = ((row, row.target_line_no if is_after else row.source_line_no) for row in rows)
        return tuple(
            Line(number, row.value.removesuffix("\n"))
            for row, number in numbers
            if number is not None and (row.line_type == sign or not only_changed)
        )

    before, after = _read_path(file.source_file), _read_path(file.target_file)
    prefixes = [path[:2] for path in (before, after) if path and _PREFIX.match(path)]
    if len(prefixes) == len(set(prefixes)) == len([path for path in (before, after) if path]):
        before, after = before and before[2:], after and after[2:]
    return FileDiff(
        before,
        after,
        before=numbered(is_after=False, only_changed=False),
        after=numbered(is_after=True, only_changed=False),
        removed=numbered(is_after=False, only_changed=True),
        added=numbered(is_after=True, only_changed=True),
        is_binary=file.is_binary_file,
    )


def _read_path(path: str) -> str | None:
    """Return a path without git's C-style quotes and escapes, which encode bytes of UTF-8; None for `/dev/null`."""

    def byte(escape: re.Match[bytes]) -> bytes:
        code = escape[1]
        return bytes([int(code, 8) & 255]) if len(code) == 3 else code.translate(_ESCAPED)

    if path.startswith('"'):
        path = _ESCAPE.sub(byte, path.strip().strip('"').encode("utf-8", "replace")).decode("utf-8", "replace")
    return None if path == "/dev/null" else path.rstrip()
