"""Which files state dependencies, and how each is read.

Reads whole files and the parts that a diff shows alike, line by line: a line that can't be read is passed over, and
nothing here raises for what a file holds.
"""

import re
from collections.abc import Callable, Iterator, Sequence

from corpus.dependencies.compiled import read_cargo, read_cmake, read_go_modules, read_nuget_lock, read_project
from corpus.dependencies.containers import read_dockerfile, read_image_lines
from corpus.dependencies.faults import (
    JSON,
    MAX_LINE_CHARACTERS,
    REQUIREMENTS,
    TOML,
    TOML_WITH_PROSE,
    Fault,
    LineGrammar,
    first_fault,
)
from corpus.dependencies.jvm import read_gradle, read_pom, read_version_catalogue, read_wrapper
from corpus.dependencies.model import Dependency, Line
from corpus.dependencies.node import read_bun_lock, read_package_json, read_package_lock, read_pnpm_lock, read_yarn_lock
from corpus.dependencies.python import (
    read_pipfile_lock,
    read_pyproject,
    read_requirements,
    read_setup_cfg,
    read_setup_py,
    read_toml_lock,
)
from corpus.dependencies.scripting import (
    read_composer_json,
    read_composer_lock,
    read_gemfile,
    read_gemfile_lock,
    read_mix,
)
from corpus.dependencies.tools import (
    read_conda_environment,
    read_pre_commit,
    read_tool_versions,
    read_version_file,
    read_workflow,
)

_MAX_NAME = 300
_Reader = Callable[[str, Sequence[Line]], Iterator[Dependency]]

# On the path in lower case, the first that matches; each pattern begins after a slash or at the start. A folder's name
# may hold anything, a line end too.
_READERS: tuple[tuple[str, _Reader, LineGrammar | None], ...] = (
    (r"[^/]*(?:requirements|constraints)[^/]*\.(?:txt|in|pip)", read_requirements, REQUIREMENTS),
    (r"(?:requirements|constraints)/(?:.*/)?[^/]+\.(?:txt|in|pip)", read_requirements, REQUIREMENTS),
    (r"pyproject\.toml|pipfile", read_pyproject, TOML_WITH_PROSE),
    (r"setup\.cfg|tox\.ini", read_setup_cfg, None),
    (r"setup\.py", read_setup_py, None),
    (r"(?:uv|poetry|pdm)\.lock|pylock(?:\.[^/.]+)?\.toml", read_toml_lock, TOML),
    (r"pipfile\.lock", read_pipfile_lock, JSON),
    (r"package\.json", read_package_json, JSON),
    (r"(?:package-lock|npm-shrinkwrap)\.json", read_package_lock, JSON),
    (r"yarn\.lock", read_yarn_lock, None),
    (r"pnpm-lock\.ya?ml", read_pnpm_lock, None),
    (r"bun\.lock", read_bun_lock, None),
    (r"cargo\.toml|rust-toolchain\.toml", read_cargo, TOML_WITH_PROSE),
    (r"cargo\.lock", read_toml_lock, TOML),
    (r"go\.(?:mod|work)", read_go_modules, None),
    (r"gemfile|gems\.rb|[^/]+\.gemspec", read_gemfile, None),
    (r"gemfile\.lock|gems\.locked", read_gemfile_lock, None),
    (r"composer\.json", read_composer_json, JSON),
    (r"composer\.lock", read_composer_lock, JSON),
    (r"pom\.xml", read_pom, None),
    (r"[^/]+\.gradle(?:\.kts)?|gradle\.(?:properties|lockfile)", read_gradle, None),
    (r"[^/]*\.versions\.toml", read_version_catalogue, TOML),
    (r"(?:gradle|maven)-wrapper\.properties", read_wrapper, None),
    (r"[^/]+\.(?:cs|fs|vb)proj|packages\.config|directory\.(?:packages|build)\.props", read_project, None),
    (r"packages\.lock\.json", read_nuget_lock, JSON),
    (r"mix\.(?:exs|lock)", read_mix, None),
    (r"cmakelists\.txt|[^/]+\.cmake", read_cmake, None),
    (r"[^/]*(?:dockerfile|containerfile)(?:\.[^/]+)?", read_dockerfile, None),
    (r"\.python-version|\.nvmrc|\.node-version|runtime\.txt", read_version_file, None),
    (r"\.tool-versions", read_tool_versions, None),
    (r"\.(?:github|forgejo|gitea)/workflows/[^/]+\.ya?ml|action\.ya?ml", read_workflow, None),
    (r"\.pre-commit-(?:config|hooks)\.ya?ml", read_pre_commit, None),
    (r"(?:conda[^/]*|environment(?:[-_.][^/]*)?)\.ya?ml", read_conda_environment, None),
    (r"[^/]+\.ya?ml", read_image_lines, None),
)
_COMPILED = tuple(
    (re.compile(rf"(?:.*/)?(?:{pattern})", re.DOTALL), reader, grammar) for pattern, reader, grammar in _READERS
)


def is_dependency_file(path: str) -> bool:
    """Whether `read_dependencies` knows this kind of file, told by its path alone."""
    return _known(path) is not None


def read_dependencies(path: str, lines: Sequence[Line]) -> tuple[Dependency, ...]:
    """The dependencies that these lines of the file state, in line order; none for a file that states none."""
    known = _known(path)
    if known is None:
        return ()
    found = known[0](path, tuple(line for line in _plain(lines) if len(line.text) <= MAX_LINE_CHARACTERS))
    return tuple(
        sorted((each for each in found if len(each.name) <= _MAX_NAME), key=lambda dependency: dependency.line)
    )


def find_fault(path: str, lines: Sequence[Line], *, is_whole: bool) -> Fault | None:
    """Why one of these lines of a dependency file can't be read, where that can be told; None for other files.
    `is_whole` says that the lines are all there are."""
    known = _known(path)
    return first_fault(_plain(lines), known[1], is_whole=is_whole) if known else None


def _plain(lines: Sequence[Line]) -> Sequence[Line]:
    """The same lines without a byte order mark."""
    if lines and lines[0].text.startswith("\ufeff"):
        return (Line(lines[0].number, lines[0].text[1:]), *lines[1:])
    return lines


def _known(path: str) -> tuple[_Reader, LineGrammar | None] | None:
    normal = path.replace("\\", "/").lower()
    return next(((reader, grammar) for pattern, reader, grammar in _COMPILED if pattern.fullmatch(normal)), None)
