"""Pages of documentation about one release as lines that can be compared: headings, entries, sentences, table rows."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from corpus.catalogue import CatalogueProduct
from corpus.index.reader import IndexReader
from corpus.index.stored import StoredPassage
from corpus.lexicon import split_tokens
from corpus.model import Authority, Span
from corpus.plain_words import one_line
from corpus.stores.protocol import PassageFilter
from corpus.versions import Version

MIN_SHARED = 0.15
"""The share of the longer page's lines that must recur in the other for both to be one page of two releases."""
MIN_ALIKE = 0.3
"""The same for lines that are put a little otherwise: in a short page a release may touch every line."""
ALIKE = 0.5
"""Two lines of one section that share this much of their words (Dice) are one line that changed."""
_SHORT_PAGE = 80

_VERSIONED = re.compile(r"(?<![A-Za-z0-9])v?\d+(?:[._]\d+)*(?:\.x)?(?![A-Za-z0-9])", re.IGNORECASE)
_ROW = re.compile(r"[^\r\n]+")
_RULE = re.compile(r"[\s|:=+-]*")
_ANNOUNCES = re.compile(r"announc|change-?log|release[-_ ]?notes|(?:^|/)release-v?\d", re.IGNORECASE)
"""Places of what tells one release's news, which isn't the same text in the next."""
_HEADING_MARK = re.compile(r" {0,3}(?:#{1,6}|={1,5})[ \t]+")
_UNDERLINE = re.compile(r"([=~^\"'*+#-])\1{2,}")
_CODE_MARKS = ("```", "~~~", ">>>", ".. code", "$ ")
_QUOTED_CHARACTERS = 700


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
    is_heading: bool
    is_code: bool
    """A block of code, as far as its fence or prompt shows."""


@dataclass(frozen=True, slots=True)
class PagePair:
    """The same page of two releases: its lines in order."""

    before: tuple[PageLine, ...]
    after: tuple[PageLine, ...]


def pair_pages(index: IndexReader, product: CatalogueProduct, before: Version, after: Version) -> tuple[PagePair, ...]:
    """The pages that both releases of a product have; none where their documents aren't pages of documentation."""
    if not (_may_have_pages(index, product, before) and _may_have_pages(index, product, after)):
        return ()
    old, new = _pages(index, product, before), _pages(index, product, after)
    pairs = [
        PagePair(_lines(index, old[key], before), _lines(index, new[key], after))
        for key in sorted(old.keys() & new.keys())
    ]
    return tuple(pair for pair in pairs if is_one_page(pair))


def is_one_page(pair: PagePair) -> bool:
    """Whether a good part of the longer page's lines recurs in the other."""
    before, after = ({line.unversioned for line in lines if not line.is_heading} for lines in (pair.before, pair.after))
    if not before or not after:
        return False
    longer = max(len(before), len(after))
    return len(before & after) >= MIN_SHARED * longer or _recurring(pair) >= MIN_ALIKE * longer


def _recurring(pair: PagePair) -> int:
    """How many lines of the newer page have one in the older page, under the same headings, that says nearly the same;
    0 for long pages, of which some line always recurs to the letter."""
    if max(len(pair.before), len(pair.after)) > _SHORT_PAGE:
        return 0
    old = [line for line in pair.before if not line.is_heading]
    return sum(
        any(other.section == line.section and likeness(other, line) >= ALIKE for other in old)
        for line in pair.after
        if not line.is_heading
    )


def likeness(one: PageLine, other: PageLine) -> float:
    """The share of their words that two lines have in common, 0 to 1 (Dice's coefficient)."""
    return 2 * len(one.tokens & other.tokens) / (len(one.tokens) + len(other.tokens))


def page_lines(index: IndexReader, product: CatalogueProduct, release: Version, *, like: str) -> tuple[PageLine, ...]:
    """The lines of a release's page whose place differs from `like` by the version only; none where it has none."""
    passages = _pages(index, product, release).get(_VERSIONED.sub("", like), ())
    return _lines(index, passages, release) if passages else ()


def product_positions(index: IndexReader, product: CatalogueProduct) -> tuple[int, ...]:
    """The rows of all passages of a product, boilerplate left out."""
    of_product = PassageFilter(index.product_places([product.name]))
    return tuple(of_product.positions(index.passages).tolist())


def _may_have_pages(index: IndexReader, product: CatalogueProduct, release: Version) -> bool:
    """Whether a document is about that release as a whole, and isn't the project's notes of it."""
    return any(
        document.version is not None
        and document.authority is not Authority.OFFICIAL
        and document.releases <= 1
        and not _ANNOUNCES.search(document.source)
        and Version.parse(document.version) == release
        for document in index.documents_of(product.name)
    )


def _pages(index: IndexReader, product: CatalogueProduct, release: Version) -> Mapping[str, tuple[StoredPassage, ...]]:
    pages: dict[str, list[StoredPassage]] = {}
    for passage in index.load_passages(index.release_positions(product.name, release)):
        document = passage.document
        is_page = document.releases <= 1 and document.authority is not Authority.OFFICIAL
        if is_page and not _ANNOUNCES.search(document.source):
            pages.setdefault(_VERSIONED.sub("", passage.document.source), []).append(passage)
    return {key: tuple(passages) for key, passages in pages.items()}


def _lines(index: IndexReader, passages: Sequence[StoredPassage], release: Version) -> tuple[PageLine, ...]:
    lines: list[PageLine] = []
    for passage, vectors in zip(passages, index.load_vectors([passage.position for passage in passages]), strict=True):
        text = index.text_of(passage)
        section = tuple(_section_name(title) for title in passage.heading[1:])
        title = passage.heading[0] if passage.heading else passage.document.title
        context = frozenset(split_tokens(" ".join((title, *section))))
        for span, number, is_heading in _pieces(passage, text):
            written = span.slice(text)
            words = one_line(written)
            unversioned = _without_version(words, release)
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
            yield item.span, number, _stands_as_heading(text, item.span)


def _stands_as_heading(text: str, span: Span) -> bool:
    """Whether a line is marked as a heading, for a passage may hold several short sections."""
    before = text[text.rfind("\n", 0, span.start) + 1 : span.start]
    below = text[span.end : span.end + _QUOTED_CHARACTERS].lstrip("\r\n").partition("\n")[0].rstrip()
    return bool(_HEADING_MARK.fullmatch(before) or _UNDERLINE.fullmatch(below))


def _section_name(title: str) -> str:
    """A heading as it is in every release: a signature's name, without versions."""
    name = title.partition("(")[0] or title
    return " ".join(_VERSIONED.sub(" ", name).casefold().split())


def _without_version(words: str, release: Version) -> str:
    return re.sub(rf"(?<![\w.])v?{re.escape(release.label)}(?:\.0)*(?![\w]|\.\d)", "§", words)
