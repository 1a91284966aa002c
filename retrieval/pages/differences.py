"""What differs between the same page of two releases: lines matched by their section and their likeness."""

import threading
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from enum import Enum, auto
from pathlib import PurePosixPath
from weakref import WeakKeyDictionary

import numpy as np
from numpy.typing import NDArray

from corpus.catalogue import CatalogueProduct
from corpus.index.reader import IndexReader
from corpus.lexicon import split_tokens
from corpus.versions import Version
from retrieval.pages.lines import ALIKE, PageLine, PagePair, pair_pages

_REWRITTEN = 0.2
"""What is left over in one section is still the same line where it shares this much."""
_MOVED = 0.8
_COPIED = 0.6
"""The share of its lines, the same or changed, that a page has in common with the same page of another release: of 12
pairs of made-up pages of documentation the least has .88; the bundled digests of two releases of NumPy, taken for one
page, have .32."""


class Edit(Enum):
    SAME = auto()
    CHANGED = auto()
    ADDED = auto()
    REMOVED = auto()


@dataclass(frozen=True, slots=True)
class LineDifference:
    """One line of a page in both releases; `before` or `after` is None where only the other has it.

    A section that only one of them has is one difference: its heading, with the lines below it in `below`.
    """

    change: Edit
    before: PageLine | None
    after: PageLine | None
    below: tuple[PageLine, ...] = ()

    @property
    def lines(self) -> tuple[PageLine, ...]:
        """The line in each release that has it, the older first."""
        return tuple(line for line in (self.before, self.after) if line is not None)

    @property
    def is_code(self) -> bool:
        """Whether it is of blocks of code alone."""
        return all(line.is_code for line in self.lines)


@dataclass(frozen=True, slots=True)
class ComparedPage:
    """A page of two releases with all its lines matched."""

    pair: PagePair
    differences: tuple[LineDifference, ...]

    @property
    def copied(self) -> float:
        """The share of lines, headings aside, that the shorter one has in common; notes on two releases have few."""
        same = sum(one.change in (Edit.SAME, Edit.CHANGED) and not one.lines[0].is_heading for one in self.differences)
        told = (sum(not line.is_heading for line in side) for side in (self.pair.before, self.pair.after))
        return same / max(1, min(told))

    @property
    def name(self) -> frozenset[str]:
        """The tokens that a question may call the page by: of its place and its title."""
        document = self.pair.after[0].passage.document
        return frozenset(split_tokens(f"{PurePosixPath(document.source).stem} {document.title}"))


_CompareKey = tuple[str, Version, Version]
_COMPARED: "WeakKeyDictionary[IndexReader, dict[_CompareKey, tuple[ComparedPage, ...]]]" = WeakKeyDictionary()
_COMPARED_LOCK = threading.Lock()
_KEPT = 8


def compared_pages(
    index: IndexReader, product: CatalogueProduct, before: Version, after: Version
) -> tuple[ComparedPage, ...]:
    """The pages that two releases of a product have in common, compared; kept for the next questions about them."""
    key = (product.name, before, after)
    with _COMPARED_LOCK:
        kept = _COMPARED.setdefault(index, {})
        if key in kept:
            return kept[key]
    # Outside the lock: two threads may compare the same pages once each, but neither waits for the other.
    compared = (ComparedPage(pair, compare_pages(pair)) for pair in pair_pages(index, product, before, after))
    pages = tuple(page for page in compared if page.copied >= _COPIED)
    with _COMPARED_LOCK:
        while len(kept) >= _KEPT:
            del kept[next(iter(kept))]
        kept[key] = pages
    return pages


def compare_pages(pair: PagePair) -> tuple[LineDifference, ...]:
    """Match every line of both pages, in the order of the newer page, then what only the older one has."""
    before, after = dict.fromkeys(pair.before), dict.fromkeys(pair.after)
    found: list[LineDifference] = []

    def match(change: Edit, old: PageLine, new: PageLine) -> None:
        if old in before and new in after:
            del before[old], after[new]
            found.append(LineDifference(change, old, new))

    for by_section in (True, False):
        for says in (_words, _unversioned):
            for old, new in _twins(tuple(before), tuple(after), says, by_section=by_section):
                match(Edit.SAME, old, new)
    for least in (ALIKE, _REWRITTEN):
        for old, new in _likest(tuple(before), tuple(after), least=least):
            match(Edit.CHANGED, old, new)
            if not before or not after:
                break
    found += _alone(tuple(after), others=pair.before, change=Edit.ADDED)
    found += _alone(tuple(before), others=pair.after, change=Edit.REMOVED)
    return tuple(found)


def _words(line: PageLine) -> str:
    return line.words


def _unversioned(line: PageLine) -> str:
    return line.unversioned


def _twins(
    before: Sequence[PageLine], after: Sequence[PageLine], says: Callable[[PageLine], str], *, by_section: bool
) -> Iterator[tuple[PageLine, PageLine]]:
    """Lines with the same words, in order; `by_section`: and under the same headings."""

    def key(line: PageLine) -> tuple[object, ...]:
        return (says(line), line.is_heading, line.section if by_section else ())

    waiting: dict[tuple[object, ...], list[PageLine]] = {}
    for line in reversed(before):
        waiting.setdefault(key(line), []).append(line)
    for line in after:
        if twins := waiting.get(key(line)):
            yield twins.pop(), line


def _likest(
    before: Sequence[PageLine], after: Sequence[PageLine], *, least: float
) -> Iterator[tuple[PageLine, PageLine]]:
    """The pairs of lines that may be one line that changed, the likest first.

    Two long pages have millions of pairs, so that the words they share are counted in arrays.
    """
    if not before or not after:
        return
    holding: dict[str, list[int]] = {}
    for i, line in enumerate(before):
        for token in line.tokens:
            holding.setdefault(token, []).append(i)
    lines_with = {token: np.array(places) for token, places in holding.items()}
    sections = {section: code for code, section in enumerate(dict.fromkeys(line.section for line in (*before, *after)))}
    section_of = np.array([sections[line.section] for line in before])
    is_heading = np.array([line.is_heading for line in before])
    lengths = np.array([len(line.tokens) for line in before])
    olds: list[NDArray[np.int64]] = []
    scores: list[NDArray[np.float64]] = []
    for line in after:
        shared = np.zeros(len(before))
        for token in line.tokens & lines_with.keys():
            shared[lines_with[token]] += 1
        alike = 2 * shared / np.maximum(lengths + len(line.tokens), 1)
        enough = np.where(section_of == sections[line.section], least, _MOVED)
        olds.append(np.flatnonzero((alike >= enough) & (is_heading == line.is_heading)))
        scores.append(alike[olds[-1]])
    news = np.repeat(np.arange(len(after)), [len(places) for places in olds])
    old, score = np.concatenate(olds), np.concatenate(scores)
    for place in np.argsort(-score, kind="stable").tolist():
        yield before[old[place]], after[news[place]]


def _alone(lines: Sequence[PageLine], *, others: Sequence[PageLine], change: Edit) -> Iterator[LineDifference]:
    known = {line.section[: n + 1] for line in others for n in range(len(line.section))}
    sections: dict[tuple[str, ...], list[PageLine]] = {}
    for line in lines:
        outer = (line.section[: n + 1] for n in range(len(line.section)))
        new = next((section for section in outer if section not in known), None)
        if new is None:
            yield _one_sided(line, (), change)
        else:
            sections.setdefault(new, []).append(line)
    for first, *below in sections.values():
        yield _one_sided(first, tuple(below), change)


def _one_sided(line: PageLine, below: tuple[PageLine, ...], change: Edit) -> LineDifference:
    is_new = change is Edit.ADDED
    return LineDifference(change, None if is_new else line, line if is_new else None, below)
