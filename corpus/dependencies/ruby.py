"""Gemfile, *.gemspec and Gemfile.lock."""

import re
from collections.abc import Iterator, Sequence

from corpus.dependencies.bounds import bare_version, range_version, reference_version
from corpus.dependencies.lines import split_parts
from corpus.dependencies.model import Dependency, Ecosystem, Line

_GEM = re.compile(r"\s*(?:gem|\w+\.add_(?:\w+_)?dependency)[\s(]+[\"'](?P<name>[\w.-]+)[\"'](?P<rest>.*)", re.ASCII)
_RUBY = re.compile(r"\s*(?:ruby|\w+\.required_ruby_version\s*=)[\s(]+[\"'](?P<version>[^\"']+)[\"']")
_TAG = re.compile(r"\btag(?:\s*=>|:)\s*[\"'](?P<reference>[^\"']+)[\"']")
_CONDITION = re.compile(r"\s(?:#|(?:if|unless)\s)")
_RANGE = re.compile(r"[\"']\s*(?P<range>(?:[<>=~!]+\s*)?[0-9][^\"']*)[\"']")
_LOCKED = re.compile(r"    (?P<name>[\w.-]+) \((?P<version>[0-9][^-)]*)(?:-[^)]*)?\)", re.ASCII)


def read_gemfile(path: str, lines: Sequence[Line]) -> Iterator[Dependency]:
    """Every gem, and Ruby itself, with the ranges or the tag behind its name."""
    for line in lines:
        text = _CONDITION.split(line.text)[0]
        if found := _GEM.match(text):
            tag = _TAG.search(found["rest"])
            ranges = ",".join(each["range"] for each in _RANGE.finditer(found["rest"]))
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
