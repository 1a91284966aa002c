"""From a diff to bumps: which dependencies have another version on the new side than on the old one."""

import re
from collections import defaultdict, deque
from collections.abc import Callable, Iterator, Sequence
from itertools import chain
from pathlib import PurePosixPath
from typing import NamedTuple

from packaging.utils import canonicalize_name

from corpus.dependencies.dependency_files import is_dependency_file, read_dependencies
from corpus.dependencies.languages import GO_MAJOR
from corpus.dependencies.model import Dependency, Ecosystem
from corpus.versions import Version
from retrieval.reviews.diff import Diff, FileDiff
from retrieval.reviews.model import Bump, Unknown
from retrieval.reviews.products import is_lock_name

_LONG = re.compile(r"[A-Za-z0-9+/=]{24,}")
_SHOWN_DIGITS, _SHOWN_CHARACTERS = 12, 80
_Key = tuple[Ecosystem, str]
_Change = tuple[Dependency | None, Dependency | None]


class Changes(NamedTuple):
    """What a diff does to dependencies."""

    bumps: tuple[Bump, ...]  # Those whose version it changes, adds or removes, in its order.
    moved: tuple[Unknown, ...]
    """What is asked for otherwise without another version, a commit, a digest, a branch, another bound, and what comes
    or goes without a version; the digests of one lock together."""


def find_changes(diff: Diff) -> Changes:
    """Return every dependency that the diff changes.

    A file tells one change of a dependency once, however many of its lines repeat it; a manifest and its lock each
    tell theirs. What is removed from one file and added to another is one bump, and none where the version stays.
    Lines that are moved, requoted or regrouped aren't bumps, nor is `4.2` written as `4.2.0`.
    """
    changes = [change for file in diff.files for change in _file_changes(file)]
    removed = {_key(before): before for before, after in changes if before and not after}
    added = {_key(after) for before, after in changes if after and not before}
    bumps: dict[tuple[_Key, str | None, str | None, str], Bump] = {}
    moved: list[tuple[Dependency | None, Dependency | None]] = []
    for before, after in changes:
        known = after or before
        if known is None or (after is None and _key(known) in added):
            continue
        start = before or removed.get(_key(known))
        if _parsed(start) == _parsed(after):
            # A dependency that moves to another file keeps its version; only its spelling changes.
            moved += [(before, after)] if start is before else []
            continue
        old, new = start.version if start else None, after.version if after else None
        bump = Bump(known.name, known.ecosystem, old, new, known.file, known.line)
        bumps.setdefault((_key(known), old, new, known.file), bump)
    return Changes(tuple(bumps.values()), _without_range(moved))


def _without_range(moved: Sequence[_Change]) -> tuple[Unknown, ...]:
    pins: list[Unknown] = []
    locked: defaultdict[str, dict[str, int]] = defaultdict(dict)
    for before, after in moved:
        (known,) = filter(None, [after or before])
        place = f"{known.file}:{known.line}"
        beside = f"the version beside it stays {known.version}" if known.version else "no version is stated"
        if not (before and after):
            what = f"{'Added' if after else 'Removed'} ({place})"
        elif known.version and is_lock_name(PurePosixPath(known.file).name):
            locked[known.file].setdefault(f"{known.name} {known.version}", known.line)
            continue
        else:
            what = f"What is pinned changes, {_own_pin(before, after)} → {_own_pin(after, before)} ({place})"
        pins.append(Unknown(known.name, f"{what}, and {beside}. There is no range to look up."))
    for path, entries in locked.items():
        first, *others = entries
        more = f" and {len(others)} more" if others else ""
        pins.append(Unknown(path, f"The digests of {first}{more} change (line {entries[first]}), the versions don't."))
    return tuple(pins)


def _own_pin(one: Dependency, other: Dependency) -> str:
    """Return what one asks for and the other doesn't, in short."""
    words = [word for word in one.pin.split() if word not in other.pin.split()] or ["nothing"]
    short = _LONG.sub(lambda found: f"{found[0][:_SHOWN_DIGITS]}…", words[0])
    return short if len(short) <= _SHOWN_CHARACTERS else f"{short[:_SHOWN_CHARACTERS]}…"


def _file_changes(file: FileDiff) -> list[_Change]:
    """Old and new entries of one file, paired by name, but for what stays as it is; by line."""
    sides = (file.path_before, file.path_after, file.before), (file.path_after, file.path_before, file.after)
    named: tuple[defaultdict[_Key, list[Dependency]], ...] = (defaultdict(list), defaultdict(list))
    for entries, (path, other, lines) in zip(named, sides, strict=True):
        # `requirements.txt.orig` is read as what it became.
        name = path if path and is_dependency_file(path) else other
        for entry in read_dependencies(name, lines) if path and name else ():
            entries[_key(entry)].append(entry)
    before, after = named
    changes = [change for key in {**before, **after} for change in _pairs(before.get(key, []), after.get(key, []))]
    return sorted(changes, key=lambda change: next((entry.line for entry in reversed(change) if entry), 0))


def _pairs(before: Sequence[Dependency], after: Sequence[Dependency]) -> Iterator[_Change]:
    """Yield the entries of one name that changed: what stays is left out, and a major version goes on in its own. Those
    of one version, or of none, are a change where they are pinned otherwise."""
    _, old, new = _matched(before, after, lambda entry: (_parsed(entry), entry.beside))
    pinned, old, new = _matched(old, new, _parsed)
    alike, old, new = _matched(old, new, lambda entry: (version := _parsed(entry)) and version.release[0])
    others, old, new = _matched(old, new, lambda _: None)
    yield from pinned
    yield from (changed := [*alike, *others])
    if not after:
        yield from ((each, None) for each in old)
    # Locks list a package as often as it is installed: one copy more or less of a known version is no change.
    known = set(map(_parsed, (*before, *(each for _, each in changed))))
    yield from ((None, each) for each in new if _parsed(each) not in known)


def _matched(
    old: Sequence[Dependency], new: Sequence[Dependency], key: Callable[[Dependency], object]
) -> tuple[list[tuple[Dependency, Dependency]], list[Dependency], list[Dependency]]:
    """Pairs of entries of one key, in order; then what is left of both."""
    waiting: defaultdict[object, deque[Dependency]] = defaultdict(deque)
    for each in new:
        waiting[key(each)].append(each)
    pairs = [(each, waiting[key(each)].popleft()) if waiting[key(each)] else (each, None) for each in old]
    left = sorted(chain.from_iterable(waiting.values()), key=lambda each: each.line)
    return [(one, other) for one, other in pairs if other], [one for one, other in pairs if not other], left


def _key(entry: Dependency) -> _Key:
    """Names as the ecosystem compares them: PyPI's by PEP 503, all others without regard to case; a path of Go without
    the major version that it ends in."""
    if entry.ecosystem is Ecosystem.PYPI:
        return entry.ecosystem, canonicalize_name(entry.name)
    name = GO_MAJOR.sub("", entry.name) if entry.ecosystem is Ecosystem.GO else entry.name
    return entry.ecosystem, name.lower()


def _parsed(entry: Dependency | None) -> Version | None:
    return Version.try_parse(entry.version) if entry and entry.version else None
