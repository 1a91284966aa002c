"""Where the indexed notes of a product end, and when they were last compared with their sources."""

from collections.abc import Iterator
from datetime import date

from corpus.ages import day_words
from corpus.catalogue import CatalogueProduct, releases_out
from corpus.index.stored import last_synced
from corpus.index.tables import TableReader
from retrieval.quoting.safe_text import safe


def end_of_notes(product: CatalogueProduct, index: TableReader) -> Iterator[str]:
    """One sentence: "The notes here go up to Gizmo 2.12 (1 May 2026), last checked on 4 May 2026." None for a product
    without releases; what isn't out is no end. The day and not how long ago it is: an answer stays true wherever it is
    kept, and asking again gives the same bytes."""
    if not product.releases:
        return
    newest = releases_out(product.releases)[0]
    day = f" ({day_words(newest.date)})" if newest.date else ""
    synced = last_synced(index.documents_of(product.name)).get(product.name)
    compared = f", last checked on {day_words(date.fromisoformat(synced[:10]))}" if synced else ""
    yield f"The notes here go up to {safe(product.name)} {newest.version}{day}{compared}."
