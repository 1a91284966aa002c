"""The catalogue as a question needs it: products by every name they go by, by names nearly theirs, and their releases.

Built once for a catalogue, however many questions are asked of it, and bounded in what it remembers of them.
"""

import re
from collections.abc import Sequence
from difflib import SequenceMatcher
from functools import cached_property

from corpus.catalogue import CatalogueProduct
from corpus.versions import Version

_MIN_TYPO_LENGTH, _TYPO_CUTOFF = 5, 0.82
_MAX_REMEMBERED_WORDS = 10_000


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
        nearest = self._nearest.get(word)
        if nearest is None:
            nearest = self._find_nearest(word)
            if len(self._nearest) < _MAX_REMEMBERED_WORDS:
                self._nearest[word] = nearest
        return nearest

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


class _LastKnown:
    """The look-ups made last: a server asks thousands of questions of one catalogue, and then of its next state."""

    def __init__(self) -> None:
        self._held = KnownProducts(())

    def of(self, catalogue: Sequence[CatalogueProduct]) -> KnownProducts:
        # Only the very same tuple: comparing thousands of releases would cost what is to be saved. One read and one
        # write of an attribute, so that threads need no lock.
        held = self._held
        if held.catalogue is not catalogue:
            held = self._held = KnownProducts(catalogue)
        return held


_last_known = _LastKnown()


def known_products(catalogue: Sequence[CatalogueProduct]) -> KnownProducts:
    """Look-ups over `catalogue`; those made last are kept, for the questions that follow."""
    return _last_known.of(catalogue)
