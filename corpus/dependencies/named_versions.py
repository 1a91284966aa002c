"""Versions that a file gives a name and states once: properties of Maven and MSBuild, variables and catalogues of
Gradle.

A diff often shows the line of the name alone: then the name tells whose version it is, `gson.version` gson's.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from corpus.dependencies.bounds import interval_version
from corpus.dependencies.model import Dependency, Ecosystem

_REFERENCE = re.compile(r"\$[({]?(?P<name>[\w.-]+)[)}]?", re.ASCII)
_NAMED = re.compile(r"(?P<first>[\w.-]+?)(?:[._-]?version)+|version[._-](?P<last>[\w.-]+)", re.IGNORECASE | re.ASCII)
_HUMP = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")
_OWN = frozenset(
    "api app application assembly file informational lang model package product project schema sdk tool tools".split()
)
"""`AssemblyVersion`, `modelVersion`: the project's own, and its file's."""


@dataclass(frozen=True, slots=True)
class Stated:
    """A package, or the name of a version, with the text that says which version."""

    name: str
    version: str
    """It may refer to a name: `${gson.version}`, `$(GsonVersion)`, `$gson`."""
    line: int


def fill_in(
    path: str, ecosystem: Ecosystem, packages: Sequence[Stated], versions: Sequence[Stated]
) -> Iterator[Dependency]:
    """The packages, each with its version and the line that states it, and the named versions that none of them
    uses."""
    named = {each.name: each for each in versions}
    used = set()
    for package in packages:
        reference = _REFERENCE.fullmatch(package.version)
        told = named.get(reference["name"].rpartition("Versions.")[2], package) if reference else package
        used.add(told.name)
        yield Dependency(package.name, ecosystem, interval_version(told.version), path, told.line)
    for each in versions:
        if each.name not in used and (name := _named(each.name)) and (version := interval_version(each.version)):
            yield Dependency(name, ecosystem, version, path, each.line)


def _named(key: str) -> str | None:
    """Whose version a name is: of `gson.version`, `GsonVersion`, `gson_version` and `version.gson` gson's."""
    found = _NAMED.fullmatch(key)
    name = _HUMP.sub("-", found["first"] or found["last"]).lower() if found else None
    return name if name not in _OWN else None
