"""Two things to review, made from what the index covers, so that both find something."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from corpus.catalogue import CatalogueProduct
from corpus.dependencies.model import Ecosystem
from corpus.plain_words import one_line
from retrieval.reviews.model import Bump
from retrieval.reviews.products import ProductNames
from retrieval.upgrades.model import Upgrade
from ui.web.upgrade.tab import default_range

_FILE = "requirements.txt"
_PACKAGE = re.compile(r"[A-Za-z0-9](?:[A-Za-z0-9._-]*[A-Za-z0-9])?")
_SHORTEST, _LONGEST = 30, 200


@dataclass(frozen=True, slots=True)
class ExampleBump:
    """A dependency that a line of requirements can name, and two of its releases."""

    product: str
    package: str
    start: str
    end: str

    @property
    def diff(self) -> str:
        """The bump as a diff of one line."""
        return (
            f"--- a/{_FILE}\n+++ b/{_FILE}\n@@ -1 +1 @@\n-{self.package}=={self.start}\n+{self.package}=={self.end}\n"
        )


def example_bump(products: Sequence[CatalogueProduct]) -> ExampleBump | None:
    """A bump of the product with the most passages that a dependency can be told to be; None where there is none."""
    names = ProductNames(products)
    for product in sorted(products, key=lambda one: (-one.passages, one.name)):
        start, end = default_range(product)
        if not (start and end):
            continue
        for name in sorted((product.name, *product.aliases), key=lambda one: one != one.casefold()):
            bump = Bump(name, Ecosystem.PYPI, start, end, _FILE, 1)
            if _PACKAGE.fullmatch(name) and names.product_of(bump) == product:
                return ExampleBump(product.name, name, start, end)
    return None


def example_claim(upgrade: Upgrade) -> str:
    """A claim that the notes bear out: the shortest change that says enough, with its release; "" where none does."""
    items = [(release.version, one_line(item.summary)) for release in upgrade.releases for item in release.items]
    told = [(version, words) for version, words in items if _SHORTEST <= len(words) <= _LONGEST]
    if not told:
        return ""
    version, words = min(told, key=lambda one: len(one[1]))
    return f"In {upgrade.product} {version}: {words}"
