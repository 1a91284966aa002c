"""package.json, the locks of npm (all three versions), yarn (1 and later), pnpm, and others in JSON."""

import re
from collections.abc import Collection, Iterator, Sequence

from corpus.dependencies.bounds import bare_version, range_version
from corpus.dependencies.model import Dependency, Ecosystem, Line, split_parts
from corpus.dependencies.parts import scan_json

_SECTIONS = frozenset(
    "dependencies devDependencies peerDependencies optionalDependencies overrides resolutions engines volta".split()
)
_MAX_NAME = 300
_NESTED = {"overrides", "resolutions", "pnpm"}
_PACKAGE_NAME = re.compile(r"(?:@[\w.~-]+/)?[A-Za-z0-9_~-][\w.~-]*", re.ASCII)
_LAST_NAME = re.compile(r"((?:@[^/@]+/)?[^/@>]+)(?:@[^/>]*)?\Z")
_IS_RANGE = re.compile(r"(?:npm:@?[^@]+@)?\s*+(?:(?:\^|~|[<>]=?|=)\s*+v?[0-9]|v?[0-9]+\.[0-9xX*])")
_OF_GIT = re.compile(r"(?:git\+\S+|git:\S+|(?:github:|gitlab:)?[\w.-]+/[\w.-]+)#\S+\Z", re.ASCII)
_ALIAS = re.compile(r"npm:(@?[^@]+)@")
_OF_PYTHON = {"python_version", "python_full_version"}
_OWN_FIELDS = frozenset("version name main license description type types module node-version $schema".split())
_NAME = r"(?P<name>(?:@[\w.~-]+/)?[\w.~-]+)"
_PLAIN_NAME = re.compile(rf"{_NAME}", re.ASCII)
YARN = (
    re.compile(rf"\"?{_NAME}@(?!workspace:)[^,\"]*.*:\s*\Z", re.ASCII),
    re.compile(r"  \"?version\"?:? \"?(?P<version>[^\"\s]+)\"?\s*\Z"),
)
PNPM = (
    re.compile(
        rf"\s{{2,}}['\"]?/?{_NAME}(?:[@/]v?(?P<version>[0-9][^'\"():_/]*)(?:[(_][^'\"]*)?)?['\"]?:\s*\Z", re.ASCII
    ),
    re.compile(r"\s{6,}version: ['\"]?(?P<version>[0-9][^'\"():_/\s]*)"),
)


def read_package_json(lines: Sequence[Line]) -> Iterator[Dependency]:
    """Every entry of the sections that hold dependencies; where the section is out of sight, what is a range."""
    for each in scan_json(lines):
        if len(each.keys) < 2:
            continue
        *above, key = each.keys
        if key is None or len(key) > _MAX_NAME:
            continue
        name, value = key, each.value
        if key == "packageManager" and above[-1] in {"", None}:
            name, _, value = each.value.partition("@")
        elif above[-1] is None:
            # A script may look like a name with a value, but never like a range.
            is_asked = range_version(value) if _IS_RANGE.match(value) else _OF_GIT.match(value)
            if key in _OWN_FIELDS or not is_asked:
                continue
        elif above[-1] in _SECTIONS or _NESTED.intersection(above):
            last = _LAST_NAME.search(key if key != "." else str(above[-1]))
            name = last[1] if last else key
        else:
            continue
        if _PACKAGE_NAME.fullmatch(name):
            alias, version = _ALIAS.match(value), range_version(value.partition("+")[0])
            yield Dependency(alias[1] if alias else name, Ecosystem.NPM, version, each.line, pin=value)


def read_package_lock(lines: Sequence[Line]) -> Iterator[Dependency]:
    """Yield the installed packages by key, each with the `version` under it; not the project and its workspaces."""
    # Version 1 lists packages by name alone; version 2 lists them once more so, and in version 3 such a key is a folder
    # of the project's own.
    lists_names = not any('"node_modules/' in line.text for line in lines)
    for part in split_parts(lines):
        for each in scan_json(part):
            section, package, key = (None, None, None, *each.keys)[-3:]
            if key != "version" or not package:
                continue
            folder, is_installed, name = package.rpartition("node_modules/")
            is_listed = lists_names and section in {"dependencies", None} and _PLAIN_NAME.fullmatch(package)
            if is_installed or (is_listed and not folder):
                yield Dependency(name, Ecosystem.NPM, bare_version(each.value), each.line)


def read_keyed(key: re.Pattern[str], version: re.Pattern[str], lines: Sequence[Line]) -> Iterator[Dependency]:
    """Each package by its key, which may hold the version, or a version on a line below it; a lock of yarn or pnpm."""
    name: str | None = None
    for line in lines:
        if found := key.match(line.text):
            name = found["name"]
            stated = found.groupdict().get("version")
        elif not line.text[:1].isspace():
            name = stated = None
        else:
            below = version.match(line.text)
            stated = below["version"] if below else None
        if name and stated:
            yield Dependency(name, Ecosystem.NPM, bare_version(stated), line.number)
            name = None


def read_resolved(ecosystem: Ecosystem, keys: Collection[str], lines: Sequence[Line]) -> Iterator[Dependency]:
    """Yield the packages of a JSON lock: each is a key, its version the string below it under one of `keys`."""
    for each in scan_json(lines):
        package, key = (None, None, *each.keys)[-2:]
        if key in _OF_PYTHON:
            yield Dependency("python", ecosystem, bare_version(each.value), each.line)
        elif key in keys and package:
            yield Dependency(package, ecosystem, bare_version(each.value.removeprefix("==")), each.line)
