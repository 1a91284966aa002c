"""Which files state dependencies, and how each is read.

Reads whole files and the parts that a diff shows alike, line by line: a line that can't be read is passed over, and
nothing here raises for what a file holds. Lock files of other ecosystems than Python's and JavaScript's aren't read.
"""

import re
from collections.abc import Callable, Iterator, Sequence

from corpus.dependencies.model import Dependency, Line
from corpus.dependencies.package_json import read_package_json
from corpus.dependencies.pyproject import read_pyproject
from corpus.dependencies.requirements import read_requirements, read_setup_cfg, read_setup_py

_Reader = Callable[[str, Sequence[Line]], Iterator[Dependency]]

MAX_LINE_CHARACTERS = 10_000
"""Longer lines are passed over: nobody writes them, and nobody reviews them."""

# On the path in lower case, the first that matches; each pattern begins after a slash or at the start.
_READERS: tuple[tuple[str, _Reader], ...] = (
    (r"[^/]*(?:requirements|constraints)[^/]*\.(?:txt|in|pip)", read_requirements),
    (r"(?:requirements|constraints)/[^/]+\.(?:txt|in|pip)", read_requirements),
    (r"pyproject\.toml|pipfile", read_pyproject),
    (r"setup\.cfg|tox\.ini", read_setup_cfg),
    (r"setup\.py", read_setup_py),
    (r"package\.json", read_package_json),
)
_COMPILED = tuple((re.compile(rf"(?:.*/)?(?:{pattern})"), reader) for pattern, reader in _READERS)


def is_dependency_file(path: str) -> bool:
    """Whether `read_dependencies` knows this kind of file, told by its path alone."""
    return _reader(path) is not None


def read_dependencies(path: str, lines: Sequence[Line]) -> tuple[Dependency, ...]:
    """The dependencies that these lines of the file state, in line order; none for a file that states none."""
    reader = _reader(path)
    if reader is None:
        return ()
    found = reader(path, tuple(line for line in lines if len(line.text) <= MAX_LINE_CHARACTERS))
    return tuple(sorted(found, key=lambda dependency: dependency.line))


def _reader(path: str) -> _Reader | None:
    normal = path.replace("\\", "/").lower()
    return next((reader for pattern, reader in _COMPILED if pattern.fullmatch(normal)), None)
