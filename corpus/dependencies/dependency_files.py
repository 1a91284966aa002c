"""Which files state dependencies, and how each is read: one table, a row a format.

Reads whole files and the parts that a diff shows alike, line by line: a line that can't be read is passed over, and
nothing here raises for what a file holds.
"""

import json
import re
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import NamedTuple

from corpus.deadline import waited_for
from corpus.dependencies import containers, languages, named_versions, node, python, workflows
from corpus.dependencies.model import Dependency, Ecosystem, Line, split_parts
from corpus.toml_text import load_toml

MAX_LINE_CHARACTERS = 10_000
"""Longer lines are passed over: nobody writes them, and nobody reviews them."""
_MAX_NAME = 300
_MAX_PATH = 8_192  # Twice what Linux takes: the time of some patterns grows with the square of a path.
_Reader = Callable[[Sequence[Line]], Iterator[Dependency]]


class _Format(NamedTuple):
    """One kind of dependency file."""

    pattern: str
    """On the path in lower case, after a slash or at its start, whose folders may hold anything, a line end too."""
    reader: _Reader
    is_whole: bool = False
    """Whether one part of it says what another means; the others are read part by part, as a diff shows them."""
    is_mixed: bool = False
    """Whether other lines than its dependencies may state versions: commands, settings, variables."""
    digests: str = ""
    """Where the commits and digests of a package stand, on lines `before` or `behind` its version."""


_FORMATS = (
    _Format(r"[^/]*(?:requirements|constraints)[^/]*\.(?:txt|in|pip)", python.read_requirements, digests="behind"),
    _Format(r"(?:requirements|constraints)/(?:.*/)?[^/]+\.(?:txt|in|pip)", python.read_requirements, digests="behind"),
    _Format(r"pyproject\.toml|pipfile", python.read_pyproject),
    _Format(r"setup\.cfg|tox\.ini|setup\.py|(?:conda[^/]*|environment(?:[-_.][^/]*)?)\.ya?ml", python.read_loose),
    _Format(r"(?:uv|poetry|pdm)\.lock|pylock(?:\.[^/.]+)?\.toml", python.read_toml_lock, digests="behind"),
    _Format(r"pipfile\.lock", partial(node.read_resolved, Ecosystem.PYPI, ["version"]), digests="before"),
    _Format(r"package\.json", node.read_package_json),
    _Format(r"(?:package-lock|npm-shrinkwrap)\.json", node.read_package_lock, is_whole=True, digests="behind"),
    _Format(r"yarn\.lock", partial(node.read_keyed, *node.YARN), digests="behind"),
    _Format(r"pnpm-lock\.ya?ml", partial(node.read_keyed, *node.PNPM), digests="behind"),
    _Format(r"cargo\.toml|rust-toolchain\.toml", languages.read_cargo),
    _Format(r"cargo\.lock", partial(python.read_toml_lock, ecosystem=Ecosystem.CARGO), digests="behind"),
    _Format(r"go\.(?:mod|work)", languages.read_go_modules),
    _Format(r"gemfile|gems\.rb|[^/]+\.gemspec", languages.read_gemfile),
    _Format(r"gemfile\.lock|gems\.locked", languages.read_gemfile_lock),
    _Format(r"composer\.json", languages.read_composer_json),
    _Format(r"composer\.lock", languages.read_composer_lock, digests="behind"),
    _Format(r"pom\.xml", named_versions.read_pom, is_whole=True),
    _Format(r"[^/]+\.gradle(?:\.kts)?|gradle\.lockfile", named_versions.read_gradle, is_mixed=True),
    _Format(r"[^/]*\.versions\.toml", named_versions.read_version_catalogue, is_whole=True),
    _Format(r"(?:gradle|maven)-wrapper\.properties", named_versions.read_wrapper),
    _Format(
        r"[^/]+\.(?:cs|fs|vb)proj|packages\.config|directory\.(?:packages|build)\.props",
        named_versions.read_project,
        is_mixed=True,
    ),
    _Format(r"packages\.lock\.json", partial(node.read_resolved, Ecosystem.NUGET, ["resolved"]), digests="behind"),
    _Format(r"[^/]*(?:dockerfile|containerfile)(?:\.[^/]+)?", containers.read_dockerfile, is_whole=True, is_mixed=True),
    _Format(r"\.python-version|runtime\.txt", partial(workflows.read_tool_versions, "python")),
    _Format(r"\.nvmrc|\.node-version", partial(workflows.read_tool_versions, "node")),
    _Format(r"\.tool-versions", partial(workflows.read_tool_versions, "")),
    _Format(r"\.(?:github|forgejo|gitea)/workflows/[^/]+\.ya?ml|action\.ya?ml", workflows.read_workflow, is_mixed=True),
    _Format(r"\.pre-commit-(?:config|hooks)\.ya?ml", workflows.read_pre_commit),
    _Format(r"[^/]+\.ya?ml", containers.read_image_lines, is_mixed=True),
)
"""The first that matches counts."""
_COMPILED = tuple((re.compile(rf"(?:.*/)?(?:{each.pattern})", re.DOTALL), each) for each in _FORMATS)
_DIGEST = re.compile(
    r"\b[0-9a-f]{40}\b|(?<![\w+/])(?:(?<=sha1-)[A-Za-z0-9+/]{27}|[A-Za-z0-9+/]{43,})={0,2}(?![\w+/])", re.ASCII
)
_OF_THE_WHOLE = ("content-hash", "content_hash", '"sha256": ')
"""Digests of a lock itself."""
_LANGUAGES: tuple[tuple[re.Pattern[str], Callable[[str], object]], ...] = (
    (re.compile(r".*\.json|(?:.*/)?(?:pipfile|composer)\.lock", re.DOTALL), json.loads),
    (re.compile(r".*\.toml|(?:.*/)?(?:uv|poetry|pdm|cargo)\.lock", re.DOTALL), load_toml),
)
_BROKEN = re.compile(r"\0|\A(?:<{7}|>{7}|\|{7})(?: |\Z)")
"""No text, or a mark of a merge conflict."""


def is_dependency_file(path: str) -> bool:
    """Return whether `read_dependencies` knows this kind of file, told by its path alone."""
    return _format_of(path) is not None


def is_read_whole(path: str) -> bool:
    """Return whether it is a dependency file in which nothing else states versions."""
    known = _format_of(path)
    return known is not None and not known.is_mixed


def read_dependencies(path: str, lines: Sequence[Line]) -> tuple[Dependency, ...]:
    """Return the dependencies that these lines of the file state, in line order; none for a file that states none."""
    known = _format_of(path)
    if known is None:
        return ()
    short = tuple(line for line in _plain(lines) if len(line.text) <= MAX_LINE_CHARACTERS)
    found = (
        each._replace(file=path)
        for part in ([short] if known.is_whole else split_parts(short))
        for each in waited_for(_with_digests(known.digests, part, known.reader(part)))
        if len(each.name) <= _MAX_NAME
    )
    return tuple(sorted(found, key=lambda each: each.line))


def first_unread(path: str, lines: Sequence[Line], *, is_whole: bool) -> int | None:
    """Return the first of these lines of a dependency file that can't be one of its kind: endless or no text, a mark of
    a merge conflict, in a requirement file what states no requirement; where they are the whole file, the first one of
    what isn't JSON or TOML though it is called so. None for none, and for other files."""
    known, plain = _format_of(path), _plain(lines)
    if known is None or not plain:
        return None
    for line in plain:
        is_broken = len(line.text) > MAX_LINE_CHARACTERS or _BROKEN.search(line.text)
        if is_broken or (known.reader is python.read_requirements and not python.is_requirement_line(line.text)):
            return line.number
    parse = next((one for names, one in _LANGUAGES if is_whole and names.fullmatch(path.lower())), None)
    try:
        if parse is not None:
            parse("\n".join(line.text for line in plain))
    except (ValueError, RecursionError):
        return plain[0].number
    return None


def _with_digests(side: str, part: Sequence[Line], found: Iterator[Dependency]) -> Iterator[Dependency]:
    """Yield the dependencies of a part, each with the digests between its version and the next, or the last one's."""
    if not side:
        yield from found
        return
    digests: dict[int, list[str]] = {}
    entries = sorted(found, key=lambda each: each.line)
    starts = [each.line for each in entries]
    for line in part:
        at = bisect_right(starts, line.number) - 1 if side == "behind" else bisect_left(starts, line.number)
        if 0 <= at < len(entries) and not any(word in line.text for word in _OF_THE_WHOLE):
            digests.setdefault(at, []).extend(_DIGEST.findall(line.text))
    for at, each in enumerate(entries):
        yield each._replace(pin=" ".join([*filter(None, [each.pin]), *sorted(digests.get(at, ()))]))


def _plain(lines: Sequence[Line]) -> Sequence[Line]:
    """Return the same lines without a byte order mark."""
    if lines and lines[0].text.startswith("\ufeff"):
        return (Line(lines[0].number, lines[0].text[1:]), *lines[1:])
    return lines


def _format_of(path: str) -> _Format | None:
    """Return the first format that the path matches."""
    normal = path.replace("\\", "/").lower() if len(path) <= _MAX_PATH else ""
    return next((each for pattern, each in _COMPILED if pattern.fullmatch(normal)), None)
