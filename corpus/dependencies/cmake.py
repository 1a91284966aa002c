"""CMakeLists.txt and *.cmake: what is found with a version, or fetched by a tag."""

import re
from collections.abc import Iterator, Sequence

from corpus.dependencies.bounds import comment_version, range_version, reference_version
from corpus.dependencies.lines import split_parts
from corpus.dependencies.model import Dependency, Ecosystem, Line

_FIND = re.compile(r"\s*find_package\s*\(\s*(?P<name>[\w.-]+)\s+(?P<version>[0-9][\w.]*)", re.IGNORECASE | re.ASCII)
_FETCH = re.compile(
    r"\s*(?:FetchContent_Declare|ExternalProject_Add)\s*\(\s*(?P<name>[\w.-]*)", re.IGNORECASE | re.ASCII
)
_REPOSITORY = re.compile(r"\s*GIT_REPOSITORY\s+\S*/(?P<name>[\w.-]+?)(?:\.git)?[\"']?\s*\Z", re.ASCII)
_TAG = re.compile(r".*?\bGIT_TAG\s+[\"']?(?P<reference>[^\s\"')#]+)[^#]*(?P<comment>#.*)?")


def read_cmake(path: str, lines: Sequence[Line]) -> Iterator[Dependency]:
    """Every package that is looked for from a version on, and every repository that is fetched by a tag, under the name
    that it is declared by, or its own where the declaration is out of sight."""
    for part in split_parts(lines):
        name = ""
        for line in part:
            if found := _FIND.match(line.text):
                version = range_version(found["version"].partition("...")[0])
                yield Dependency(found["name"], Ecosystem.CMAKE, version, path, line.number)
            elif found := _FETCH.match(line.text):
                name = found["name"]
            elif found := _REPOSITORY.match(line.text):
                name = name or found["name"]
            if name and (tag := _TAG.match(line.text)):
                told = comment_version(tag["comment"] or "") or reference_version(tag["reference"])
                yield Dependency(name, Ecosystem.CMAKE, told, path, line.number)
                name = ""
