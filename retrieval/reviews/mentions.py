"""Where the notes of a product speak of a symbol by its very name: found by the lexical index, read in the text.

A name counts as written in full (`numpy.random.seed`), behind an alias (`np.random.seed`), or by its last part alone
where nobody would use that word for anything else (`concatenate_with`). Outside of a bumped range only what is removed,
deprecated or broken is cited: that a name was once added or mended matters to nobody who reads a diff.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import reduce

import numpy as np

from corpus.catalogue import CatalogueProduct
from corpus.index_store import IndexReader
from corpus.lexicon import split_tokens
from corpus.model import Item, Kind
from corpus.stored import StoredPassage
from corpus.symbols import find_symbols
from corpus.versions import Version
from retrieval.code_usage.wanted import is_distinctive
from retrieval.drafting import Draft, Statement, verify_quotes
from retrieval.model import Citation, Status
from retrieval.product_names import NICKNAMES
from retrieval.quotes import MAX_QUOTE_CHARACTERS, Quote
from retrieval.upgrades.effects import stated_change, told_change

MAX_CITATIONS = 3
_READ_PASSAGES = 300
_CODE = ("```", "~~~", ">>> ", ".. code", "$ ")
_GOES_ON = re.compile(r"\([^()]+\)?\.|\([^()]*\(")
"""`np.array(x).sum()` is an example with the name in it."""
_ASIDE = re.compile(
    r"(?:[(\[]|, |= |\b(?:from|import|use|using|of|by|with|to|call|see|prefer|like|via) (?::[\w:]+:)?[`*~]*)$",
    re.IGNORECASE,
)
"""Before a name: it stands in an example, or in place of what the words are about ("use `start` instead")."""
_FIRST_NAMES = 3
_HARMLESS = frozenset({Kind.FEATURE, Kind.FIX, Kind.PERFORMANCE})
_SEVERE = (Kind.REMOVAL, Kind.DEPRECATION, Kind.BREAKING, Kind.SECURITY)


@dataclass(frozen=True, slots=True)
class VersionRange:
    """(`start`, `end`] of a bump."""

    start: Version
    end: Version

    def holds(self, version: Version | None) -> bool:
        """Whether the release lies in the range."""
        return version is not None and self.start < version <= self.end


@dataclass(frozen=True, slots=True)
class _Spelling:
    """One way to write a name."""

    name: str
    pattern: str

    @property
    def tokens(self) -> tuple[str, ...]:
        """What a passage that has the name is sure to hold: the first token of each part, whatever is glued to it."""
        return tuple(dict.fromkeys(split_tokens(part)[0] for part in self.name.split(".") if split_tokens(part)))


@dataclass(frozen=True, slots=True)
class _Mention:
    passage: StoredPassage
    item: Item
    rank: tuple[bool, bool, bool, int]
    """In the range, says that something goes, tells of a change, authority: the higher the better."""

    @property
    def is_in_range(self) -> bool:
        """Whether its release is one that a bump goes over."""
        return self.rank[0]


class MentionReader:
    """Looks symbols up in one index."""

    def __init__(self, index: IndexReader) -> None:
        self._index = index

    def cite(self, symbol: str, product: CatalogueProduct, ranges: Sequence[VersionRange] = ()) -> tuple[Citation, ...]:
        """At most three quotes of `product`'s notes that speak of `symbol`, what weighs most first; often none."""
        spellings = tuple(_spellings(symbol))
        found: list[_Mention] = []
        for passage in self._passages(spellings, product, ranges):
            found += self._mentions(passage, spellings, ranges)
        if any(one.is_in_range for one in found):
            found = [one for one in found if one.is_in_range]
        found.sort(key=lambda one: (one.rank, one.passage.release_order, -one.passage.position), reverse=True)
        kept: dict[str, _Mention] = {}
        for one in found:
            # The notes of a candidate and of its release tell the same in the same words.
            words = one.item.span.slice(self._index.text_of(one.passage))
            kept.setdefault(" ".join(words.split()), one)
        return self._verified(list(kept.values())[:MAX_CITATIONS])

    def _passages(
        self, spellings: Sequence[_Spelling], product: CatalogueProduct, ranges: Sequence[VersionRange]
    ) -> tuple[StoredPassage, ...]:
        """The passages that hold a token of the symbol, the likelier ones of too many."""
        table = self._index.passages
        positions = np.zeros(0, np.int64)
        for tokens in dict.fromkeys(spelling.tokens for spelling in spellings):
            holding = (self._index.passages_holding([token], products=[product.name]) for token in tokens)
            positions = np.union1d(positions, reduce(np.intersect1d, holding))
        if len(positions) > _READ_PASSAGES:
            inside = np.array([any(one.holds(v) for one in ranges) for v in table.distinct_versions], dtype=bool)
            severe = np.array([kind in _SEVERE for kind in Kind], dtype=bool)
            likely = 2 * inside[table.version_codes[positions]] + severe[table.kind_codes[positions]]
            positions = positions[np.argsort(-likely, kind="stable")][:_READ_PASSAGES]
        return self._index.load_passages([int(position) for position in positions])

    def _mentions(
        self, passage: StoredPassage, spellings: Sequence[_Spelling], ranges: Sequence[VersionRange]
    ) -> Iterator[_Mention]:
        text = self._index.text_of(passage)
        in_range = passage.release is not None and any(one.holds(passage.release_order) for one in ranges)
        for item in passage.items:
            words = item.span.slice(text)
            if item.retracted or len(words) > MAX_QUOTE_CHARACTERS or words.lstrip().startswith(_CODE):
                continue
            if not any(_is_subject(spelling.pattern, words) for spelling in spellings):
                continue
            says_change = stated_change(words) is not None
            tells_change = says_change or ((passage.kind in _SEVERE or in_range) and told_change(words) is not None)
            if tells_change or (in_range and passage.kind not in _HARMLESS):
                weight = passage.document.authority.weight
                yield _Mention(passage, item, (in_range, says_change, tells_change, weight))

    def _verified(self, mentions: Sequence[_Mention]) -> tuple[Citation, ...]:
        quotes = (Quote(one.passage, one.item.span, one.item.span, retracted=False) for one in mentions)
        draft = Draft(Status.ANSWERED, "", tuple(Statement("", (quote,)) for quote in quotes))
        return tuple(citation for _, (citation, *_) in verify_quotes(draft, self._index))


def _is_subject(pattern: str, words: str) -> bool:
    """Whether the words are about the name: it comes first or second of their names, and not inside an example."""
    for match in re.finditer(pattern, words):
        before = words[: match.start()]
        if _ASIDE.search(before) or _GOES_ON.match(words, match.end()):
            continue
        return len(find_symbols(before)) < _FIRST_NAMES
    return False


def _spellings(symbol: str) -> Iterator[_Spelling]:
    """The ways in which notes write the name, the fullest first; none for what holds no name."""
    name = symbol.removesuffix("()").strip()
    parts = name.split(".")
    if not split_tokens(parts[-1]):
        return
    yield _spelling(name)
    for nickname, names in NICKNAMES.items():
        if len(parts) > 1 and parts[0] in names:
            yield _spelling(".".join((nickname, *parts[1:])))
    for first in range(1, len(parts) - 1):
        yield _spelling(".".join(parts[first:]), before=r"(?:\w+\.)?")
    if len(parts) > 1 and is_distinctive(parts[-1]):
        yield _last_part(*parts[-2:])


def _last_part(holder: str, name: str) -> _Spelling:
    if name.isalpha() and name.islower():
        # "a validator" is prose, `validator` and @validator aren't.
        word = re.escape(name)
        return _Spelling(name, rf"(?<=[`@~]){word}(?![\w.-])|(?<![\w.-]){word}(?=\(\)|`)")
    return _spelling(name, before=rf"(?:{re.escape(holder)}\.)?")


def _spelling(name: str, *, before: str = "") -> _Spelling:
    # A flag begins with its hyphens, and `--cov` isn't `--cov-report`.
    end = r"(?![\w-])" if name.startswith("-") else r"(?!\w)(?!\.\w)"
    start = r"(?<![\w-])" if name.startswith("-") else r"(?<![\w.])"
    return _Spelling(name, f"{start}{before}{re.escape(name)}{end}")
