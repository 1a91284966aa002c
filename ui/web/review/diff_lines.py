"""The lines of a diff that a finding is about."""

from dataclasses import dataclass

from corpus.dependencies.model import Line
from retrieval.reviews.diff import Diff, FileDiff


@dataclass(frozen=True, slots=True)
class ShownLines:
    """What a diff takes away and puts in its place; either may be missing."""

    removed: Line | None
    added: Line | None


def lines_at(diff: Diff, file: str, number: int, *, naming: str) -> ShownLines:
    """The line of `file` with that number, added or removed, and what it replaces.

    A number alone doesn't tell the side: of both, the one that holds `naming` is meant. What is replaced is the removed
    line that is most like the added one by its first word.
    """
    added = _find([line for one in _files(diff, file) for line in one.added], number, naming)
    removed = _find([line for one in _files(diff, file) for line in one.removed], number, naming)
    if added is not None and (removed is None or naming in added.text):
        return ShownLines(_replaced(diff, file, added), added)
    return ShownLines(removed, None)


def _files(diff: Diff, file: str) -> tuple[FileDiff, ...]:
    return tuple(one for one in diff.files if file in (one.path_after, one.path_before))


def _find(lines: list[Line], number: int, naming: str) -> Line | None:
    found = [line for line in lines if line.number == number]
    return next((line for line in found if naming in line.text), found[0] if found else None)


def _replaced(diff: Diff, file: str, added: Line) -> Line | None:
    """The removed line that begins as `added` does, longest first: `django==4.1` before `django==4.2`."""
    removed = [line for one in _files(diff, file) for line in one.removed]
    ranked = sorted(removed, key=lambda line: -_common(line.text.strip(), added.text.strip()))
    alike = _common(ranked[0].text.strip(), added.text.strip()) if ranked else 0
    return ranked[0] if alike >= 3 else None


def _common(one: str, other: str) -> int:
    return next((n for n, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), min(len(one), len(other)))
