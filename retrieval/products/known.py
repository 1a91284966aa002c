"""Look-ups of products by any name, nickname, spelling or typo, and of their releases.

Built once for a catalogue, so that the cost of a look-up doesn't depend on the number of releases.
"""

import math
import re
from collections import deque
from collections.abc import Iterable, Mapping, Sequence, Set
from difflib import get_close_matches
from functools import cached_property

from corpus.catalogue import CatalogueProduct, check_product
from corpus.errors import NotIndexed
from corpus.everyday_words import PLATFORMS, is_everyday
from corpus.versions import Version, VersionConstraint
from retrieval.products.names import (
    ENDINGS,
    EVERYDAY_NAMES,
    NICKNAMES,
    loose_spellings,
    plain_name,
    spellings,
)

_MIN_LENGTH = 5  # Chosen by hand, never fitted.
_NEAREST, _MAX_NAMED = 3, 12
_SHORTENED_SHARE = 0.6  # Chosen by hand, never fitted.


class KnownProducts:
    """Look-ups over the products of an index, which may have none."""

    def __init__(self, catalogue: Sequence[CatalogueProduct]) -> None:
        self.catalogue = tuple(catalogue)
        self._products = {product.name: product for product in self.catalogue}
        written = {name: p.name for p in self.catalogue for name in (p.name, *p.aliases) if name}
        stated = {plain_name(name): product for name, product in written.items()}
        loose = {spelling: product for name, product in written.items() for spelling in loose_spellings(name)}
        joined = {spelling: product for name, product in written.items() for spelling in spellings(name)}
        self.parts = _first_words(stated, {*loose, *joined, *stated, *NICKNAMES, *PLATFORMS, *EVERYDAY_NAMES})
        """The first words of names of several, as people say them: "gizmo" for gizmo-gears."""
        called = {**self.parts, **stated}
        # A nickname of several projects means the first one in the index.
        nicknames = {
            nick: called[name] for nick, names in NICKNAMES.items() for name in reversed(names) if name in called
        }
        owning = {f"{name}s": product for name, product in stated.items() if name not in EVERYDAY_NAMES}
        self.names = {**self.parts, **owning, **loose, **joined, **nicknames, **stated}
        self.everyday = EVERYDAY_NAMES | self.parts.keys() | (loose.keys() - stated.keys() - joined.keys())
        """Names that are also ordinary words; they count only if the words around them call for a name."""

    @classmethod
    def of(cls, catalogue: Sequence[CatalogueProduct]) -> "KnownProducts":
        """Return a catalogue's look-ups; the last few are cached by identity, because comparing catalogues is slow."""
        known = next((cached for cached in tuple(_cached) if cached.catalogue is catalogue), None)
        if known is None:
            known = cls(catalogue)
            _cached.append(known)
        return known

    @cached_property
    def whole_name(self) -> re.Pattern[str]:
        """A pattern for a product's name as a word; use it only if there are `names`."""
        return re.compile(rf"(?<![\w.-])(?:{self._alternatives})(?!\d*+[^\W\d]|-[^\W\d]|\.[^\W\d]|::)", re.IGNORECASE)

    @cached_property
    def name_in_compound(self) -> re.Pattern[str]:
        """A pattern for a product's name that begins code, a path or a compound; use it only if there are `names`."""
        inside = r"-[^\W\d]|\.(?!__\w+__\()[^\W\d]|_|::|[/\\][\w@-]+[/\\.]"
        return re.compile(rf"(?<![\w.-])(?:{self._alternatives})(?={inside})", re.IGNORECASE)

    @property
    def _alternatives(self) -> str:
        return "|".join(map(re.escape, sorted(self.names, key=len, reverse=True)))

    def product_shortened_as(self, word: str) -> str:
        """Return the product whose name `word` shortens unambiguously, or puts an ending on, else empty."""
        return "" if word in self.names else self._beginnings.get(word, "")

    def called(self, word: str) -> str:
        """Return the product that a word names or shortens, else empty."""
        word = plain_name(word)
        return self.names.get(word, "") or self.product_shortened_as(word)

    @cached_property
    def _beginnings(self) -> dict[str, str]:
        """Map long, unambiguous beginnings of names, no everyday words, and names with endings to the product."""
        beginnings = _unambiguous(
            (name[:length], self.names[name])
            for name in self.names.keys() - self.everyday
            for length in range(max(_MIN_LENGTH, math.ceil(_SHORTENED_SHARE * len(name))), len(name))
        )
        plain = {start: product for start, product in beginnings.items() if start.isalnum() and not is_everyday(start)}
        stated = [(plain_name(name), p.name) for p in self.catalogue for name in (p.name, *p.aliases)]
        return plain | {name + ending: product for name, product in stated for ending in ENDINGS}

    def find(self, name: str) -> CatalogueProduct | None:
        """Return the product with this canonical name, or None."""
        return self._products.get(name)

    def has_release(self, version: Version, products: Sequence[str] = ()) -> bool:
        """Return whether one of `products` (empty: any) has this release, a pre-release of it, or one in its series."""
        is_plain = version == Version.parse(".".join(map(str, version.release)))
        of_products = (self._releases[name] for name in products if name in self._releases)
        return any(
            version in versions or (is_plain and version.release in heads)
            for versions, heads in (of_products if products else (self._all_releases,))
        )

    def has_exact_release(self, version: Version) -> bool:
        """Return whether a product has exactly this release, or a pre-release of it."""
        return version in self._all_releases[0]

    def has_releases(self, products: Sequence[str]) -> bool:
        """Return whether releases of one of `products` (empty: of any product) are known."""
        return not self._releases.keys().isdisjoint(products) if products else bool(self._releases)

    def only_product_with(self, constraint: VersionConstraint) -> str:
        """Return the only one of several products with all releases named; else, or if one is a whole number, empty."""
        named = [version for version in (*constraint.versions, constraint.low, constraint.high) if version is not None]
        if len(self._releases) < 2 or any(len(version.release) < 2 for version in named):
            return ""
        products = [name for name in self._releases if all(self.has_release(version, (name,)) for version in named)]
        return products[0] if len(products) == 1 else ""

    @cached_property
    def _all_releases(self) -> tuple[frozenset[Version], frozenset[tuple[int, ...]]]:
        """The versions and leading numbers of all products together."""
        versions, heads = zip(*self._releases.values(), strict=True) if self._releases else ((), ())
        return frozenset().union(*versions), frozenset().union(*heads)

    @cached_property
    def _releases(self) -> dict[str, tuple[frozenset[Version], frozenset[tuple[int, ...]]]]:
        """Each product's versions, with the finals of its pre-releases, and their leading numbers ((5,), (5, 0) …)."""
        releases = {}
        for product in self.catalogue:
            listed = [release.version for release in product.named]
            versions = frozenset(version for release in listed for version in (release, release.base))
            heads = {tuple(v.release[:n]) for v in listed for n in range(1, len(v.release) + 1)}
            if listed:
                releases[product.name] = versions, frozenset(heads)
        return releases


def _first_words(names: Mapping[str, str], taken: Set[str]) -> dict[str, str]:
    """Return the first words of names, of five letters or more and in none of `taken`, that one product has."""
    first = _unambiguous((re.split(r"[-_ ]+", name)[0], product) for name, product in names.items())
    return {word: product for word, product in first.items() if len(word) >= _MIN_LENGTH and word not in taken}


def _unambiguous(named: Iterable[tuple[str, str]]) -> dict[str, str]:
    """Return the names that belong to a single product, with that product; empty names are dropped."""
    products: dict[str, set[str]] = {}
    for name, product in named:
        products.setdefault(name, set()).add(product)
    return {name: next(iter(owners)) for name, owners in products.items() if name and len(owners) == 1}


_cached: deque[KnownProducts] = deque(maxlen=4)


def find_product(products: Sequence[CatalogueProduct], name: str) -> CatalogueProduct:
    """Return the product called `name`, ignoring case; else by nickname (`torch`) or another spelling.

    Raises:
        NotIndexed: there is none, or the name is malformed.
    """
    check_product(name)
    wanted = name.strip()
    exact = next((product for product in products if product.is_called(wanted)), None)
    if exact is not None:
        return exact
    if canonical := KnownProducts.of(products).names.get(plain_name(wanted)):
        return next(product for product in products if product.name == canonical)
    if not products:
        raise NotIndexed(f"Unknown product {name!r}: the index holds no product yet. Ingest its documents first.")
    written = {alias.casefold(): product.name for product in products for alias in (product.name, *product.aliases)}
    near = dict.fromkeys(written[match] for match in get_close_matches(wanted.casefold(), written, n=_NEAREST))
    meant = f" Did you mean {' or '.join(map(repr, near))}?" if near else ""
    covered = sorted((product.name for product in products), key=str.casefold)
    more = f" and {len(covered) - _MAX_NAMED} more" if len(covered) > _MAX_NAMED else ""
    raise NotIndexed(f"Unknown product {name!r}.{meant} The index covers {', '.join(covered[:_MAX_NAMED])}{more}.")
