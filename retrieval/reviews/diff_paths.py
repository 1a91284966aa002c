"""The names of a diff's files: git's quoting, its prefixes, `/dev/null`, renames."""

import re
from dataclasses import dataclass, replace

_DEV_NULL = "/dev/null"
_QUOTED = re.compile(r'"(?>(?:[^"\\]|\\.)*)"')
_ESCAPE = re.compile(rb'\\([0-7]{3}|[abtnvfr"\\])')
_ESCAPED_BYTES = {b"a": b"\a", b"b": b"\b", b"t": b"\t", b"n": b"\n", b"v": b"\v", b"f": b"\f", b"r": b"\r"}
_AND, _MOST_ANDS = " and ", 32
_PREFIX = re.compile(r"[abciow12]/")
"""`a/` and `b/`, those of diff.mnemonicPrefix, and `1/` and `2/` of `git diff --no-index`."""


@dataclass(frozen=True, slots=True)
class Paths:
    """A file's name on both sides; None on a side that hasn't the file, or as long as it isn't known."""

    before: str | None
    after: str | None

    def told_by(self, line: str) -> "Paths":
        """The names after one more of git's extended header lines; any other line changes nothing."""
        if line.startswith(("rename from ", "copy from ")):
            return replace(self, before=read_path(line.split(" from ", 1)[1]))
        if line.startswith(("rename to ", "copy to ")):
            return replace(self, after=read_path(line.split(" to ", 1)[1]))
        if line.startswith("new file mode "):
            return replace(self, before=None)
        if line.startswith("deleted file mode "):
            return replace(self, after=None)
        return self


def read_path(text: str) -> str | None:
    """One path as a header line writes it, prefix and all: unquoted, without a time stamp; None for `/dev/null`."""
    quoted = _QUOTED.match(text)
    path = _unquoted(quoted[0]) if quoted else text.partition("\t")[0].rstrip()
    return None if path == _DEV_NULL else path


def read_git_paths(text: str) -> Paths:
    """Both paths of `diff --git`, without prefixes.

    Unquoted paths with blanks are told apart only where both sides have the same name; otherwise git says them again
    in `rename from` or `---`.
    """
    if quoted := _QUOTED.match(text):
        return strip_prefixes(read_path(quoted[0]), read_path(text[quoted.end() :].lstrip()))
    text = text.rstrip()
    middle = len(text) // 2
    before, after = text[:middle], text[middle + 1 :]
    if text[middle : middle + 1] != " " or _PREFIX.sub("", before, count=1) != _PREFIX.sub("", after, count=1):
        before, _, after = text.partition(' "' if text.endswith('"') else " ")
        after = f'"{after}' if text.endswith('"') else after
    return strip_prefixes(before, read_path(after))


def read_compared_paths(text: str) -> Paths:
    """Both paths of `Binary files a/x and b/x differ`, given what stands between, without prefixes."""
    parts = text.split(_AND, _MOST_ANDS)
    sides = [(_AND.join(parts[:at]), _AND.join(parts[at:])) for at in range(1, len(parts))]
    pairs = [strip_prefixes(read_path(before), read_path(after)) for before, after in sides]
    same = (pair for pair in pairs if pair.before == pair.after)
    return next(same, pairs[0] if pairs else Paths(None, None))


def strip_prefixes(before: str | None, after: str | None, *, header: Paths | None = None) -> Paths:
    """Both names without `a/` and `b/`: only where the two sides' prefixes differ, as a repository may have a folder
    `a`. `header` is what `diff --git` said: it decides where one side is `/dev/null`."""
    if before is None or after is None:
        known = (header.after if before is None else header.before) if header else None
        only = before or after or ""
        if only != known:
            only = only[2:] if _PREFIX.match(only) else only
        return Paths(before and only, after and only)
    if _PREFIX.match(before) and _PREFIX.match(after) and before[0] != after[0]:
        return Paths(before[2:], after[2:])
    return Paths(before, after)


def _unquoted(quoted: str) -> str:
    """A path in git's C-style quotes, whose escapes stand for bytes of UTF-8."""

    def byte(found: re.Match[bytes]) -> bytes:
        code = found[1]
        return bytes([int(code, 8) & 255]) if len(code) == 3 else _ESCAPED_BYTES.get(code, code)

    return _ESCAPE.sub(byte, quoted[1:-1].encode()).decode("utf-8", "replace")
