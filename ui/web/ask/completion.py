"""How a question may go on while it is typed: products and releases that begin like its last words."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from corpus.ages import day_words
from corpus.catalogue import CatalogueProduct
from retrieval.answers.catalogue_releases import describe_product
from retrieval.assistant import Assistant
from retrieval.products.known import KnownProducts

_SHOWN = 8
_NAME_WORDS = 3  # How many words the name of a product may have.
_WORD = re.compile(r"[^\s`\"'(),;?!]+")


@dataclass(frozen=True, slots=True)
class Completion:
    """One way to go on."""

    shown: str
    hint: str  # What tells it from others: "released 2 April 2025"; may be empty.
    text: str  # The whole question as it would then read.


def complete(assistant: Assistant, text: str) -> tuple[Completion, ...]:
    """Return what the last words of `text` may begin, at most eight: products, then releases of the one before."""
    products = assistant.catalogue()
    words = list(_WORD.finditer(text))
    found: list[Completion] = []
    if words and words[-1].end() == len(text):
        found += _products_begun(text, [word.start() for word in words][-_NAME_WORDS:], products)
        before, word = text[: words[-1].start()], words[-1][0]
        if word.casefold().removeprefix("v")[:1].isdecimal():
            found += _releases_begun(before, word, _last_named(before, products))
    elif text.endswith(" "):
        product = _last_named(text, products)
        if product and text.rstrip().casefold().endswith(_folded_names(product)):
            found += _releases_begun(text, "", product)
    distinct: dict[str, Completion] = {}
    for completion in found:
        if completion.text.casefold() != text.casefold():
            distinct.setdefault(completion.text.casefold(), completion)
    return tuple(distinct.values())[:_SHOWN]


def _last_named(text: str, products: tuple[CatalogueProduct, ...]) -> CatalogueProduct | None:
    known = KnownProducts.of(products)
    if not known.names:
        return None
    # The pattern takes letters for the same that folding doesn't, such as the dotless i.
    found = [known.names.get(match.group().casefold()) for match in known.whole_name.finditer(text)]
    name = next((name for name in reversed(found) if name), None)
    return next((product for product in products if product.name == name), None)


def _products_begun(text: str, starts: list[int], products: tuple[CatalogueProduct, ...]) -> Iterator[Completion]:
    """By the last words, the more the better: a name may have several."""
    for product in products:
        names = _folded_names(product)
        start = next((at for at in starts if any(name.startswith(text[at:].casefold()) for name in names)), None)
        if start is not None:
            yield Completion(product.name, describe_product(product), f"{text[:start]}{product.name}")


def _folded_names(product: CatalogueProduct) -> tuple[str, ...]:
    return tuple(name.casefold() for name in (product.name, *product.aliases))


def _releases_begun(before: str, word: str, product: CatalogueProduct | None) -> Iterator[Completion]:
    if product is None:
        return
    # Who wants a candidate types its first letter.
    for release in sorted(product.releases, key=lambda release: release.version.is_prerelease):
        label = str(release.version)
        if label.startswith(word.casefold().removeprefix("v")):
            day = f"released {day_words(release.date)}" if release.date else ""
            hint = "not released yet" if release.pending else day
            yield Completion(f"{product.name} {label}", hint, f"{before}{label}")
