"""The catalogue as a question needs it: products by every name they go by, by names nearly theirs, and their releases.

Built once for a question and its conversation, so that each look-up costs the same however long the question is.
"""

import re
from collections.abc import Sequence
from difflib import SequenceMatcher
from functools import cached_property

from corpus.catalogue import CatalogueProduct
from corpus.versions import Version

_MIN_TYPO_LENGTH, _TYPO_CUTOFF = 5, 0.82


class KnownProducts:
    """Look-ups over the products of an index; none at all is allowed."""

    def __init__(self, catalogue: Sequence[CatalogueProduct]) -> None:
        self.catalogue = tuple(catalogue)
        self.names = {name.casefold(): p.name for p in self.catalogue for name in (p.name, *p.aliases)}
        self._nearest: dict[str, str] = {}

    @cached_property
    def whole_name(self) -> re.Pattern[str]:
        """Matches a product's name that stands as a word; only to be used where there are `names`."""
        return re.compile(rf"(?<![\w.-])(?:{self._alternatives})(?![^\W\d]|-[^\W\d]|\.[^\W\d]|::)", re.IGNORECASE)

    @cached_property
    def name_in_compound(self) -> re.Pattern[str]:
        """Matches a product's name inside code or a compound; only to be used where there are `names`."""
        return re.compile(rf"(?<![\w.-])(?:{self._alternatives})(?=-[^\W\d]|\.[^\W\d]|_|::)", re.IGNORECASE)

    @property
    def _alternatives(self) -> str:
        return "|".join(map(re.escape, sorted(self.names, key=len, reverse=True)))

    def product_nearly_called(self, word: str) -> str:
        """The product of which a name is `word` but for a slip ("djnago"); empty where there is none."""
        if len(word) < _MIN_TYPO_LENGTH:
            return ""
        if word not in self._nearest:
            self._nearest[word] = self._find_nearest(word)
        return self._nearest[word]

    def _find_nearest(self, word: str) -> str:
        letters, best, product = set(word), _TYPO_CUTOFF, ""
        for name, owner in self.names.items():
            # Most names can't be near enough by their length or letters alone; comparing is the slow part.
            most_alike = min(len(word), len(name) - len(set(name) - letters))
            if len(name) < _MIN_TYPO_LENGTH or 2 * most_alike < best * (len(word) + len(name)):
                continue
            ratio = SequenceMatcher(None, name, word).ratio()
            if ratio > best or (ratio == best and not product):
                best, product = ratio, owner
        return product

    def has_release(self, version: Version, products: Sequence[str] = ()) -> bool:
        """Whether one of `products`, or any where none is given, has this release or one below it (5.0.4 for 5.0)."""
        is_plain = version == Version.parse(".".join(map(str, version.release)))
        return any(
            version in versions or (is_plain and version.release in heads)
            for name, (versions, heads) in self._releases.items()
            if not products or name in products
        )

    def has_releases(self, products: Sequence[str] = ()) -> bool:
        """Whether anything is known of the releases of `products`, or of any product where none is given."""
        return any(not products or name in products for name in self._releases)

    @cached_property
    def _releases(self) -> dict[str, tuple[frozenset[Version], frozenset[tuple[int, ...]]]]:
        """For each product with releases, these and their final ones, and the leading numbers of them all."""
        found = {}
        for product in self.catalogue:
            listed = [release.version for release in product.releases]
            versions = frozenset(version for release in listed for version in (release, release.base))
            heads = {tuple(v.release[:n]) for v in listed for n in range(1, len(v.release) + 1)}
            if listed:
                found[product.name] = versions, frozenset(heads)
        return found
