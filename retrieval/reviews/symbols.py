"""The names in a diff with what the notes say about them.

Silence rather than noise: a name is looked up only in the notes of products that the diff bumps or its file uses. In a
bumped range any mention of a name counts; for a removed name only changes and severe entries. Without a bump, entries
about the name are cited: its removals and changes first, then the newest.
"""

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import islice

import numpy as np
from numpy.typing import NDArray

from corpus.catalogue import CatalogueProduct
from corpus.deadline import waited_for
from corpus.effects import stated_change
from corpus.index.reader import IndexReader
from corpus.index.stored import StoredPassage
from corpus.lexicon import split_tokens
from corpus.model import Kind, Span
from corpus.symbols import find_symbols
from corpus.versions import Version
from retrieval.code_usage.matching import WantedName, agrees, is_stdlib, parse_wanted, plain, product_roots
from retrieval.code_usage.model import Kind as NameKind
from retrieval.model import Citation
from retrieval.quoting.composing import cite_quotes
from retrieval.quoting.quotes import MAX_QUOTE_CHARACTERS, Quote
from retrieval.reviews.diff import FileDiff
from retrieval.reviews.model import ReviewedSymbol
from retrieval.reviews.touched import Touched
from retrieval.upgrades.bounds import Bounds
from retrieval.upgrades.usages import places_of, subjects_of

MAX_SYMBOLS, MAX_CITATIONS = 50, 3
_MOST_LOOK_UPS, _READ_PASSAGES = 1_000, 100
_WORD = re.compile(r"[A-Za-z][A-Za-z0-9]*")
_ENDS = r"(?![\w-]|(?:\([^()]*\))?\.\w)"  # `np.array(x).sum()` is an example with the name in it.
_MIN_OWNER = 4
_HARMLESS = frozenset({Kind.FEATURE, Kind.FIX, Kind.PERFORMANCE})
_SEVERE = (Kind.REMOVAL, Kind.DEPRECATION, Kind.BREAKING, Kind.SECURITY)


def review_symbols(
    touched: Sequence[Touched], files: Sequence[FileDiff], index: IndexReader, ranges: Mapping[str, Sequence[Bounds]]
) -> tuple[ReviewedSymbol, ...]:
    """Return at most 50 names that the notes mention, in the diff's order, each once for a product.

    `ranges` are the ranges of each product that the diff bumps, by its name.
    """
    words: defaultdict[str, frozenset[str]] = defaultdict(frozenset)
    for file in waited_for(files):
        # Include the headers of hunks, because a hunk seldom shows the imports of its names.
        shown = (file.path, *file.sections, *(line.text for line in (*file.before, *file.after)))
        words[file.path] |= set(map(plain, _WORD.findall("\n".join(shown))))
    anywhere = frozenset().union(*words.values())
    products = [
        _ProductNotes(index, product, product_roots((product.name, *product.aliases)), ranges.get(product.name, ()))
        for product in index.products
    ]
    candidates = []
    for place, use in waited_for(enumerate(touched)):
        # A distinctive name may belong to a product that only another file names.
        near = anywhere if use.is_specific else words[use.file]
        for product in products:
            is_sure = use.is_surely_of(product.roots)
            if is_sure or (product.is_near(near) and not use.is_surely_of_another(product.roots)):
                candidates.append((not is_sure, not use.is_added, place, use, product))
    candidates.sort(key=lambda candidate: candidate[:3])
    cited: dict[tuple[str, str], tuple[int, ReviewedSymbol]] = {}
    for _, _, place, use, product in waited_for(islice(candidates, _MOST_LOOK_UPS)):
        key = use.name.path[-1].rpartition(".")[2].lstrip("-"), product.name
        if len(cited) < MAX_SYMBOLS and key not in cited and (citations := product.cite(use)):
            cited[key] = place, ReviewedSymbol(use.symbol, product.name, use.file, use.line, citations)
    return tuple(symbol for _, symbol in sorted(cited.values(), key=lambda pair: pair[0]))


class _ProductNotes:
    """The notes of one product, for looking up names of a diff."""

    def __init__(
        self, index: IndexReader, product: CatalogueProduct, roots: frozenset[str], ranges: Sequence[Bounds]
    ) -> None:
        self.name, self.roots = product.name, roots
        self._index, self._ranges = index, ranges
        versions = index.passages.distinct_versions if ranges else ()
        self._inside: NDArray[np.bool_] = np.array([self._in_range(version) for version in versions], dtype=bool)

    def _in_range(self, version: Version | None) -> bool:
        return version is not None and any(bounds.hold(version) for bounds in self._ranges)

    def is_near(self, words: frozenset[str]) -> bool:
        """Return whether the diff bumps the product, or the words name it (a standard library's don't count)."""
        return bool(self._ranges) or not (is_stdlib(self.roots) or self.roots.isdisjoint(words))

    def cite(self, touched: Touched) -> tuple[Citation, ...]:
        """Return at most three quotes that mention the name, the most important first; often none."""
        name = touched.name.path[-1]
        tokens = split_tokens(name)
        # Skip the product's own name, also with a number (`gizmo2`).
        if not tokens or plain(name).rstrip("0123456789") in self.roots:
            return ()
        mentions = [pair for passage in self._passages(tokens[0]) for pair in self._mentions_in(passage, touched)]
        mentions.sort(key=lambda pair: pair[0], reverse=True)
        kept: dict[str, Quote] = {}
        for _, quote in mentions:
            # The notes of a release candidate and of its release have the same words.
            kept.setdefault(" ".join(quote.span.slice(self._index.text_of(quote.passage)).split()), quote)
        return tuple(filter(None, cite_quotes(islice(kept.values(), MAX_CITATIONS), self._index)))

    def _passages(self, token: str) -> tuple[StoredPassage, ...]:
        """Return the product's own passages that contain a token; of too many those in range and severe ones."""
        table = self._index.passages
        positions = self._index.passages_holding([token], products=[self.name])
        if len(positions) > _READ_PASSAGES:
            severe = np.array([kind in _SEVERE for kind in Kind], dtype=bool)
            within = self._inside[table.version_codes[positions]] if self._ranges else 0
            likely = 2 * within + severe[table.kind_codes[positions]]
            positions = positions[np.argsort(-likely, kind="stable")][:_READ_PASSAGES]
        loaded = self._index.load_passages([int(position) for position in positions])
        return tuple(passage for passage in loaded if not passage.is_foreign)

    def _mentions_in(self, passage: StoredPassage, touched: Touched) -> Iterator[tuple[tuple[object, ...], Quote]]:
        """Yield (rank, quote) of each statement in a passage that matters for the name; higher ranks are better."""
        in_range, is_severe = False, passage.kind in _SEVERE
        if passage.release is not None:
            # The code is already adapted to changes before the version in use.
            if any(passage.release_order <= bounds.start for bounds in self._ranges):
                return
            in_range = self._in_range(passage.release_order)
        text = self._index.text_of(passage)
        for span in _spans(passage, text):
            words = span.slice(text)
            if len(words) > MAX_QUOTE_CHARACTERS or words.startswith("::"):
                continue
            if (mention := _find_fit(touched, words, self.roots)) is None:
                continue
            is_subject, fit = mention
            says_change = stated_change(words) is not None
            if not fit:
                is_called = touched.name.kind is not NameKind.SETTING
                matters = is_subject and (says_change or (is_called and touched.is_surely_of(self.roots)))
            elif in_range:
                matters = says_change or touched.is_added or passage.kind not in _HARMLESS
            else:
                matters = is_subject and (says_change or is_severe or not touched.is_kept)
            if matters:
                weight = in_range, is_subject, says_change, fit, passage.document.authority.weight
                rank = (*weight, passage.release_order, -passage.position)
                yield rank, Quote(passage, span, span, retracted=False)


def _spans(passage: StoredPassage, text: str) -> Iterator[Span]:
    """Yield the statements of a passage: its heading, if it is in the passage's text, and its items except code."""
    start = passage.span.start
    first = min((item.span.start for item in passage.items), default=passage.span.end)
    if passage.heading and (heading := text[start:first].rstrip()):
        yield Span(start, start + len(heading))
    yield from (item.span for item in passage.items if not item.retracted and not item.is_code)


@lru_cache(maxsize=1_024)
def _named_in(words: str) -> tuple[tuple[WantedName, bool], ...]:
    """Return the code names in a statement, in order, each with whether the statement is about it."""
    symbols = find_symbols(words)
    subjects = frozenset(subjects_of(words, symbols)) - places_of(words, symbols)
    return tuple(
        (wanted, symbol in subjects)
        for symbol in symbols
        if re.search(re.escape(symbol) + _ENDS, words) and (wanted := parse_wanted(symbol))
    )


def _find_fit(touched: Touched, words: str, roots: frozenset[str]) -> tuple[bool, int] | None:
    """Return whether `words` are about the name, and how surely they mean the product's: 0 for an everyday word, 1 for
    a distinctive one, 2 if its qualifiers agree or the code shows it. None if they don't mention it."""
    name = touched.name.path[-1]
    named = _named_in(words) if name in words else ()
    fits = (
        (is_subject, _sureness(touched, words, roots, wanted)) for wanted, is_subject in named if wanted.last == name
    )
    return max(((is_subject, fit) for is_subject, fit in fits if fit is not None), default=None)


def _sureness(touched: Touched, words: str, roots: frozenset[str], wanted: WantedName) -> int | None:
    """Return how surely a symbol in `words` means the touched name, 0 to 2 (see `_find_fit`); None if it doesn't."""
    *owners, _ = touched.name.path
    is_sure = touched.is_surely_of(roots)
    if wanted.qualifiers:
        if touched.name.is_imported and touched.name.kind is NameKind.NAME:
            return 2 if agrees(wanted.qualifiers, owners, roots) else None
        # A variable is often named after its class, whole or by its last word: a `socket` is a `WebSocket`.
        owner, around = plain(wanted.qualifiers[-1]), touched.near | {plain(part) for part in owners}
        if any(owner == word or (len(word) >= _MIN_OWNER and owner.endswith(word)) for word in around):
            return 2
        return 1 if touched.is_specific else None
    if touched.is_specific:
        return 1 + is_sure
    is_taken = touched.name.kind is NameKind.ARGUMENT and owners and owners[-1] in words
    return 0 if is_sure or is_taken else None
