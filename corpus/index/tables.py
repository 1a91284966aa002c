"""One committed state of an index's tables, whatever the state of the derived files."""

import json
import sqlite3
import threading
from array import array
from collections import OrderedDict
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from functools import cached_property
from itertools import groupby
from pathlib import Path
from typing import Any, Self, TypeVar

import numpy as np
from numpy.typing import NDArray

from corpus.catalogue import CatalogueProduct, CatalogueRelease, ProductMention, group_products
from corpus.errors import IndexCorrupt, UsageError
from corpus.index.faults import corrupt, reading_values, unavailable
from corpus.index.layout import DATABASE_NAME, open_snapshot
from corpus.index.source_records import SourceRecord, read_source_records
from corpus.index.speakers import attribute
from corpus.index.stored import DocumentSummary, StoredPassage, parse_date, parse_speaker, parse_strings, text_sha256
from corpus.manifest import Manifest, ModelStamp
from corpus.model import Authority, Entry, Item, Kind, Release, Span
from corpus.stores.passage_table import PassageTable
from corpus.stores.protocol import PassageFilter
from corpus.versions import Version

_IDS_AT_ONCE = 10_000  # SQLite takes 32,766 parameters.
_PASSAGES = """SELECT p.id, p.document_id, p.start, p.end, r.version, r.label, r.date, r.yanked, r.pending,
p.heading, p.kind, p.items, p.symbols, p.refs, p.versions, p.boilerplate, p.quoted
FROM passages p JOIN releases r ON r.id = p.release_id WHERE p.id"""
_DOCUMENTS = """SELECT d.id, d.root, d.source, d.title, d.product, d.aliases, d.version, d.date, d.authority, d.url,
d.media_type, d.sha256, d.speaker FROM documents d ORDER BY d.id"""
_RELEASES = "SELECT document_id, version, date, pending, yanked FROM releases WHERE version IS NOT NULL ORDER BY id"
_EVERYWHERE = Span(-(2**63), 2**63 - 1)
_TEXT_CACHE_CHARACTERS = 32_000_000
_FILE_VERSIONS_AT, _FILE_VERSIONS = slice(18, 20), {1, 2}
"""The position of the write and read versions in the file's header, and SQLite's: 1 without a log, 2 with one."""

Found = TypeVar("Found")


class TableReader:
    """One committed state of an index's tables; safe to share between threads."""

    def __init__(self, path: Path, connection: sqlite3.Connection, manifest: Manifest) -> None:
        self.path = path
        self.manifest = manifest
        self._connection = connection
        self._lock = threading.Lock()
        self._texts: OrderedDict[int, str] = OrderedDict()

    @classmethod
    def open(cls, path: Path, *, model: ModelStamp | None = None) -> "TableReader":
        """Open the newest committed state, whatever the state of the derived files.

        Raises:
            IndexNotFound: there is no index at `path`.
            IndexMismatch: it was built with another format version, or with another model than `model`.
            IndexCorrupt: the database can't be read.
        """
        connection, manifest = open_snapshot(path, model=model)
        return cls(path, connection, manifest)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Close the snapshot; the reader can't be used afterwards."""
        self._connection.close()

    def check_database(self) -> tuple[str, ...]:
        """Return the faults found by SQLite's own check, a line each, or why the check failed; empty without faults."""
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
            # With an unknown version, SQLite would only treat the file as read-only.
            lines.append(f"the file is said to be of the versions {versions}")
        return tuple(line for line in lines if line != "ok" and not line.startswith("***"))

    def read(self, find: Callable[[sqlite3.Connection], Found]) -> Found:
        """Return the result of `find` on the snapshot; other threads wait for it.

        Raises:
            IndexCorrupt, IndexUnavailable: the database can't be read.
        """
        with self._lock:
            try:
                return find(self._connection)
            except sqlite3.DatabaseError as error:
                raise unavailable(self.path, error) from error

    def _rows(self, sql: str) -> Iterator[tuple[Any, ...]]:
        """Yield the rows of a query, a few at a time; other threads wait."""
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
            for document in self._documents_attributed:
                product = self.products[self._product_places[document.product.casefold()]]
                named.append(replace(document, product=product.name, aliases=product.aliases))
            return tuple(
                sorted(named, key=lambda document: (document.product.casefold(), document.source, document.root))
            )

    @cached_property
    def _documents_as_stored(self) -> tuple[DocumentSummary, ...]:
        """Every document as its text names the product."""
        rows = self._query(_DOCUMENTS)
        counts = "SELECT document_id, count({}) FROM {} GROUP BY document_id"
        releases = dict(self._query(counts.format("version", "releases")))
        passages = dict(self._query(counts.format("id", "passages")))
        synced = {record.root: record.synced_at for record in self.source_records}
        with reading_values(self.path):
            return tuple(
                DocumentSummary(
                    key,
                    root,
                    source,
                    title,
                    product,
                    parse_strings(names),
                    version,
                    parse_date(day),
                    Authority(authority),
                    url,
                    media,
                    sha,
                    speaker=parse_speaker(speaker),
                    releases=releases.get(key, 0),
                    passages=passages.get(key, 0),
                    synced_at=synced.get(root),
                )
                for key, root, source, title, product, names, version, day, authority, url, media, sha, speaker in rows
            )

    @cached_property
    def _documents_attributed(self) -> tuple[DocumentSummary, ...]:
        """The same documents without what belongs to an origin that the user named."""
        return attribute(self._documents_as_stored)

    @cached_property
    def source_records(self) -> tuple[SourceRecord, ...]:
        """The record of each ingested root, by root; none in an index of another format."""
        return self.read(read_source_records)

    @cached_property
    def products(self) -> tuple[CatalogueProduct, ...]:
        """The products in the index with their releases, sorted by name."""
        with reading_values(self.path):
            releases: dict[int, list[CatalogueRelease]] = {}
            source_of = {document.id: document.source for document in self._documents_as_stored}
            for document_id, label, day, pending, yanked in self._query(_RELEASES):
                release = CatalogueRelease(
                    Version.parse(label), parse_date(day), (source_of[document_id],), bool(pending), bool(yanked)
                )
                releases.setdefault(document_id, []).append(release)
            return group_products(
                ProductMention(
                    document.product,
                    document.aliases,
                    document.passages,
                    tuple(releases.get(document.id, ())),
                    document.authority,
                    document.is_contested,
                )
                for document in self._documents_attributed
            )

    def products_named(self, names: Iterable[str]) -> tuple[CatalogueProduct, ...]:
        """Return the products with these names or aliases, sorted by name; unknown names are skipped."""
        return tuple(self.products[place] for place in self.product_places(names))

    def product_places(self, names: Iterable[str]) -> tuple[int, ...]:
        """Return the positions in `products` of those with these names or aliases, ascending."""
        places = (self._product_places.get(name.casefold()) for name in names)
        return tuple(sorted({place for place in places if place is not None}))

    def release_positions(self, product: str, release: Version | Callable[[Version | None], bool]) -> list[int]:
        """Return the rows of passages of a product, by canonical name, that belong to a release or to all that a test
        accepts (it gets None for text about no release): ascending, without boilerplate."""
        table = self.passages
        rows = PassageFilter(self.product_places((product,))).positions(table)
        # Compare each version once, and only this product's, because comparing is slow.
        versions = {code: table.distinct_versions[code] for code in np.unique(table.version_codes[rows])}
        codes = [code for code, each in versions.items() if (release(each) if callable(release) else each == release)]
        return [int(row) for row in rows[np.isin(table.version_codes[rows], codes)]]

    def documents_of(self, product: str) -> tuple[DocumentSummary, ...]:
        """Return the documents of the product with this canonical name, sorted by source; none for another name."""
        return self._documents_by_product.get(product, ())

    def unread_release(self, product: CatalogueProduct) -> Version | None:
        """Return the newest version of a product's packages if newer than all its `releases`; None without these."""
        roots = {document.root for document in self.documents_of(product.name)}
        packages = (record.package for record in self.source_records if record.root in roots)
        newest = max((release.version for release in product.releases), default=None)
        return max((version for version in packages if version and newest and version > newest), default=None)

    @cached_property
    def _product_places(self) -> dict[str, int]:
        """Positions in `products` by case-folded name and alias; the first product counts if two share one."""
        places: dict[str, int] = {}
        for place, product in enumerate(self.products):
            for name in (product.name, *product.aliases):
                places.setdefault(name.casefold(), place)
        return places

    def document_text(self, document_id: int) -> str:
        """Return the text that a document's offsets count in.

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
        if text_sha256(str(text)) != sha256:
            raise corrupt(self.path, f"the text of document {document_id} doesn't match its checksum")
        with self._lock:
            self._texts[document_id] = text
            while len(self._texts) > 1 and sum(map(len, self._texts.values())) > _TEXT_CACHE_CHARACTERS:
                self._texts.popitem(last=False)
        return str(text)

    def document_releases(self, document_id: int) -> tuple[Release, ...]:
        """Return a document's releases in the order of its text; none if there is no such document."""
        facts = "version, label, date, start, end, yanked, pending"
        rows = self._query(f"SELECT {facts} FROM releases WHERE document_id = ? ORDER BY id", [document_id])
        with reading_values(self.path):
            return tuple(
                Release(version and Version.parse(version), label, parse_date(day), Span(start, end), *map(bool, signs))
                for version, label, day, start, end, *signs in rows
            )

    @cached_property
    def _documents_by_product(self) -> dict[str, tuple[DocumentSummary, ...]]:
        return {name: tuple(group) for name, group in groupby(self.documents, key=lambda document: document.product)}

    @cached_property
    def _document_by_id(self) -> dict[int, DocumentSummary]:
        return {document.id: document for document in self.documents}

    @cached_property
    def passages(self) -> PassageTable:
        """The columns of every passage, read from the tables row by row, in their order."""
        with reading_values(self.path):
            places = self._product_places
            products = {document.id: places[document.product.casefold()] for document in self.documents}
            weights = {document.id: document.authority.weight for document in self.documents}
            kind_code = {kind: code for code, kind in enumerate(Kind)}
            code_of: dict[Version | None, int] = {}
            width = 4 * self.manifest.dimensions
            ids, owners, versions, kinds, boilerplate, counts = (array(code) for code in "qqibbi")
            for row in self._rows(
                """SELECT p.id, p.document_id, r.version, p.kind, p.boilerplate, length(p.vectors)
                   FROM passages p JOIN releases r ON r.id = p.release_id ORDER BY p.id"""
            ):
                ids.append(row[0])
                owners.append(row[1])
                version = None if row[2] is None else Version.parse(row[2])
                versions.append(code_of.setdefault(version, len(code_of)))
                kinds.append(kind_code[Kind(row[3])])
                boilerplate.append(bool(row[4]))
                counts.append(row[5] // width)
            lengths = np.array(counts, np.int64)
            return PassageTable(
                ids=np.array(ids, np.int64),
                products=np.array([products[owner] for owner in owners], np.int32),
                distinct_versions=tuple(code_of),
                version_codes=np.array(versions, np.int32),
                kind_codes=np.array(kinds, np.int8),
                authority_weights=np.array([weights[owner] for owner in owners], np.int8),
                boilerplate=np.array(boilerplate, np.bool_),
                item_offsets=np.concatenate([np.zeros(1, dtype=np.int64), np.cumsum(lengths)]),
                item_passages=np.repeat(np.arange(len(ids), dtype=np.int32), lengths),
            )

    def load_passages(self, positions: Sequence[int]) -> tuple[StoredPassage, ...]:
        """Return the passages at `positions` of the passage table, in that order."""
        ids = self.passages.ids[list(positions)].tolist()
        rows = {row[0]: row for row in self._query_ids(_PASSAGES, ids)}
        passages = []
        with reading_values(self.path):
            for position, row in zip(positions, map(rows.__getitem__, ids), strict=True):
                _, document_id, start, end, release, label, day, yanked, pending, heading, kind, items, *more = row
                *lists, boilerplate, quoted = more
                symbols, references, versions = map(parse_strings, lists)
                passages.append(
                    StoredPassage(
                        position=position,
                        document=self._document_by_id[document_id],
                        span=Span(start, end),
                        release=Version.parse(release) if release else None,
                        release_date=parse_date(day),
                        heading=parse_strings(heading),
                        kind=Kind(kind),
                        items=tuple([Item.of_stored(*values) for values in json.loads(items)]),
                        symbols=symbols,
                        references=references,
                        versions=tuple(map(Version.parse, versions)),
                        boilerplate=bool(boilerplate),
                        quoted=quoted,
                        is_yanked=bool(yanked),
                        is_unreleased=bool(pending) or bool(label and not (release or day)),
                    )
                )
        return tuple(passages)

    def load_entries(self, passages: Sequence[StoredPassage]) -> list[tuple[Entry, ...]]:
        """Return for each passage the entries that begin in it, in order: only lists of changes need them."""
        ids = self.passages.ids[[passage.position for passage in passages]].tolist()
        with reading_values(self.path):
            written = dict(self._query_ids("SELECT id, entries FROM passages WHERE id", ids))
            return [tuple(Entry.of_stored(*values) for values in json.loads(written[known])) for known in ids]

    def load_vectors(self, positions: Sequence[int]) -> list[NDArray[np.float32]]:
        """Return the vectors of passages' items as computed: one (items, dimensions) matrix for each passage."""
        ids = self.passages.ids[list(positions)].tolist()
        blobs = dict(self._query_ids("SELECT id, vectors FROM passages WHERE id", ids))
        with reading_values(self.path):
            return [np.frombuffer(blobs[key], np.float32).reshape(-1, self.manifest.dimensions) for key in ids]

    def _query_ids(self, sql: str, ids: Sequence[int]) -> Iterator[tuple[Any, ...]]:
        """Yield the rows of a query that ends with a column whose value must be one of `ids`."""
        for first in range(0, len(ids), _IDS_AT_ONCE):
            batch = ids[first : first + _IDS_AT_ONCE]
            yield from self._query(f"{sql} IN ({','.join('?' * len(batch))})", batch)

    def passage_spans(self, document_id: int) -> tuple[Span, ...]:
        """Return the ranges of a document's passages in the order of its text; none if there is no such document."""
        rows = self._query("SELECT start, end FROM passages WHERE document_id = ? ORDER BY start, end", [document_id])
        return tuple(Span(start, end) for start, end in rows)

    def document_passages(self, document_id: int, *, within: Span = _EVERYWHERE) -> tuple[StoredPassage, ...]:
        """Return a document's passages that begin in `within`, in the order of its text; none for an unknown id."""
        ids = self._query(
            "SELECT id FROM passages WHERE document_id = ? AND start >= ? AND start < ? ORDER BY start, end",
            [document_id, within.start, within.end],
        )
        return self.load_passages([int(np.searchsorted(self.passages.ids, row[0])) for row in ids])

    def text_of(self, passage: StoredPassage) -> str:
        """Return the text of a passage's document, which the offsets of the passage count in.

        Raises:
            IndexCorrupt: it isn't the text that was stored.
        """
        return self.document_text(passage.document.id)
