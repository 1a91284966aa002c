"""package.json, and the locks of npm (all three versions), yarn (1 and later), pnpm and bun."""

import re
from collections.abc import Iterator, Sequence

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
_OWN_FIELDS = frozenset("version name main license description type types module node-version $schema".split())
_NAME = r"(?P<name>(?:@[\w.~-]+/)?[\w.~-]+)"
_PLAIN_NAME = re.compile(rf"{_NAME}", re.ASCII)
_YARN_KEY = re.compile(rf"\"?{_NAME}@(?P<range>[^,\"]*)", re.ASCII)
_YARN_VERSION = re.compile(r"  \"?version\"?:? \"?(?P<version>[^\"\s]+)\"?\s*\Z")
_PNPM_PACKAGE = re.compile(
    rf"  ['\"]?/?{_NAME}[@/]v?(?P<version>[0-9][^'\"():_/]*)(?:[(_][^'\"]*)?['\"]?:\s*\Z", re.ASCII
)
_PNPM_IMPORT = re.compile(rf"\s{{4,}}['\"]?{_NAME}['\"]?:\s*\Z", re.ASCII)
_PNPM_VERSION = re.compile(r"\s{6,}version: ['\"]?(?P<version>[0-9][^'\"():_/\s]*)")
_BUN_PACKAGE = re.compile(rf"\s*\"[^\"]+\": \[\"{_NAME}@(?P<version>[0-9][^\"]*)\"", re.ASCII)


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
    """Each installed package by its key and the `version` under it; the project itself and its workspaces are left
    out."""
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


def read_yarn_lock(lines: Sequence[Line]) -> Iterator[Dependency]:
    """Each package by its key line and the `version` below it; workspaces are left out."""
    name: str | None = None
    for line in lines:
        if not line.text[:1].isspace():
            key = _YARN_KEY.match(line.text) if line.text.rstrip().endswith(":") else None
            name = key["name"] if key and not key["range"].startswith("workspace:") else None
        elif name and (found := _YARN_VERSION.match(line.text)):
            yield Dependency(name, Ecosystem.NPM, bare_version(found["version"]), line.number)
            name = None


def read_pnpm_lock(lines: Sequence[Line]) -> Iterator[Dependency]:
    """Each package by its key, which holds the version, and each import by the `version` below it."""
    name: str | None = None
    for line in lines:
        package = _PNPM_PACKAGE.match(line.text)
        imported = _PNPM_IMPORT.match(line.text)
        version = _PNPM_VERSION.match(line.text)
        if package:
            yield Dependency(package["name"], Ecosystem.NPM, bare_version(package["version"]), line.number)
        elif imported:
            name = imported["name"]
        elif version and name:
            yield Dependency(name, Ecosystem.NPM, bare_version(version["version"]), line.number)
            name = None


def read_bun_lock(lines: Sequence[Line]) -> Iterator[Dependency]:
    """Each package by the `name@version` that its entry begins with."""
    for line in lines:
        if found := _BUN_PACKAGE.match(line.text):
            yield Dependency(found["name"], Ecosystem.NPM, bare_version(found["version"]), line.number)
