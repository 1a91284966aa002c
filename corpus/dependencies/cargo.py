"""Cargo.toml and rust-toolchain.toml."""

import re
from collections.abc import Iterator, Sequence

from corpus.dependencies.bounds import range_version, reference_version
from corpus.dependencies.lines import split_parts
from corpus.dependencies.model import Dependency, Ecosystem, Line
from corpus.dependencies.toml_parts import TomlString, scan_toml

_TABLE = re.compile(r"(?:target\..+\.|workspace\.)?(?:dev-|build-)?dependencies")
_NAME = re.compile(r"[\w-]+")
_RUST, _RUST_TABLES = {"rust-version", "channel"}, {"package", "workspace.package", "toolchain", None}
_NO_CRATES = {"version", "edition", "resolver", "cargo-features", "opt-level"}


def read_cargo(path: str, lines: Sequence[Line]) -> Iterator[Dependency]:
    """Every crate in the tables that hold dependencies, by its own name where the project renames it; where the table
    is out of sight, every key with a range. The oldest Rust that builds the project, or its toolchain, is `rust`."""
    for part in split_parts(lines):
        strings = [(each, *_crate(each)) for each in scan_toml(part) if not each.in_array]
        renamed = {(each.table, name): each.value for each, name, field in strings if field == "package"}
        for each, name, field in strings:
            if each.key in _RUST and each.table in _RUST_TABLES:
                yield Dependency("rust", Ecosystem.TOOL, range_version(each.value), path, each.line)
            elif _NAME.fullmatch(name) and field in {"version", "tag"}:
                version = range_version(each.value) if field == "version" else reference_version(each.value)
                if version or each.table is not None:
                    name = renamed.get((each.table, name), name)
                    yield Dependency(name, Ecosystem.CARGO, version, path, each.line)


def _crate(each: TomlString) -> tuple[str, str]:
    """The crate that a string is about, and what it says of it; no name where it is about none."""
    table, key = each.table, each.key or ""
    above, _, last = (table or "").rpartition(".")
    if _TABLE.fullmatch(above):
        return last, key
    if key in _NO_CRATES if table is None else not _TABLE.fullmatch(table):
        return "", ""
    name, _, field = key.partition(".")
    return name, field or "version"
