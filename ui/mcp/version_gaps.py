"""Versions that are asked about and have no notes in the index: said in so many words, lest silence read as "no"."""

from collections.abc import Iterable, Sequence

from corpus.catalogue import CatalogueProduct
from corpus.versions import Version, VersionConstraint
from retrieval.answers.coverage import describe_product
from retrieval.model import Query
from ui.mcp.bodies import VersionGapBody


def gaps_of_query(query: Query, products: Sequence[CatalogueProduct]) -> tuple[VersionGapBody, ...]:
    """The versions that a question about one product numbers and that no release in the index is; none for `latest`."""
    constraint = query.constraint
    named = [product for product in products if product.name in query.products]
    if constraint is None or len(named) != 1 or query.versions_named_as:
        return ()
    low = (constraint.low,) if constraint.low is not None and constraint.includes_low else ()
    high = (constraint.high,) if constraint.high is not None and constraint.includes_high else ()
    return version_gaps(named[0], constraint.versions or (*low, *high))


def version_gaps(product: CatalogueProduct, asked: Iterable[Version]) -> tuple[VersionGapBody, ...]:
    """Those of the versions `asked` about that aren't indexed, in that order."""
    return tuple(
        VersionGapBody(
            product=product.name,
            version=version.label,
            detail=f"Version not indexed: {product.name} {version}. Indexed: {describe_product(product)}.",
        )
        for version in asked
        if not any(VersionConstraint.exactly(version).contains(release.version) for release in product.releases)
    )
