"""composer.json and composer.lock."""

import re
from collections.abc import Iterator, Sequence

from corpus.dependencies.bounds import bare_version, range_version
from corpus.dependencies.json_parts import scan_json
from corpus.dependencies.lines import split_parts
from corpus.dependencies.model import Dependency, Ecosystem, Line

_SECTIONS = {"require", "require-dev", None}
_NAME = re.compile(r"[a-z0-9][\w.-]*/[\w.-]+|php", re.IGNORECASE | re.ASCII)


def read_composer_json(path: str, lines: Sequence[Line]) -> Iterator[Dependency]:
    """Every package of `require` and `require-dev`; where the section is out of sight, every package with a range."""
    for part in split_parts(lines):
        for each in scan_json(part):
            section, name = (None, None, *each.keys)[-2:]
            version = range_version(each.value.partition("@")[0])
            if name and _NAME.fullmatch(name) and section in _SECTIONS and (section or version):
                ecosystem = Ecosystem.COMPOSER if "/" in name else Ecosystem.TOOL
                yield Dependency(name, ecosystem, version, path, each.line)


def read_composer_lock(path: str, lines: Sequence[Line]) -> Iterator[Dependency]:
    """Each package by its `name` and the `version` that follows at once."""
    for part in split_parts(lines):
        name = ""
        for each in scan_json(part):
            if each.keys[-1:] == ("version",) and _NAME.fullmatch(name):
                yield Dependency(name, Ecosystem.COMPOSER, bare_version(each.value), path, each.line)
            name = each.value if each.keys[-1:] == ("name",) else ""
