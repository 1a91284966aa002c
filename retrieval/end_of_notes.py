"""Where the indexed notes of a product end, and when they were last compared with their sources."""

from collections.abc import Iterator
from datetime import UTC, datetime

from corpus.ages import time_since
from corpus.catalogue import CatalogueProduct
from corpus.index_tables import TableReader
from corpus.stored import last_synced
from retrieval.safe_text import safe


def end_of_notes(product: CatalogueProduct, index: TableReader, *, now: datetime | None = None) -> Iterator[str]:
    """One sentence: "The indexed notes of Gizmo end at 2.12 (2026-05-01), synced 3 days ago." None for a product
    without releases; `now` is by default the moment of asking."""
    if not product.releases:
        return
    newest = product.releases[0]
    day = f" ({newest.date.isoformat()})" if newest.date else ""
    synced = last_synced(index.documents).get(product.name)
    age = f", synced {time_since(synced, now=now or datetime.now(UTC))}" if synced else ""
    yield f"The indexed notes of {safe(product.name)} end at {newest.version}{day}{age}."
