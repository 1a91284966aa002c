"""package.json."""

import re
from collections.abc import Iterator, Sequence

from corpus.dependencies.bounds import range_version
from corpus.dependencies.json_parts import JsonString, scan_json
from corpus.dependencies.lines import split_parts
from corpus.dependencies.model import Dependency, Ecosystem, Line

_SECTIONS = {
    "dependencies",
    "devDependencies",
    "peerDependencies",
    "optionalDependencies",
    "overrides",
    "resolutions",
    "engines",
    "volta",
}
_MAX_NAME = 300
_NESTED = {"overrides", "resolutions", "pnpm"}
_NAME = re.compile(r"(?:@[\w.~-]+/)?[A-Za-z0-9_~-][\w.~-]*", re.ASCII)
_LAST_NAME = re.compile(r"((?:@[^/@]+/)?[^/@>]+)(?:@[^/>]*)?\Z")
_IS_RANGE = re.compile(r"(?:npm:@?[^@]+@)?\s*+(?:(?:\^|~|[<>]=?|=)\s*+v?[0-9]|v?[0-9]+\.[0-9xX*])")
_ALIAS = re.compile(r"npm:(@?[^@]+)@")
_OWN_FIELDS = {
    "version",
    "name",
    "main",
    "license",
    "description",
    "type",
    "types",
    "module",
    "node-version",
    "$schema",
}


def read_package_json(path: str, lines: Sequence[Line]) -> Iterator[Dependency]:
    """Every entry of the sections that hold dependencies; where the section is out of sight, what is a range."""
    for part in split_parts(lines):
        for each in scan_json(part):
            yield from _read_entry(path, each)


def _read_entry(path: str, each: JsonString) -> Iterator[Dependency]:
    if len(each.keys) < 2:
        return
    *above, key = each.keys
    if key is None or len(key) > _MAX_NAME:
        return
    if key == "packageManager" and above[-1] in {"", None}:
        name, _, version = each.value.partition("@")
        yield from _found(path, name, version, each.line)
    elif above[-1] is None:
        # A script may look like a name with a value, but never like a range.
        if key not in _OWN_FIELDS and _IS_RANGE.match(each.value) and range_version(each.value):
            yield from _found(path, key, each.value, each.line)
    elif above[-1] in _SECTIONS or _NESTED.intersection(above):
        last = _LAST_NAME.search(key if key != "." else str(above[-1]))
        yield from _found(path, last[1] if last else key, each.value, each.line)


def _found(path: str, name: str, value: str, line: int) -> Iterator[Dependency]:
    if _NAME.fullmatch(name):
        alias = _ALIAS.match(value)
        yield Dependency(alias[1] if alias else name, Ecosystem.NPM, range_version(value.partition("+")[0]), path, line)
