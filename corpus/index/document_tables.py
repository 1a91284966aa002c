"""What an index's tables hold of documents: what they are, their texts and their releases, and products by them."""

import sqlite3
from collections import OrderedDict
from collections.abc import Iterable
from dataclasses import replace
from functools import cached_property
from itertools import groupby
from pathlib import Path

from corpus.catalogue import CatalogueProduct, CatalogueRelease, ProductMention, group_products
from corpus.errors import UsageError
from corpus.index.checked_tables import CheckedTables
from corpus.index.faults import corrupt, reading_values
from corpus.index.layout import Manifest
from corpus.index.row_checksums import DOCUMENT_FACTS, RELEASE_FACTS
from corpus.index.source_records import SourceRecord, read_source_records
from corpus.index.stored import DocumentSummary, parse_date, parse_strings, text_sha256
from corpus.model import Authority, Release, Span
from corpus.versions import Version

_TEXT_CACHE_CHARACTERS = 32_000_000


class DocumentTables(CheckedTables):
    """The documents of one committed state; safe to share between threads."""

    def __init__(self, path: Path, connection: sqlite3.Connection, manifest: Manifest) -> None:
        super().__init__(path, connection, manifest)
        self._texts: OrderedDict[int, str] = OrderedDict()

    @cached_property
    def documents(self) -> tuple[DocumentSummary, ...]:
        """Every document under its product's canonical name, sorted by product and source."""
        with reading_values(self.path):
            named = []
            for document in self._documents_as_stored:
                product = self.products[self._product_places[document.product.casefold()]]
                named.append(replace(document, product=product.name, aliases=product.aliases))
            return tuple(
                sorted(named, key=lambda document: (document.product.casefold(), document.source, document.root))
            )

    @cached_property
    def _documents_as_stored(self) -> tuple[DocumentSummary, ...]:
        rows = self._query(
            f"""SELECT {DOCUMENT_FACTS},
                      (SELECT count(*) FROM releases r WHERE r.document_id = d.id AND r.version IS NOT NULL),
                      (SELECT count(*) FROM passages p WHERE p.document_id = d.id)
               FROM documents d ORDER BY d.id"""
        )
        synced = {record.root: record.synced_at for record in self.source_records}
        with reading_values(self.path):
            documents = tuple(
                DocumentSummary(
                    id=row[0],
                    root=row[1],
                    source=row[2],
                    title=row[3],
                    product=row[4],
                    aliases=parse_strings(row[5]),
                    version=row[6],
                    date=parse_date(row[7]),
                    authority=Authority(row[8]),
                    url=row[9],
                    media_type=row[10],
                    sha256=row[11],
                    releases=row[13],
                    passages=row[14],
                    synced_at=synced.get(row[1]),
                )
                for row in rows
            )
        self._compare("document", {row[0]: row[:13] for row in rows}, self._document_checksums("facts"))
        return documents

    @cached_property
    def source_records(self) -> tuple[SourceRecord, ...]:
        """What is remembered of each ingested root, by root; none in an index that doesn't know."""
        return self.read(read_source_records)

    @cached_property
    def products(self) -> tuple[CatalogueProduct, ...]:
        """What the index covers, sorted by name."""
        with reading_values(self.path):
            releases: dict[int, list[CatalogueRelease]] = {}
            source_of = {document.id: document.source for document in self._documents_as_stored}
            dated: dict[int, list[tuple[str, str | None, int]]] = {document_id: [] for document_id in source_of}
            for document_id, label, day, pending in self._query(
                "SELECT document_id, version, date, pending FROM releases WHERE version IS NOT NULL ORDER BY id"
            ):
                dated[document_id].append((label, day, pending))
                releases.setdefault(document_id, []).append(
                    CatalogueRelease(Version.parse(label), parse_date(day), (source_of[document_id],), bool(pending))
                )
            self._compare("releases of document", dated, self._document_checksums("versions"))
            return group_products(
                ProductMention(
                    document.product,
                    document.aliases,
                    document.passages,
                    tuple(releases.get(document.id, ())),
                    document.authority is Authority.OFFICIAL,
                )
                for document in self._documents_as_stored
            )

    def products_named(self, names: Iterable[str]) -> tuple[CatalogueProduct, ...]:
        """The products with these canonical names, sorted by name; without a look at the others, of which there may be
        thousands."""
        return tuple(self.products[place] for place in self.product_places(names))

    def product_places(self, names: Iterable[str]) -> tuple[int, ...]:
        """The places in `products` of those with these canonical names, ascending."""
        return tuple(sorted({place for name in names if (place := self._places_by_name.get(name)) is not None}))

    def documents_of(self, product: str) -> tuple[DocumentSummary, ...]:
        """The documents of the product with this canonical name, sorted by source."""
        return self._documents_by_product.get(product, ())

    @cached_property
    def _places_by_name(self) -> dict[str, int]:
        return {product.name: place for place, product in enumerate(self.products)}

    @cached_property
    def _documents_by_product(self) -> dict[str, tuple[DocumentSummary, ...]]:
        return {name: tuple(those) for name, those in groupby(self.documents, key=lambda document: document.product)}

    @cached_property
    def _product_places(self) -> dict[str, int]:
        """The place in `products` of each name and alias, in folded case; the first product's where two share one."""
        places: dict[str, int] = {}
        for place, product in enumerate(self.products):
            for name in (product.name, *product.aliases):
                places.setdefault(name.casefold(), place)
        return places

    def document_text(self, document_id: int) -> str:
        """The text that a document's offsets count in.

        Raises:
            UsageError: there is no such document.
            IndexCorrupt: it isn't the text that was stored.
        """
        with self._lock:
            if document_id in self._texts:
                self._texts.move_to_end(document_id)
                return self._texts[document_id]
        rows = self._query("SELECT text, text_sha256 FROM documents WHERE id = ?", [document_id])
        if not rows:
            raise UsageError(f"No document {document_id} in the index. `relnotes docs` lists them.")
        ((text, sha256),) = rows
        if text_sha256(text) != sha256:
            raise corrupt(self.path, f"the text of document {document_id} doesn't match its checksum")
        with self._lock:
            self._texts[document_id] = text
            while len(self._texts) > 1 and sum(map(len, self._texts.values())) > _TEXT_CACHE_CHARACTERS:
                self._texts.popitem(last=False)
        return str(text)

    def document_releases(self, document_id: int) -> tuple[Release, ...]:
        """A document's releases in the order of its text; none where there is no such document."""
        rows = self._query(f"SELECT {RELEASE_FACTS} FROM releases WHERE document_id = ? ORDER BY id", [document_id])
        with reading_values(self.path):
            releases = tuple(
                Release(
                    version=Version.parse(version) if version else None,
                    label=label,
                    date=parse_date(day),
                    span=Span(start, end),
                    yanked=bool(yanked),
                    pending=bool(pending),
                )
                for version, label, day, start, end, yanked, pending in rows
            )
        if rows:
            sql = "SELECT document_id, releases FROM document_checksums WHERE document_id = ?"
            self._compare("releases of document", {document_id: rows}, dict(self._query(sql, [document_id])))
        return releases

    @cached_property
    def _document_by_id(self) -> dict[int, DocumentSummary]:
        return {document.id: document for document in self.documents}
