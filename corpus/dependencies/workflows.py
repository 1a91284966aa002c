"""GitHub workflows and pre-commit hooks."""

import re
from collections.abc import Iterator, Sequence

from corpus.dependencies.bounds import comment_version, range_version, reference_version
from corpus.dependencies.containers import image, package, read_image_lines, read_installs
from corpus.dependencies.model import Ecosystem, Line, Stated

_USES = re.compile(
    r"\s*(?:-\s+)?uses\s*:\s*[\"']?(?P<name>[\w.-]+/[\w.-]+)(?:/[^@\s\"']*)?@(?P<reference>[^\s\"'#]+)[\"']?"
    r"(?:\s+(?P<comment>#.*))?",
    re.ASCII,
)
_USES_IMAGE = re.compile(r"\s*(?:-\s+)?uses\s*:\s*[\"']?docker://(?P<reference>[^\s\"'#]+)")
_SET_UP = re.compile(
    r"\s*(?:-\s+)?(?P<tool>python|node|go|ruby|deno|bun|dotnet|php|terraform|helm|zig)[-_]version\s*:\s*"
    r"[\"']?(?P<version>v?[0-9][^\s\"'#,\]]*)"
)
_SET_UP_ECOSYSTEMS = {"python": Ecosystem.PYPI, "node": Ecosystem.NPM}
"""The others have an ecosystem of their own."""
_REPOSITORY = re.compile(r"\s*(?:-\s+)?repo\s*:\s*[\"']?(?P<url>[^\s\"'#]+)")
_REVISION = re.compile(r"\s*rev\s*:\s*[\"']?(?P<reference>[^\s\"'#]+)[\"']?(?:\s+(?P<comment>#.*))?")
_HOOK_NAME = re.compile(r"\Amirrors-|[-_]pre-?commit\Z|\.git\Z")
_WORD = re.compile(r"[\"']?([^\s\"'\[\],]+)")


def read_workflow(lines: Sequence[Line]) -> Iterator[Stated]:
    """Every action, a pinned commit's version taken from the comment beside it; Python, Node, Go, Terraform and
    others as `with:` sets them up; every image; every package installed with a version."""
    for line in lines:
        if found := _USES.match(line.text):
            version = comment_version(found["comment"] or "") or reference_version(found["reference"])
            yield Stated(found["name"], Ecosystem.ACTION, version, line.number)
        elif found := _USES_IMAGE.match(line.text):
            yield from image(line.number, found["reference"])
        elif found := _SET_UP.match(line.text):
            tool = found["tool"]
            yield Stated(
                tool, _SET_UP_ECOSYSTEMS.get(tool, Ecosystem.TOOL), range_version(found["version"]), line.number
            )
    yield from read_image_lines(lines)
    yield from read_installs(lines)


def read_pre_commit(lines: Sequence[Line]) -> Iterator[Stated]:
    """Every hook's repository with its `rev`, named as the tool it runs, and pinned additional dependencies."""
    name: str | None = None
    for line in lines:
        repository = _REPOSITORY.match(line.text)
        revision = _REVISION.match(line.text)
        if repository:
            name = _HOOK_NAME.sub("", repository["url"].removesuffix(".git").rstrip("/").rpartition("/")[2])
        elif revision and name:
            version = comment_version(revision["comment"] or "") or reference_version(revision["reference"])
            yield Stated(name, Ecosystem.PYPI, version, line.number)
            name = None
        else:
            for word in _WORD.findall(line.text.partition(" #")[0]):
                yield from package(line.number, word)
