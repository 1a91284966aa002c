"""GitHub workflows and pre-commit hooks."""

import re
from collections.abc import Iterator, Sequence

from corpus.dependencies.bounds import comment_version, reference_version
from corpus.dependencies.containers import image, package, read_image_lines, read_installs
from corpus.dependencies.model import Dependency, Ecosystem, Line
from corpus.dependencies.stated import SET_UP, USES, read_lines

_USES_IMAGE = re.compile(r"\s*(?:-\s+)?uses\s*:\s*[\"']?docker://(?P<reference>[^\s\"'#]+)")
_REPOSITORY = re.compile(r"\s*(?:-\s+)?repo\s*:\s*[\"']?(?P<url>[^\s\"'#]+)")
_REVISION = re.compile(r"\s*rev\s*:\s*[\"']?(?P<reference>[^\s\"'#]+)[\"']?(?:\s+(?P<comment>#.*))?")
_HOOK_NAME = re.compile(r"\Amirrors-|[-_]pre-?commit\Z|\.git\Z")
_WORD = re.compile(r"[\"']?([^\s\"'\[\],]+)")


def read_workflow(lines: Sequence[Line]) -> Iterator[Dependency]:
    """Every action, a pinned commit's version taken from the comment beside it; Python, Node, Go, Terraform and
    others as `with:` sets them up; every image; every package installed with a version."""
    yield from read_lines(SET_UP, lines)
    yield from read_steps(lines)
    yield from read_installs(lines)


def read_steps(lines: Sequence[Line]) -> Iterator[Dependency]:
    """Every action and image of a YAML file, which may be a workflow wherever it lies."""
    for line in lines:
        if found := _USES_IMAGE.match(line.text):
            yield from image(line.number, found["reference"])
    yield from read_lines(USES, lines)
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
