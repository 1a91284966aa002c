"""The strings of a part of a JSON file, with their lines and the keys that the part shows."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from corpus.dependencies.model import Line

_MAX_DEPTH = 100

JSON_MARK = re.compile(r'"(?:[^"\\]|\\.)*+"?|[{}\[\]:,]|//.*')
"""A string, a sign or a comment."""


@dataclass(frozen=True, slots=True)
class JsonString:
    """One string value; in an array, `keys` ends in that of the array."""

    keys: tuple[str | None, ...]
    """Outermost first: "" for the document itself, None where the part begins below it and what stands above isn't
    known; objects in an array have the key ""."""
    value: str
    line: int


def scan_json(lines: Sequence[Line]) -> Iterator[JsonString]:
    """Every string value of lines that follow one another, in order."""
    open_keys: list[str | None] = [] if lines and lines[0].number == 1 else [None]
    deeper = 0
    key: str | None = None
    for line in lines:
        marks = JSON_MARK.findall(line.text)
        for at, mark in enumerate(marks):
            if mark in {"{", "["}:
                if len(open_keys) < _MAX_DEPTH:
                    open_keys.append(key or "")
                else:
                    deeper += 1
                key = None
            elif mark in {"}", "]"}:
                key = None
                if deeper:
                    deeper -= 1
                elif open_keys != [None]:
                    open_keys[-1:] = []
            elif mark == ",":
                key = None
            elif mark[0] == '"':
                if marks[at + 1 : at + 2] == [":"]:
                    key = mark[1:].removesuffix('"')
                else:
                    keys = tuple(open_keys) if key is None else (*open_keys, key)
                    yield JsonString(keys, mark[1:].removesuffix('"'), line.number)
