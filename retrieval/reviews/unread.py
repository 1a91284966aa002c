"""The parts of a diff that aren't looked up, reported so that silence isn't taken for "no change": changed lines of
dependency files that no bump explains, and changes that the diff doesn't show."""

import re
from bisect import bisect_left, bisect_right
from collections import defaultdict
from collections.abc import Collection, Iterator, Sequence
from pathlib import PurePosixPath

from corpus.dependencies.dependency_files import MAX_LINE_CHARACTERS, is_dependency_file, is_read_whole
from corpus.dependencies.model import Dependency, Line, split_parts
from retrieval.reviews.bumps import Sides, key_of
from retrieval.reviews.diff import Diff
from retrieval.reviews.model import Bump, Unknown
from retrieval.reviews.products import is_lock_name

_HIDDEN = "the diff doesn't show its lines, so give the output of `git diff --text`"
_BROKEN = re.compile(r"\0|\A(?:<{7}|>{7}|\|{7})(?: |\Z)")  # Binary data, or a mark of a merge conflict.
_NO_READER = re.compile(
    r"(?:.*/)?(?:mix\.(?:exs|lock)|build\.sbt|package\.swift|cmakelists\.txt|conanfile\.(?:py|txt)|podfile|global\.json"
    r"|[^/]+\.(?:lock|tf|hcl|wrap))",
    re.IGNORECASE,
)
"""Paths of dependency files that aren't read."""
_STATES = re.compile(
    r"version|\A(?=.*[a-z]{2}).*(?:\bv[0-9]|[0-9]\.[0-9]+\.[0-9]|[\"'<>=~^@]\s*[0-9]+\.[0-9]|\b[0-9a-f]{40}|sha[0-9]+[:-]"
    r"|\bh1:)",
    re.IGNORECASE,
)
"""Matches a line that may state a version, commit or digest, in files that also contain other things."""
_OWN_VERSION = re.compile(
    r"(?:\s{0,2}|\t)[\"'@]?(?:app|file|schema)?[_-]?version[\"']?\s*[:=\s]|\s*<(?:assembly|file|package)?version>", re.I
)
"""A project's own version."""
_SILENT = re.compile(r"\W*\Z|\s*(?:#|//|<!--|;)(?!=)|.*(?:content[-_]hash|\"sha256\": )")
"""A line of punctuation, a comment, the digest of a whole lock."""
_DIGEST = re.compile(r"[0-9a-f]{40}|[A-Za-z0-9+/]{43,}=|sha[0-9]+[:-]")
_SUBMODULE = "Subproject commit "
_MAX_SHOWN_CHARACTERS, _MAX_PLACES = 60, 40


def find_hidden(diff: Diff) -> tuple[Unknown, ...]:
    """Return files whose hunks are miscounted, and dependency files whose changes are hidden or have broken lines."""
    hidden: list[Unknown] = []
    for file in diff.files:
        for line in file.miscounted:
            reason = f"line {line} of the diff counts other lines than stand below it, which were read: is it whole?"
            hidden.append(Unknown(file.path, reason))
        names = [path for path in (file.path_before, file.path_after) if path]
        bad = [line for line in file.added if len(line.text) > MAX_LINE_CHARACTERS or _BROKEN.search(line.text)]
        if not any(map(is_dependency_file, names)):
            continue
        if file.is_binary:
            hidden.append(Unknown(file.path, f"compared as binary: {_HIDDEN}"))
        elif not file.before and not file.after and len({*map(is_read_whole, names)}) == 2:
            hidden.append(Unknown(file.path, f"becomes a dependency file or ceases to be one: {_HIDDEN}"))
        elif bad:
            hidden.append(Unknown(file.path, f"line {bad[0].number} can't be read as one of such a file: mend it."))
    return tuple(hidden)


def find_unexplained(diff: Diff, files: Sequence[Sides], bumps: Sequence[Bump]) -> tuple[Unknown, ...]:
    """Return the dependency files with changed lines that none of the `bumps` explains, each once with its lines.

    Comments, moved or requoted lines, and a project's own version don't count. `files` are the dependencies of each.
    """
    stays = {_significant(line) for file in diff.files for line in file.removed}
    stays &= {_significant(line) for file in diff.files for line in file.added}
    bumped: defaultdict[str, set[object]] = defaultdict(set)
    for bump in bumps:
        bumped[bump.file].add(key_of(bump))
    unknown: dict[str, Unknown] = {}
    for file, stated in zip(diff.files, files, strict=True):
        sides = zip((file.path_before, file.path_after), (file.removed, file.added), stated, strict=True)
        removed, added = (
            [line for line in _unexplained(path, lines, entries, bumped[file.path]) if _significant(line) not in stays]
            for path, lines, entries in sides
        )
        if lines := added or removed:
            places = [*_line_ranges(added), *(f"before {run}" for run in _line_ranges(removed))]
            more = f" and {len(places) - _MAX_PLACES} more" if len(places) > _MAX_PLACES else ""
            text = lines[0].text.strip()[:_MAX_SHOWN_CHARACTERS]
            reason = f"not looked up, as no bump explains it: line {', '.join(places[:_MAX_PLACES])}{more} ({text})"
            unknown.setdefault(file.path, Unknown(file.path, reason))
    return tuple(unknown.values())


def _unexplained(
    path: str | None, lines: Sequence[Line], entries: Sequence[Dependency], bumped: Collection[object]
) -> Iterator[Line]:
    """Yield lines that state a dependency without a bump; `entries` are the side's, `bumped` the keys of bumps."""
    is_known = path is not None and (is_dependency_file(path) or _NO_READER.fullmatch(path))
    name = PurePosixPath((path or "").lower()).name
    starts = [entry.line for entry in entries]
    for line in lines:
        begin, end = bisect_left(starts, line.number), bisect_right(starts, line.number)
        about = entries[begin:end]
        if not is_known:
            states = line.text.startswith(_SUBMODULE)
        elif about:
            states = True
        elif is_lock_name(name) or "--hash" in line.text:
            # Digests come after the version they belong to; in Pipfile.lock before it.
            previous, following = entries[max(begin - 1, 0) : begin], entries[begin : begin + 1]
            owner = following if name == "pipfile.lock" else previous
            near = owner if _DIGEST.search(line.text) else [*previous, *following]
            about = [entry for entry in near if key_of(entry) in bumped]
            states = not _SILENT.match(line.text)
        else:
            is_own_version = _OWN_VERSION.match(line.text) and not name.endswith((".tf", ".hcl"))
            is_silent = is_own_version or _SILENT.match(line.text)
            states = not is_silent and bool(is_read_whole(path or "") or _STATES.search(line.text))
        if states and not (about and all(key_of(entry) in bumped for entry in about)):
            yield line


def _significant(line: Line) -> str:
    return re.sub(r"[\s\"',;]", "", line.text)


def _line_ranges(lines: Sequence[Line]) -> Iterator[str]:
    """Yield the lines' numbers in order, each run of consecutive ones as a range: "3", "5-7"."""
    for part in split_parts(lines):
        first, last = part[0].number, part[-1].number
        yield f"{first}" if first == last else f"{first}-{last}"
