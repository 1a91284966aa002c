"""How a question may go on while it is typed: products, releases and names of code that begin like its last words."""

import re
from array import array
from bisect import bisect_left
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass
from itertools import chain

import numpy as np

from corpus.ages import day_words
from corpus.catalogue import CatalogueProduct, CatalogueRelease
from corpus.everyday_words import is_everyday
from corpus.index.reader import IndexReader
from corpus.symbols import is_abbreviation
from retrieval.answers.catalogue_releases import describe_product
from retrieval.assistant import Assistant
from retrieval.products.known import KnownProducts
from ui.web.ask.kept import KeptByIndex

_SHOWN = 8
_NAME_WORDS = 3
"""How many words the name of a product may have."""
_LEAST_CHARACTERS = 3
"""Of a name of code: fewer begin too many."""
_WORD = re.compile(r"[^\s`\"'(),;?!]+")
_SIGNS = "._:/@-"
_SIGN = re.compile(f"[{_SIGNS}]+")
_LAST = "\U0010ffff"


@dataclass(frozen=True, slots=True)
class Completion:
    """One way to go on."""

    shown: str
    hint: str
    """What tells it from others: "PyTorch · 2.9", "released 2 April 2025"; may be empty."""
    text: str
    """The whole question as it would then read."""


def complete(assistant: Assistant, text: str) -> tuple[Completion, ...]:
    """What the last words of `text` may be the beginning of, at most eight: products, then releases of the one that is
    named before, newest first, then names of code that the named ones know, or any where none is named, most frequent
    first.

    Nothing for an empty text. The names of code are gathered when a state of the index is first asked, which takes some
    seconds for a million passages: call it beforehand, where nobody waits.
    """
    words = _WORD.findall(text)
    names = NAMES.of(assistant)
    found: list[Iterable[Completion]] = []
    if words and text.endswith(words[-1]):
        before = text[: len(text) - len(words[-1])]
        named = _named_products(before, assistant.catalogue())
        found.append(_products_begun(text, assistant.catalogue()))
        found.append(_releases_begun(before, words[-1], named[-1:]))
        if not any(product.is_called(words[-1]) for product in assistant.catalogue()):
            found.append(names.begun(before, words[-1], {product.name for product in named}))
    elif text.endswith(" "):
        named = _named_products(text, assistant.catalogue())
        found.append(_releases_begun(text, "", [product for product in named[-1:] if _ends_in_name(text, product)]))
    distinct: dict[str, Completion] = {}
    for completion in chain.from_iterable(found):
        if len(distinct) == _SHOWN:
            break
        if completion.text.casefold() != text.casefold():
            distinct.setdefault(completion.text.casefold(), completion)
    return tuple(distinct.values())


def _named_products(text: str, products: tuple[CatalogueProduct, ...]) -> list[CatalogueProduct]:
    """Those that a text names, the last one last."""
    known = KnownProducts.of(products)
    if not known.names:
        return []
    by_name = {product.name: product for product in products}
    # The pattern takes letters for the same that folding doesn't, such as the dotless i.
    found = (known.names.get(match.group().casefold()) for match in known.whole_name.finditer(text))
    names = [name for name in found if name]
    return [by_name[name] for name in reversed(dict.fromkeys(reversed(names)))]


def _ends_in_name(text: str, product: CatalogueProduct) -> bool:
    ended = text.rstrip().casefold()
    return any(ended.endswith(name.casefold()) for name in (product.name, *product.aliases))


def _products_begun(text: str, products: Iterable[CatalogueProduct]) -> Iterator[Completion]:
    """By the last words, the more the better: a name may have several."""
    ends = [match.start() for match in _WORD.finditer(text)][-_NAME_WORDS:]
    for product in products:
        names = [name.casefold() for name in (product.name, *product.aliases)]
        start = next((at for at in ends if any(name.startswith(text[at:].casefold()) for name in names)), None)
        if start is not None:
            completed = f"{text[:start]}{product.name}"
            yield Completion(product.name, describe_product(product), completed)


def _releases_begun(before: str, word: str, products: Iterable[CatalogueProduct]) -> Iterator[Completion]:
    begun = word.casefold().removeprefix("v")
    if word and not begun[:1].isdecimal():
        return
    for product in products:
        # Who wants a candidate types its first letter.
        for release in sorted(product.releases, key=lambda release: release.version.is_prerelease):
            label = str(release.version)
            if label.startswith(begun):
                shown = f"{product.name} {label}"
                yield Completion(shown, _release_hint(release), f"{before}{label}")


def _release_hint(release: CatalogueRelease) -> str:
    if release.pending:
        return "not released yet"
    return f"released {day_words(release.date)}" if release.date else ""


class _CodeNames:
    """The names of code of an index by how they, or what stands behind a sign within them, begin.

    A million passages know millions of names, counted by product: each is a row of columns, none an object.
    """

    def __init__(self, index: IndexReader) -> None:
        table = index.passages
        codes: dict[str, int] = {}
        named, positions = array("i"), array("i")
        for position, symbols in index.symbols_by_passage():
            for symbol in symbols:
                named.append(codes.setdefault(symbol, len(codes)))
                positions.append(position)
        self._names = sorted(name for name in codes if _WORD.fullmatch(name) and not is_abbreviation(name))
        place_of = np.full(len(codes), -1, np.int32)
        place_of[[codes[name] for name in self._names]] = np.arange(len(self._names), dtype=np.int32)
        self._products = tuple(product.name for product in index.products)
        numbered = ((version, code) for code, version in enumerate(table.distinct_versions) if version is not None)
        self._versions = sorted(numbered, key=lambda known: known[0])
        release_of = np.full(len(table.distinct_versions), -1, np.int32)
        release_of[[code for _, code in self._versions]] = np.arange(len(self._versions), dtype=np.int32)

        names = place_of[np.array(named, np.int32)]
        at = np.array(positions, np.int32)[names >= 0]
        keys = names[names >= 0].astype(np.int64) * len(self._products) + table.products[at]
        rows, row_of, self._row_passages = np.unique(keys, return_inverse=True, return_counts=True)
        self._row_names, self._row_products = np.divmod(rows, max(1, len(self._products)))
        self._row_newest = np.full(len(rows), -1, np.int32)
        np.maximum.at(self._row_newest, row_of, release_of[table.version_codes[at]])
        self._row_bounds = np.searchsorted(self._row_names, np.arange(len(self._names) + 1))
        keyed = sorted(
            (key, nth > 0, place) for place, name in enumerate(self._names) for nth, key in enumerate(_keys(name))
        )
        self._keys = [key for key, _, _ in keyed]
        self._keyed = [(is_part, place) for _, is_part, place in keyed]

    def begun(self, before: str, word: str, products: Collection[str]) -> Iterator[Completion]:
        """Those that `word` begins, of `products` where some are given: whole names first, the most frequent first."""
        begun = word.casefold().lstrip(_SIGNS)
        if len(begun) < _LEAST_CHARACTERS or (word.isalpha() and is_everyday(word)):
            return
        found = self._keyed[bisect_left(self._keys, begun) : bisect_left(self._keys, f"{begun}{_LAST}")]
        if not found:
            return
        bounds = [self._row_bounds[place : place + 2].tolist() for _, place in found]
        rows = np.array([row for start, end in bounds for row in range(start, end)], np.int64)
        is_part = np.repeat([is_part for is_part, _ in found], [end - start for start, end in bounds])
        if products:
            is_wanted = np.array([name in products for name in self._products])[self._row_products[rows]]
            rows, is_part = rows[is_wanted], is_part[is_wanted]
        order = np.lexsort((self._row_products[rows], self._row_names[rows], -self._row_passages[rows], is_part))
        for row in rows[order].tolist():
            name, newest = self._names[self._row_names[row]], int(self._row_newest[row])
            product = self._products[self._row_products[row]]
            hint = f"{product} · {self._versions[newest][0]}" if newest >= 0 else product
            yield Completion(name, hint, f"{before}{name}")


def _keys(name: str) -> Iterator[str]:
    """A name from its first letter on, then from each letter that stands behind a sign."""
    folded = name.casefold().lstrip(_SIGNS)
    yield folded
    for sign in _SIGN.finditer(folded):
        yield folded[sign.end() :]


NAMES = KeptByIndex(lambda assistant: _CodeNames(assistant.index))
"""The names of code of each state of an index that was asked for completions."""
