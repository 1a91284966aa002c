"""What an ingest brought in of each product, and what its row of versions lacks."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from corpus.catalogue import CatalogueProduct, CatalogueRelease, ProductMention, group_products
from corpus.errors import IndexUnavailable
from corpus.index.tables import TableReader
from corpus.model import Authority, ParsedDocument
from corpus.version_gaps import VersionGap, find_version_gaps


@dataclass(frozen=True, slots=True)
class ProductIntake:
    """What came in of one product; documents that hadn't changed don't count."""

    product: CatalogueProduct
    """The documents that were added or updated, with their releases."""
    gaps: tuple[VersionGap, ...]
    """Versions left out between those that the whole index has of it now."""


def tell_intake(mentions: Sequence[ProductMention], index: Path) -> tuple[ProductIntake, ...]:
    """What came in with the documents of `mentions`, by product, as the index at `index` holds them now.

    Without gaps where the index can't be read.
    """
    if not mentions:
        return ()
    came = group_products(mentions)
    try:
        with TableReader.open(index) as tables:
            held = tables.products
    except IndexUnavailable:
        # A disk without room for a reader: what came in is committed all the same.
        return tuple(ProductIntake(product, ()) for product in came)
    return tuple(ProductIntake(product, _gaps(product, held)) for product in came)


def mention(parsed: ParsedDocument) -> ProductMention:
    """What a document says of its product."""
    document = parsed.document
    releases = (
        CatalogueRelease(one.version, one.date, (document.source,), one.pending)
        for one in parsed.releases
        if one.version is not None
    )
    is_notes = document.authority is Authority.OFFICIAL
    return ProductMention(document.product, document.aliases, len(parsed.passages), tuple(releases), is_notes)


def _gaps(came: CatalogueProduct, held: Sequence[CatalogueProduct]) -> tuple[VersionGap, ...]:
    whole = next((one for one in held if one.is_called(came.name)), came)
    return find_version_gaps(release.version for release in whole.releases)
