"""The names of a diff with what the notes say of them: whose each may be, and which are worth a look.

Silence rather than noise: a name is looked up in the notes of a product that the diff bumps, or that its own file
uses, and is listed only where those notes speak of it. What is added comes before what is removed.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import chain, islice

import numpy as np

from corpus.catalogue import CatalogueProduct
from corpus.index.reader import IndexReader
from corpus.lexicon import split_tokens
from retrieval.code_usage.product_roots import hold_many_packages, plain, product_roots
from retrieval.code_usage.wanted import has_several_words
from retrieval.deadline import waited_for
from retrieval.reviews.diff import FileDiff
from retrieval.reviews.mentions import MentionReader
from retrieval.reviews.model import ReviewedSymbol, VersionRange
from retrieval.reviews.touched import Touched

MAX_SYMBOLS = 50
_MOST_LOOK_UPS = 1_000
_WORD = re.compile(r"[A-Za-z][A-Za-z0-9]*")
_LONGEST_NAME = 3
"""Words in a row that may be one name, as `php-parser` is `PhpParser`."""
_NAME = re.compile(r"[A-Za-z_]\w{5,}")
_MOST_NAMES = 500
_LONG = 12
"""Nobody uses a name of so many letters by chance; of shorter ones it takes two."""


class _ProductUses:
    """The products that each file of a diff uses, though a hunk seldom shows the import.

    A file speaks of a product where a line, the path or the header of a hunk names it. It speaks in the product's words
    where it holds names of several words, as `read_timeout` and `JsonArray` are, that no other product's notes hold.
    """

    def __init__(self, files: Sequence[FileDiff], index: IndexReader, roots: Mapping[str, frozenset[str]]) -> None:
        self._index = index
        self._roots = {name: own for name, own in roots.items() if not hold_many_packages(own)}
        self._owners: dict[str, str | None] = {}
        self.by_file: dict[str, frozenset[str]] = {}
        for file in waited_for(files):
            self.by_file[file.path] = self.by_file.get(file.path, frozenset()) | self._used_in(file)
        self.anywhere = frozenset(chain.from_iterable(self.by_file.values()))

    def _used_in(self, file: FileDiff) -> frozenset[str]:
        shown = (line.text for line in (*file.before, *file.after))
        text = "\n".join((file.path, *file.sections, *shown))
        parts = [plain(word) for word in _WORD.findall(text)]
        words = {"".join(parts[at : at + n]) for n in range(1, _LONGEST_NAME + 1) for at in range(len(parts))}
        # A package may carry the number of its generation: `gadget2`.
        words |= {word.rstrip("0123456789") for word in words}
        named = {name for name, own in self._roots.items() if not own.isdisjoint(words)}
        return frozenset((*named, *self._told_by_names(text)))

    def _told_by_names(self, text: str) -> Iterator[str]:
        names_of: dict[str, list[str]] = {}
        for name in dict.fromkeys(_NAME.findall(text)):
            if has_several_words(name) and (owner := self._only_owner(name)):
                names_of.setdefault(owner, []).append(name)
        for owner, names in names_of.items():
            if len(names) > 1 or len(names[0]) >= _LONG:
                yield owner

    def _only_owner(self, name: str) -> str | None:
        """The product whose notes hold the name, where no other's do."""
        if name not in self._owners and len(self._owners) < _MOST_NAMES:
            names = [product.name for product in self._index.products]
            found = self._index.passages_holding(split_tokens(name)[:1], products=names)
            owners = np.unique(self._index.passages.products[found])
            self._owners[name] = names[int(owners[0])] if len(owners) == 1 else None
        return self._owners.get(name)


def review_symbols(
    touched: Sequence[Touched],
    files: Sequence[FileDiff],
    index: IndexReader,
    ranges: Mapping[str, Sequence[VersionRange]],
) -> tuple[ReviewedSymbol, ...]:
    """At most 50 names that the notes speak of, in the diff's order, each once for a product.

    `ranges` holds those of each product that the diff bumps, by its name.
    """
    reader = MentionReader(index)
    roots = {product.name: product_roots((product.name, *product.aliases)) for product in index.products}
    found: dict[tuple[str, str], tuple[int, ReviewedSymbol]] = {}
    uses = _ProductUses(files, index, roots)
    candidates = _candidates(touched, uses, index.products, roots, ranges)
    for place, use, product in waited_for(islice(candidates, _MOST_LOOK_UPS)):
        key = use.mention.path[-1].rpartition(".")[2].lstrip("-"), product.name
        if len(found) == MAX_SYMBOLS or key in found:
            continue
        if citations := reader.cite(use, product, ranges.get(product.name, ()), roots=roots[product.name]):
            found[key] = place, ReviewedSymbol(use.symbol, product.name, use.file, use.line, citations)
    return tuple(symbol for _, symbol in sorted(found.values(), key=lambda pair: pair[0]))


def _candidates(
    touched: Sequence[Touched],
    uses: _ProductUses,
    products: Sequence[CatalogueProduct],
    roots: Mapping[str, frozenset[str]],
    ranges: Mapping[str, Sequence[VersionRange]],
) -> Iterator[tuple[int, Touched, CatalogueProduct]]:
    """Each name with the products that it may be of, sure ones first, added ones before removed ones."""
    pairs = []
    for place, use in waited_for(enumerate(touched)):
        for product in products:
            own = roots[product.name]
            is_sure = use.is_surely_of(own)
            if not is_sure:
                if use.is_surely_of_another(own):
                    continue
                # A name that says enough may be of a product that another file uses.
                used = uses.anywhere if use.says_enough else uses.by_file.get(use.file, frozenset())
                if product.name not in used and product.name not in ranges:
                    continue
            pairs.append((not is_sure, not use.is_added, place, use, product))
    pairs.sort(key=lambda pair: pair[:3])
    return ((place, name, product) for _, _, place, name, product in pairs)
