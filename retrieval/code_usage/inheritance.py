"""What a class of the code inherits: a name reached through it is one of the classes it extends."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace

from retrieval.code_usage.model import Mention, Origin, OwnClass

_DEEPEST = 6
_MOST_NAMESAKES = 4
_Path = tuple[str, ...]
_Places = list[tuple[int, int]]


def with_inherited(places: Mapping[Mention, _Places], classes: Iterable[OwnClass]) -> dict[Mention, _Places]:
    """`places`, and for each name that goes through a class of the code the same name of the classes it extends."""
    by_name: dict[str, list[OwnClass]] = {}
    for own in classes:
        by_name.setdefault(own.path[-1], []).append(own)
    told = {mention: list(where) for mention, where in places.items()}
    if not any(own.bases for each in by_name.values() for own in each):
        return told
    for mention, where in places.items():
        for inherited in _inherited(mention, by_name):
            told.setdefault(inherited, []).extend(where)
    return told


def _inherited(mention: Mention, by_name: Mapping[str, list[OwnClass]]) -> Iterator[Mention]:
    seen: set[_Path] = set()
    waiting = [(mention.path, 0)]
    while waiting:
        path, depth = waiting.pop()
        if depth == _DEEPEST:
            continue
        for at, base in _bases(path, by_name):
            longer = (*base, *path[at + 1 :])
            behind = len(path) - at - 1
            if longer in seen or not behind:
                continue
            seen.add(longer)
            yield replace(mention, path=longer, origin=Origin.DERIVED, written=min(mention.written, behind))
            waiting.append((longer, depth + 1))


def _bases(path: _Path, by_name: Mapping[str, list[OwnClass]]) -> Iterator[tuple[int, _Path]]:
    """Where in `path` a class of the code stands, with each class that it extends."""
    for at, part in enumerate(path):
        namesakes = by_name.get(part, ())
        if len(namesakes) > _MOST_NAMESAKES:
            continue
        for own in namesakes:
            if _is_called(path[: at + 1], own.path):
                for base in own.bases:
                    yield at, base


def _is_called(path: _Path, own: _Path) -> bool:
    """Whether an imported path leads to the class: folders above the import root stand in the file's path only."""
    if path == own[-len(path) :]:
        return True
    # A package passes on the classes of its modules.
    return len(path) > 1 and path[0] in own[:-1]
