"""Requirement files, setup.cfg, tox.ini, setup.py, pyproject.toml, Pipfile, Python's locks, conda environments."""

import re
from collections.abc import Iterator, Sequence

from corpus.dependencies.bounds import (
    bare_version,
    range_version,
    read_requirement,
    specifiers_version,
    url_version,
)
from corpus.dependencies.model import Dependency, Ecosystem, Line
from corpus.dependencies.parts import TomlString, git_sources, scan_json, scan_toml

OPTION = re.compile(r"\s--?[a-z][\w-]*.*\Z")
_COMMENT = re.compile(r"(?:\A|\s)#.*\Z")
_EGG = re.compile(r"[#&]egg=(?P<name>[\w.-]+)", re.ASCII)
_REPOSITORY = re.compile(
    r"/(?P<name>\w[\w.-]*/\w[\w.-]*?)(?:/(?:archive|zipball|tarball|releases)/.*|-\d[^/]*|(?:\.git)?(?:@[^@/]*)?(?:#.*)?)\Z",
    re.ASCII,
)
"""What an address is called that states no name: `acme/gears`."""
_FACTORS = re.compile(r"\A\s*[\w{},!.-]+:\s+")
_ASSIGNED = re.compile(r"\A(?P<key>\w+)\s*=\s*(?P<value>.*)\Z")
_STRING = re.compile(r"\"([^\"]*)\"|'([^']*)'")
_PYTHON_REQUIRES = re.compile(r"python_requires\s*=\s*")
_PEP_508 = re.compile(
    r"project\.(?:dependencies|optional-dependencies\..+)|dependency-groups\.[^.]+|build-system\.requires"
    r"|tool\..+dependencies(?:\.[^.]+)?"
)
_TABLES = re.compile(r"tool\.(?:poetry|pixi)\b.*dependencies|tool\.uv\.sources|packages|dev-packages")
_PYTHON = {"project.requires-python", "requires.python_version", "requires.python_full_version"}
_NAME = re.compile(r"[A-Za-z0-9](?:[\w.-]*[A-Za-z0-9])?(?:\.version)?", re.ASCII)
_IS_RANGE = re.compile(r"\s*(?:\^|~|[<>=]=|>)\s*v?[0-9]")
_LIST_ENTRY = re.compile(r"\s*-\s+[\"']?(?P<entry>[^\"'#]+)")
_CONDA = re.compile(r"(?:[\w.-]+::)?(?P<name>[\w.-]+)\s*=\s*(?P<version>[0-9][\w.*]*)(?:=\S*)?\s*", re.ASCII)
_PACKAGE_TABLES = {None, "package", "packages"}
_LOCAL = {"source.editable", "source.virtual", "source.directory", "directory.path"}


def bare_line(text: str) -> str:
    """A line of a requirement file without its comment and the mark that it goes on."""
    return _COMMENT.sub("", text).strip().removesuffix("\\").strip()


def read_requirements(lines: Sequence[Line]) -> Iterator[Dependency]:
    """One requirement a line; options, hashes, markers and comments are passed over."""
    for line in lines:
        text = bare_line(line.text)
        if text.startswith(("-e ", "--editable", "git+", "https://", "http://")):
            address = text.split()[-1] if "://" in text else ""
            if named := _EGG.search(text) or _REPOSITORY.search(address):
                yield Dependency(named["name"], Ecosystem.PYPI, url_version(text), line.number, pin=address)
        elif text and not text.startswith("-"):
            yield from requirement(line.number, OPTION.sub("", text))


def read_setup_cfg(lines: Sequence[Line]) -> Iterator[Dependency]:
    """The indented requirements of setup.cfg and tox.ini that state a version, whatever key they stand under."""
    for line in lines:
        text = _COMMENT.sub("", line.text)
        assigned = _ASSIGNED.match(text)
        if assigned:
            key, text = assigned["key"], assigned["value"]
            if key == "python_requires":
                yield from requirement(line.number, "python" + text, needs_version=True)
                continue
            if key not in {"install_requires", "setup_requires", "tests_require", "requires", "deps"}:
                continue
        elif not text[:1].isspace():
            continue
        yield from requirement(line.number, _FACTORS.sub("", text).strip(), needs_version=True)


def read_setup_py(lines: Sequence[Line]) -> Iterator[Dependency]:
    """Quoted requirements that state a version; names put together by code are not seen."""
    for line in lines:
        prefix = "python" if _PYTHON_REQUIRES.search(line.text) else ""
        for found in _STRING.finditer(line.text):
            if any(sign in found[0] for sign in "=>"):
                yield from requirement(line.number, prefix + found[0][1:-1], needs_version=True)


def requirement(number: int, text: str, *, needs_version: bool = False) -> Iterator[Dependency]:
    """The dependency of one PEP 508 requirement, if `text` is one; `needs_version` asks for a stated version too, where
    any word would do otherwise."""
    if read := read_requirement(text):
        version = url_version(read.url) if read.url else specifiers_version(read.specifier)
        pin = read.url or str(read.specifier).replace(",", " ")
        if version or read.url or not needs_version:
            yield Dependency(read.name, Ecosystem.PYPI, version, number, pin=pin)


def read_pyproject(lines: Sequence[Line]) -> Iterator[Dependency]:
    """Every requirement in the tables that hold requirements; where the table is out of sight, what can only be one."""
    strings = tuple(scan_toml(lines))
    # Next to `django = "^4.2"`, `celery = "5.4.0"` is a pin, and not the project's own version.
    among_ranges = any(each.table is None and _is_ranged(each) for each in strings)
    for each in strings:
        where = ".".join(filter(None, (each.table, each.key)))
        if each.table is None:
            yield from _read_out_of_sight(each, among_ranges=among_ranges)
        elif where in _PYTHON:
            yield from _ranged("python", each)
        elif _TABLES.fullmatch(each.table) and each.key:
            if "." not in each.key.removesuffix(".version"):
                yield from _ranged(each.key.removesuffix(".version"), each)
        elif each.key == "version" and _TABLES.fullmatch(each.table.rpartition(".")[0]):
            yield from _ranged(each.table.rpartition(".")[2], each)
        elif each.in_array and _PEP_508.fullmatch(where):
            yield from requirement(each.line, each.value)
    inline = ((each, *(each.key or "").partition(".")[::2]) for each in strings if _TABLES.fullmatch(each.table or ""))
    yield from git_sources(Ecosystem.PYPI, inline)


def _read_out_of_sight(each: TomlString, *, among_ranges: bool) -> Iterator[Dependency]:
    if each.in_array:
        if each.key is None or "." not in each.key or each.key.startswith("optional-dependencies."):
            yield from requirement(each.line, each.value, needs_version=True)
    elif each.key in {"requires-python", "python"}:
        yield from _ranged("python", each)
    elif each.key not in {"version", "python_version", "target-version"} and (_is_ranged(each) or among_ranges):
        name = (each.key or "").removesuffix(".version")
        if range_version(each.value) and "." not in name:
            yield from _ranged(name, each)


def _is_ranged(each: TomlString) -> bool:
    return bool(not each.in_array and _NAME.fullmatch(each.key or "") and _IS_RANGE.match(each.value))


def _ranged(name: str, each: TomlString) -> Iterator[Dependency]:
    if _NAME.fullmatch(name):
        yield Dependency(name, Ecosystem.PYPI, range_version(each.value), each.line, pin=each.value)


def read_toml_lock(lines: Sequence[Line], *, ecosystem: Ecosystem = Ecosystem.PYPI) -> Iterator[Dependency]:
    """Each package by its `name` and the `version` that follows; the project itself and local packages are left out."""
    is_cargo = ecosystem is Ecosystem.CARGO
    name: str | None = None
    found: Dependency | None = None
    for each in scan_toml(lines):
        if each.in_array or each.table not in _PACKAGE_TABLES:
            continue
        if each.key == "name":
            if found and not is_cargo:
                yield found
            name, found = each.value, None
        elif each.key == "version" and name:
            found = Dependency(name, ecosystem, bare_version(each.value), each.line)
            name = None
        elif each.key in _LOCAL:
            found = None
        elif each.key == "source" and is_cargo and found:
            # Cargo writes none for the crates of the project.
            yield found
            found = None
    if found and not is_cargo:
        yield found


def read_pipfile_lock(lines: Sequence[Line]) -> Iterator[Dependency]:
    """Each package by its key and the `version` under it."""
    for each in scan_json(lines):
        *_, package, key = ("", "", *each.keys)
        if key == "version" and package and each.value.startswith("=="):
            yield Dependency(package, Ecosystem.PYPI, bare_version(each.value), each.line)
        elif key in {"python_version", "python_full_version"}:
            yield Dependency("python", Ecosystem.PYPI, bare_version(each.value), each.line)


def read_conda_environment(lines: Sequence[Line]) -> Iterator[Dependency]:
    """Every entry of the list, conda's `name=1.2` and pip's requirements alike, that states a version."""
    for line in lines:
        listed = _LIST_ENTRY.match(line.text)
        if listed:
            found = _CONDA.fullmatch(listed["entry"])
            text = f"{found['name']}=={found['version'].rstrip('*.')}" if found else listed["entry"]
            yield from requirement(line.number, text, needs_version=True)
