"""A dependency as one line of a project's files states it."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import NamedTuple


class Ecosystem(StrEnum):
    """The registry or tool whose names identify a dependency."""

    PYPI = "pypi"
    NPM = "npm"
    CARGO = "cargo"
    GO = "go"
    RUBYGEMS = "rubygems"
    MAVEN = "maven"  # Gradle's names too.
    IMAGE = "image"  # A container image: a Dockerfile's `FROM`, `image:` of compose files.
    ACTION = "action"  # A GitHub Action: `uses: owner/repository@version`.
    TOOL = "tool"  # Runtimes: `go` of `go.mod`, `rust-version` of `Cargo.toml`.


@dataclass(frozen=True, slots=True)
class Line:
    """One line of a file, without its line end; `number` counts from 1. Parts of files have gaps."""

    number: int
    text: str


class Dependency(NamedTuple):
    """One dependency with the version that a line requires."""

    name: str
    """In its ecosystem's form: `django`, `@vitejs/plugin-react`, `postgres` for `library/postgres`,
    `actions/setup-node`, `github.com/acme/gears/v2`, `org.acme:gears`; without extras, registry host, tag or digest."""
    ecosystem: Ecosystem
    version: str | None
    """The pinned version or the lower bound of a range, without operator, leading `v` or image suffix; None if the line
    states none (`latest`, a branch, a digest, only an upper bound)."""
    line: int  # The number of the line with the version, from 1.
    file: str = ""
    """The path as given to `read_dependencies`; empty from the readers of single formats."""


def split_parts(lines: Sequence[Line]) -> Iterator[tuple[Line, ...]]:
    """Yield each run of lines with consecutive numbers: a diff shows some lines of a file and leaves others out."""
    start = 0
    for end in range(1, len(lines) + 1):
        if end == len(lines) or lines[end].number != lines[end - 1].number + 1:
            yield tuple(lines[start:end])
            start = end
