"""A dependency as one line of a project's files states it."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import NamedTuple


class Ecosystem(StrEnum):
    """Whose names a dependency is named by."""

    PYPI = "pypi"
    NPM = "npm"
    CARGO = "cargo"
    GO = "go"
    RUBYGEMS = "rubygems"
    COMPOSER = "composer"
    MAVEN = "maven"  # Gradle's too.
    NUGET = "nuget"
    IMAGE = "image"  # A container image: a Dockerfile's `FROM`, `image:` of compose and Kubernetes files.
    ACTION = "action"  # A GitHub Action: `uses: owner/repository@version`.
    TOOL = "tool"  # What the packages run on or are built with: `go-version:`, `terraform_version:`, Composer's `php`.


@dataclass(frozen=True, slots=True)
class Line:
    """One line of a file, without its line end; `number` counts from 1. A part of a file has gaps."""

    number: int
    text: str


class Dependency(NamedTuple):
    """One dependency with the version that a line asks for."""

    name: str
    """As its ecosystem names it: `django`, `@vitejs/plugin-react`, `postgres` for `library/postgres`,
    `actions/setup-node`, `github.com/acme/gears/v2`, `org.acme:gears`; without extras, registry host, tag or digest."""
    ecosystem: Ecosystem
    version: str | None
    """Bare: the pinned version or the lower bound of a range, without operator, leading `v` or image suffix; None where
    the line states none (`latest`, a branch, a digest, only an upper bound)."""
    line: int  # From 1: where the version stands.
    file: str = ""
    """The path that `read_dependencies` was given, as it was given; the readers of single formats know none."""
    pin: str = ""
    """The range as written, with its upper bound; it may be empty where there is none."""


def split_parts(lines: Sequence[Line]) -> Iterator[tuple[Line, ...]]:
    """Runs of lines that follow one another: a diff shows some lines of a file and leaves others out."""
    start = 0
    for at in range(1, len(lines) + 1):
        if at == len(lines) or lines[at].number != lines[at - 1].number + 1:
            yield tuple(lines[start:at])
            start = at
