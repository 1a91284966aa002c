"""The strings in a part of a JSON or TOML file, with their lines, as far as the part shows them.

These are no parsers: a diff begins in the middle of an array and ends in the middle of a table. Comments and malformed
lines are skipped.
"""

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from corpus.dependencies.model import Line

_MAX_DEPTH = 100
MAX_PLACE = 500  # Characters; longer paths are cut to their end.

JSON_MARK = re.compile(r'"(?>(?:[^"\\]|\\.)*)"?|[{}\[\]:,]|//.*')  # A string, a sign or a comment.
_TOML_HEADER = re.compile(r"\s*\[\[?\s*+(?P<name>(?>(?:[A-Za-z0-9_.\- ]|\"[^\"]*+\"|'[^']*+')+))\]\]?\s*(?:#.*)?\Z")
_TOML_STATEMENT = re.compile(r"[A-Za-z0-9_.\-\"']++\s*+=")
_TOML_TOKEN = re.compile(
    r"\"\"\"|'''|\"(?>(?:[^\"\\]|\\.)*)\"?|'[^']*+'?|[\[\]{}=,]|#.*|(?>(?:[A-Za-z0-9_-]|\.(?=[A-Za-z0-9_\"'-]))+)"
)


class Text(NamedTuple):
    """One string value of a JSON or TOML file."""

    where: str
    """The keys above it and its own: JSON's separated by `›`, without one for an object in an array; TOML's by dots,
    with `[]` after an array's. `?` replaces unknown keys above the part."""
    value: str
    line: int


def scan_json(lines: Sequence[Line]) -> Iterator[Text]:
    """Yield every string value in consecutive JSON lines, in order: `{"a": {"b": "1"}}` gives Text('›a›b', '1', 1)."""
    open_paths = [] if lines and lines[0].number == 1 else ["?"]
    excess_depth = 0
    key: str | None = None
    for line in lines:
        marks = JSON_MARK.findall(line.text)
        for position, mark in enumerate(marks):
            if mark in {"{", "["}:
                if len(open_paths) < _MAX_DEPTH:
                    open_paths.append("›".join((*open_paths[-1:], key or ""))[-MAX_PLACE:])
                else:
                    excess_depth += 1
                key = None
            elif mark in {"}", "]"}:
                key = None
                if excess_depth:
                    excess_depth -= 1
                elif open_paths != ["?"]:
                    open_paths[-1:] = []
            elif mark == ",":
                key = None
            elif mark[0] == '"':
                if marks[position + 1 : position + 2] == [":"]:
                    key = mark[1:].removesuffix('"')
                else:
                    where = open_paths[-1:] if key is None else (*open_paths[-1:], key)
                    yield Text("›".join(where), mark[1:].removesuffix('"'), line.number)


def scan_toml(lines: Sequence[Line]) -> Iterator[Text]:
    """Yield every one-line string value in consecutive TOML lines: `a.b = ["1"]` gives `Text('a.b[]', '1', 1)`."""
    table = "" if lines and lines[0].number == 1 else "?"
    open_keys: list[tuple[str, str]] = []
    quote = ""
    for line in lines:
        text = line.text
        if quote:
            if quote in text:
                quote = ""
            continue
        header = _TOML_HEADER.match(text)
        if header and (not open_keys or not text[:1].isspace()):
            table, open_keys = _unquoted(header["name"]), []
            continue
        if _TOML_STATEMENT.match(text):
            open_keys = []
        key = ""
        marks = _TOML_TOKEN.findall(text)
        for position, mark in enumerate(marks):
            if mark in {'"""', "'''"}:
                # Without a `=` before them, quotes close a text that begins above the part.
                quote = mark if marks.count(mark) == 1 and marks[position - 1 : position] == ["="] else ""
                break
            if mark.startswith("#"):
                break
            if mark in {"[", "{"}:
                open_keys.append((mark, key))
                del open_keys[_MAX_DEPTH:]
                key = ""
            elif mark in {"]", "}"}:
                open_keys[-1:] = []
                key = ""
            elif mark == ",":
                key = ""
            elif marks[position + 1 : position + 2] == ["="]:
                key = _unquoted(mark)
            elif mark[0] in "\"'":
                # A table without a key is an array's element, however far above the array begins.
                in_array = not key or any(bracket == "[" or not name for bracket, name in open_keys)
                path = ".".join(filter(None, (*(name for _, name in open_keys), key)))
                where = f"{table}.{path}{'[]' * in_array}".removeprefix(".")
                yield Text(where, mark.strip(mark[0]), line.number)


def _unquoted(key: str) -> str:
    return key.replace('"', "").replace("'", "").replace(" ", "")
