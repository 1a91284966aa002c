"""What the index covers, in words: products with their releases, and what is missing of them."""

from collections.abc import Sequence

from corpus.catalogue import CatalogueProduct
from corpus.index.reader import IndexReader
from corpus.plain_words import listed
from corpus.versions import VersionConstraint
from retrieval.quoting.safe_text import safe

MOST_NAMED = 5
"""A product with more releases is described by their number."""


def describe_absence(product: CatalogueProduct, asked: VersionConstraint | None) -> str:
    """That no release of a product, or none of those asked for, is indexed; and what of it is."""
    which = f"{safe(product.name)} {asked}" if asked is not None else f"a release of {safe(product.name)}"
    return f"No notes for {which} are in the library; {describe_indexed(product)}."


def describe_indexed(product: CatalogueProduct) -> str:
    """ "2.8, 2.9 and 2.12 are": to be followed by "indexed"."""
    return f"{describe_product(product)} {'is' if len(product.releases) == 1 else 'are'}"


def describe_product(product: CatalogueProduct) -> str:
    """ "2.8, 2.9 and 2.12", or for many "212 releases from 0.1.0 to 0.141.1"."""
    releases = product.releases
    if len(releases) > MOST_NAMED:
        return f"{len(releases)} releases from {releases[-1].version} to {releases[0].version}"
    labels = [str(release.version) for release in reversed(releases)]
    return listed(labels) or "documents without a version"


def describe_coverage(index: IndexReader, *, products: Sequence[CatalogueProduct] = (), limit: int = 8) -> str:
    """The index's products with their releases, in one phrase; only `products` where some are given."""
    covered = products or index.products
    if not covered:
        return "nothing yet"
    more = f" and {len(covered) - limit} more products" if len(covered) > limit else ""
    return ", ".join(f"{safe(product.name)} ({describe_product(product)})" for product in covered[:limit]) + more
