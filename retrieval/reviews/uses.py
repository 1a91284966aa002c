"""Which products a diff's files use, though a hunk seldom shows the import: told by name, or by names of theirs.

A file speaks of a product where a line, the path or the header of a hunk names it. It speaks in the product's words
where it holds names of several words, as `read_timeout` and `JsonArray` are, that the notes of no other product hold.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import chain

import numpy as np

from corpus.index.reader import IndexReader
from corpus.lexicon import split_tokens
from retrieval.code_usage.product_roots import hold_many_packages, plain
from retrieval.code_usage.wanted import has_several_words
from retrieval.reviews.diff import FileDiff

_WORD = re.compile(r"[A-Za-z][A-Za-z0-9]*")
_LONGEST_NAME = 3
"""Words in a row that may be one name, as `php-parser` is `PhpParser`."""
_NAME = re.compile(r"[A-Za-z_]\w{5,}")
_MOST_LOOK_UPS = 500
_LONG = 12
"""Nobody uses a name of so many letters by chance; of shorter ones it takes two."""


class ProductUses:
    """The products that each file of a diff uses, as far as the diff shows them."""

    def __init__(self, files: Sequence[FileDiff], index: IndexReader, roots: Mapping[str, frozenset[str]]) -> None:
        self._index = index
        self._roots = {name: own for name, own in roots.items() if not hold_many_packages(own)}
        self._owners: dict[str, str | None] = {}
        self._by_file: dict[str, frozenset[str]] = {}
        for file in files:
            self._by_file[file.path] = self._by_file.get(file.path, frozenset()) | self._used_in(file)
        self.anywhere = frozenset(chain.from_iterable(self._by_file.values()))
        """By any file of the diff."""

    def within(self, path: str) -> frozenset[str]:
        """By the file of that path."""
        return self._by_file.get(path, frozenset())

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
        told: dict[str, list[str]] = {}
        for name in dict.fromkeys(_NAME.findall(text)):
            if has_several_words(name) and (owner := self._only_owner(name)):
                told.setdefault(owner, []).append(name)
        for owner, names in told.items():
            if len(names) > 1 or len(names[0]) >= _LONG:
                yield owner

    def _only_owner(self, name: str) -> str | None:
        """The product whose notes hold the name, where no other's do."""
        if name not in self._owners and len(self._owners) < _MOST_LOOK_UPS:
            names = [product.name for product in self._index.products]
            found = self._index.passages_holding(split_tokens(name)[:1], products=names)
            owners = np.unique(self._index.passages.products[found])
            self._owners[name] = names[int(owners[0])] if len(owners) == 1 else None
        return self._owners.get(name)
