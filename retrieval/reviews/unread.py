"""Changes to dependency files that aren't looked up, reported so that silence isn't taken for "no change"."""

import re
from bisect import bisect_left, bisect_right
from collections import defaultdict
from collections.abc import Iterator, Sequence
from pathlib import PurePosixPath

from corpus.dependencies.dependency_files import MAX_LINE_CHARACTERS, is_dependency_file, is_read_whole
from corpus.dependencies.model import Dependency, Line
from retrieval.reviews.bumps import Sides, key_of
from retrieval.reviews.diff import Diff
from retrieval.reviews.model import Bump, Unknown
from retrieval.reviews.products import is_lock_name

_STATES = re.compile(r"[0-9]\.[0-9]|[0-9a-f]{40}|sha[0-9]+[:-]|version", re.IGNORECASE)
"""Matches a line that may state a version, commit or digest."""
_SILENT = re.compile(r"\W*\Z|\s*(?:#|//|<!--)|\W{0,4}version\W")  # No words, a comment, the project's own version.
_MAX_PLACES = 40


def find_hidden(diff: Diff) -> tuple[Unknown, ...]:
    """Return the dependency files whose changes the diff doesn't show, or that have a line that can't be read."""
    hidden: list[Unknown] = []
    for file in diff.files:
        bad = [line for line in file.added if len(line.text) > MAX_LINE_CHARACTERS or "\0" in line.text]
        if not is_dependency_file(file.path):
            continue
        if file.is_binary:
            reason = "compared as binary: the diff doesn't show its lines, so give the output of `git diff --text`"
            hidden.append(Unknown(file.path, reason))
        elif bad:
            hidden.append(Unknown(file.path, f"line {bad[0].number} can't be read as one of such a file: mend it."))
    return tuple(hidden)


def find_unexplained(diff: Diff, files: Sequence[Sides], bumps: Sequence[Bump]) -> tuple[Unknown, ...]:
    """Return the dependency files with changed lines that none of the `bumps` explains, each once with its lines.

    Comments, moved lines and a project's own version don't count. `files` are the dependencies of each.
    """
    bumped: defaultdict[str, set[object]] = defaultdict(set)
    for bump in bumps:
        bumped[bump.file].add(key_of(bump))
    unknown: dict[str, Unknown] = {}
    for file, (before, after) in zip(diff.files, files, strict=True):
        stays = {_bare(line) for line in file.removed} & {_bare(line) for line in file.added}
        sides = ((file.added, after), (file.removed, before)) if is_dependency_file(file.path) else ()
        for lines, stated in sides:
            unread = [
                line for line in _unexplained(file.path, lines, stated, bumped[file.path]) if _bare(line) not in stays
            ]
            if unread:
                numbers = ", ".join(str(line.number) for line in unread[:_MAX_PLACES])
                reason = f"not looked up, as no bump explains it: line {numbers} ({unread[0].text.strip()[:60]})"
                unknown.setdefault(file.path, Unknown(file.path, reason))
    return tuple(unknown.values())


def _unexplained(path: str, lines: Sequence[Line], stated: Sequence[Dependency], bumped: set[object]) -> Iterator[Line]:
    """Yield the lines that state something without a bump of it; in locks, digests are near their version."""
    starts = [entry.line for entry in stated]
    is_whole = is_read_whole(path)
    is_near = is_lock_name(PurePosixPath(path).name)
    for line in lines:
        begin, end = bisect_left(starts, line.number), bisect_right(starts, line.number)
        about = stated[begin:end]
        states = bool(about) or (bool(is_whole or _STATES.search(line.text)) and not _SILENT.match(line.text))
        if not about and (is_near or "--hash" in line.text):
            about = [entry for entry in stated[max(begin - 1, 0) : begin + 1] if key_of(entry) in bumped]
        if states and not (about and all(key_of(entry) in bumped for entry in about)):
            yield line


def _bare(line: Line) -> str:
    return re.sub(r"[\s\"',;]", "", line.text)
