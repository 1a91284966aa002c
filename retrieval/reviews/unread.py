"""What of a diff isn't read, so that nobody takes silence for nothing: broken files, submodules, packages, versions
that move where no dependency is read."""

import re
from collections import defaultdict
from collections.abc import Iterator
from itertools import islice
from pathlib import PurePosixPath

from corpus.dependencies.dependency_files import first_unread, is_dependency_file, is_read_whole, read_dependencies
from retrieval.code_usage.files import NO_CODE
from retrieval.code_usage.reading import CODE_ENDINGS
from retrieval.reviews.diff import Diff, FileDiff
from retrieval.reviews.model import Unknown
from retrieval.reviews.products import is_lock_name

_HIDDEN = "the diff doesn't show its lines, so give the output of `git diff --text`"
_PACKAGES = frozenset(".jar .war .aar .whl .egg .gem .nupkg .crate .tgz .deb .rpm .apk .lockb".split())
_MANIFESTS_IN_CODE = {"CMakeLists.txt", "Package.swift", "conanfile.py"}
_READ_AS_OTHERS = CODE_ENDINGS | NO_CODE - {".lock", ".xml", ".sum"}
"""Endings of code, prose and data, whose versions may be anything's."""
_SUBMODULE = re.compile(r"Subproject commit (?P<commit>[0-9a-f]{7,64})")
_COMMIT = r"\b(?:[0-9a-f]{40}|[0-9a-f]{64}|h1:[\w+/]{40,}=*)(?![\w+/])"
_DIGESTS = re.compile(_COMMIT, re.ASCII)
_VERSIONS = re.compile(
    rf"{_COMMIT}|(?<![\w.])(?:v[0-9]+(?:\.[0-9]+)*|[0-9]+(?:\.[0-9]+){{2,}}|(?:(?<=[@^~])|(?<===))[0-9]+"
    r"|(?:(?<=[^:] [\"'])|(?<=[<>~=]= )|(?<=[<>] ))[0-9]+\.[0-9]+)[\w.+-]*",
    re.ASCII,
)
_NUMBERS = re.compile(rf"{_COMMIT}|(?<![\w.])v?[0-9][\w.+-]*", re.ASCII)
"""On a line that says that it is about a version."""
_OWN = re.compile(
    r"(?:\s{0,2}|\t)[\"'@]?(?:app|file|schema)?[_-]?version[\"']?\s*[:=\s]"
    r"|\s*<(?:assembly|file|informational|lang|package|product)?version(?:prefix)?>",
    re.IGNORECASE,
)
_WORD = re.compile(r"[A-Za-z]{2,}")


def find_unreadable(diff: Diff) -> tuple[Unknown, ...]:
    """What isn't surely known of the diff's files, in its order: hunks that hold more or fewer lines than they say, and
    the bumps of dependency files that are left malformed, with the first bad line, or whose lines aren't shown."""
    unknown: list[Unknown] = []
    for file in diff.files:
        unknown += (
            Unknown(
                file.path,
                f"line {line} of the diff counts other lines than stand below it, which were read: is it whole?",
            )
            for line in file.miscounted
        )
        names = [path for path in (file.path_before, file.path_after) if path]
        if file.is_binary and any(map(is_dependency_file, names)):
            unknown.append(Unknown(file.path, f"compared as binary: {_HIDDEN}"))
        elif (
            file.path_before
            and not file.before
            and not file.after
            and len({*map(is_read_whole, (file.path_before, file.path_after or ""))}) == 2
        ):
            unknown.append(Unknown(file.path, f"becomes a dependency file or ceases to be one: {_HIDDEN}"))
        elif file.path_after and (line := first_unread(file.path_after, file.added, is_whole=file.path_before is None)):
            unknown.append(Unknown(file.path, f"line {line} can't be read as one of such a file: mend it."))
    return tuple(unknown)


def find_unread(diff: Diff) -> tuple[Unknown, ...]:
    """Return what the diff moves in files that aren't read for it, each file once: submodules, packages, and lines that
    stay the same but for a version, a commit or a digest."""
    found: dict[str, str] = {}
    for file in diff.files:
        if reason := _unread(file):
            found.setdefault(file.path, reason)
    return tuple(Unknown(path, reason) for path, reason in found.items())


def _unread(file: FileDiff) -> str:
    look_up = "look it up: `relnotes upgrade PRODUCT FROM TO`."
    path = PurePosixPath(file.path)
    commits = [
        [f"{found['commit'][:12]}…" for line in lines if (found := _SUBMODULE.match(line.text))]
        for lines in (file.removed, file.added)
    ]
    if any(commits):
        old, new = (" ".join(each) or "nothing" for each in commits)
        return f"A submodule moves, {old} → {new}, and no version is stated. If one is known, {look_up}"
    if file.is_binary and path.suffix.lower() in _PACKAGES:
        return (
            f"A package or a lock is replaced, and the diff doesn't tell by which version. If one is known, {look_up}"
        )
    is_manifest = is_dependency_file(file.path) or path.name in _MANIFESTS_IN_CODE
    is_other = path.suffix.lower() in _READ_AS_OTHERS and not is_manifest
    if is_read_whole(file.path) or is_other:
        return ""
    moves = [*_moves(file)]
    if not moves:
        return ""
    number, *sides = moves[0]
    more = f", and {len(moves) - 1} more of its lines change so" if len(moves) > 1 else ""
    if all(map(_DIGESTS.fullmatch, sides)):
        old, new = (side[:15] for side in sides)
        return f"Line {number} changes {old}… to {new}…{more}: a commit or a digest, and no version is stated."
    old, new = (side[:40] for side in sides)
    return f"Line {number} changes {old} to {new}{more}, which isn't read as a dependency. If it is one, {look_up}"


def _moves(file: FileDiff) -> Iterator[tuple[int, str, str]]:
    """Yield the lines that stay the same but for a version, a commit or a digest, by number, with what was there and
    what is; of sums of files only those whose digest moves alone."""
    # Terraform's files have no version of their own.
    is_lock = is_lock_name(PurePosixPath(file.path).name) or file.path.endswith((".tf", ".hcl"))
    stated = {each.line for each in read_dependencies(file.path, file.after)} if file.path_after else set()
    before: defaultdict[str, list[list[str]]] = defaultdict(list)

    def parted(text: str) -> tuple[str, list[str]]:
        about = _NUMBERS if "version" in text.lower() else _VERSIONS
        pattern = _DIGESTS if file.path.endswith(".sum") else about
        return pattern.sub("", text), pattern.findall(text)

    for line in file.removed:
        rest, old = parted(line.text)
        before[rest].append(old)
    for line in file.added:
        rest, new = parted(line.text)
        is_own = _OWN.match(line.text) and not is_lock
        if line.number in stated or is_own or not _WORD.search(rest) or not before.get(rest):
            continue
        differing = (pair for pair in zip(before[rest].pop(0), new, strict=False) if pair[0] != pair[1])
        yield from ((line.number, *pair) for pair in islice(differing, 1))
