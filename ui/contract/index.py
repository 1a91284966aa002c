"""JSON of the index: its documents, its coverage and state."""

from collections.abc import Sequence
from dataclasses import asdict
from datetime import date
from typing import TYPE_CHECKING, Annotated, Self

from pydantic import Field

from corpus.catalogue import CatalogueProduct
from corpus.index.stored import last_synced
from corpus.model import Authority
from corpus.version_gaps import VersionGap, find_version_gaps
from ui.contract.answer import Body

_NEWEST_VERSIONS = 10

if TYPE_CHECKING:
    from corpus.index.tables import TableReader
    from retrieval.assistant import Assistant


class PublicDocumentBody(Body):
    """A document in the index, without its place on the server."""

    id: int
    source: str
    title: str
    product: str
    aliases: tuple[str, ...]
    version: str | None
    date: date | None
    authority: Authority
    url: str | None
    media_type: str
    releases: Annotated[int, Field(description="Releases with a version")]
    passages: int
    synced_at: Annotated[
        str | None, Field(description="When its source was last found to hold this (ISO 8601, UTC); null if unknown")
    ] = None


class PublicDocumentTextBody(PublicDocumentBody):
    """A document with the text that offsets count in."""

    text: str


class PublicDocumentListBody(Body):
    """The documents in the index, by product and source."""

    documents: tuple[PublicDocumentBody, ...]


class DocumentBody(PublicDocumentBody):
    """A document in the index, for its owner."""

    root: Annotated[str, Field(description="The directory, file or connector it was ingested from")]


class ProductBody(Body):
    """What the index covers of one product."""

    name: str
    aliases: tuple[str, ...]
    releases: int
    oldest: Annotated[str | None, Field(description="Lowest version")]
    newest: Annotated[str | None, Field(description="Highest version")]
    first_date: date | None
    last_date: date | None
    documents: int
    passages: int
    undated: Annotated[int, Field(description="Releases without a date")]
    gaps: Annotated[
        tuple[str, ...], Field(description="Versions left out between those in the index, as 2.10 or 2.10–2.12 or 4.x")
    ]
    synced_at: Annotated[str | None, Field(description="When a source of it was last in step with the index")]

    @classmethod
    def from_product(
        cls, product: CatalogueProduct, *, gaps: Sequence[VersionGap], synced_at: str | None = None
    ) -> Self:
        dates = [release.date for release in product.releases if release.date]
        return cls(
            name=product.name,
            aliases=product.aliases,
            releases=len(product.releases),
            oldest=product.releases[-1].version.label if product.releases else None,
            newest=product.releases[0].version.label if product.releases else None,
            first_date=min(dates, default=None),
            last_date=max(dates, default=None),
            documents=product.documents,
            passages=product.passages,
            undated=len(product.releases) - len(dates),
            gaps=tuple(map(str, gaps)),
            synced_at=synced_at,
        )


class SourceBody(Body):
    """What the index knows of one ingested file, directory or connector."""

    source: Annotated[str, Field(validation_alias="root")]
    documents: int
    synced_at: Annotated[str, Field(description="When the index was last in step with it (ISO 8601, UTC)")]
    gone_since: Annotated[str | None, Field(description="When its server first said that there is nothing any more")]
    note: str


class StatusBody(Body):
    """State and coverage of an index."""

    index: str
    model: Annotated[str, Field(validation_alias="model_id")]
    model_digest: str
    dimensions: int
    store: Annotated[str, Field(description="What searches it: `embedded`, or the address of a server")]
    generation: Annotated[int, Field(ge=1, description="Counts commits")]
    items: Annotated[int, Field(description="Vectors: one for each statement of a passage")]
    vectors_method: Annotated[str, Field(description="How they are kept and searched")]
    vectors_recall: Annotated[
        float, Field(ge=0, le=1, description="Share of the nearest ten that a search finds; 0: not measured")
    ]
    documents: int
    passages: int
    releases: int
    products: tuple[ProductBody, ...]
    sources: tuple[SourceBody, ...]
    created: str
    updated: str
    language_model: Annotated[
        str | None, Field(description="What is set to choose quotes among what is found; null without one")
    ]
    faults: Annotated[tuple[str, ...] | None, Field(description="What --verify found; null when it wasn't asked for")]

    @classmethod
    def from_reader(cls, reader: "TableReader", *, faults: tuple[str, ...] | None, language_model: str | None) -> Self:
        roots = {document.root for document in reader.documents}
        synced = last_synced(reader.documents)
        return cls(
            index=str(reader.path),
            releases=sum(len(product.releases) for product in reader.products),
            products=tuple(
                ProductBody.from_product(
                    product,
                    gaps=find_version_gaps(release.version for release in product.releases),
                    synced_at=synced.get(product.name),
                )
                for product in reader.products
            ),
            sources=tuple(
                SourceBody.model_validate(record) for record in reader.source_records if record.root in roots
            ),
            faults=faults,
            language_model=language_model,
            **asdict(reader.manifest),
        )


class IndexedVersionBody(Body):
    version: str
    date: date | None
    according_to: Annotated[str | None, Field(description="Who alone tells of it, and isn't the project")] = None


class ProductVersionsBody(Body):
    """What is indexed of a product."""

    name: str
    aliases: tuple[str, ...]
    documents: int
    releases: Annotated[int, Field(description="Versions that are indexed")]
    versions: Annotated[tuple[IndexedVersionBody, ...], Field(description="Newest first")]
    older_versions: Annotated[int, Field(description="Indexed and not listed here; name the product to see all")]


class VersionListBody(Body):
    """What is indexed; a version that isn't here is not indexed, whether or not it was released."""

    products: tuple[ProductVersionsBody, ...]


def version_list_body(assistant: "Assistant", name: str | None) -> VersionListBody:
    """List all versions of the product called `name`, newest first; if None, the 10 newest of every product.

    Raises:
        UsageError: there is no such product.
    """
    if name is None:
        return VersionListBody(
            products=tuple(_versions(product, limit=_NEWEST_VERSIONS) for product in assistant.catalogue())
        )
    (canonical,) = assistant.understand(name, product=name).products
    product = next(product for product in assistant.catalogue() if product.name == canonical)
    return VersionListBody(products=(_versions(product, limit=len(product.named)),))


def _versions(product: CatalogueProduct, *, limit: int) -> ProductVersionsBody:
    shown = product.named[:limit]
    attributed = ((release, release.sources[0] if release in product.hearsay else None) for release in shown)
    return ProductVersionsBody(
        name=product.name,
        aliases=product.aliases,
        documents=product.documents,
        releases=len(product.releases),
        versions=tuple(
            IndexedVersionBody(version=r.version.label, date=r.date, according_to=source) for r, source in attributed
        ),
        older_versions=len(product.named) - len(shown),
    )
