"""From a diff to bumps: which dependencies have another version on the new side than on the old one."""

from collections import defaultdict, deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import chain

from packaging.utils import canonicalize_name

from corpus.dependencies.dependency_files import is_dependency_file, read_dependencies
from corpus.dependencies.languages import GO_MAJOR
from corpus.dependencies.model import Dependency, Ecosystem, Line
from corpus.versions import Version
from retrieval.reviews.diff import Diff
from retrieval.reviews.model import Bump

_Key = tuple[Ecosystem, str]
_Change = tuple[Dependency | None, Dependency | None]
Sides = tuple[Sequence[Dependency], Sequence[Dependency]]
"""What a file states before and after, as far as a diff shows it, by line."""


def find_bumps(files: Iterable[Sides]) -> tuple[Bump, ...]:
    """Return the dependencies whose version the files of a diff change, add or remove, in their order.

    A file tells one change of a dependency once, however many of its lines repeat it; a manifest and its lock each
    tell theirs. What is removed from one file and added to another is one bump, and none where the version stays.
    Lines that are moved, requoted or regrouped aren't bumps, nor is `4.2` written as `4.2.0`.
    """
    changes = [change for sides in files for change in _file_changes(sides)]
    removed = {key_of(before): before for before, after in changes if before and not after}
    added = {key_of(after) for before, after in changes if after and not before}
    bumps: dict[tuple[_Key, str | None, str | None, str], Bump] = {}
    for before, after in changes:
        known = after or before
        if known is None or (after is None and key_of(known) in added):
            continue
        start = before or removed.get(key_of(known))
        if _parsed(start) == _parsed(after):
            continue
        old, new = start.version if start else None, after.version if after else None
        bump = Bump(known.name, known.ecosystem, old, new, known.file, known.line)
        bumps.setdefault((key_of(known), old, new, known.file), bump)
    return tuple(bumps.values())


def read_sides(diff: Diff) -> list[Sides]:
    """Return what each file of a diff states."""

    def stated(path: str | None, other: str | None, lines: Sequence[Line]) -> Sequence[Dependency]:
        # `requirements.txt.orig` is read as what it became.
        return read_dependencies((path if is_dependency_file(path) else other) or path, lines) if path else ()

    files = ((one, one.path_before, one.path_after) for one in diff.files)
    return [(stated(old, new, one.before), stated(new, old, one.after)) for one, old, new in files]


def _file_changes(sides: Sides) -> list[_Change]:
    """Old and new entries of one file, paired by name, but for what stays as it is; by line."""
    named: tuple[defaultdict[_Key, list[Dependency]], ...] = (defaultdict(list), defaultdict(list))
    for entries, side in zip(named, sides, strict=True):
        for entry in side:
            entries[key_of(entry)].append(entry)
    before, after = named
    changes = [change for key in {**before, **after} for change in _pairs(before.get(key, []), after.get(key, []))]
    return sorted(changes, key=lambda change: next((entry.line for entry in reversed(change) if entry), 0))


def _pairs(before: Sequence[Dependency], after: Sequence[Dependency]) -> Iterator[_Change]:
    """Yield the entries of one name that changed: what stays is left out, and a major version goes on in its own."""
    _, old, new = _matched(before, after, _parsed)
    alike, old, new = _matched(old, new, lambda entry: (version := _parsed(entry)) and version.release[0])
    others, old, new = _matched(old, new, lambda _: None)
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


def key_of(entry: Dependency | Bump) -> _Key:
    """Names as the ecosystem compares them: PyPI's by PEP 503, all others without regard to case; a path of Go without
    the major version that it ends in."""
    if entry.ecosystem is Ecosystem.PYPI:
        return entry.ecosystem, canonicalize_name(entry.name)
    name = GO_MAJOR.sub("", entry.name) if entry.ecosystem is Ecosystem.GO else entry.name
    return entry.ecosystem, name.lower()


def _parsed(entry: Dependency | None) -> Version | None:
    return Version.try_parse(entry.version) if entry and entry.version else None
