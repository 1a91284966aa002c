"""Reference pages of a release as comparable lines (headings, entries, sentences, table rows), and the differences
between the same page in two releases: lines matched by section and similarity."""

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
"""A row of a table or of a program's output: a name with its description, or the title of the rows below."""
_ANNOUNCES = re.compile(r"announc|change-?log|release[-_ ]?notes|(?:^|/)release-v?\d", re.IGNORECASE)
"""Paths of release notes, which aren't pages that the next release repeats."""
_HEADING_MARK = re.compile(r" {0,3}(?:#{1,6}|={1,5})[ \t]+")
_UNDERLINE = re.compile(r"([=~^\"'*+#-])\1{2,}")
_QUOTED_CHARACTERS, _KEPT, _RUN = 700, 8, 4096
_REWRITTEN = 0.2  # Least similarity (Dice) of two lines of a section to be one line that changed. By hand.
_COPIED = 0.6
"""Least share of matched lines between two versions of a page: in 12 pairs of made-up reference pages the least is .88;
the bundled digests of two releases of NumPy, compared as one page, have .32."""


@dataclass(frozen=True, slots=True, eq=False)
class PageLine:
    """The smallest part of a page that can be quoted by itself."""

    passage: StoredPassage
    span: Span
    section: tuple[str, ...]  # Its headings below the page's title, without versions and arguments.
    words: str  # On one line, without markup.
    unversioned: str  # The words with "§" for the release's own version.
    tokens: frozenset[str]
    context: frozenset[str]  # Tokens of its page's file name and title and of its headings.
    vector: NDArray[np.float32]  # Embedding of its item, shape (dimensions,).
    is_heading: bool
    is_code: bool  # Whether it is a whole block of code, not a table row in one.

    @property
    def all_tokens(self) -> frozenset[str]:
        """Its tokens and those of its context."""
        return self.tokens | self.context


class Edit(Enum):
    SAME = auto()
    CHANGED = auto()
    ADDED = auto()
    REMOVED = auto()


@dataclass(frozen=True, slots=True)
class LineDifference:
    """One line of a page in both releases; `before` or `after` is None if only the other release has it.

    A section that only one release has is one difference: its heading, with the lines below it in `below`.
    """

    change: Edit
    before: PageLine | None
    after: PageLine | None
    below: tuple[PageLine, ...] = ()

    @property
    def lines(self) -> tuple[PageLine, ...]:
        """The line in each release that has it, older release first."""
        return tuple(line for line in (self.before, self.after) if line is not None)

    @property
    def is_code(self) -> bool:
        """Whether the line is code in each release that has it."""
        return all(line.is_code for line in self.lines)


@dataclass(frozen=True, slots=True)
class ComparedPage:
    """A page in two releases, with all lines matched."""

    before: tuple[PageLine, ...]
    after: tuple[PageLine, ...]
    differences: tuple[LineDifference, ...]

    @classmethod
    def of(cls, before: tuple[PageLine, ...], after: tuple[PageLine, ...]) -> "ComparedPage | None":
        """Compare both sides; None if they have too few lines in common to be one page, like notes on two releases."""
        differences = compare_pages(before, after)
        same = sum(d.change in (Edit.SAME, Edit.CHANGED) and not d.lines[0].is_heading for d in differences)
        lengths = (sum(not line.is_heading for line in side) for side in (before, after))
        return cls(before, after, differences) if same >= _COPIED * max(1, min(lengths)) else None


_COMPARED: "WeakKeyDictionary[IndexReader, dict[tuple[str, Version, Version], tuple[ComparedPage, ...]]]"
_COMPARED = WeakKeyDictionary()


def compared_pages(
    index: IndexReader, product: CatalogueProduct, before: Version, after: Version
) -> tuple[ComparedPage, ...]:
    """Return the reference pages that two releases of a product share, compared; the last few results are cached."""
    cache, key = _COMPARED.setdefault(index, {}), (product.name, before, after)
    if (known := cache.get(key)) is not None:
        return known
    # Two threads may both compare the same pages, so that neither waits for the other.
    old, new = _by_path(index, product, before), _by_path(index, product, after)
    shared = sorted(old.keys() & new.keys())
    compared = (ComparedPage.of(_lines(index, old[path], before), _lines(index, new[path], after)) for path in shared)
    pages = cache[key] = tuple(filter(None, compared))
    for oldest in list(cache)[:-_KEPT]:
        cache.pop(oldest, None)
    return pages


def compare_pages(before: Sequence[PageLine], after: Sequence[PageLine]) -> tuple[LineDifference, ...]:
    """Match the lines of both pages; return the matched ones, then those only in the newer, then only in the older."""
    olds, news = dict.fromkeys(before), dict.fromkeys(after)
    differences: list[LineDifference] = []

    def match(change: Edit, old: PageLine, new: PageLine) -> None:
        if old in olds and new in news:
            del olds[old], news[new]
            differences.append(LineDifference(change, old, new))

    # Match lines with equal words in their section first, then elsewhere.
    for key in (
        lambda line: (line.words, line.is_heading, line.section),
        lambda line: (line.unversioned, line.is_heading, line.section),
        lambda line: (line.words, line.is_heading) if is_statement(line.words) else line,
    ):
        olds_by_key: dict[object, list[PageLine]] = {}
        for old in reversed(olds):
            olds_by_key.setdefault(key(old), []).append(old)
        for new in tuple(news):
            if twins := olds_by_key.get(key(new)):
                match(Edit.SAME, twins.pop(), new)
    for old, new in _similar_pairs(tuple(olds), tuple(news)):
        match(Edit.CHANGED, old, new)
    # A reworded heading still heads the same section.
    matched = {line.section for difference in differences for line in difference.lines if line.is_heading}
    in_old, in_new = (
        {line.section[: n + 1] for line in page for n in range(len(line.section))} for page in (before, after)
    )
    differences += (LineDifference(Edit.ADDED, None, line, below) for line, below in _sections(news, in_old | matched))
    differences += (LineDifference(Edit.REMOVED, line, None, b) for line, b in _sections(olds, in_new | matched))
    return tuple(differences)


def _similar_pairs(before: Sequence[PageLine], after: Sequence[PageLine]) -> Iterator[tuple[PageLine, PageLine]]:
    """Yield disjoint pairs of a section's lines that may be one line that changed, the most similar first. Arrays are
    used because two long pages have millions of pairs."""
    indexes: dict[str, list[int]] = {}
    for i, line in enumerate(before):
        for token in line.tokens:
            indexes.setdefault(token, []).append(i)
    lines_with = {token: np.array(lines) for token, lines in indexes.items()}
    sections = {section: code for code, section in enumerate(dict.fromkeys(line.section for line in (*before, *after)))}
    section_of = np.array([sections[line.section] for line in before])
    is_heading = np.array([line.is_heading for line in before], bool)
    lengths = np.array([len(line.tokens) for line in before])
    candidates, scores = [np.zeros(0, np.int32)], [np.zeros(0, np.float32)]
    for line in after:
        shared = np.zeros(len(before), np.float32)
        for token in line.tokens & lines_with.keys():
            shared[lines_with[token]] += 1
        dice = 2 * shared / np.maximum(lengths + len(line.tokens), 1)
        beside = (section_of == sections[line.section]) & (is_heading == line.is_heading)
        candidates.append(np.flatnonzero((dice >= _REWRITTEN) & beside).astype(np.int32))
        scores.append(dice[candidates[-1]].astype(np.float32))
    news = np.repeat(np.arange(len(after), dtype=np.int32), [len(rows) for rows in candidates[1:]])
    olds, order = np.concatenate(candidates), np.argsort(-np.concatenate(scores), kind="stable")
    taken = np.zeros(len(before), bool), np.zeros(len(after), bool)
    while len(order):
        # Drop matched lines from the millions of pairs a run at a time.
        for pair in order[:_RUN].tolist():
            if not (taken[0][olds[pair]] or taken[1][news[pair]]):
                taken[0][olds[pair]] = taken[1][news[pair]] = True
                yield before[olds[pair]], after[news[pair]]
        order = order[_RUN:]
        order = order[~(taken[0][olds[order]] | taken[1][news[order]])]


def _sections(
    lines: Iterable[PageLine], known: Set[tuple[str, ...]]
) -> Iterator[tuple[PageLine, tuple[PageLine, ...]]]:
    """Yield lines in known sections by themselves, then the first line of each unknown section with those below it."""
    sections: dict[tuple[str, ...], list[PageLine]] = {}
    for line in lines:
        outer = (line.section[: n + 1] for n in range(len(line.section)))
        if (unknown := next((section for section in outer if section not in known), None)) is None:
            yield line, ()
        else:
            sections.setdefault(unknown, []).append(line)
    yield from ((first, tuple(below)) for first, *below in sections.values())


def _by_path(index: IndexReader, product: CatalogueProduct, release: Version) -> Mapping[str, list[StoredPassage]]:
    """Return the passages of a release's reference pages, by path without versions."""
    pages: dict[str, list[StoredPassage]] = {}
    for passage in index.load_passages(index.release_positions(product.name, release)):
        document = passage.document
        is_page = document.releases <= 1 and document.authority is not Authority.OFFICIAL
        if is_page and not _ANNOUNCES.search(document.source):
            pages.setdefault(_VERSIONED.sub("", document.source), []).append(passage)
    return pages


def _lines(index: IndexReader, passages: Sequence[StoredPassage], release: Version) -> tuple[PageLine, ...]:
    """Return the comparable lines in passages of a release's page, in order."""
    shortest = _ZEROS.sub(r"\g<kept>", release.label)
    own_version = re.compile(rf"(?<![\w.])v?{re.escape(shortest)}(?:\.0)*(?![\w]|\.\d)")
    lines: list[PageLine] = []
    for passage, vectors in zip(passages, index.load_vectors([passage.position for passage in passages]), strict=True):
        text = index.text_of(passage)
        # Headings as in every release: only the name of a signature, and no versions.
        names = [_VERSIONED.sub(" ", title.partition("(")[0] or title) for title in passage.heading[1:]]
        section = tuple(" ".join(name.casefold().split()) for name in names)
        title = passage.heading[0] if passage.heading else passage.document.title
        file_name = PurePosixPath(passage.document.source).stem
        context = frozenset(split_tokens(" ".join((file_name, title, *names))))
        for span, number, is_heading in _pieces(passage, text):
            words = one_line(span.slice(text))
            if tokens := frozenset(split_tokens(words)):
                vector = vectors[number] if number < len(vectors) else np.zeros(vectors.shape[1], dtype=np.float32)
                # A table row is only a part of its item.
                is_code = not is_heading and passage.items[number].is_code and span == passage.items[number].span
                wording = words, own_version.sub("§", words), tokens, context
                lines.append(PageLine(passage, span, section, *wording, vector, is_heading, is_code))
    return tuple(lines)


def _pieces(passage: StoredPassage, text: str) -> Iterator[tuple[Span, int, bool]]:
    """Yield (range, number of its item, whether a heading) for each line of a passage: its heading, then its items."""
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
            # An item may be a heading, because a passage may contain several short sections.
            before = text[text.rfind("\n", 0, item.span.start) + 1 : item.span.start]
            below = text[item.span.end : item.span.end + _QUOTED_CHARACTERS].lstrip("\r\n").partition("\n")[0].rstrip()
            yield item.span, number, bool(_HEADING_MARK.fullmatch(before) or _UNDERLINE.fullmatch(below))
