"""Dependency files of Ruby, PHP and Elixir."""

import re
from collections.abc import Iterator, Sequence

from corpus.dependencies.bounds import bare_version, range_version, reference_version
from corpus.dependencies.model import Dependency, Ecosystem, Line, split_parts
from corpus.dependencies.parts import scan_json

_GEM = re.compile(r"\s*(?:gem|\w+\.add_(?:\w+_)?dependency)[\s(]+[\"'](?P<name>[\w.-]+)[\"'](?P<rest>.*)", re.ASCII)
_RUBY = re.compile(r"\s*(?:ruby|\w+\.required_ruby_version\s*=)[\s(]+[\"'](?P<version>[^\"']+)[\"']")
_GEM_TAG = re.compile(r"\btag(?:\s*=>|:)\s*[\"'](?P<reference>[^\"']+)[\"']")
_CONDITION = re.compile(r"\s(?:#|(?:if|unless)\s)")
_GEM_RANGE = re.compile(r"[,\[]\s*[\"']\s*(?P<range>(?:[<>=~!]+\s*)?[0-9][^\"']*)[\"']")
_LOCKED = re.compile(r"    (?P<name>[\w.-]+) \((?P<version>[0-9][^-)]*)(?:-[^)]*)?\)", re.ASCII)
_COMPOSER_SECTIONS = {"require", "require-dev", None}
_COMPOSER_NAME = re.compile(r"[a-z0-9][\w.-]*/[\w.-]+|php", re.IGNORECASE | re.ASCII)
_HEX_PACKAGE = re.compile(
    r"(?:\{:(?!git\b)|\"\w+\":\s*\{:hex,\s*:)(?P<name>\w+),\s*(?:\"(?P<range>[^\"]*)\"|[^{}]{0,200}\btag:\s*\"(?P<tag>[^\"]*)\")",
    re.ASCII,
)
_ELIXIR = re.compile(r"\s*(?P<name>elixir):\s*\"(?P<range>[^\"]*)\"")


def read_gemfile(path: str, lines: Sequence[Line]) -> Iterator[Dependency]:
    """Every gem, and Ruby itself, with the ranges or the tag behind its name."""
    for line in lines:
        text = _CONDITION.split(line.text)[0]
        if found := _GEM.match(text):
            tag = _GEM_TAG.search(found["rest"])
            ranges = ",".join(each["range"] for each in _GEM_RANGE.finditer(found["rest"]))
            version = reference_version(tag["reference"]) if tag else range_version(ranges)
            yield Dependency(found["name"], Ecosystem.RUBYGEMS, version, path, line.number)
        elif found := _RUBY.match(text):
            yield Dependency("ruby", Ecosystem.TOOL, range_version(found["version"]), path, line.number)


def read_gemfile_lock(path: str, lines: Sequence[Line]) -> Iterator[Dependency]:
    """Each installed gem, whatever platform it is built for; those of the project itself are left out."""
    for part in split_parts(lines):
        is_own = False
        for line in part:
            if line.text[:1].strip():
                is_own = line.text.startswith("PATH")
            elif (found := _LOCKED.fullmatch(line.text.rstrip())) and not is_own:
                yield Dependency(found["name"], Ecosystem.RUBYGEMS, bare_version(found["version"]), path, line.number)


def read_composer_json(path: str, lines: Sequence[Line]) -> Iterator[Dependency]:
    """Every package of `require` and `require-dev`; where the section is out of sight, every package with a range."""
    for part in split_parts(lines):
        for each in scan_json(part):
            section, name = (None, None, *each.keys)[-2:]
            version = range_version(each.value.partition("@")[0])
            if name and _COMPOSER_NAME.fullmatch(name) and section in _COMPOSER_SECTIONS and (section or version):
                ecosystem = Ecosystem.COMPOSER if "/" in name else Ecosystem.TOOL
                yield Dependency(name, ecosystem, version, path, each.line)


def read_composer_lock(path: str, lines: Sequence[Line]) -> Iterator[Dependency]:
    """Each package by its `name` and the `version` that follows at once."""
    for part in split_parts(lines):
        name = ""
        for each in scan_json(part):
            if each.keys[-1:] == ("version",) and _COMPOSER_NAME.fullmatch(name):
                yield Dependency(name, Ecosystem.COMPOSER, bare_version(each.value), path, each.line)
            name = each.value if each.keys[-1:] == ("name",) else ""


def read_mix(path: str, lines: Sequence[Line]) -> Iterator[Dependency]:
    """Every package with a range, a tag or, in the lock, a version; Elixir itself."""
    for line in lines:
        # In a lock, what a package depends on follows it on its line.
        if found := _HEX_PACKAGE.search(line.text.partition("#")[0]):
            version = reference_version(found["tag"]) if found["tag"] else range_version(_bounds(found["range"] or ""))
            yield Dependency(found["name"], Ecosystem.HEX, version, path, line.number)
        elif found := _ELIXIR.match(line.text):
            yield Dependency("elixir", Ecosystem.TOOL, range_version(_bounds(found["range"])), path, line.number)


def _bounds(text: str) -> str:
    return text.replace(" and ", " ").replace(" or ", "||")
