"""uv.lock, poetry.lock, pdm.lock, pylock.toml, Cargo.lock, which is written alike, and Pipfile.lock."""

from collections.abc import Iterator, Sequence

from corpus.dependencies.bounds import bare_version
from corpus.dependencies.json_parts import scan_json
from corpus.dependencies.lines import split_parts
from corpus.dependencies.model import Dependency, Ecosystem, Line
from corpus.dependencies.toml_parts import scan_toml

_PACKAGE_TABLES = {None, "package", "packages"}
_LOCAL = {"source.editable", "source.virtual", "source.directory", "directory.path"}


def read_toml_lock(path: str, lines: Sequence[Line]) -> Iterator[Dependency]:
    """Each package by its `name` and the `version` that follows; the project itself and local packages are left out."""
    is_cargo = path.lower().endswith("cargo.lock")
    ecosystem = Ecosystem.CARGO if is_cargo else Ecosystem.PYPI
    for part in split_parts(lines):
        name: str | None = None
        found: Dependency | None = None
        for each in scan_toml(part):
            if each.in_array or each.table not in _PACKAGE_TABLES:
                continue
            if each.key == "name":
                if found and not is_cargo:
                    yield found
                name, found = each.value, None
            elif each.key == "version" and name:
                found = Dependency(name, ecosystem, bare_version(each.value), path, each.line)
                name = None
            elif each.key in _LOCAL:
                found = None
            elif each.key == "source" and is_cargo and found:
                # Cargo writes none for the crates of the project.
                yield found
                found = None
        if found and not is_cargo:
            yield found


def read_pipfile_lock(path: str, lines: Sequence[Line]) -> Iterator[Dependency]:
    """Each package by its key and the `version` under it."""
    for part in split_parts(lines):
        for each in scan_json(part):
            *_, package, key = ("", "", *each.keys)
            if key == "version" and package and each.value.startswith("=="):
                yield Dependency(package, Ecosystem.PYPI, bare_version(each.value), path, each.line)
            elif key in {"python_version", "python_full_version"}:
                yield Dependency("python", Ecosystem.PYPI, bare_version(each.value), path, each.line)
