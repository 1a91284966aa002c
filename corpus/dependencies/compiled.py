"""Dependency files of Rust, Go, .NET and CMake."""

import re
from collections.abc import Iterator, Sequence

from corpus.dependencies.bounds import bare_version, comment_version, range_version, reference_version
from corpus.dependencies.model import Dependency, Ecosystem, Line, split_parts
from corpus.dependencies.named_versions import Stated, fill_in
from corpus.dependencies.parts import TomlString, scan_json, scan_toml, scan_xml

_CRATE_TABLE = re.compile(r"(?:target\..+\.|workspace\.)?(?:dev-|build-)?dependencies")
_CRATE_NAME = re.compile(r"[\w-]+")
_RUST, _RUST_TABLES = {"rust-version", "channel"}, {"package", "workspace.package", "toolchain", None}
_NO_CRATES = {"version", "edition", "resolver", "cargo-features", "opt-level"}
GO_MAJOR = re.compile(r"[/.]v[0-9]+\Z")
"""The major version that the path of a module ends in: `example.com/gears/v2`, `gopkg.in/gears.v2`."""
_GO_MODULE = re.compile(r"(?:require\s+)?(?P<name>[\w~.-]+\.[\w-]+(?:/[\w~.+-]+)*)\s+(?P<version>v[0-9]\S*)", re.ASCII)
_EXCLUDING = ("exclude ", "retract ")
_GO = re.compile(r"(?:go\s+|toolchain\s+go)(?P<version>[0-9]\S*)", re.ASCII)
_NUGET_TAGS = {"PackageReference", "PackageVersion", "GlobalPackageReference", "package"}
_CMAKE_FIND = re.compile(
    r"\s*find_package\s*\(\s*(?P<name>[\w.-]+)\s+(?P<version>[0-9][\w.]*)", re.IGNORECASE | re.ASCII
)
_CMAKE_FETCH = re.compile(
    r"\s*(?:FetchContent_Declare|ExternalProject_Add)\s*\(\s*(?P<name>[\w.-]*)", re.IGNORECASE | re.ASCII
)
_CMAKE_REPOSITORY = re.compile(r"\s*GIT_REPOSITORY\s+\S*/(?P<name>[\w.-]+?)(?:\.git)?[\"']?\s*\Z", re.ASCII)
_CMAKE_TAG = re.compile(r".*?\bGIT_TAG\s+[\"']?(?P<reference>[^\s\"')#]+)[^#]*(?P<comment>#.*)?")


def read_cargo(path: str, lines: Sequence[Line]) -> Iterator[Dependency]:
    """Every crate in the tables that hold dependencies, by its own name where the project renames it; where the table
    is out of sight, every key with a range. The oldest Rust that builds the project, or its toolchain, is `rust`."""
    for part in split_parts(lines):
        strings = [(each, *_crate(each)) for each in scan_toml(part) if not each.in_array]
        renamed = {(each.table, name): each.value for each, name, field in strings if field == "package"}
        for each, name, field in strings:
            if each.key in _RUST and each.table in _RUST_TABLES:
                yield Dependency("rust", Ecosystem.TOOL, range_version(each.value), path, each.line)
            elif _CRATE_NAME.fullmatch(name) and field in {"version", "tag"}:
                version = range_version(each.value) if field == "version" else reference_version(each.value)
                if version or each.table is not None:
                    name = renamed.get((each.table, name), name)
                    yield Dependency(name, Ecosystem.CARGO, version, path, each.line)


def _crate(each: TomlString) -> tuple[str, str]:
    """The crate that a string is about, and what it says of it; no name where it is about none."""
    table, key = each.table, each.key or ""
    above, _, last = (table or "").rpartition(".")
    if _CRATE_TABLE.fullmatch(above):
        return last, key
    if key in _NO_CRATES if table is None else not _CRATE_TABLE.fullmatch(table):
        return "", ""
    name, _, field = key.partition(".")
    return name, field or "version"


def read_go_modules(path: str, lines: Sequence[Line]) -> Iterator[Dependency]:
    """Every module that is required, or that replaces one, and Go itself; what is excluded or retracted is not."""
    is_excluded = False
    for line in lines:
        text = line.text.partition("//")[0].strip()
        if is_excluded or text.startswith(_EXCLUDING):
            # A block goes on to its bracket.
            is_excluded = text.endswith("(") or (is_excluded and text != ")")
            continue
        if found := _GO_MODULE.fullmatch(text.rpartition("=>")[2].strip()):
            yield Dependency(found["name"], Ecosystem.GO, bare_version(found["version"]), path, line.number)
        elif found := _GO.fullmatch(text):
            yield Dependency("go", Ecosystem.TOOL, bare_version(found["version"]), path, line.number)


def read_project(path: str, lines: Sequence[Line]) -> Iterator[Dependency]:
    """Every package with a version, as an attribute or an element, and the properties that are named as versions."""
    packages: list[Stated] = []
    properties: list[Stated] = []
    for part in split_parts(lines):
        name = ""
        for each in scan_xml(part):
            tag, attributes = each.tags[-1] if each.tags else "", each.attributes
            if not each.text or attributes:
                named = attributes.get("Include") or attributes.get("Update") or attributes.get("id")
                # A tag may go on on the next line.
                name = named or (name if each.text or tag == "Version" else "")
                version = attributes.get("Version") or attributes.get("VersionOverride") or attributes.get("version")
                if tag in _NUGET_TAGS and name and version:
                    packages.append(Stated(name, version, each.line))
            elif tag == "Version" and name:
                packages.append(Stated(name, each.text, each.line))
            elif tag != "Version":
                properties.append(Stated(tag, each.text, each.line))
    return fill_in(path, Ecosystem.NUGET, packages, properties)


def read_nuget_lock(path: str, lines: Sequence[Line]) -> Iterator[Dependency]:
    """Each package by its key and the `resolved` under it."""
    for part in split_parts(lines):
        for each in scan_json(part):
            package, key = (None, None, *each.keys)[-2:]
            if key == "resolved" and package:
                yield Dependency(package, Ecosystem.NUGET, bare_version(each.value), path, each.line)


def read_cmake(path: str, lines: Sequence[Line]) -> Iterator[Dependency]:
    """Every package that is looked for from a version on, and every repository that is fetched by a tag, under the name
    that it is declared by, or its own where the declaration is out of sight."""
    for part in split_parts(lines):
        name = ""
        for line in part:
            if found := _CMAKE_FIND.match(line.text):
                version = range_version(found["version"].partition("...")[0])
                yield Dependency(found["name"], Ecosystem.CMAKE, version, path, line.number)
            elif found := _CMAKE_FETCH.match(line.text):
                name = found["name"]
            elif found := _CMAKE_REPOSITORY.match(line.text):
                name = name or found["name"]
            if name and (tag := _CMAKE_TAG.match(line.text)):
                version = comment_version(tag["comment"] or "") or reference_version(tag["reference"])
                yield Dependency(name, Ecosystem.CMAKE, version, path, line.number)
                name = ""
