"""Container images: references to them, and the YAML files that name them (compose, Kubernetes, Helm values, CI)."""

import re
from collections.abc import Iterator, Sequence

from corpus.dependencies.bounds import tag_version
from corpus.dependencies.lines import split_parts
from corpus.dependencies.model import Dependency, Ecosystem, Line

_DEFAULT = re.compile(r"\$\{\w+:?-([^{}$]*)\}")
_NAME = re.compile(r"[a-z0-9][a-z0-9._/-]*")
_IMAGE_LINE = re.compile(
    r"\s*(?:-\s+)?[\"']?(?:image|container)[\"']?\s*:\s*[\"']?(?P<reference>(?:\$\{[^}]{0,100}\}|[^\"'\s#,}])+)"
)
_REPOSITORY_LINE = re.compile(r"(?P<indent>\s*)(?:-\s+)?(?:repository|name)\s*:\s*[\"']?(?P<reference>[^\"'\s#]+)")
_TAG_LINE = re.compile(r"(?P<indent>\s*)(?:tag|newTag)\s*:\s*[\"']?(?P<tag>v?[0-9][^\"'\s#]*)")
_NEAR = 6
"""Lines between a `repository:` and the `tag:` that belongs to it."""


def read_image_lines(path: str, lines: Sequence[Line]) -> Iterator[Dependency]:
    """Every `image: name:tag`, and `repository:` or `name:` with `tag:` or `newTag:` on the same level below it."""
    for part in split_parts(lines):
        repository: tuple[str, str, int] | None = None
        for line in part:
            if found := _IMAGE_LINE.match(line.text):
                yield from image(path, line.number, found["reference"].removeprefix("docker://"))
            elif found := _REPOSITORY_LINE.match(line.text):
                # One with a tag of its own needs none from below it.
                has_tag = ":" in found["reference"].rpartition("/")[2]
                repository = None if has_tag else (found["reference"], found["indent"], line.number)
            elif (found := _TAG_LINE.match(line.text)) and repository:
                name, indent, number = repository
                if line.number - number <= _NEAR and len(found["indent"]) - len(indent) in {0, 2}:
                    yield from image(path, line.number, f"{name}:{found['tag']}")


def image(path: str, number: int, reference: str) -> Iterator[Dependency]:
    """The dependency of one reference such as `docker.io/library/postgres:15.4-alpine@sha256:…`; none where its name
    is filled in by a template. Compose's `${TAG:-15.4}` counts as its default."""
    name, _, _ = _DEFAULT.sub(r"\1", reference).partition("@")
    host, slash, rest = name.partition("/")
    if slash and ("." in host or ":" in host or host == "localhost"):
        name = rest
    name, _, tag = name.partition(":")
    name = name.rpartition("library/")[2]
    if _NAME.fullmatch(name):
        yield Dependency(name, Ecosystem.IMAGE, tag_version(tag), path, number)
