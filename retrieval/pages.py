"""Pages of documentation about one release as lines that can be compared (entries, sentences, table rows),
and what differs between the same page of two releases: lines matched by their section and their likeness.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum, auto
from functools import lru_cache, partial
from pathlib import PurePosixPath
from weakref import WeakKeyDictionary, proxy

import numpy as np
from numpy.typing import NDArray

from corpus.catalogue import CatalogueProduct
from corpus.index.reader import IndexReader
from corpus.index.stored import DocumentSummary, StoredPassage
from corpus.lexicon import split_tokens
from corpus.model import Authority, Span
from corpus.plain_words import one_line
from corpus.versions import Version
from retrieval.search.item_forms import is_title

_MIN_SHARED = 0.15
"""The share of the longer page's lines that must recur in the other for both to be one page of two releases. Chosen by
hand, never fitted."""
_ALIKE = 0.5
"""Two lines of one section that share this much of their words (Dice) are one line that changed. Chosen by hand, never
fitted."""
_VERSIONED = re.compile(r"(?<![A-Za-z0-9])v?\d+(?:[._]\d+)*(?:\.x)?(?![A-Za-z0-9])", re.IGNORECASE)
_ROW = re.compile(r"[^\r\n]+")
_RULE = re.compile(r"[\s|:=+-]*")
_ANNOUNCES = re.compile(r"announc|change-?log|release[-_ ]?notes|(?:^|/)release-v?\d", re.IGNORECASE)
"""Places of what tells one release's news, which isn't the same text in the next."""
_QUOTED_CHARACTERS = 700
_REWRITTEN = 0.2
"""What is left over in one section is still the same line where it shares this much. Chosen by hand, never fitted."""
_COPIED = 0.6
"""The share of its lines, the same or changed, that a page has in common with the same page of another release: of 12
pairs of made-up pages of documentation the least has .88; the bundled digests of two releases of NumPy, taken for one
page, have .32."""


@dataclass(frozen=True, slots=True, eq=False)
class PageLine:
    """The smallest part of a page that says something by itself, and may be quoted."""

    passage: StoredPassage
    span: Span
    section: tuple[str, ...]
    """The headings above it below the page's title, as they are the same in every release."""
    words: str
    """On one line, without markup."""
    unversioned: str
    """The same without the release's own version."""
    tokens: frozenset[str]
    context: frozenset[str]
    """Of its page's title and its headings, without the arguments of signatures."""
    vector: NDArray[np.float32]
    """Of the item that it is part of, shape (dimensions,)."""


class Edit(Enum):
    SAME = auto()
    CHANGED = auto()
    ADDED = auto()
    REMOVED = auto()


@dataclass(frozen=True, slots=True)
class LineDifference:
    """One line of a page in both releases; `before` or `after` is None where only the other has it.

    A section that only one of them has is one difference: its first line, with all of them in `below`.
    """

    change: Edit
    before: PageLine | None
    after: PageLine | None
    below: tuple[PageLine, ...] = ()

    @property
    def lines(self) -> tuple[PageLine, ...]:
        """The line in each release that has it, the older first."""
        return tuple(line for line in (self.before, self.after) if line is not None)


@dataclass(frozen=True, slots=True)
class ComparedPage:
    """A page of two releases with all its lines matched."""

    before: tuple[PageLine, ...]
    after: tuple[PageLine, ...]
    differences: tuple[LineDifference, ...]

    @property
    def copied(self) -> float:
        """The share of lines that the shorter one has in common; notes on two releases have few."""
        same = sum(one.change in (Edit.SAME, Edit.CHANGED) for one in self.differences)
        return same / max(1, min(len(self.before), len(self.after)))

    @property
    def name(self) -> frozenset[str]:
        """The tokens that a question may call the page by: of its place and its title."""
        document = self.after[0].passage.document
        return frozenset(split_tokens(f"{PurePosixPath(document.source).stem} {document.title}"))


_Compare = Callable[[CatalogueProduct, Version, Version], tuple[ComparedPage, ...]]
_COMPARED: "WeakKeyDictionary[IndexReader, _Compare]" = WeakKeyDictionary()
_KEPT = 8


def compared_pages(
    index: IndexReader, product: CatalogueProduct, before: Version, after: Version
) -> tuple[ComparedPage, ...]:
    """The pages that two releases of a product have in common, compared; kept for the next questions about them. None
    where their documents aren't pages of documentation."""
    compare = _COMPARED.setdefault(index, lru_cache(maxsize=_KEPT)(partial(_compare_releases, proxy(index))))
    return compare(product, before, after)


def _compare_releases(
    index: IndexReader, product: CatalogueProduct, before: Version, after: Version
) -> tuple[ComparedPage, ...]:
    if not all(_may_have_pages(index, product, release) for release in (before, after)):
        return ()
    old, new = _pages(index, product, before), _pages(index, product, after)
    both = ((_lines(index, old[name], before), _lines(index, new[name], after)) for name in sorted(old.keys() & new))
    pages = (ComparedPage(*sides, compare_pages(*sides)) for sides in both if is_one_page(*sides))
    return tuple(page for page in pages if page.copied >= _COPIED)


def page_lines(index: IndexReader, product: CatalogueProduct, release: Version, *, like: str) -> tuple[PageLine, ...]:
    """The lines of a release's page whose place differs from `like` by the version only; none where it has none."""
    passages = _pages(index, product, release).get(_VERSIONED.sub("", like), ())
    return _lines(index, passages, release) if passages else ()


def is_one_page(before: Sequence[PageLine], after: Sequence[PageLine]) -> bool:
    """Whether a good part of the longer page's lines recurs in the other to the letter."""
    old, new = ({line.unversioned for line in lines} for lines in (before, after))
    return bool(old & new) and len(old & new) >= _MIN_SHARED * max(len(old), len(new))


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

    for by_section in (True, False):
        written = partial(_written, by_section=by_section)
        waiting: dict[tuple[object, ...], list[PageLine]] = {}
        for old in reversed(olds):
            waiting.setdefault(written(old), []).append(old)
        for new in tuple(news):
            if twins := waiting.get(written(new)):
                match(Edit.SAME, twins.pop(), new)
    for least in (_ALIKE, _REWRITTEN):
        for old, new in _likest(tuple(olds), tuple(news), least=least):
            match(Edit.CHANGED, old, new)
            if not olds or not news:
                break
    found += (LineDifference(Edit.ADDED, None, line, below) for line, below in _sections(news, others=before))
    found += (LineDifference(Edit.REMOVED, line, None, below) for line, below in _sections(olds, others=after))
    return tuple(found)


def _written(line: PageLine, *, by_section: bool) -> tuple[object, ...]:
    return line.unversioned, line.section if by_section else ()


def _likest(
    before: Iterable[PageLine], after: Iterable[PageLine], *, least: float
) -> Iterator[tuple[PageLine, PageLine]]:
    """The pairs of lines of one section that may be one line that changed, the likest first."""
    here: dict[tuple[str, ...], list[PageLine]] = {}
    for line in before:
        here.setdefault(line.section, []).append(line)
    pairs = [(likeness(old, new), old, new) for new in after for old in here.get(new.section, ())]
    alike = (pair for pair in pairs if pair[0] >= least)
    yield from ((old, new) for _, old, new in sorted(alike, key=lambda pair: -pair[0]))


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
    yield from ((below[0], tuple(below)) for below in sections.values())


def _may_have_pages(index: IndexReader, product: CatalogueProduct, release: Version) -> bool:
    """Whether a document is about that release as a whole, and isn't the project's notes of it."""
    return any(
        document.version is not None and Version.parse(document.version) == release and _is_of_page(document)
        for document in index.documents_of(product.name)
    )


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
        for span, number in _pieces(passage, text):
            words = one_line(span.slice(text))
            vector = vectors[number] if number < len(vectors) else np.zeros(vectors.shape[1], dtype=np.float32)
            if tokens := frozenset(split_tokens(words)):
                unversioned = own_version.sub("§", words)
                lines.append(PageLine(passage, span, section, words, unversioned, tokens, context, vector))
    return tuple(lines)


def _pieces(passage: StoredPassage, text: str) -> Iterator[tuple[Span, int]]:
    """The passage's items but headings, tables row by row; with each the number of its item."""
    for number, item in enumerate(passage.items):
        words = item.span.slice(text)
        if is_title(passage, words):
            continue
        if "\n" in words and all("|" in row or "\t" in row for row in words.strip().splitlines()):
            rows = (row for row in _ROW.finditer(text, item.span.start, item.span.end))
            yield from ((Span(*row.span()), number) for row in rows if not _RULE.fullmatch(row.group()))
        elif len(item.span) <= _QUOTED_CHARACTERS:
            yield item.span, number
