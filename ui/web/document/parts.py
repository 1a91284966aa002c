"""A long document in parts, cut where passages begin, so that a browser lays out no more than a part."""

from bisect import bisect_right
from collections.abc import Sequence

from corpus.model import Span

PART_CHARACTERS = 100_000


def split_parts(length: int, passages: Sequence[Span], *, size: int = PART_CHARACTERS) -> tuple[Span, ...]:
    """Cut `[0, length)` into ranges of at most `size`, at the last of the `passages` (in order) that begins inside.

    Where none begins inside, the cut is at `size`. There is always one part, if only an empty one.
    """
    bounds = [passage.start for passage in passages]
    parts: list[Span] = []
    start = 0
    while length - start > size:
        at = bisect_right(bounds, start + size) - 1
        end = bounds[at] if at >= 0 and bounds[at] > start else start + size
        parts.append(Span(start, end))
        start = end
    return (*parts, Span(start, length))


def part_holding(parts: Sequence[Span], offset: int) -> int:
    """The position of the part that holds the character at `offset`."""
    return max(0, bisect_right([part.start for part in parts], offset) - 1)
