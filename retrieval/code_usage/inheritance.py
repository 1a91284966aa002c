"""What a class of the code inherits: a name reached through it is one of the classes it extends."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from retrieval.code_usage.model import Mention, Origin, OwnClass

_DEEPEST = 6
_MOST_NAMESAKES = 4
_Path = tuple[str, ...]
_Places = list[tuple[int, int]]


def with_inherited(places: Mapping[Mention, _Places], classes: Iterable[OwnClass]) -> dict[Mention, _Places]:
    """`places`, and for each name that goes through a class of the code the same name of the classes it extends."""
    by_name: defaultdict[str, list[OwnClass]] = defaultdict(list)
    for own in classes:
        by_name[own.path[-1]].append(own)
    extended = {mention: list(where) for mention, where in places.items()}
    for mention, where in places.items():
        for path, behind in _inherited(mention.path, by_name).items():
            inherited = replace(mention, path=path, origin=Origin.DERIVED, written=min(mention.written, behind))
            extended.setdefault(inherited, []).extend(where)
    return extended


def _inherited(path: _Path, by_name: Mapping[str, Sequence[OwnClass]]) -> dict[_Path, int]:
    """The paths that `path` stands for besides, each with the number of its parts behind the class."""
    found: dict[_Path, int] = {}
    waiting = [(path, 0)]
    while waiting:
        path, depth = waiting.pop()
        for at, part in enumerate(path[:-1] if depth < _DEEPEST else ()):
            namesakes = by_name.get(part, ())
            for own in namesakes if len(namesakes) <= _MOST_NAMESAKES else ():
                for base in own.bases if _is_called(path[: at + 1], own.path) else ():
                    inherited = (*base, *path[at + 1 :])
                    if inherited not in found:
                        found[inherited] = len(path) - at - 1
                        waiting.append((inherited, depth + 1))
    return found


def _is_called(path: _Path, own: _Path) -> bool:
    """Whether an imported path leads to the class: folders above the import root stand in the file's path only, and a
    package passes on the classes of its modules."""
    return path == own[-len(path) :] or (len(path) > 1 and path[0] in own[:-1])
