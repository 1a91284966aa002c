"""Requirement files, setup.cfg, tox.ini, setup.py, pyproject.toml, Pipfile, Python's locks, conda environments."""

import re
from collections.abc import Iterator, Sequence

from corpus.dependencies.bounds import bare_version, range_version, read_requirement, specifiers_version, url_version
from corpus.dependencies.model import Dependency, Ecosystem, Line
from corpus.dependencies.parts import TomlString, named_field, scan_toml

_OPTION = re.compile(r"\s--?[a-z][\w-]*.*\Z")
_COMMENT = re.compile(r"(?:\A|\s)#.*\Z")
_EGG = re.compile(r"[#&]egg=(?P<name>[\w.-]+)", re.ASCII)
_REPOSITORY = re.compile(
    r"/(?P<name>\w[\w.-]*/\w[\w.-]*?)(?:/(?:archive|zipball|tarball|releases)/.*|-\d[^/]*|(?:\.git)?(?:@[^@/]*)?(?:#.*)?)\Z",
    re.ASCII,
)
"""What an address is called that states no name: `acme/gears`."""
_BEFORE = re.compile(r"\A(?:\w+\s*=(?!=)|\s+[\w{},!.-]+:(?=\s)|\s*-\s)?\s*")
"""A key, tox's factors or the sign of a list."""
_STRING = re.compile(r"\"([^\"]*)\"|'([^']*)'")
_PYTHON_REQUIRES = re.compile(r"\bpython_requires\s*=")
_PEP_508 = re.compile(
    r"project\.(?:dependencies|optional-dependencies\..+)|dependency-groups\.[^.]+|build-system\.requires"
    r"|tool\..+dependencies(?:\.[^.]+)?"
)
_TABLES = re.compile(r"tool\.(?:poetry|pixi)\b.*dependencies|tool\.uv\.sources|packages|dev-packages")
_PYTHON = {"project.requires-python", "requires.python_version", "requires.python_full_version"}
_NAME = re.compile(r"[A-Za-z0-9](?:[\w.-]*[A-Za-z0-9])?(?:\.version)?", re.ASCII)
_IS_RANGE = re.compile(r"\s*(?:\^|~|[<>=]=|>)\s*v?[0-9]")
_LIST_ENTRY = re.compile(r"\s*-\s")
_CONDA = re.compile(r"(?:[\w.-]+::)?(?P<name>[\w.-]+)\s*=\s*(?P<version>[0-9][\w.*]*)(?:=\S*)?\s*", re.ASCII)
_PACKAGE_TABLES = {None, "package", "packages"}
_LOCAL = {"source.editable", "source.virtual", "source.directory", "directory.path"}


def _bare_line(text: str) -> str:
    """A line of a requirement file without its comment and the mark that it goes on."""
    return _COMMENT.sub("", text).strip().removesuffix("\\").strip()


def read_requirements(lines: Sequence[Line]) -> Iterator[Dependency]:
    """One requirement a line; options, hashes, markers and comments are passed over."""
    for line in lines:
        text = _bare_line(line.text)
        if text.startswith(("-e ", "--editable", "git+", "https://", "http://")):
            address = text.split()[-1] if "://" in text else ""
            if named := _EGG.search(text) or _REPOSITORY.search(address):
                yield Dependency(named["name"], Ecosystem.PYPI, url_version(text), line.number, pin=address)
        elif text and not text.startswith("-"):
            yield from requirement(line.number, _OPTION.sub("", text))


def read_loose(lines: Sequence[Line]) -> Iterator[Dependency]:
    """Yield the requirements that state a version, in quotes or alone on their lines, whatever key they stand under: of
    setup.cfg, tox.ini, setup.py and conda's lists, whose pins have one `=`; names put together by code aren't seen."""
    for line in lines:
        text = _COMMENT.sub("", line.text)
        prefix = "python" if _PYTHON_REQUIRES.search(text) else ""
        if _LIST_ENTRY.match(text):
            text = _CONDA.sub(r"\g<name>==\g<version>", text)
        alone = [*requirement(line.number, prefix + _BEFORE.sub("", text), needs_version=True)]
        yield from alone
        # Quotes may be those of a marker, too.
        for found in _STRING.finditer(text) if not alone else ():
            yield from requirement(line.number, prefix + (found[1] or found[2] or ""), needs_version=True)


def requirement(number: int, text: str, *, needs_version: bool = False) -> Iterator[Dependency]:
    """Yield the dependency of one PEP 508 requirement, if `text` is one; `needs_version` asks for a stated version too,
    where any word would do otherwise."""
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
        elif (named := named_field(each, _TABLES))[1] == "version":
            yield from _ranged(named[0], each)
        elif each.in_array and _PEP_508.fullmatch(where):
            yield from requirement(each.line, each.value)


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
