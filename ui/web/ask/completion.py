"""How a question may go on while it is typed: products, releases and names of code that begin like its last words."""

import re
from bisect import bisect_left
from collections import Counter
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass
from itertools import islice

from corpus.ages import day_words
from corpus.catalogue import CatalogueProduct, CatalogueRelease
from corpus.everyday_words import is_everyday
from corpus.symbols import is_abbreviation
from corpus.versions import Version
from retrieval.answers.coverage import describe_product
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

    Nothing for an empty text. The names of code are gathered when a state of the index is first asked, which takes a
    second for ten thousand passages: call it beforehand, where nobody waits.
    """
    words = _WORD.findall(text)
    names = NAMES.of(assistant)
    found: list[Completion] = []
    if words and text.endswith(words[-1]):
        before = text[: len(text) - len(words[-1])]
        named = _named_products(before, assistant.catalogue())
        found += _products_begun(text, assistant.catalogue())
        found += _releases_begun(before, words[-1], named[-1:])
        if not any(product.is_called(words[-1]) for product in assistant.catalogue()):
            found += names.begun(before, words[-1], {product.name for product in named})
    elif text.endswith(" "):
        named = _named_products(text, assistant.catalogue())
        found += _releases_begun(text, "", [product for product in named[-1:] if _ends_in_name(text, product)])
    distinct: dict[str, Completion] = {}
    for completion in found:
        if completion.text.casefold() != text.casefold():
            distinct.setdefault(completion.text.casefold(), completion)
    return tuple(islice(distinct.values(), _SHOWN))


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


@dataclass(frozen=True, slots=True)
class _Name:
    """A name of code as one product's notes know it."""

    name: str
    product: str
    release: Version | None
    """The newest that names it."""
    passages: int

    @property
    def hint(self) -> str:
        return f"{self.product} · {self.release}" if self.release else self.product


class _CodeNames:
    """The names of code of an index by how they, or what stands behind a sign within them, begin."""

    def __init__(self, names: Iterable[_Name]) -> None:
        keyed = sorted(
            ((key, place > 0, name) for name in names for place, key in enumerate(_keys(name.name))),
            key=lambda entry: entry[0],
        )
        self._keys = [key for key, _, _ in keyed]
        self._named = [(is_part, name) for _, is_part, name in keyed]

    def begun(self, before: str, word: str, products: Collection[str]) -> Iterator[Completion]:
        """Those that `word` begins, of `products` where some are given: whole names first, the most frequent first."""
        begun = word.casefold().lstrip(_SIGNS)
        if len(begun) < _LEAST_CHARACTERS or (word.isalpha() and is_everyday(word)):
            return
        named = self._named[bisect_left(self._keys, begun) : bisect_left(self._keys, f"{begun}{_LAST}")]
        wanted = [(is_part, name) for is_part, name in named if not products or name.product in products]
        wanted.sort(key=lambda entry: (entry[0], -entry[1].passages, entry[1].name, entry[1].product))
        for _, name in wanted:
            yield Completion(name.name, name.hint, f"{before}{name.name}")


def _keys(name: str) -> Iterator[str]:
    """A name from its first letter on, then from each letter that stands behind a sign."""
    folded = name.casefold().lstrip(_SIGNS)
    yield folded
    for sign in _SIGN.finditer(folded):
        yield folded[sign.end() :]


def _gather_names(assistant: Assistant) -> _CodeNames:
    index = assistant.index
    product_of = {document.id: document.product for document in index.documents}
    passages: Counter[tuple[str, str]] = Counter()
    newest: dict[tuple[str, str], Version] = {}
    for document, release, name, count in index.symbol_counts():
        known = name, product_of[document]
        passages[known] += count
        version = Version.try_parse(release or "")
        if version is not None and (known not in newest or newest[known] < version):
            newest[known] = version
    return _CodeNames(
        _Name(name, product, newest.get((name, product)), count)
        for (name, product), count in passages.items()
        if _WORD.fullmatch(name) and not is_abbreviation(name)
    )


NAMES = KeptByIndex(_gather_names)
"""The names of code of each state of an index that was asked for completions."""
