"""Parts of a file: a diff shows some lines and leaves others out."""

from collections.abc import Iterator, Sequence

from corpus.dependencies.model import Line


def split_parts(lines: Sequence[Line]) -> Iterator[tuple[Line, ...]]:
    """Runs of lines that follow one another without a gap."""
    start = 0
    for at in range(1, len(lines) + 1):
        if at == len(lines) or lines[at].number != lines[at - 1].number + 1:
            yield tuple(lines[start:at])
            start = at
