"""Which files state dependencies, and how each is read.

Reads whole files and the parts that a diff shows alike, line by line: a line that can't be read is passed over, and
nothing here raises for what a file holds.
"""

import re
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterator, Sequence
from functools import partial

from corpus.dependencies import containers, languages, named_versions, node, python, workflows
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
from corpus.dependencies.model import Dependency, Ecosystem, Line, split_parts

_MAX_NAME = 300
_MAX_PATH = 8_192  # Twice what Linux takes: the time of some patterns grows with the square of a path.
_Reader = Callable[[Sequence[Line]], Iterator[Dependency]]

# On the path in lower case, the first that matches; each pattern begins after a slash or at the start. A folder's name
# may hold anything, a line end too.
_READERS: tuple[tuple[str, _Reader, LineGrammar | None], ...] = (
    (r"[^/]*(?:requirements|constraints)[^/]*\.(?:txt|in|pip)", python.read_requirements, REQUIREMENTS),
    (r"(?:requirements|constraints)/(?:.*/)?[^/]+\.(?:txt|in|pip)", python.read_requirements, REQUIREMENTS),
    (r"pyproject\.toml|pipfile", python.read_pyproject, TOML_WITH_PROSE),
    (r"setup\.cfg|tox\.ini", python.read_setup_cfg, None),
    (r"setup\.py", python.read_setup_py, None),
    (r"(?:uv|poetry|pdm)\.lock|pylock(?:\.[^/.]+)?\.toml", python.read_toml_lock, TOML),
    (r"pipfile\.lock", python.read_pipfile_lock, JSON),
    (r"package\.json", node.read_package_json, JSON),
    (r"(?:package-lock|npm-shrinkwrap)\.json", node.read_package_lock, JSON),
    (r"yarn\.lock", node.read_yarn_lock, None),
    (r"pnpm-lock\.ya?ml", node.read_pnpm_lock, None),
    (r"bun\.lock", node.read_bun_lock, None),
    (r"cargo\.toml|rust-toolchain\.toml", languages.read_cargo, TOML_WITH_PROSE),
    (r"cargo\.lock", partial(python.read_toml_lock, ecosystem=Ecosystem.CARGO), TOML),
    (r"go\.(?:mod|work)", languages.read_go_modules, None),
    (r"gemfile|gems\.rb|[^/]+\.gemspec", languages.read_gemfile, None),
    (r"gemfile\.lock|gems\.locked", languages.read_gemfile_lock, None),
    (r"composer\.json", languages.read_composer_json, JSON),
    (r"composer\.lock", languages.read_composer_lock, JSON),
    (r"pom\.xml", named_versions.read_pom, None),
    (r"[^/]+\.gradle(?:\.kts)?|gradle\.(?:properties|lockfile)", named_versions.read_gradle, None),
    (r"[^/]*\.versions\.toml", named_versions.read_version_catalogue, TOML),
    (r"(?:gradle|maven)-wrapper\.properties", named_versions.read_wrapper, None),
    (
        r"[^/]+\.(?:cs|fs|vb)proj|packages\.config|directory\.(?:packages|build)\.props",
        named_versions.read_project,
        None,
    ),
    (r"packages\.lock\.json", named_versions.read_nuget_lock, JSON),
    (r"mix\.(?:exs|lock)", languages.read_mix, None),
    (r"cmakelists\.txt|[^/]+\.cmake", languages.read_cmake, None),
    (r"[^/]*(?:dockerfile|containerfile)(?:\.[^/]+)?", containers.read_dockerfile, None),
    (r"\.python-version|runtime\.txt", partial(workflows.read_version_file, "python"), None),
    (r"\.nvmrc|\.node-version", partial(workflows.read_version_file, "node"), None),
    (r"\.tool-versions", workflows.read_tool_versions, None),
    (r"\.(?:github|forgejo|gitea)/workflows/[^/]+\.ya?ml|action\.ya?ml", workflows.read_workflow, None),
    (r"\.pre-commit-(?:config|hooks)\.ya?ml", workflows.read_pre_commit, None),
    (r"(?:conda[^/]*|environment(?:[-_.][^/]*)?)\.ya?ml", python.read_conda_environment, None),
    (r"[^/]+\.ya?ml", containers.read_image_lines, None),
)
_DIGESTS_BEHIND = (
    python.read_requirements,
    python.read_toml_lock,
    node.read_package_lock,
    node.read_yarn_lock,
    node.read_pnpm_lock,
    node.read_bun_lock,
    languages.read_composer_lock,
    named_versions.read_nuget_lock,
)
"""In their files commits and digests of a package stand on the lines behind its version."""
_DIGEST = re.compile(
    r"\b[0-9a-f]{40}\b|(?<![\w+/])(?:(?<=sha1-)[A-Za-z0-9+/]{27}|[A-Za-z0-9+/]{43,})={0,2}(?![\w+/])", re.ASCII
)
_OF_THE_WHOLE = ("content-hash", "content_hash", '"sha256": ')
"""Digests of a lock itself."""
_WHOLE = (
    containers.read_dockerfile,
    named_versions.read_gradle,
    node.read_package_lock,
    named_versions.read_pom,
    named_versions.read_project,
    named_versions.read_version_catalogue,
)
"""They read what one part of a file says of another; the others are given the parts that a diff shows one by one."""
_COMPILED = tuple(
    (re.compile(rf"(?:.*/)?(?:{pattern})", re.DOTALL), reader, grammar) for pattern, reader, grammar in _READERS
)


def is_dependency_file(path: str) -> bool:
    """Whether `read_dependencies` knows this kind of file, told by its path alone."""
    return _reader_of(path) is not None


def is_read_whole(path: str) -> bool:
    """Whether it is a dependency file in which nothing else states versions: commands and settings may, which
    Dockerfiles, workflows and YAML of any kind hold."""
    known = _reader_of(path)
    return known is not None and known[0] not in (
        containers.read_dockerfile,
        containers.read_image_lines,
        workflows.read_workflow,
    )


def read_dependencies(path: str, lines: Sequence[Line]) -> tuple[Dependency, ...]:
    """The dependencies that these lines of the file state, in line order; none for a file that states none."""
    known = _reader_of(path)
    if known is None:
        return ()
    reader, short = known[0], tuple(line for line in _plain(lines) if len(line.text) <= MAX_LINE_CHARACTERS)
    parts = (short,) if reader in _WHOLE else split_parts(short)
    found = (
        each._replace(file=path)
        for part in parts
        for each in _with_digests(reader, part)
        if len(each.name) <= _MAX_NAME
    )
    return tuple(sorted(found, key=lambda each: each.line))


def _with_digests(reader: _Reader, part: Sequence[Line]) -> Iterator[Dependency]:
    """The dependencies of a part, each with the digests that stand between its version and the next one's; in a
    Pipfile.lock, where they come before it, between the last one's and its own."""
    is_behind = getattr(reader, "func", reader) in _DIGESTS_BEHIND
    if not is_behind and reader is not python.read_pipfile_lock:
        yield from reader(part)
        return
    digests: dict[int, list[str]] = {}
    entries = sorted(reader(part), key=lambda each: each.line)
    starts = [each.line for each in entries]
    for line in part:
        at = bisect_right(starts, line.number) - 1 if is_behind else bisect_left(starts, line.number)
        if 0 <= at < len(entries) and not any(word in line.text for word in _OF_THE_WHOLE):
            digests.setdefault(at, []).extend(_DIGEST.findall(line.text))
    for at, each in enumerate(entries):
        yield each._replace(pin=" ".join([*filter(None, [each.pin]), *sorted(digests.get(at, ()))]))


def find_fault(path: str, lines: Sequence[Line], *, is_whole: bool) -> Fault | None:
    """Why one of these lines of a dependency file can't be read, where that can be told; None for other files.
    `is_whole` says that the lines are all there are."""
    known = _reader_of(path)
    return first_fault(_plain(lines), known[1], is_whole=is_whole) if known else None


def _plain(lines: Sequence[Line]) -> Sequence[Line]:
    """The same lines without a byte order mark."""
    if lines and lines[0].text.startswith("\ufeff"):
        return (Line(lines[0].number, lines[0].text[1:]), *lines[1:])
    return lines


def _reader_of(path: str) -> tuple[_Reader, LineGrammar | None] | None:
    if len(path) > _MAX_PATH:
        return None
    normal = path.replace("\\", "/").lower()
    return next(((reader, grammar) for pattern, reader, grammar in _COMPILED if pattern.fullmatch(normal)), None)
