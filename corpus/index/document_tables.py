"""One committed state of an index's tables, whose rows are held against their checksums as they are read: what they
hold of documents, their texts and their releases, and products by them."""

import sqlite3
import threading
from collections import OrderedDict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from itertools import groupby
from pathlib import Path
from typing import Any, Self, TypeVar

from corpus.catalogue import CatalogueProduct, CatalogueRelease, ProductMention, group_products
from corpus.errors import IndexCorrupt, UsageError
from corpus.index.faults import corrupt, reading_values, unavailable
from corpus.index.layout import DATABASE_NAME, Manifest
from corpus.index.row_checksums import DOCUMENT_FACTS, RELEASE_FACTS, checksum
from corpus.index.source_records import SourceRecord, read_source_records
from corpus.index.stored import DocumentSummary, parse_date, parse_strings, text_sha256
from corpus.model import Authority, Release, Span
from corpus.versions import Version

_TEXT_CACHE_CHARACTERS = 32_000_000
_FILE_VERSIONS_AT, _FILE_VERSIONS = slice(18, 20), {1, 2}
"""Where the file's header says how it may be written and read, and what SQLite knows: without and with a log."""

Found = TypeVar("Found")


class DocumentTables:
    """The documents of one committed state; safe to share between threads."""

    def __init__(self, path: Path, connection: sqlite3.Connection, manifest: Manifest) -> None:
        self.path = path
        self.manifest = manifest
        self._connection = connection
        self._lock = threading.Lock()
        self._texts: OrderedDict[int, str] = OrderedDict()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Close the snapshot; the reader can't be used afterwards."""
        self._connection.close()

    def _document_checksums(self, part: str) -> dict[int, int]:
        return dict(self._query(f"SELECT document_id, {part} FROM document_checksums"))

    def _compare(self, kind: str, rows: Mapping[int, Any], stored: Mapping[int, int]) -> None:
        """See that rows, by their ids, are what was stored."""
        for number, row in rows.items():
            if checksum(row) != stored.get(number):
                raise corrupt(self.path, f"{kind} {number} isn't what was stored")

    def check_database(self) -> tuple[str, ...]:
        """What SQLite's own check finds wrong with the database, a line each; empty when nothing is.

        Damage that stops the check itself is one line.
        """
        try:
            rows = self._query("PRAGMA integrity_check")
            with (self.path / DATABASE_NAME).open("rb") as file:
                versions = tuple(file.read(_FILE_VERSIONS_AT.stop)[_FILE_VERSIONS_AT])
        except IndexCorrupt as error:
            return (str(error),)
        except OSError as error:
            return (f"{DATABASE_NAME} can't be read ({error.strerror})",)
        lines = [line for row in rows for line in str(row[0]).splitlines()]
        if not set(versions) <= _FILE_VERSIONS:
            # With another one SQLite reads on, and takes the file for one that may not be written to.
            lines.append(f"the file is said to be of the versions {versions}")
        return tuple(line for line in lines if line != "ok" and not line.startswith("***"))

    def read(self, find: Callable[[sqlite3.Connection], Found]) -> Found:
        """What `find` finds in the snapshot, which other threads wait for.

        Raises:
            IndexCorrupt, IndexUnavailable: the database can't be read.
        """
        with self._lock:
            try:
                return find(self._connection)
            except sqlite3.DatabaseError as error:
                raise unavailable(self.path, error) from error

    def _rows(self, sql: str) -> Iterator[tuple[Any, ...]]:
        """The rows of a query, a few at a time; other threads wait."""
        with self._lock:
            try:
                yield from self._connection.execute(sql)
            except sqlite3.DatabaseError as error:
                raise unavailable(self.path, error) from error

    def _query(self, sql: str, parameters: Sequence[object] = ()) -> list[tuple[Any, ...]]:
        return self.read(lambda connection: connection.execute(sql, parameters).fetchall())

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
        """The places in `products` of those with these names, ascending."""
        places = (self._product_places.get(name.casefold()) for name in names)
        return tuple(sorted({place for place in places if place is not None}))

    def documents_of(self, product: str) -> tuple[DocumentSummary, ...]:
        """The documents of the product with this canonical name, sorted by source."""
        return self._documents_by_product.get(product, ())

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
