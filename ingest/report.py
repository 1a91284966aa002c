"""How far an ingest is, what it did, and what it brought in of each product."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from corpus.catalogue import CatalogueProduct, CatalogueRelease, ProductMention, group_products
from corpus.errors import IndexUnavailable
from corpus.index.tables import TableReader
from corpus.model import Authority, ParsedDocument
from corpus.version_gaps import VersionGap, find_version_gaps
from ingest.releases.suspicions import SuspiciousSource
from ingest.sources.files import FailedSource, SkippedSource
from ingest.sources.outcomes import SourceOutcome


class IngestProgress(Protocol):
    """Hears how far ingest is."""

    def phase(self, name: str, total: int) -> None:
        """A phase begins: "Fetching", "Reading", "Embedding", "Writing", "Committing".

        `total` is what `advance` will add up to. An error that this raises calls the ingest off; once it has let
        "Committing" begin, nothing does.
        """

    def advance(self, count: int) -> None:
        """`count` more are done."""


class Unwatched:
    """Progress that nobody watches."""

    def phase(self, name: str, total: int) -> None:
        """Ignore it."""

    def advance(self, count: int) -> None:
        """Ignore it."""


@dataclass(frozen=True, slots=True)
class ProductIntake:
    """What came in of one product; documents that hadn't changed don't count."""

    product: CatalogueProduct
    """The documents that were added or updated, with their releases."""
    gaps: tuple[VersionGap, ...]
    """Versions left out between those that the whole index has of it now."""


@dataclass(frozen=True, slots=True)
class IngestReport:
    """What an ingest did; documents count once each."""

    added: int
    updated: int
    unchanged: int
    removed: int
    skipped: tuple[SkippedSource, ...]
    failed: tuple[FailedSource, ...]
    passages: int
    """Passages in the index afterwards."""
    seconds: float
    suspicious: tuple[SuspiciousSource, ...] = ()
    """Of the documents added or updated, those that were perhaps misread, and what speaks for it."""
    sources: tuple[SourceOutcome, ...] = ()
    """Each source that was named, files and folders first."""
    products: tuple[ProductIntake, ...] = ()
    """What came in, by product."""

    @property
    def succeeded(self) -> bool:
        """Whether at least one document was ingested or found unchanged."""
        return self.added + self.updated + self.unchanged > 0


def mention(parsed: ParsedDocument) -> ProductMention:
    """What a document says of its product."""
    document = parsed.document
    releases = tuple(
        CatalogueRelease(release.version, release.date, (document.source,), release.pending)
        for release in parsed.releases
        if release.version is not None
    )
    is_notes = document.authority is Authority.OFFICIAL
    return ProductMention(document.product, document.aliases, len(parsed.passages), releases, is_notes)


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
    wholes = (next((whole for whole in held if whole.is_called(product.name)), product) for product in came)
    return tuple(
        ProductIntake(product, find_version_gaps(release.version for release in whole.releases))
        for product, whole in zip(came, wholes, strict=True)
    )
