"""Dockerfiles, compose files and workflows: images and actions, a line each."""

import re
from collections.abc import Iterator, Sequence

from corpus.dependencies.bounds import COMMENT, REFERENCE, TAG, version_in
from corpus.dependencies.model import Dependency, Ecosystem, Line

_DEFAULT = re.compile(r"\$\{\w+:?-([^{}$]*)\}")
_NAME = re.compile(r"[a-z0-9][a-z0-9._/-]*")
_IMAGE_LINE = re.compile(r"\s*image\s*:\s*[\"']?(?P<reference>(?:\$\{[^}]{0,100}\}|[^\"'\s#,}])+)")
_FROM = re.compile(r"\s*FROM\s+(?:--platform=\S+\s+)?(?P<reference>\S+)(?:\s+AS\s+(?P<stage>\S+))?", re.IGNORECASE)
_USES = re.compile(
    r"\s*(?:-\s+)?uses\s*:\s*[\"']?(?P<name>[\w.-]+/[\w.-]+)(?:/[^@\s\"']*)?@(?P<reference>[^\s\"'#]+)[\"']?"
    r"(?:\s+(?P<comment>#.*))?"
)


def read_compose(lines: Sequence[Line]) -> Iterator[Dependency]:
    """Yield every `image: name:tag`."""
    for line in lines:
        if match := _IMAGE_LINE.match(line.text):
            yield from read_image(line.number, match["reference"])


def read_image(number: int, reference: str) -> Iterator[Dependency]:
    """Yield the dependency of a reference such as `docker.io/library/postgres:15.4-alpine@sha256:…`; none if a template
    fills in its name. Compose's `${TAG:-15.4}` counts as its default."""
    name = _DEFAULT.sub(r"\1", reference).partition("@")[0]
    host, slash, path = name.partition("/")
    if slash and ("." in host or ":" in host or host == "localhost"):
        name = path
    name, _, tag = name.partition(":")
    name = name.rpartition("library/")[2]
    if _NAME.fullmatch(name):
        yield Dependency(name, Ecosystem.IMAGE, version_in(TAG, tag), number)


def read_dockerfile(lines: Sequence[Line]) -> Iterator[Dependency]:
    """Yield the image of every `FROM` that isn't an earlier stage."""
    bases = [(line.number, base) for line in lines if (base := _FROM.match(line.text))]
    stages = {base["stage"].lower() for _, base in bases if base["stage"]}
    for number, base in bases:
        if base["reference"].lower() not in stages:
            yield from read_image(number, base["reference"])


def read_workflow(lines: Sequence[Line]) -> Iterator[Dependency]:
    """Yield every action, a pinned commit's version taken from the comment beside it."""
    for line in lines:
        if match := _USES.match(line.text):
            version = version_in(COMMENT, match["comment"] or "") or version_in(REFERENCE, match["reference"])
            yield Dependency(match["name"], Ecosystem.ACTION, version, line.number)
