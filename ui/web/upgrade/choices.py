"""Which product and versions the upgrade form offers, and which of them it begins with."""

from collections.abc import Sequence

from corpus.catalogue import CatalogueProduct


def version_choices(product: CatalogueProduct) -> tuple[str, ...]:
    """The releases of a product, newest first."""
    return tuple(release.version.label for release in product.releases)


def default_range(product: CatalogueProduct) -> tuple[str, str]:
    """From the first release of the series before to the newest final one; "" for what there isn't.

    Without final releases, of those that there are.
    """
    versions = product.finals if len(product.finals) > 1 else tuple(one.version for one in product.releases)
    if not versions:
        return "", ""
    newest = versions[0]
    lower = [version for version in versions if version.series < newest.series]
    if lower:
        return [version for version in lower if version.series == lower[0].series][-1].label, newest.label
    return (versions[-1].label, newest.label) if len(versions) > 1 else ("", newest.label)


def first_product(products: Sequence[CatalogueProduct]) -> CatalogueProduct | None:
    """The one to begin with: of those with an upgrade to make, the one with the most passages."""
    ranked = sorted(products, key=lambda product: (len(product.releases) < 2, -product.passages, product.name))
    return ranked[0] if ranked else None
