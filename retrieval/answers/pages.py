"""Pages of documentation about one release as lines that can be compared (headings, entries, sentences, table rows),
and what differs between the same page of two releases: lines matched by their section and their likeness.
"""

import itertools
import re
import threading
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum, auto
from functools import partial
from pathlib import PurePosixPath
from weakref import WeakKeyDictionary

import numpy as np
from numpy.typing import NDArray

from corpus.catalogue import CatalogueProduct
from corpus.index.reader import IndexReader
from corpus.index.stored import DocumentSummary, StoredPassage
from corpus.lexicon import split_tokens
from corpus.model import Authority, Span
from corpus.plain_words import one_line
from corpus.versions import Version

_MIN_SHARED = 0.15
"""The share of the longer page's lines that must recur in the other for both to be one page of two releases. Chosen by
hand, never fitted."""
_MIN_ALIKE = 0.3
"""The same for lines that are put a little otherwise: in a short page a release may touch every line. Chosen by hand,
never fitted."""
_ALIKE = 0.5
"""Two lines of one section that share this much of their words (Dice) are one line that changed. Chosen by hand, never
fitted."""
_SHORT_PAGE = 80  # Chosen by hand, never fitted.

_VERSIONED = re.compile(r"(?<![A-Za-z0-9])v?\d+(?:[._]\d+)*(?:\.x)?(?![A-Za-z0-9])", re.IGNORECASE)
_ROW = re.compile(r"[^\r\n]+")
_RULE = re.compile(r"[\s|:=+-]*")
_ANNOUNCES = re.compile(r"announc|change-?log|release[-_ ]?notes|(?:^|/)release-v?\d", re.IGNORECASE)
"""Places of what tells one release's news, which isn't the same text in the next."""
_HEADING_MARK = re.compile(r" {0,3}(?:#{1,6}|={1,5})[ \t]+")
_UNDERLINE = re.compile(r"([=~^\"'*+#-])\1{2,}")
_CODE_MARKS = ("```", "~~~", ">>>", ".. code", "$ ")
_QUOTED_CHARACTERS = 700
_REWRITTEN = 0.2
"""What is left over in one section is still the same line where it shares this much. Chosen by hand, never fitted."""
_MOVED = 0.8  # Chosen by hand, never fitted.
_COPIED = 0.6
"""The share of its lines, the same or changed, that a page has in common with the same page of another release: of 12
pairs of made-up pages of documentation the least has .88; the bundled digests of two releases of NumPy, taken for one
page, have .32."""


@dataclass(frozen=True, slots=True, eq=False)
class PageLine:
    """The smallest part of a page that says something by itself, and may be quoted."""

    passage: StoredPassage
    span: Span
    section: tuple[str, ...]  # The headings above it below the page's title, as they are the same in every release.
    words: str  # On one line, without markup.
    unversioned: str  # The same without the release's own version.
    tokens: frozenset[str]
    context: frozenset[str]  # Of its page's title and its headings, without the arguments of signatures.
    vector: NDArray[np.float32]  # Of the item that it is part of, shape (dimensions,).
    is_heading: bool
    is_code: bool  # A block of code, as far as its fence or prompt shows.


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

    before: tuple[PageLine, ...]
    after: tuple[PageLine, ...]
    differences: tuple[LineDifference, ...]

    @property
    def copied(self) -> float:
        """The share of lines, headings aside, that the shorter one has in common; notes on two releases have few."""
        same = sum(one.change in (Edit.SAME, Edit.CHANGED) and not one.lines[0].is_heading for one in self.differences)
        told = (sum(not line.is_heading for line in side) for side in (self.before, self.after))
        return same / max(1, min(told))

    @property
    def name(self) -> frozenset[str]:
        """The tokens that a question may call the page by: of its place and its title."""
        document = self.after[0].passage.document
        return frozenset(split_tokens(f"{PurePosixPath(document.source).stem} {document.title}"))


_CompareKey = tuple[str, Version, Version]
_COMPARED: "WeakKeyDictionary[IndexReader, dict[_CompareKey, tuple[ComparedPage, ...]]]" = WeakKeyDictionary()
_COMPARED_LOCK = threading.Lock()
_KEPT = 8


def compared_pages(
    index: IndexReader, product: CatalogueProduct, before: Version, after: Version
) -> tuple[ComparedPage, ...]:
    """The pages that two releases of a product have in common, compared; kept for the next questions about them. None
    where their documents aren't pages of documentation."""
    key = (product.name, before, after)
    with _COMPARED_LOCK:
        kept = _COMPARED.setdefault(index, {})
        if key in kept:
            return kept[key]
    # Outside the lock: two threads may compare the same pages once each, but neither waits for the other.
    compared: list[ComparedPage] = []
    old, new = _pages(index, product, before), _pages(index, product, after)
    for source in sorted(old.keys() & new.keys()):
        sides = _lines(index, old[source], before), _lines(index, new[source], after)
        if is_one_page(*sides):
            compared.append(ComparedPage(*sides, compare_pages(*sides)))
    pages = tuple(page for page in compared if page.copied >= _COPIED)
    with _COMPARED_LOCK:
        while len(kept) >= _KEPT:
            del kept[next(iter(kept))]
        kept[key] = pages
    return pages


def page_lines(index: IndexReader, product: CatalogueProduct, release: Version, *, like: str) -> tuple[PageLine, ...]:
    """The lines of a release's page whose place differs from `like` by the version only; none where it has none."""
    passages = _pages(index, product, release).get(_VERSIONED.sub("", like), ())
    return _lines(index, passages, release) if passages else ()


def is_one_page(before: Sequence[PageLine], after: Sequence[PageLine]) -> bool:
    """Whether a good part of the longer page's lines recurs in the other: to the letter, or in a short page with nearly
    the same words under the same headings; of long ones some line always recurs."""
    old, new = ([line for line in lines if not line.is_heading] for lines in (before, after))
    old_words, new_words = {line.unversioned for line in old}, {line.unversioned for line in new}
    if not old_words or not new_words:
        return False
    longer = max(len(old_words), len(new_words))
    if len(old_words & new_words) >= _MIN_SHARED * longer:
        return True
    if max(len(before), len(after)) > _SHORT_PAGE:
        return False
    recurring = sum(
        any(other.section == line.section and likeness(other, line) >= _ALIKE for other in old) for line in new
    )
    return recurring >= _MIN_ALIKE * longer


def likeness(one: PageLine, other: PageLine) -> float:
    """The share of their words that two lines have in common, 0 to 1 (Dice's coefficient)."""
    return 2 * len(one.tokens & other.tokens) / (len(one.tokens) + len(other.tokens))


def compare_pages(before: Sequence[PageLine], after: Sequence[PageLine]) -> tuple[LineDifference, ...]:
    """Match every line of both pages, in the order of the newer page, then what only the older one has."""
    olds, news = dict.fromkeys(before), dict.fromkeys(after)
    found: list[LineDifference] = []

    def match(change: Edit, old: PageLine, new: PageLine) -> None:
        if old in olds and new in news:
            del olds[old], news[new]
            found.append(LineDifference(change, old, new))

    def written(line: PageLine, *, by_section: bool, is_versioned: bool) -> tuple[object, ...]:
        words = line.words if is_versioned else line.unversioned
        return words, line.is_heading, line.section if by_section else ()

    for by_section, is_versioned in itertools.product((True, False), repeat=2):
        says = partial(written, by_section=by_section, is_versioned=is_versioned)
        waiting: dict[tuple[object, ...], list[PageLine]] = {}
        for old in reversed(olds):
            waiting.setdefault(says(old), []).append(old)
        for new in tuple(news):
            if twins := waiting.get(says(new)):
                match(Edit.SAME, twins.pop(), new)
    for least in (_ALIKE, _REWRITTEN):
        for old, new in _likest(tuple(olds), tuple(news), least=least):
            match(Edit.CHANGED, old, new)
            if not olds or not news:
                break
    found += (LineDifference(Edit.ADDED, None, line, below) for line, below in _sections(news, others=before))
    found += (LineDifference(Edit.REMOVED, line, None, below) for line, below in _sections(olds, others=after))
    return tuple(found)


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


def _sections(
    lines: Iterable[PageLine], *, others: Sequence[PageLine]
) -> Iterator[tuple[PageLine, tuple[PageLine, ...]]]:
    """Lines alone, then the first line of each section that the other page lacks with those below it."""
    known = {line.section[: n + 1] for line in others for n in range(len(line.section))}
    sections: dict[tuple[str, ...], list[PageLine]] = {}
    for line in lines:
        outer = (line.section[: n + 1] for n in range(len(line.section)))
        if (lacking := next((section for section in outer if section not in known), None)) is None:
            yield line, ()
        else:
            sections.setdefault(lacking, []).append(line)
    yield from ((first, tuple(below)) for first, *below in sections.values())


def _is_of_page(document: DocumentSummary) -> bool:
    is_of_one = document.releases <= 1 and document.authority is not Authority.OFFICIAL
    return is_of_one and not _ANNOUNCES.search(document.source)


def _pages(index: IndexReader, product: CatalogueProduct, release: Version) -> Mapping[str, list[StoredPassage]]:
    pages: dict[str, list[StoredPassage]] = {}
    for passage in index.load_passages(index.release_positions(product.name, release)):
        if _is_of_page(passage.document):
            pages.setdefault(_VERSIONED.sub("", passage.document.source), []).append(passage)
    return pages


def _lines(index: IndexReader, passages: Sequence[StoredPassage], release: Version) -> tuple[PageLine, ...]:
    own_version = re.compile(rf"(?<![\w.])v?{re.escape(release.label)}(?:\.0)*(?![\w]|\.\d)")
    lines: list[PageLine] = []
    for passage, vectors in zip(passages, index.load_vectors([passage.position for passage in passages]), strict=True):
        text = index.text_of(passage)
        # Headings as they are in every release: a signature's name, without versions.
        names = (_VERSIONED.sub(" ", title.partition("(")[0] or title) for title in passage.heading[1:])
        section = tuple(" ".join(name.casefold().split()) for name in names)
        title = passage.heading[0] if passage.heading else passage.document.title
        context = frozenset(split_tokens(" ".join((title, *section))))
        for span, number, is_heading in _pieces(passage, text):
            written = span.slice(text)
            words = one_line(written)
            unversioned = own_version.sub("§", words)
            vector = vectors[number] if number < len(vectors) else np.zeros(vectors.shape[1], dtype=np.float32)
            tokens = frozenset(split_tokens(words))
            if tokens:
                is_code = written.startswith(_CODE_MARKS) and "\n" in written
                lines.append(
                    PageLine(passage, span, section, words, unversioned, tokens, context, vector, is_heading, is_code)
                )
    return tuple(lines)


def _pieces(passage: StoredPassage, text: str) -> Iterator[tuple[Span, int, bool]]:
    """The passage's own heading, then its items; tables row by row. With each the number of its item."""
    first = passage.items[0].span.start if passage.items else passage.span.end
    title = frozenset(split_tokens(passage.heading[-1] if passage.heading else ""))
    for line in _ROW.finditer(text, passage.span.start, first):
        if title and title <= frozenset(split_tokens(one_line(line.group()))):
            yield Span(*line.span()), 0, True
            break
    for number, item in enumerate(passage.items):
        words = item.span.slice(text)
        if "\n" in words and all("|" in row or "\t" in row for row in words.strip().splitlines()):
            rows = (row for row in _ROW.finditer(text, item.span.start, item.span.end))
            yield from ((Span(*row.span()), number, False) for row in rows if not _RULE.fullmatch(row.group()))
        elif len(item.span) <= _QUOTED_CHARACTERS:
            # A line may be marked as a heading, for a passage may hold several short sections.
            before = text[text.rfind("\n", 0, item.span.start) + 1 : item.span.start]
            below = text[item.span.end : item.span.end + _QUOTED_CHARACTERS].lstrip("\r\n").partition("\n")[0].rstrip()
            yield item.span, number, bool(_HEADING_MARK.fullmatch(before) or _UNDERLINE.fullmatch(below))
