"""The strings of a part of a TOML file with the table and key they stand under, as far as the part shows them.

A parser of whole files can give neither: a diff begins in the middle of an array and ends in the middle of a table.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from corpus.dependencies.model import Line

_MAX_DEPTH = 100
_HEADER = re.compile(r"\s*\[\[?\s*(?P<name>(?:[A-Za-z0-9_.\- ]|\"[^\"]*+\"|'[^']*+')++)\]\]?\s*(?:#.*)?\Z")
_STATEMENT = re.compile(r"[A-Za-z0-9_.\-\"']++\s*+=")
_TOKEN = re.compile(
    r"\"\"\"|'''|\"(?:[^\"\\]|\\.)*+\"?|'[^']*+'?|[\[\]{}=,]|#.*|(?:[A-Za-z0-9_-]|\.(?=[A-Za-z0-9_\"'-]))++"
)


@dataclass(frozen=True, slots=True)
class TomlString:
    """One string value."""

    table: str | None
    """None where the part begins below its header."""
    key: str | None
    """Dotted, without the table; None in an array that begins above the part."""
    value: str
    in_array: bool
    line: int


def scan_toml(lines: Sequence[Line]) -> Iterator[TomlString]:
    """Every string value of lines that follow one another, in order."""
    table = "" if lines and lines[0].number == 1 else None
    open_keys: list[tuple[str, str]] = []
    quote = ""
    for line in lines:
        text = line.text
        if quote:
            if quote in text:
                quote = ""
            continue
        header = _HEADER.match(text)
        if header and (not open_keys or not text[:1].isspace()):
            table, open_keys = _plain(header["name"]), []
            continue
        if _STATEMENT.match(text):
            open_keys = []
        key = ""
        marks = _TOKEN.findall(text)
        for at, mark in enumerate(marks):
            if mark in {'"""', "'''"}:
                # One that follows no `=` closes a text that begins above the part.
                quote = mark if marks.count(mark) == 1 and marks[at - 1 : at] == ["="] else ""
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
            elif marks[at + 1 : at + 2] == ["="]:
                key = _plain(mark)
            elif mark[0] in "\"'":
                # A table without a key of its own is an array's, however far above the array begins.
                in_array = not key or any(bracket == "[" or not name for bracket, name in open_keys)
                path = ".".join(part for part in (*(name for _, name in open_keys), key) if part)
                yield TomlString(table, path or None, mark.strip(mark[0]), in_array, line.number)


def _plain(key: str) -> str:
    return key.replace('"', "").replace("'", "").replace(" ", "")
