"""go.mod and go.work."""

import re
from collections.abc import Iterator, Sequence

from corpus.dependencies.bounds import bare_version
from corpus.dependencies.model import Dependency, Ecosystem, Line

GO_MAJOR = re.compile(r"[/.]v[0-9]+\Z")
"""The major version that the path of a module ends in: `example.com/gears/v2`, `gopkg.in/gears.v2`."""
_MODULE = re.compile(r"(?:require\s+)?(?P<name>[\w~.-]+\.[\w-]+(?:/[\w~.+-]+)*)\s+(?P<version>v[0-9]\S*)", re.ASCII)
_GO = re.compile(r"(?:go\s+|toolchain\s+go)(?P<version>[0-9]\S*)", re.ASCII)


def read_go_modules(path: str, lines: Sequence[Line]) -> Iterator[Dependency]:
    """Every module that is required, or that replaces one, and Go itself; what is excluded or retracted is not."""
    is_excluded = False
    for line in lines:
        text = line.text.partition("//")[0].strip()
        is_excluded = text.startswith(("exclude", "retract")) or (is_excluded and not text.startswith((")", "require")))
        if is_excluded:
            continue
        if found := _MODULE.fullmatch(text.rpartition("=>")[2].strip()):
            yield Dependency(found["name"], Ecosystem.GO, bare_version(found["version"]), path, line.number)
        elif found := _GO.fullmatch(text):
            yield Dependency("go", Ecosystem.TOOL, bare_version(found["version"]), path, line.number)
