"""The files that state dependencies and their readers: one table, a row a format.

Whole files and the parts in a diff are read alike, line by line: unreadable lines are skipped, and no content of a file
raises an error here.
"""

import re
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import NamedTuple

from corpus.deadline import waited_for
from corpus.dependencies import containers, jvm, languages, stated
from corpus.dependencies.model import Dependency, Ecosystem, Line, split_parts

MAX_LINE_CHARACTERS = 10_000  # Longer lines are skipped: nobody writes or reviews them.
_MAX_NAME = 300
_MAX_PATH = 8_192  # Twice Linux's limit: some patterns take time quadratic in the path's length.
_Reader = Callable[[Sequence[Line]], Iterator[Dependency]]


class _Format(NamedTuple):
    """One kind of dependency file."""

    pattern: str
    """Matches the path in lower case, from its start or after a slash; folders may contain anything, a line end too."""
    reader: _Reader
    is_whole: bool = False
    """Whether one part of a file explains another; other formats are read part by part, as a diff shows them."""
    is_mixed: bool = False
    """Whether lines other than its dependencies may state versions: commands, settings, variables."""


_FORMATS = (
    _Format(r"[^/]*(?:requirements|constraints)[^/]*\.(?:txt|in|pip)", languages.read_requirements),
    _Format(r"(?:requirements|constraints)/(?:.*/)?[^/]+\.(?:txt|in|pip)", languages.read_requirements),
    _Format(r"pyproject\.toml", stated.read_pyproject),
    _Format(r"(?:uv|poetry)\.lock", partial(stated.read_lock, Ecosystem.PYPI)),
    _Format(r"package\.json", partial(stated.read_json, stated.PACKAGE_JSON)),
    _Format(r"(?:package-lock|npm-shrinkwrap)\.json", stated.read_package_lock, is_whole=True),
    _Format(r"yarn\.lock", partial(languages.read_keyed, *languages.YARN)),
    _Format(r"pnpm-lock\.ya?ml", partial(languages.read_keyed, *languages.PNPM)),
    _Format(r"cargo\.toml", stated.read_cargo),
    _Format(r"cargo\.lock", partial(stated.read_lock, Ecosystem.CARGO)),
    _Format(r"go\.mod", languages.read_go_modules),
    _Format(r"gemfile\.lock", languages.read_gemfile_lock),
    _Format(r"pom\.xml", jvm.read_pom),
    _Format(r"build\.gradle(?:\.kts)?", jvm.read_gradle, is_mixed=True),
    _Format(r"[^/]*(?:dockerfile|containerfile)(?:\.[^/]+)?", containers.read_dockerfile, is_whole=True, is_mixed=True),
    _Format(r"[^/]*compose[^/]*\.ya?ml", containers.read_compose, is_mixed=True),
    _Format(
        r"\.(?:github|forgejo|gitea)/workflows/[^/]+\.ya?ml|action\.ya?ml", containers.read_workflow, is_mixed=True
    ),
)
"""The first match counts."""
_COMPILED = tuple((re.compile(rf"\A(?:.*/)?(?:{each.pattern})", re.DOTALL), each) for each in _FORMATS)


def is_dependency_file(path: str) -> bool:
    """Return whether `read_dependencies` knows this kind of file, judged by its path alone."""
    return _format_of(path) is not None


def is_read_whole(path: str) -> bool:
    """Return whether this is a dependency file in which every stated version is a dependency's."""
    file_format = _format_of(path)
    return file_format is not None and not file_format.is_mixed


def read_dependencies(path: str, lines: Sequence[Line]) -> tuple[Dependency, ...]:
    """Return the dependencies that a file's lines state, by line; none in other kinds of files and overlong lines."""
    file_format = _format_of(path)
    if file_format is None:
        return ()
    without_bom = (Line(line.number, line.text[1:]) if line.text[:1] == "\ufeff" else line for line in lines)
    short = tuple(line for line in without_bom if len(line.text) <= MAX_LINE_CHARACTERS)
    dependencies = (
        dependency._replace(file=path)
        for part in ([short] if file_format.is_whole else split_parts(short))
        for dependency in waited_for(file_format.reader(part))
        if len(dependency.name) <= _MAX_NAME
    )
    return tuple(sorted(dependencies, key=lambda dependency: dependency.line))


def _format_of(path: str) -> _Format | None:
    """Return the first format that matches the path; None if none does."""
    normal = path.replace("\\", "/").lower() if len(path) <= _MAX_PATH else ""
    return next((each for pattern, each in _COMPILED if pattern.fullmatch(normal)), None)
