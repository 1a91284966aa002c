"""pyproject.toml (PEP 621, dependency groups, Poetry, uv, PDM, Hatch) and Pipfile."""

import re
from collections.abc import Iterator, Sequence

from corpus.dependencies.bounds import range_version
from corpus.dependencies.lines import split_parts
from corpus.dependencies.model import Dependency, Ecosystem, Line
from corpus.dependencies.requirements import requirement
from corpus.dependencies.toml_parts import TomlString, scan_toml

_PEP_508 = re.compile(
    r"project\.(?:dependencies|optional-dependencies\..+)|dependency-groups\.[^.]+|build-system\.requires"
    r"|tool\..+dependencies(?:\.[^.]+)?"
)
_TABLES = re.compile(r"tool\.(?:poetry|pixi)\b.*dependencies|packages|dev-packages")
_PYTHON = {"project.requires-python", "requires.python_version", "requires.python_full_version"}
_NAME = re.compile(r"[A-Za-z0-9](?:[\w.-]*[A-Za-z0-9])?(?:\.version)?", re.ASCII)
_IS_RANGE = re.compile(r"\s*(?:\^|~|[<>=]=|>)\s*v?[0-9]")


def read_pyproject(path: str, lines: Sequence[Line]) -> Iterator[Dependency]:
    """Every requirement in the tables that hold requirements; where the table is out of sight, what can only be one."""
    for part in split_parts(lines):
        strings = tuple(scan_toml(part))
        # Next to `django = "^4.2"`, `celery = "5.4.0"` is a pin, and not the project's own version.
        among_ranges = any(each.table is None and _is_ranged(each) for each in strings)
        for each in strings:
            yield from _read_string(path, each, among_ranges=among_ranges)


def _read_string(path: str, each: TomlString, *, among_ranges: bool) -> Iterator[Dependency]:
    if each.table is None:
        yield from _read_out_of_sight(path, each, among_ranges=among_ranges)
        return
    where = ".".join(filter(None, (each.table, each.key)))
    if where in _PYTHON:
        yield from _ranged(path, "python", each)
    elif _TABLES.fullmatch(each.table) and each.key:
        if each.key.removesuffix(".version").count(".") == 0:
            yield from _ranged(path, each.key.removesuffix(".version"), each)
    elif each.key == "version" and _TABLES.fullmatch(each.table.rpartition(".")[0]):
        yield from _ranged(path, each.table.rpartition(".")[2], each)
    elif each.in_array and _PEP_508.fullmatch(where):
        yield from requirement(path, each.line, each.value)


def _read_out_of_sight(path: str, each: TomlString, *, among_ranges: bool) -> Iterator[Dependency]:
    if each.in_array:
        if each.key is None or "." not in each.key or each.key.startswith("optional-dependencies."):
            yield from requirement(path, each.line, each.value, needs_version=True)
    elif each.key in {"requires-python", "python"}:
        yield from _ranged(path, "python", each)
    elif each.key not in {"version", "python_version", "target-version"} and (_is_ranged(each) or among_ranges):
        name = (each.key or "").removesuffix(".version")
        if range_version(each.value) and "." not in name:
            yield from _ranged(path, name, each)


def _is_ranged(each: TomlString) -> bool:
    return bool(not each.in_array and _NAME.fullmatch(each.key or "") and _IS_RANGE.match(each.value))


def _ranged(path: str, name: str, each: TomlString) -> Iterator[Dependency]:
    if _NAME.fullmatch(name):
        yield Dependency(name, Ecosystem.PYPI, range_version(each.value), path, each.line)
