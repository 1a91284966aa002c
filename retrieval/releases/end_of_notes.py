"""Where the indexed notes of a product end, and when they were last compared with their sources."""

from collections.abc import Iterator

from corpus.catalogue import CatalogueProduct, releases_out
from corpus.index.stored import last_synced
from corpus.index.tables import TableReader
from retrieval.quoting.safe_text import safe


def end_of_notes(product: CatalogueProduct, index: TableReader) -> Iterator[str]:
    """One sentence: "The indexed notes of Gizmo end at 2.12 (2026-05-01), synced 2026-05-04." None for a product
    without releases; what isn't out is no end. The day and not how long ago it is: an answer stays true wherever it is
    kept, and asking again gives the same bytes."""
    if not product.releases:
        return
    newest = releases_out(product.releases)[0]
    day = f" ({newest.date.isoformat()})" if newest.date else ""
    synced = last_synced(index.documents_of(product.name)).get(product.name)
    compared = f", synced {synced[:10]}" if synced else ""
    yield f"The indexed notes of {safe(product.name)} end at {newest.version}{day}{compared}."
