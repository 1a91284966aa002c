"""GitHub workflows and actions: `uses:`, set-up versions, images, and what `run:` installs."""

import re
from collections.abc import Iterator, Sequence

from corpus.dependencies.bounds import comment_version, range_version, reference_version
from corpus.dependencies.images import image, read_image_lines
from corpus.dependencies.installs import read_installs
from corpus.dependencies.model import Dependency, Ecosystem, Line

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


def read_workflow(path: str, lines: Sequence[Line]) -> Iterator[Dependency]:
    """Every action, a pinned commit's version taken from the comment beside it; Python, Node, Go, Terraform and
    others as `with:` sets them up; every image; every package installed with a version."""
    for line in lines:
        if found := _USES.match(line.text):
            version = comment_version(found["comment"] or "") or reference_version(found["reference"])
            yield Dependency(found["name"], Ecosystem.ACTION, version, path, line.number)
        elif found := _USES_IMAGE.match(line.text):
            yield from image(path, line.number, found["reference"])
        elif found := _SET_UP.match(line.text):
            tool = found["tool"]
            yield Dependency(
                tool, _SET_UP_ECOSYSTEMS.get(tool, Ecosystem.TOOL), range_version(found["version"]), path, line.number
            )
    yield from read_image_lines(path, lines)
    yield from read_installs(path, lines)
