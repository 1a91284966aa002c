"""Pages of documentation about one release as lines that can be compared (headings, entries, sentences, table rows),
and what differs between the same page of two releases: lines matched by their section and their likeness.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass
from enum import Enum, auto
from pathlib import PurePosixPath
from weakref import WeakKeyDictionary

import numpy as np
from numpy.typing import NDArray

from corpus.catalogue import CatalogueProduct
from corpus.index.reader import IndexReader
from corpus.index.stored import StoredPassage
from corpus.item_sentences import is_statement
from corpus.lexicon import split_tokens
from corpus.model import Authority, Span
from corpus.plain_words import one_line
from corpus.versions import Version

_ZEROS = re.compile(r"(?P<kept>\.\d+)(?:\.0)+\Z")
_VERSIONED = re.compile(r"(?<![A-Za-z0-9])v?\d+(?:[._]\d+)*(?:\.x)?(?![A-Za-z0-9])", re.IGNORECASE)
_ROW, _RULE = re.compile(r"[^\r\n]+"), re.compile(r"[\s|:=+-]*")
_COLUMNS = re.compile(r"\s*\|.*|\s*\S.{0,40}?(?: {2,}|\t)\S.*|\s*\S[^:]{0,40}:\s*")
"""A row of a table, or of what a program prints: a name and what it is about, or the title of the rows below it."""
_ANNOUNCES = re.compile(r"announc|change-?log|release[-_ ]?notes|(?:^|/)release-v?\d", re.IGNORECASE)
"""Places of what tells one release's news, which isn't the same text in the next."""
_HEADING_MARK = re.compile(r" {0,3}(?:#{1,6}|={1,5})[ \t]+")
_UNDERLINE = re.compile(r"([=~^\"'*+#-])\1{2,}")
_QUOTED_CHARACTERS, _KEPT, _RUN = 700, 8, 4096
_REWRITTEN, _MOVED = 0.2, 0.5
"""Two lines that share this much of their words (Dice) are one line that changed: in one section, in two. By hand."""
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
    context: frozenset[str]  # Of its page's place and title and its headings, without the arguments of signatures.
    vector: NDArray[np.float32]  # Of the item that it is part of, shape (dimensions,).
    is_heading: bool
    is_code: bool  # And not a row of names and what they are about.

    @property
    def all_tokens(self) -> frozenset[str]:
        """Its tokens and those of where it stands."""
        return self.tokens | self.context


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

    @classmethod
    def of(cls, before: tuple[PageLine, ...], after: tuple[PageLine, ...]) -> "ComparedPage | None":
        """Both sides compared; None where they aren't one page: notes on two releases have few lines in common."""
        found = compare_pages(before, after)
        same = sum(one.change in (Edit.SAME, Edit.CHANGED) and not one.lines[0].is_heading for one in found)
        lengths = (sum(not line.is_heading for line in side) for side in (before, after))
        return cls(before, after, found) if same >= _COPIED * max(1, min(lengths)) else None

    def twin_of(self, line: PageLine, *, least: float) -> PageLine | None:
        """What the other side has in place of a line, the same or sharing `least` of its words; None for nothing."""
        for one in self.differences:
            mine = [side for side in one.lines if (side.passage, side.span) == (line.passage, line.span)]
            if mine and one.before and one.after and (one.change is Edit.SAME or likeness(*one.lines) >= least):
                return one.after if mine[0] is one.before else one.before
        return None


_COMPARED: "WeakKeyDictionary[IndexReader, dict[tuple[str, Version, Version], tuple[ComparedPage, ...]]]"
_COMPARED = WeakKeyDictionary()


def compared_pages(
    index: IndexReader, product: CatalogueProduct, before: Version, after: Version
) -> tuple[ComparedPage, ...]:
    """Return the pages that two releases of a product have in common, compared; kept for the next questions about them.
    None where their documents aren't pages of documentation."""
    kept, key = _COMPARED.setdefault(index, {}), (product.name, before, after)
    if (known := kept.get(key)) is not None:
        return known
    # Two threads may compare the same pages once each, but neither waits for the other.
    old, new = _pages(index, product, before), _pages(index, product, after)
    shared = sorted(old.keys() & new.keys())
    compared = (ComparedPage.of(_lines(index, old[one], before), _lines(index, new[one], after)) for one in shared)
    pages = kept[key] = tuple(filter(None, compared))
    for oldest in list(kept)[:-_KEPT]:
        kept.pop(oldest, None)
    return pages


def page_lines(index: IndexReader, product: CatalogueProduct, release: Version, *, like: str) -> tuple[PageLine, ...]:
    """Return the lines of a release's page whose place differs from `like` by the version only; none without a page."""
    passages = _pages(index, product, release).get(_VERSIONED.sub("", like), ())
    return _lines(index, passages, release) if passages else ()


def likeness(one: PageLine, other: PageLine) -> float:
    """Return the share of their words that two lines have in common, 0 to 1 (Dice's coefficient)."""
    return 2 * len(one.tokens & other.tokens) / (len(one.tokens) + len(other.tokens))


def compare_pages(before: Sequence[PageLine], after: Sequence[PageLine]) -> tuple[LineDifference, ...]:
    """Match every line of both pages, in the order of the newer page, then what only the older one has."""
    olds, news = dict.fromkeys(before), dict.fromkeys(after)
    found: list[LineDifference] = []

    def match(change: Edit, old: PageLine, new: PageLine) -> None:
        if old in olds and new in news:
            del olds[old], news[new]
            found.append(LineDifference(change, old, new))

    # Match lines with equal words in their section first, then elsewhere.
    for says in (
        lambda line: (line.words, line.is_heading, line.section),
        lambda line: (line.unversioned, line.is_heading, line.section),
        lambda line: (line.words, line.is_heading) if is_statement(line.words) else line,
        lambda line: (line.unversioned, line.is_heading) if is_statement(line.words) else line,
    ):
        waiting: dict[object, list[PageLine]] = {}
        for old in reversed(olds):
            waiting.setdefault(says(old), []).append(old)
        for new in tuple(news):
            if twins := waiting.get(says(new)):
                match(Edit.SAME, twins.pop(), new)
    for old, new in _likest(tuple(olds), tuple(news)):
        match(Edit.CHANGED, old, new)
    # A reworded heading still heads the same section.
    matched = {line.section for one in found for line in one.lines if line.is_heading}
    in_old, in_new = (
        {line.section[: n + 1] for line in page for n in range(len(line.section))} for page in (before, after)
    )
    found += (LineDifference(Edit.ADDED, None, line, below) for line, below in _sections(news, in_old | matched))
    found += (LineDifference(Edit.REMOVED, line, None, below) for line, below in _sections(olds, in_new | matched))
    return tuple(found)


def _likest(before: Sequence[PageLine], after: Sequence[PageLine]) -> Iterator[tuple[PageLine, PageLine]]:
    """Yield the pairs of lines that may be one line that changed, the likest first: of one section, or moved where they
    say something by themselves. Two long pages have millions of pairs, hence arrays."""
    holding: dict[str, list[int]] = {}
    for i, line in enumerate(before):
        for token in line.tokens:
            holding.setdefault(token, []).append(i)
    lines_with = {token: np.array(places) for token, places in holding.items()}
    sections = {section: code for code, section in enumerate(dict.fromkeys(line.section for line in (*before, *after)))}
    section_of = np.array([sections[line.section] for line in before])
    is_heading = np.array([line.is_heading for line in before], bool)
    lengths = np.array([len(line.tokens) for line in before])
    moves = np.array([_MOVED if is_statement(line.words) else np.inf for line in before])
    found, scores = [np.zeros(0, np.int32)], [np.zeros(0, np.float32)]
    for line in after:
        shared = np.zeros(len(before), np.float32)
        for token in line.tokens & lines_with.keys():
            shared[lines_with[token]] += 1
        alike = 2 * shared / np.maximum(lengths + len(line.tokens), 1)
        enough = np.where(section_of == sections[line.section], _REWRITTEN, moves)
        found.append(np.flatnonzero((alike >= enough) & (is_heading == line.is_heading)).astype(np.int32))
        scores.append(alike[found[-1]].astype(np.float32))
    news = np.repeat(np.arange(len(after), dtype=np.int32), [len(places) for places in found[1:]])
    olds, order = np.concatenate(found), np.argsort(-np.concatenate(scores), kind="stable")
    taken = np.zeros(len(before), bool), np.zeros(len(after), bool)
    while len(order):
        # Drop matched lines from the millions of pairs a run at a time.
        for place in order[:_RUN].tolist():
            if not (taken[0][olds[place]] or taken[1][news[place]]):
                taken[0][olds[place]] = taken[1][news[place]] = True
                yield before[olds[place]], after[news[place]]
        order = order[_RUN:]
        order = order[~(taken[0][olds[order]] | taken[1][news[order]])]


def _sections(
    lines: Iterable[PageLine], known: Set[tuple[str, ...]]
) -> Iterator[tuple[PageLine, tuple[PageLine, ...]]]:
    """Lines alone, then the first line of each section that isn't known with those below it."""
    sections: dict[tuple[str, ...], list[PageLine]] = {}
    for line in lines:
        outer = (line.section[: n + 1] for n in range(len(line.section)))
        if (lacking := next((section for section in outer if section not in known), None)) is None:
            yield line, ()
        else:
            sections.setdefault(lacking, []).append(line)
    yield from ((first, tuple(below)) for first, *below in sections.values())


def _pages(index: IndexReader, product: CatalogueProduct, release: Version) -> Mapping[str, list[StoredPassage]]:
    pages: dict[str, list[StoredPassage]] = {}
    for passage in index.load_passages(index.release_positions(product.name, release)):
        document = passage.document
        is_of_one = document.releases <= 1 and document.authority is not Authority.OFFICIAL
        if is_of_one and not _ANNOUNCES.search(document.source):
            pages.setdefault(_VERSIONED.sub("", document.source), []).append(passage)
    return pages


def _lines(index: IndexReader, passages: Sequence[StoredPassage], release: Version) -> tuple[PageLine, ...]:
    shortest = _ZEROS.sub(r"\g<kept>", release.label)
    own_version = re.compile(rf"(?<![\w.])v?{re.escape(shortest)}(?:\.0)*(?![\w]|\.\d)")
    lines: list[PageLine] = []
    for passage, vectors in zip(passages, index.load_vectors([passage.position for passage in passages]), strict=True):
        text = index.text_of(passage)
        # Headings as they are in every release: a signature's name, without versions.
        names = [_VERSIONED.sub(" ", title.partition("(")[0] or title) for title in passage.heading[1:]]
        section = tuple(" ".join(name.casefold().split()) for name in names)
        title = passage.heading[0] if passage.heading else passage.document.title
        place = PurePosixPath(passage.document.source).stem
        context = frozenset(split_tokens(" ".join((place, title, *names))))
        for span, number, is_heading in _pieces(passage, text):
            words = one_line(span.slice(text))
            if tokens := frozenset(split_tokens(words)):
                line = PageLine(
                    passage,
                    span,
                    section,
                    words,
                    own_version.sub("§", words),
                    tokens,
                    context,
                    vectors[number] if number < len(vectors) else np.zeros(vectors.shape[1], dtype=np.float32),
                    is_heading,
                    # A row of names and what they are about is a part of its item.
                    is_code=not is_heading and passage.items[number].is_code and span == passage.items[number].span,
                )
                lines.append(line)
    return tuple(lines)


def _pieces(passage: StoredPassage, text: str) -> Iterator[tuple[Span, int, bool]]:
    """Yield the lines of a passage, its own heading first and tables row by row: the range of each, the number of the
    item that it is of, and whether it is a heading."""
    first = passage.items[0].span.start if passage.items else passage.span.end
    title = frozenset(split_tokens(passage.heading[-1] if passage.heading else ""))
    for line in _ROW.finditer(text, passage.span.start, first):
        if title and title <= frozenset(split_tokens(one_line(line.group()))):
            yield Span(*line.span()), 0, True
            break
    for number, item in enumerate(passage.items):
        rows = [Span(*row.span()) for row in _ROW.finditer(text, item.span.start, item.span.end)]
        written = [row for row in rows if not _RULE.fullmatch(row.slice(text))]
        if sum(bool(_COLUMNS.fullmatch(row.slice(text))) for row in written) > max(2, len(written) / 2):
            yield from ((row, number, False) for row in written)
        elif len(item.span) <= _QUOTED_CHARACTERS:
            # A line may be marked as a heading, for a passage may hold several short sections.
            before = text[text.rfind("\n", 0, item.span.start) + 1 : item.span.start]
            below = text[item.span.end : item.span.end + _QUOTED_CHARACTERS].lstrip("\r\n").partition("\n")[0].rstrip()
            yield item.span, number, bool(_HEADING_MARK.fullmatch(before) or _UNDERLINE.fullmatch(below))
