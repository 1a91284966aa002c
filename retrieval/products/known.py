"""The catalogue as a question needs it: products by every name they go by, by names nearly theirs, and their releases.

Built once for a catalogue, so that a look-up costs the same however many releases there are.
"""

import math
import re
from collections import deque
from collections.abc import Mapping, Sequence
from difflib import SequenceMatcher, get_close_matches
from functools import cached_property, lru_cache

from corpus.catalogue import CatalogueProduct, check_product
from corpus.errors import NotIndexed
from corpus.everyday_words import is_everyday
from corpus.versions import Version, VersionConstraint
from retrieval.products.names import (
    EVERYDAY_NAMES,
    NICKNAMES,
    loose_spellings,
    nicknames_of,
    slips_of,
    spellings,
)

_MIN_TYPO_LENGTH, _TYPO_CUTOFF = 5, 0.82
"""Chosen by hand, never fitted."""
_NEAREST, _MAX_NAMED = 3, 12
_MIN_INITIALS, _SHORTENED_SHARE = 3, 0.6
"""Chosen by hand, never fitted."""
_ENDINGS = frozenset(
    "python py js javascript java go rust ruby php dotnet sdk client core cli server collector".split()
)
"""Of names that are called by what stands before: pytest-asyncio isn't called pytest."""
_REMEMBERED_WORDS = 1024


class KnownProducts:
    """Look-ups over the products of an index; none at all is allowed."""

    def __init__(self, catalogue: Sequence[CatalogueProduct]) -> None:
        self.catalogue = tuple(catalogue)
        written = {name: p.name for p in self.catalogue for name in (p.name, *p.aliases) if name}
        stated = {name.casefold(): product for name, product in written.items()}
        loose = {other: product for name, product in written.items() for other in loose_spellings(name)}
        joined = {other: product for name, product in written.items() for other in spellings(name)}
        begun = self._begun_by(stated)
        named = {**begun, **stated}
        called = {nickname: named[name] for nickname, name in nicknames_of(named)}
        owning = {f"{name}s": product for name, product in stated.items() if name not in EVERYDAY_NAMES}
        self.names = {**owning, **_initials(written), **begun, **loose, **joined, **called, **stated}
        self.everyday = (
            EVERYDAY_NAMES | (loose.keys() - stated.keys() - joined.keys()) | set(filter(is_everyday, begun))
        )
        """Names that are ordinary words as well; they count only where the grammar says that a name stands there."""
        self.product_nearly_called = lru_cache(maxsize=_REMEMBERED_WORDS)(self._find_nearest)

    @staticmethod
    def _begun_by(stated: Mapping[str, str]) -> dict[str, str]:
        """What names begin with before a word that many names end with ("sentry" of sentry-python), where one product
        alone begins so."""
        whose: dict[str, set[str]] = {}
        for name, product in stated.items():
            first, *others = re.split(r"[-_ ]+", name)
            if others and set(others) <= _ENDINGS and len(first) >= _MIN_TYPO_LENGTH and first.isalpha():
                whose.setdefault(first, set()).add(product)
        return {first: next(iter(found)) for first, found in whose.items() if len(found) == 1}

    @classmethod
    def of(cls, catalogue: Sequence[CatalogueProduct]) -> "KnownProducts":
        """The look-ups of a catalogue; those of the catalogues asked last are kept, by the very tuple: comparing
        thousands of releases takes longer than a question."""
        known = next((kept for kept in tuple(_remembered) if kept.catalogue is catalogue), None)
        if known is None:
            known = cls(catalogue)
            _remembered.append(known)
        return known

    @cached_property
    def whole_name(self) -> re.Pattern[str]:
        """Matches a product's name that stands as a word; only to be used where there are `names`."""
        return re.compile(rf"(?<![\w.-])(?:{self._alternatives})(?![^\W\d]|-[^\W\d]|\.[^\W\d]|::)", re.IGNORECASE)

    @cached_property
    def name_in_compound(self) -> re.Pattern[str]:
        """Matches a product's name inside code, a path or a compound; only to be used where there are `names`."""
        return re.compile(
            rf"(?<![\w.-])(?:{self._alternatives})(?=-[^\W\d]|\.[^\W\d]|_|::|[/\\][\w@-]+[/\\.])", re.IGNORECASE
        )

    @property
    def _alternatives(self) -> str:
        return "|".join(map(re.escape, sorted(self.names, key=len, reverse=True)))

    def product_mistyped_as(self, word: str) -> str:
        """The product of which a name can only be meant by `word`; empty where there is none."""
        return "" if word in self.names else self._slips.get(word, "") or self._shortened.get(word, "")

    def called(self, word: str) -> str:
        """The product that a word names, or can only be meant for; empty where there is none."""
        return self.names.get(word.casefold(), "") or self.product_mistyped_as(word.casefold())

    @cached_property
    def _shortened(self) -> dict[str, str]:
        """What names begin with and no other name does, where it is most of the name and no word of its own."""
        whose: dict[str, set[str]] = {}
        for name in self.names.keys() - self.everyday:
            for length in range(max(_MIN_TYPO_LENGTH, math.ceil(_SHORTENED_SHARE * len(name))), len(name)):
                whose.setdefault(name[:length], set()).add(self.names[name])
        return {
            start: next(iter(products))
            for start, products in whose.items()
            if len(products) == 1 and start.isalnum() and not is_everyday(start)
        }

    @cached_property
    def _slips(self) -> dict[str, str]:
        names = (*(name.casefold() for p in self.catalogue for name in (p.name, *p.aliases)), *NICKNAMES)
        known = dict.fromkeys(name for name in names if name in self.names and name not in self.everyday)
        return {slip: self.names[name] for name in known for slip in slips_of(name)}

    def _find_nearest(self, word: str) -> str:
        """The product of which a name is `word` but for some letters ("posgresqll"), the first one being right; empty
        where there is none. Only for a word that stands where a product's name would."""
        if mistyped := self.product_mistyped_as(word):
            return mistyped
        letters, best, nearest = set(word), _TYPO_CUTOFF, ""
        for name, product in self.names.items():
            # Most names can't be near enough by their length or letters alone; comparing is the slow part.
            most_alike = min(len(word), len(name) - len(set(name) - letters))
            is_short = min(len(name), len(word)) < _MIN_TYPO_LENGTH
            if is_short or name[0] != word[0] or 2 * most_alike < best * (len(word) + len(name)):
                continue
            ratio = 1.0 if word in slips_of(name) else SequenceMatcher(None, name, word).ratio()
            if ratio > best:
                best, nearest = ratio, product
        return nearest

    def find(self, name: str) -> CatalogueProduct | None:
        """The product with this canonical name."""
        return self._products.get(name)

    @cached_property
    def _products(self) -> dict[str, CatalogueProduct]:
        return {product.name: product for product in self.catalogue}

    def has_release(self, version: Version, products: Sequence[str] = ()) -> bool:
        """Whether one of `products`, or any where none is given, has this release or one below it (5.0.4 for 5.0)."""
        is_plain = version == Version.parse(".".join(map(str, version.release)))
        asked = (self._releases[name] for name in products if name in self._releases)
        return any(
            version in versions or (is_plain and version.release in heads)
            for versions, heads in (asked if products else (self._all_releases,))
        )

    def has_releases(self, products: Sequence[str]) -> bool:
        """Whether anything is known of the releases of `products`, or of any product where none is given."""
        return not self._releases.keys().isdisjoint(products) if products else bool(self._releases)

    def sole_holder(self, asked: VersionConstraint) -> str:
        """The one product of several that has all releases that are named; empty where none or more have, and for whole
        numbers, which name a release by themselves seldom."""
        named = [version for version in (*asked.versions, asked.low, asked.high) if version is not None]
        if len(self._releases) < 2 or any(len(version.release) < 2 for version in named):
            return ""
        holders = [name for name in self._releases if all(self.has_release(version, (name,)) for version in named)]
        return holders[0] if len(holders) == 1 else ""

    @cached_property
    def _all_releases(self) -> tuple[frozenset[Version], frozenset[tuple[int, ...]]]:
        """The same of all products together."""
        versions, heads = zip(*self._releases.values(), strict=True) if self._releases else ((), ())
        return frozenset().union(*versions), frozenset().union(*heads)

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


def _initials(written: Mapping[str, str]) -> dict[str, str]:
    """The initials of names of three words or more ("drf" of Django REST framework), where one product alone has them
    and they are no word of their own."""
    whose: dict[str, set[str]] = {}
    for name, product in written.items():
        words = re.findall(r"[^\W_]+", name)
        if len(words) >= _MIN_INITIALS:
            whose.setdefault("".join(word[0] for word in words).casefold(), set()).add(product)
    return {one: next(iter(found)) for one, found in whose.items() if len(found) == 1 and not is_everyday(one)}


_remembered: deque[KnownProducts] = deque(maxlen=4)


def find_product(products: Sequence[CatalogueProduct], name: str) -> CatalogueProduct:
    """The product that goes by `name`, in any case; by a nickname (`torch`) or another spelling where none does.

    Raises:
        NotIndexed: there is none, or no product can be called so.
    """
    check_product(name)
    wanted = name.strip()
    found = next((product for product in products if product.is_called(wanted)), None)
    if found is not None:
        return found
    known = KnownProducts.of(products)
    if called := known.names.get(wanted.casefold()):
        return next(product for product in products if product.name == called)
    if not products:
        raise NotIndexed(f"Unknown product {name!r}: the index holds no product yet. Ingest its documents first.")
    written = {other.casefold(): product.name for product in products for other in (product.name, *product.aliases)}
    near = dict.fromkeys(written[match] for match in get_close_matches(wanted.casefold(), written, n=_NEAREST))
    meant = f" Did you mean {' or '.join(map(repr, near))}?" if near else ""
    covered = sorted((product.name for product in products), key=str.casefold)
    more = f" and {len(covered) - _MAX_NAMED} more" if len(covered) > _MAX_NAMED else ""
    raise NotIndexed(f"Unknown product {name!r}.{meant} The index covers {', '.join(covered[:_MAX_NAMED])}{more}.")
