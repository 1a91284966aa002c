"""Bumps in a diff: dependencies whose version differs between the old and the new side."""

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
"""The dependencies in a file before and after, as far as a diff shows them, by line."""


def find_bumps(files: Iterable[Sides]) -> tuple[Bump, ...]:
    """Return the dependencies whose version a diff changes, adds or removes, in its order.

    A change repeated on several lines of a file is one bump; a manifest and its lock have one each. Lines that are
    moved, requoted or regrouped aren't bumps, nor is `4.2` rewritten as `4.2.0`.
    """
    bumps: dict[tuple[_Key, str | None, str | None, str], Bump] = {}
    for before, after in chain.from_iterable(map(_file_changes, files)):
        known = after or before
        if known is None or _parsed(before) == _parsed(after):
            continue
        old, new = before.version if before else None, after.version if after else None
        bump = Bump(known.name, known.ecosystem, old, new, known.file, known.line)
        bumps.setdefault((key_of(known), old, new, known.file), bump)
    return tuple(bumps.values())


def read_sides(diff: Diff) -> list[Sides]:
    """Return the dependencies on both sides of each file of a diff, in order; none of other kinds of files."""

    def stated(path: str | None, other: str | None, lines: Sequence[Line]) -> Sequence[Dependency]:
        # `requirements.txt.orig`, renamed to `requirements.txt`, is read as the latter.
        return read_dependencies((path if is_dependency_file(path) else other) or path, lines) if path else ()

    files = ((file, file.path_before, file.path_after) for file in diff.files)
    return [(stated(old, new, file.before), stated(new, old, file.after)) for file, old, new in files]


def _file_changes(sides: Sides) -> list[_Change]:
    """Return the changed entries of one file as (old, new) pairs of one name, by line; None on a missing side."""
    named: tuple[defaultdict[_Key, list[Dependency]], ...] = (defaultdict(list), defaultdict(list))
    for entries, side in zip(named, sides, strict=True):
        for entry in side:
            entries[key_of(entry)].append(entry)
    before, after = named
    changes = [change for key in {**before, **after} for change in _pairs(before.get(key, []), after.get(key, []))]
    return sorted(changes, key=lambda change: next((entry.line for entry in reversed(change) if entry), 0))


def _pairs(before: Sequence[Dependency], after: Sequence[Dependency]) -> Iterator[_Change]:
    """Yield the changed entries of one name as pairs: unchanged versions are dropped, the same major paired first."""
    _, old, new = _pair_by(before, after, _parsed)
    same_major, old, new = _pair_by(old, new, lambda entry: (version := _parsed(entry)) and version.release[0])
    others, old, new = _pair_by(old, new, lambda _: None)
    yield from (changed := [*same_major, *others])
    if not after:
        yield from ((entry, None) for entry in old)
    # Locks list each installed copy of a package: one more or less of a known version isn't a change.
    known = set(map(_parsed, (*before, *(entry for _, entry in changed))))
    yield from ((None, entry) for entry in new if _parsed(entry) not in known)


def _pair_by(
    old: Sequence[Dependency], new: Sequence[Dependency], key: Callable[[Dependency], object]
) -> tuple[list[tuple[Dependency, Dependency]], list[Dependency], list[Dependency]]:
    """Return pairs of old and new entries with equal keys, in order; then the unpaired old ones, then the new ones."""
    queues: defaultdict[object, deque[Dependency]] = defaultdict(deque)
    for entry in new:
        queues[key(entry)].append(entry)
    pairs = [(entry, queues[key(entry)].popleft()) if queues[key(entry)] else (entry, None) for entry in old]
    left = sorted(chain.from_iterable(queues.values()), key=lambda entry: entry.line)
    return [(was, now) for was, now in pairs if now], [was for was, now in pairs if not now], left


def key_of(entry: Dependency | Bump) -> _Key:
    """Return (ecosystem, normalised name): PyPI by PEP 503, others in lower case, Go paths without a final major."""
    if entry.ecosystem is Ecosystem.PYPI:
        return entry.ecosystem, canonicalize_name(entry.name)
    name = GO_MAJOR.sub("", entry.name) if entry.ecosystem is Ecosystem.GO else entry.name
    return entry.ecosystem, name.lower()


def _parsed(entry: Dependency | None) -> Version | None:
    return Version.try_parse(entry.version) if entry and entry.version else None
