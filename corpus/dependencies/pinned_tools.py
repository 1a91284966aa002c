"""Small files that pin the version of a tool: `.python-version`, `.nvmrc`, asdf's `.tool-versions`."""

import re
from collections.abc import Iterator, Sequence

from corpus.dependencies.bounds import bare_version, range_version
from corpus.dependencies.model import Ecosystem, Line, Stated

_TOOLS = {"python": Ecosystem.PYPI, "node": Ecosystem.NPM}
_VERSION_FILE = re.compile(r"\s*(?:python-|v)?(?P<version>[0-9][\w.]*)\s*\Z", re.ASCII)
_TOOL_LINE = re.compile(r"(?P<tool>[a-z][\w-]*)\s+(?P<version>[0-9][\w.]*)", re.ASCII)


def read_version_file(name: str, lines: Sequence[Line]) -> Iterator[Stated]:
    """The version of `name` in `.python-version`, `.nvmrc`, `.node-version` or `runtime.txt`."""
    for line in lines:
        if found := _VERSION_FILE.match(line.text):
            yield Stated(name, _TOOLS[name], bare_version(found["version"]), line.number)


def read_tool_versions(lines: Sequence[Line]) -> Iterator[Stated]:
    """Python and Node in asdf's `.tool-versions`."""
    for line in lines:
        found = _TOOL_LINE.match(line.text)
        name = found["tool"].replace("nodejs", "node") if found else ""
        if found and name in _TOOLS:
            yield Stated(name, _TOOLS[name], range_version(found["version"]), line.number)
