"""Strings of JSON and TOML files that state dependencies: tables with a row for each place.

If a part of a file begins below the section (`?`), its strings count only if they can be nothing but ranges.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import NamedTuple

from corpus.dependencies.bounds import bare_version, range_version
from corpus.dependencies.languages import requirement
from corpus.dependencies.model import Dependency, Ecosystem, Line, split_parts
from corpus.dependencies.parts import MAX_PLACE, Text, scan_json, scan_toml


class _Row(NamedTuple):
    """One place where a dependency is stated; named groups of the place or of the value give its name and version."""

    where: str  # Matches the place of a string.
    ecosystem: Ecosystem
    value: str = ""  # Matches the beginning of the string.
    name: str = ""
    version: Callable[[str], str | None] = range_version
    needs_version: bool = False


_NPM_NAME = r"(?P<name>(?:@[\w.~-]+/)?[A-Za-z0-9_~-][\w.~-]*)"
_OF_NPM = r"(?:npm:(?P<name>@?[^@]+)@)?(?P<version>[^+]*)"
_NPM_RANGE = r"(?=(?:npm:@?[^@]+@)?\s*+(?:(?:\^|~|[<>]=?|=)\s*+v?[0-9]|v?[0-9]+\.[0-9xX*]))"
_OF_GIT = r"(?:git\+\S+|git:\S+|(?:github:|gitlab:)?[\w.-]+/[\w.-]+)#\S+\Z"
_NPM_SECTION = (
    r"(?:.*›)?(?:(?:dependencies|(?:dev|peer|optional)Dependencies|engines|volta)›"
    r"|(?:overrides|resolutions|pnpm)›(?:.*›)?)(?:[^›]*?[/>])??"
)
_ALONE = rf"\?›(?!(?:version|name|main|license|description|types?|module|node-version|\$schema)\Z){_NPM_NAME}"
PACKAGE_JSON = (
    _Row(rf"{_NPM_SECTION}{_NPM_NAME}(?:@[^/>›]*)?(?:›\.)?", Ecosystem.NPM, _OF_NPM),
    _Row(r"\??›packageManager", Ecosystem.NPM, r"(?P<name>[^@]*)@(?P<version>[^+]*)"),
    # A script may look like a name with a value, but never like a range.
    _Row(_ALONE, Ecosystem.NPM, _NPM_RANGE + _OF_NPM, needs_version=True),
    _Row(_ALONE, Ecosystem.NPM, _OF_GIT),
)
_LOCKED = (_Row(r".*node_modules/(?P<name>[^›]+)›version", Ecosystem.NPM, version=bare_version),)
_LISTED = (_Row(rf"(?:(?:.*›)?dependencies|\?)›{_NPM_NAME}›version", Ecosystem.NPM, version=bare_version),)
_CRATE = r"(?P<name>[\w-]+)(?:\.version)?"
_CRATES = r"(?:(?:target\..+?\.|workspace\.)?(?:dev-|build-)?dependencies|patch\.(?:[\w-]+|\S*/[^./]*(?:\.git)?))"
_NO_CRATE = r"(?:version|edition|resolver|cargo-features|opt-level)\Z"
_CARGO = (
    _Row(r"(?:package|workspace\.package|toolchain|\?)\.(?:rust-version|channel)", Ecosystem.TOOL, "", "rust"),
    _Row(rf"{_CRATES}\.{_CRATE}", Ecosystem.CARGO),
    _Row(rf"\?\.(?!{_NO_CRATE}){_CRATE}", Ecosystem.CARGO, needs_version=True),
)
_RENAMED = re.compile(r".*\.(?P<name>[\w-]+)\.package", re.ASCII)
_PYTHON_NAME = r"(?P<name>[A-Za-z0-9](?:[\w-]*[A-Za-z0-9])?)(?:\.version(?:\[\])?)?"
_PYTHON = r"project\.requires-python|requires\.python_(?:full_)?version|\?\.(?:requires-python|python)"
_TABLES = r"(?:tool\.poetry\b.*?dependencies|tool\.uv\.sources)"
_SEEN_ALONE = rf"\?\.(?!(?:version|python_version|target-version)\Z){_PYTHON_NAME}"
_RANGED = _Row(_SEEN_ALONE, Ecosystem.PYPI, r"(?=\s*(?:\^|~|[<>=]=|>)\s*v?[0-9])", needs_version=True)
_PYPROJECT = (
    _Row(_PYTHON, Ecosystem.PYPI, "", "python"),
    _Row(rf"{_TABLES}\.{_PYTHON_NAME}", Ecosystem.PYPI),
    _RANGED,
)
# Beside `django = "^4.2"`, `celery = "5.4.0"` is a pin, and not the project's own version.
_AMONG_RANGES = _RANGED._replace(value="")
_PEP_508 = re.compile(
    r"(?:project\.(?:dependencies|optional-dependencies\..+)|dependency-groups\.[^.]+|build-system\.requires"
    r"|tool\..+dependencies(?:\.[^.]+)?|\?\.(?:[^.]*|optional-dependencies\..*))\[\]"
)
_FIELD = re.compile(
    r"(?:.*›|(?:packages?|\?)\.)(?:(?P<name>name)|(?P<version>version)|(?P<source>source)"
    r"|(?P<local>source\.(?:editable|virtual|directory)|directory\.path))"
)


def _read(rows: Sequence[_Row], texts: Iterable[Text]) -> Iterator[Dependency]:
    """Yield the dependency of each string that one of the rows matches, by the first such row."""
    for text in texts:
        for row in rows if len(text.where) < MAX_PLACE else ():
            path = re.fullmatch(row.where, text.where, re.ASCII)
            if path and (match := re.match(row.value, text.value, re.ASCII)):
                words = path.groupdict() | {key: word for key, word in match.groupdict().items() if word is not None}
                pin = words.get("version", text.value)
                if (version := row.version(pin)) or not row.needs_version:
                    yield Dependency(row.name or words["name"], row.ecosystem, version, text.line)
                    break


def read_json(rows: Sequence[_Row], lines: Sequence[Line]) -> Iterator[Dependency]:
    """Yield the dependency of each string of a part of a JSON file that one of the rows matches."""
    return _read(rows, scan_json(lines))


def read_package_lock(lines: Sequence[Line]) -> Iterator[Dependency]:
    """Yield the installed packages by key, each with the `version` under it; not the project and its workspaces."""
    # Version 1 lists packages by name alone; version 2 does so too, and in version 3 such a key is a project's folder.
    rows = _LOCKED if any('"node_modules/' in line.text for line in lines) else _LOCKED + _LISTED
    for part in split_parts(lines):
        yield from read_json(rows, part)


def read_cargo(lines: Sequence[Line]) -> Iterator[Dependency]:
    """Yield every crate in the tables of dependencies, by its own name if the project renames it, or every key with a
    range if the part doesn't show the table; and as `rust` the project's oldest Rust or its toolchain."""
    texts = tuple(scan_toml(lines))
    renamed = {match["name"]: text.value for text in texts if (match := _RENAMED.fullmatch(text.where))}
    for dependency in _read(_CARGO, texts):
        yield dependency._replace(name=renamed.get(dependency.name, dependency.name))


def read_pyproject(lines: Sequence[Line]) -> Iterator[Dependency]:
    """Yield every requirement in its tables, or what can only be a requirement if the part doesn't show the table."""
    texts = tuple(scan_toml(lines))
    is_among = any(True for _ in _read((_RANGED,), texts))
    yield from _read((*_PYPROJECT, _AMONG_RANGES) if is_among else _PYPROJECT, texts)
    for text in texts:
        if _PEP_508.fullmatch(text.where):
            yield from requirement(text.line, text.value, needs_version=text.where[0] == "?")


def read_lock(ecosystem: Ecosystem, lines: Sequence[Line]) -> Iterator[Dependency]:
    """Yield each package by its `name` and the `version` below it; those of the project itself are left out."""
    records: list[dict[str, Text]] = [{}]
    for text in scan_toml(lines):
        if (match := _FIELD.fullmatch(text.where)) and (field := match.lastgroup):
            records += [{}] * (field == "name")
            records[-1].setdefault(field, text)
    for record in records:
        # Cargo writes no source for the project's own crates.
        is_own = "source" not in record if ecosystem is Ecosystem.CARGO else "local" in record
        if {"name", "version"} <= record.keys() and not is_own:
            name, version = record["name"].value, record["version"]
            yield Dependency(name, ecosystem, bare_version(version.value), version.line)
