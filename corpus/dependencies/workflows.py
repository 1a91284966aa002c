"""GitHub workflows, pre-commit hooks, and files that pin a tool: `.python-version`, `.nvmrc`, `.tool-versions`."""

import re
from collections.abc import Iterator, Sequence

from corpus.dependencies.bounds import comment_version, range_version, reference_version
from corpus.dependencies.containers import image, package, read_image_lines, read_installs
from corpus.dependencies.model import Dependency, Ecosystem, Line

_USES = re.compile(
    r"\s*(?:-\s+)?uses\s*:\s*[\"']?(?P<name>[\w.-]+/[\w.-]+)(?:/[^@\s\"']*)?@(?P<reference>[^\s\"'#]+)[\"']?"
    r"(?:\s+(?P<comment>#.*))?",
    re.ASCII,
)
_USES_IMAGE = re.compile(r"\s*(?:-\s+)?uses\s*:\s*[\"']?docker://(?P<reference>[^\s\"'#]+)")
_SET_UP = re.compile(
    r"\s*(?:-\s+)?(?P<tool>python|node|go|ruby|deno|bun|dotnet|php|terraform|helm|zig)[-_]version\s*:\s*"
    r"(?P<version>[^\s$#][^$#]*)"
)
_TOOLS = {"python": Ecosystem.PYPI, "node": Ecosystem.NPM}  # The others have an ecosystem of their own.
_REPOSITORY = re.compile(r"\s*(?:-\s+)?repo\s*:\s*[\"']?(?P<url>[^\s\"'#]+)")
_REVISION = re.compile(r"\s*rev\s*:\s*[\"']?(?P<reference>[^\s\"'#]+)[\"']?(?:\s+(?P<comment>#.*))?")
_HOOK_NAME = re.compile(r"\Amirrors-|[-_]pre-?commit\Z|\.git\Z")
_WORD = re.compile(r"[\"']?([^\s\"'\[\],]+)")
_VERSION_FILE = re.compile(r"\s*(?:python-|v(?=[0-9]))?(?P<version>[^\s#]+)\s*\Z", re.ASCII)
_TOOL_LINE = re.compile(r"(?P<tool>[a-z][\w-]*)\s+(?P<version>[^\s#]+)", re.ASCII)
_ASDF_NAMES = {"nodejs": "node", "golang": "go"}


def read_workflow(lines: Sequence[Line]) -> Iterator[Dependency]:
    """Every action, a pinned commit's version taken from the comment beside it; Python, Node, Go, Terraform and
    others as `with:` sets them up; every image; every package installed with a version."""
    for line in lines:
        if found := _SET_UP.match(line.text):
            yield _tool(found["tool"], found["version"], line.number)
    yield from read_steps(lines)
    yield from read_installs(lines)


def read_steps(lines: Sequence[Line]) -> Iterator[Dependency]:
    """Every action and image of a YAML file, which may be a workflow wherever it lies."""
    for line in lines:
        if found := _USES.match(line.text):
            version = comment_version(found["comment"] or "") or reference_version(found["reference"])
            yield Dependency(found["name"], Ecosystem.ACTION, version, line.number)
        elif found := _USES_IMAGE.match(line.text):
            yield from image(line.number, found["reference"])
    yield from read_image_lines(lines)


def read_pre_commit(lines: Sequence[Line]) -> Iterator[Dependency]:
    """Every hook's repository with its `rev`, named as the tool it runs, and pinned additional dependencies."""
    name: str | None = None
    for line in lines:
        repository = _REPOSITORY.match(line.text)
        revision = _REVISION.match(line.text)
        if repository:
            name = _HOOK_NAME.sub("", repository["url"].removesuffix(".git").rstrip("/").rpartition("/")[2])
        elif revision and name:
            version = comment_version(revision["comment"] or "") or reference_version(revision["reference"])
            yield Dependency(name, Ecosystem.PYPI, version, line.number)
            name = None
        else:
            for word in _WORD.findall(line.text.partition(" #")[0]):
                yield from package(line.number, word)


def read_tool_versions(name: str, lines: Sequence[Line]) -> Iterator[Dependency]:
    """Every tool of asdf's `.tool-versions`; of files that hold one version alone, as `.nvmrc` does, that of `name`."""
    for line in lines:
        if found := (_VERSION_FILE if name else _TOOL_LINE).match(line.text):
            tool = name or found["tool"]
            yield _tool(_ASDF_NAMES.get(tool, tool), found["version"], line.number)


def _tool(name: str, asked: str, number: int) -> Dependency:
    """A tool with what is asked for of it: a range, a list of versions, a name such as `lts/*`."""
    return Dependency(name, _TOOLS.get(name, Ecosystem.TOOL), range_version(asked.strip(" \"'")), number, pin=asked)
