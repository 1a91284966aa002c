"""Dependency files of Rust, Go, Ruby and PHP."""

import re
from collections.abc import Iterator, Sequence

from corpus.dependencies.bounds import bare_version, range_version, reference_version
from corpus.dependencies.model import Dependency, Ecosystem, Line
from corpus.dependencies.parts import named_field, scan_json, scan_toml

_CRATE_TABLE = re.compile(r"(?:target\..+\.|workspace\.)?(?:dev-|build-)?dependencies|patch\..+")
_CRATE_NAME = re.compile(r"[\w-]+")
_RUST, _RUST_TABLES = {"rust-version", "channel"}, {"package", "workspace.package", "toolchain", None}
_NO_CRATES = {"version", "edition", "resolver", "cargo-features", "opt-level"}
GO_MAJOR = re.compile(r"[/.]v[0-9]+\Z")
"""The major version that the path of a module ends in: `example.com/gears/v2`, `gopkg.in/gears.v2`."""
_GO_MODULE = re.compile(r"(?:require\s+)?(?P<name>[\w~.-]+\.[\w-]+(?:/[\w~.+-]+)*)\s+(?P<version>v[0-9]\S*)", re.ASCII)
_EXCLUDING = ("exclude ", "retract ")
_GO = re.compile(r"(?:go\s+|toolchain\s+go)(?P<version>[0-9]\S*)", re.ASCII)
_GEM = re.compile(r"\s*(?:gem|\w+\.add_(?:\w+_)?dependency)[\s(]+[\"'](?P<name>[\w.-]+)[\"'](?P<rest>.*)", re.ASCII)
_RUBY = re.compile(r"\s*(?:ruby|\w+\.required_ruby_version\s*=)[\s(]+[\"'](?P<version>[^\"']+)[\"']")
_GEM_TAG = re.compile(r"\btag(?:\s*=>|:)\s*[\"'](?P<reference>[^\"']+)[\"']")
_GEM_SOURCE = re.compile(r"\b(?:git|github|tag|ref|branch)(?:\s*=>|:)\s*[\"'](?P<reference>[^\"']+)[\"']")
_CONDITION = re.compile(r"\s(?:#|(?:if|unless)\s)")
_GEM_RANGE = re.compile(r"[,\[]\s*[\"']\s*(?P<range>(?:[<>=~!]+\s*)?[0-9][^\"']*)[\"']")
_LOCKED = re.compile(
    r"(?:    |  )(?P<name>[\w.-]+) \((?P<version>[0-9][^-)]*)(?:-[^)]*)?\)(?: (?P<digest>sha\d+=\w+))?", re.ASCII
)
_COMPOSER_SECTIONS = {"require", "require-dev", None}
_COMPOSER_NAME = re.compile(r"[a-z0-9][\w.-]*/[\w.-]+|php", re.IGNORECASE | re.ASCII)


def read_cargo(lines: Sequence[Line]) -> Iterator[Dependency]:
    """Every crate in the tables that hold dependencies, by its own name where the project renames it; where the table
    is out of sight, every key with a range. The oldest Rust that builds the project, or its toolchain, is `rust`."""
    strings = [(each, *named_field(each, _CRATE_TABLE, _NO_CRATES)) for each in scan_toml(lines) if not each.in_array]
    renamed = {(each.table, name): each.value for each, name, field in strings if field == "package"}
    for each, name, field in strings:
        if each.key in _RUST and each.table in _RUST_TABLES:
            yield Dependency("rust", Ecosystem.TOOL, range_version(each.value), each.line)
        elif _CRATE_NAME.fullmatch(name) and field == "version":
            version = range_version(each.value)
            if version or each.table is not None:
                name = renamed.get((each.table, name), name)
                yield Dependency(name, Ecosystem.CARGO, version, each.line, pin=each.value)


def read_go_modules(lines: Sequence[Line]) -> Iterator[Dependency]:
    """Every module that is required, or that replaces one, and Go itself; what is excluded or retracted is not."""
    is_excluded = False
    for line in lines:
        text = line.text.partition("//")[0].strip()
        if is_excluded or text.startswith(_EXCLUDING):
            # A block goes on to its bracket.
            is_excluded = text.endswith("(") or (is_excluded and text != ")")
            continue
        if found := _GO_MODULE.fullmatch(text.rpartition("=>")[2].strip()):
            yield Dependency(found["name"], Ecosystem.GO, bare_version(found["version"]), line.number)
        elif found := _GO.fullmatch(text):
            yield Dependency("go", Ecosystem.TOOL, bare_version(found["version"]), line.number)


def read_gemfile(lines: Sequence[Line]) -> Iterator[Dependency]:
    """Every gem, and Ruby itself, with the ranges or the tag behind its name."""
    for line in lines:
        text = _CONDITION.split(line.text)[0]
        if found := _GEM.match(text):
            tag = _GEM_TAG.search(found["rest"])
            ranges = ",".join(each["range"] for each in _GEM_RANGE.finditer(found["rest"]))
            version = reference_version(tag["reference"]) if tag else range_version(ranges)
            pin = " ".join((ranges, *(each["reference"] for each in _GEM_SOURCE.finditer(found["rest"]))))
            yield Dependency(found["name"], Ecosystem.RUBYGEMS, version, line.number, pin=pin)
        elif found := _RUBY.match(text):
            yield Dependency("ruby", Ecosystem.TOOL, range_version(found["version"]), line.number)


def read_gemfile_lock(lines: Sequence[Line]) -> Iterator[Dependency]:
    """Each installed gem, whatever platform it is built for, and its checksum where the lock has one; those of the
    project itself are left out."""
    is_own, revision = False, ""
    for line in lines:
        if line.text[:1].strip():
            is_own, revision = line.text.startswith("PATH"), ""
        elif line.text.startswith("  revision: "):
            revision = line.text.split()[1]
        elif (found := _LOCKED.fullmatch(line.text.rstrip())) and not is_own:
            version, pin = bare_version(found["version"]), found["digest"] or revision
            yield Dependency(found["name"], Ecosystem.RUBYGEMS, version, line.number, pin=pin)


def read_composer_json(lines: Sequence[Line]) -> Iterator[Dependency]:
    """Yield the packages of `require` and `require-dev`; where the section is out of sight, those with a range."""
    for each in scan_json(lines):
        section, name = (None, None, *each.keys)[-2:]
        version = range_version(each.value.partition("@")[0])
        if name and _COMPOSER_NAME.fullmatch(name) and section in _COMPOSER_SECTIONS and (section or version):
            ecosystem = Ecosystem.COMPOSER if "/" in name else Ecosystem.TOOL
            yield Dependency(name, ecosystem, version, each.line, pin=each.value)


def read_composer_lock(lines: Sequence[Line]) -> Iterator[Dependency]:
    """Each package by its `name` and the `version` that follows at once."""
    name = ""
    for each in scan_json(lines):
        if each.keys[-1:] == ("version",) and _COMPOSER_NAME.fullmatch(name):
            yield Dependency(name, Ecosystem.COMPOSER, bare_version(each.value), each.line)
        name = each.value if each.keys[-1:] == ("name",) else ""
