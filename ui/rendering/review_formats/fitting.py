"""Blocks of Markdown cut to a length: every block gets a fair share, every item before any quote."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

LEFT_OUT = "`relnotes review --format json` has them all."
_OF_A_CUT = 80
"""Characters that a line takes which says what was left out."""


@dataclass(frozen=True, slots=True)
class ItemText:
    """One item, without and with its quote; both end in a line end."""

    short: str
    long: str


@dataclass(frozen=True, slots=True)
class ItemGroup:
    """Items of one kind."""

    heading: str
    """Empty for none."""
    pieces: tuple[ItemText, ...]
    first: int = 0
    """How many of them go before the items of other sections."""


@dataclass(frozen=True, slots=True)
class Fold:
    """What opens on a click: the sections between two texts."""

    opening: str
    sections: tuple[ItemGroup, ...]
    closing: str

    @property
    def least(self) -> int:
        """Characters where no item is shown."""
        headings = sum(len(section.heading) + _OF_A_CUT for section in self.sections)
        return len(self.opening) + len(self.closing) + headings + _OF_A_CUT

    @property
    def most(self) -> int:
        """Characters where all is shown."""
        return self.least + sum(len(piece.long) for section in self.sections for piece in section.pieces)


def fit_blocks(blocks: Sequence[Fold], max_characters: int) -> str:
    """The blocks within a length; where not even their bare frames fit, those that do, and how many don't."""
    kept: list[Fold] = []
    left = max_characters - _OF_A_CUT
    for block in blocks:
        if block.least > left:
            break
        kept.append(block)
        left -= block.least
    text = "".join(_render(block, share) for block, share in zip(kept, _shares(kept, left), strict=True))
    more = len(blocks) - len(kept)
    return f"{text}{more} more: {LEFT_OUT}\n" if more else text


def _shares(blocks: Sequence[Fold], characters: int) -> list[int]:
    """Characters for the items of each block: what a short one leaves goes to the others."""
    wishes = [block.most - block.least for block in blocks]
    shares = [0] * len(blocks)
    for rank, n in enumerate(sorted(range(len(blocks)), key=wishes.__getitem__)):
        shares[n] = min(wishes[n], characters // (len(blocks) - rank))
        characters -= shares[n]
    return shares


def _render(block: Fold, characters: int) -> str:
    shown: dict[tuple[int, int], str] = {}
    order = list(_in_turn(block.sections))
    for place, piece in order:
        if len(piece.short) <= characters:
            shown[place] = piece.short
            characters -= len(piece.short)
    for place, piece in order:
        if place in shown and len(piece.long) - len(piece.short) <= characters:
            characters -= len(piece.long) - len(piece.short)
            shown[place] = piece.long
    lines = [block.opening]
    for number, section in enumerate(block.sections):
        texts = [shown[number, n] for n in range(len(section.pieces)) if (number, n) in shown]
        lines += [section.heading, *texts]
        if more := len(section.pieces) - len(texts):
            lines.append(f"- and {more} more\n\n")
    if len(shown) < len(order):
        lines.append(f"{len(order) - len(shown)} left out: {LEFT_OUT}\n\n")
    return "".join((*lines, block.closing))


def _in_turn(sections: Sequence[ItemGroup]) -> Iterator[tuple[tuple[int, int], ItemText]]:
    """The pieces with their places: what goes first of each section, then one of each section at a time."""
    rows = [[((number, n), piece) for n, piece in enumerate(one.pieces)] for number, one in enumerate(sections)]
    firsts = [section.first for section in sections]
    for row, first in zip(rows, firsts, strict=True):
        yield from row[:first]
    behind = [row[first:] for row, first in zip(rows, firsts, strict=True)]
    for n in range(max(map(len, behind), default=0)):
        yield from (row[n] for row in behind if n < len(row))
