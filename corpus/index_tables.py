"""The tables of an index as readers see them: one committed state, whatever others commit meanwhile.

Nothing here needs the derived files, so that documents can be listed and shown where those are damaged.
"""

import json
import shlex
import sqlite3
import threading
from array import array
from collections import OrderedDict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import date
from functools import cached_property, lru_cache
from pathlib import Path
from types import TracebackType
from typing import Any, Self, TypeVar

import numpy as np
from numpy.typing import NDArray

from corpus.catalogue import CatalogueProduct, CatalogueRelease, ProductMention, group_products
from corpus.errors import IndexCorrupt, IndexMismatch, UsageError
from corpus.index_errors import corrupt, reading_values, unavailable
from corpus.index_layout import DATABASE_NAME, Manifest, connect, read_manifest
from corpus.model import Authority, Item, Kind, Release, Span
from corpus.row_checksums import (
    CHECKSUM_TABLES,
    DOCUMENT_FACTS,
    PASSAGE_FACTS,
    RELEASE_FACTS,
    checksum,
    part_faults,
    row_faults,
)
from corpus.source_records import SourceRecord, read_source_records
from corpus.stored import DocumentSummary, ModelStamp, PassageTable, ReleaseLabels, StoredPassage, StoredText
from corpus.versions import Version

_TEXT_CACHE_CHARACTERS = 32_000_000
_IDS_AT_ONCE = 10_000
"""SQLite takes 32,766 parameters."""
_FILE_VERSIONS_AT, _FILE_VERSIONS = slice(18, 20), {1, 2}
"""Where the file's header says how it may be written and read, and what SQLite knows: without and with a log."""

Fault = TypeVar("Fault")


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
        """Open the newest committed state, whatever became of the derived files.

        Raises:
            IndexNotFound: there is no index at `path`.
            IndexMismatch: it was built with another format version, or with another model than `model`.
            IndexCorrupt: the database can't be read.
        """
        connection, manifest = open_snapshot(path, model=model)
        return cls(path, connection, manifest)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Let the snapshot go; the reader can't be used afterwards."""
        self._connection.close()

    @cached_property
    def documents(self) -> tuple[DocumentSummary, ...]:
        """Every document under its product's canonical name, sorted by product and source."""
        with reading_values(self.path):
            named = []
            for document in self._documents_as_stored:
                product = self.products[self._product_places[document.product.casefold()]]
                named.append(replace(document, product=product.name, aliases=product.aliases))
            return tuple(sorted(named, key=lambda one: (one.product.casefold(), one.source, one.root)))

    @cached_property
    def _documents_as_stored(self) -> tuple[DocumentSummary, ...]:
        rows = self._query(
            f"""SELECT {DOCUMENT_FACTS},
                      (SELECT count(*) FROM releases r WHERE r.document_id = d.id AND r.version IS NOT NULL),
                      (SELECT count(*) FROM passages p WHERE p.document_id = d.id)
               FROM documents d ORDER BY d.id"""
        )
        synced = {one.root: one.synced_at for one in self.source_records}
        with reading_values(self.path):
            documents = tuple(
                DocumentSummary(
                    id=row[0],
                    root=row[1],
                    source=row[2],
                    title=row[3],
                    product=row[4],
                    aliases=_strings(row[5]),
                    version=row[6],
                    date=_date(row[7]),
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
        with self._lock:
            try:
                return read_source_records(self._connection)
            except sqlite3.DatabaseError as error:
                raise unavailable(self.path, error) from error

    @cached_property
    def products(self) -> tuple[CatalogueProduct, ...]:
        """What the index covers, sorted by name."""
        with reading_values(self.path):
            releases: dict[int, list[CatalogueRelease]] = {}
            source_of = {document.id: document.source for document in self._documents_as_stored}
            dated: dict[int, list[tuple[str, str | None]]] = {document_id: [] for document_id in source_of}
            for document_id, label, day in self._query(
                "SELECT document_id, version, date FROM releases WHERE version IS NOT NULL ORDER BY id"
            ):
                dated[document_id].append((label, day))
                releases.setdefault(document_id, []).append(
                    CatalogueRelease(Version.parse(label), _date(day), (source_of[document_id],))
                )
            self._compare("releases of document", dated, self._document_checksums("versions"))
            return group_products(
                ProductMention(
                    document.id,
                    document.product,
                    document.aliases,
                    document.passages,
                    tuple(releases.get(document.id, ())),
                )
                for document in self._documents_as_stored
            )

    @cached_property
    def _product_places(self) -> dict[str, int]:
        """The place in `products` of each name and alias, in folded case; the first product's where two share one."""
        places: dict[str, int] = {}
        for place, product in enumerate(self.products):
            for name in (product.name, *product.aliases):
                places.setdefault(name.casefold(), place)
        return places

    @cached_property
    def passages(self) -> PassageTable:
        """The columns of every passage, in row order."""
        return self.read_columns()

    def read_columns(self) -> PassageTable:
        """The columns of every passage as the tables have them, read row by row."""
        with reading_values(self.path):
            products = {one.id: self._product_places[one.product.casefold()] for one in self.documents}
            weights = {document.id: document.authority.weight for document in self.documents}
            kind_code = {kind: code for code, kind in enumerate(Kind)}
            code_of: dict[str | None, int] = {}
            width = 4 * self.manifest.dimensions
            ids, owners, versions, kinds, boilerplate, counts = (array(code) for code in "qqibbi")
            for row in self._rows(
                """SELECT p.id, p.document_id, r.version, p.kind, p.boilerplate, length(p.vectors)
                   FROM passages p JOIN releases r ON r.id = p.release_id ORDER BY p.id"""
            ):
                ids.append(row[0])
                owners.append(row[1])
                versions.append(code_of.setdefault(row[2], len(code_of)))
                kinds.append(kind_code[Kind(row[3])])
                boilerplate.append(bool(row[4]))
                counts.append(row[5] // width)
            # Parsed now, so that one that can't be is told as damage and not met by a question.
            versions_of = ReleaseLabels(tuple(code_of))
            tuple(versions_of)
            lengths = np.array(counts, np.int64)
            return PassageTable(
                ids=np.array(ids, np.int64),
                products=np.array([products[owner] for owner in owners], np.int32),
                distinct_versions=versions_of,
                version_codes=np.array(versions, np.int32),
                kind_codes=np.array(kinds, np.int8),
                authority_weights=np.array([weights[owner] for owner in owners], np.int8),
                boilerplate=np.array(boilerplate, np.bool_),
                item_offsets=np.concatenate([np.zeros(1, dtype=np.int64), np.cumsum(lengths)]),
                item_passages=np.repeat(np.arange(len(ids), dtype=np.int32), lengths),
            )

    def load_passages(self, positions: Sequence[int]) -> tuple[StoredPassage, ...]:
        """The passages at `positions` of the passage table, in that order."""
        ids = [int(self.passages.ids[position]) for position in positions]
        marks = ",".join("?" * len(ids))
        rows = {
            row[0]: row
            for row in self._query(
                f"""SELECT {PASSAGE_FACTS} FROM passages p JOIN releases r ON r.id = p.release_id
                    WHERE p.id IN ({marks})""",
                ids,
            )
        }
        with reading_values(self.path):
            passages = tuple(
                self._passage(position, rows[passage_id]) for position, passage_id in zip(positions, ids, strict=True)
            )
        self._compare(
            "passage",
            rows,
            self._checksums(f"SELECT passage_id, facts FROM passage_checksums WHERE passage_id IN ({marks})", ids),
        )
        return passages

    def load_vectors(self, positions: Sequence[int]) -> list[NDArray[np.float32]]:
        """The vectors of passages' items as they were computed: one (items, dimensions) matrix a passage."""
        ids = [int(self.passages.ids[position]) for position in positions]
        blobs: dict[int, bytes] = {}
        for first in range(0, len(ids), _IDS_AT_ONCE):
            some = ids[first : first + _IDS_AT_ONCE]
            marks = ",".join("?" * len(some))
            found = dict(self._query(f"SELECT id, vectors FROM passages WHERE id IN ({marks})", some))
            stored = f"SELECT passage_id, vectors FROM passage_checksums WHERE passage_id IN ({marks})"
            self._compare("vectors of passage", found, self._checksums(stored, some))
            blobs.update(found)
        with reading_values(self.path):
            return [np.frombuffer(blobs[one], np.float32).reshape(-1, self.manifest.dimensions) for one in ids]

    def passage_spans(self, document_id: int) -> tuple[Span, ...]:
        """The ranges of a document's passages in the order of its text; none where there is no such document."""
        rows = self._query("SELECT start, end FROM passages WHERE document_id = ? ORDER BY start, end", [document_id])
        return tuple(Span(start, end) for start, end in rows)

    def document_passages(self, document_id: int, *, within: Span) -> tuple[StoredPassage, ...]:
        """A document's passages that begin in `within`, in the order of its text."""
        rows = self._query(
            "SELECT id FROM passages WHERE document_id = ? AND start >= ? AND start < ? ORDER BY start, end",
            [document_id, within.start, within.end],
        )
        return self.load_passages([int(np.searchsorted(self.passages.ids, row[0])) for row in rows])

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
        stored = self.stored_text(document_id)
        if not stored.is_intact:
            raise corrupt(self.path, f"the text of document {document_id} doesn't match its checksum")
        text = stored.text
        with self._lock:
            self._texts[document_id] = text
            while len(self._texts) > 1 and sum(map(len, self._texts.values())) > _TEXT_CACHE_CHARACTERS:
                self._texts.popitem(last=False)
        return text

    def text_of(self, passage: StoredPassage) -> str:
        """The text of a passage's document, which the offsets of the passage count in.

        Raises:
            IndexCorrupt: it isn't the text that was stored.
        """
        return self.document_text(passage.document.id)

    def stored_text(self, document_id: int) -> StoredText:
        """A document's text with its checksum, neither believed.

        Raises:
            UsageError: there is no such document.
        """
        rows = self._query("SELECT text, text_sha256 FROM documents WHERE id = ?", [document_id])
        if not rows:
            raise UsageError(f"No document {document_id} in the index. `relnotes docs` lists them.")
        return StoredText(*rows[0])

    def document_releases(self, document_id: int) -> tuple[Release, ...]:
        """A document's releases in the order of its text; none where there is no such document."""
        rows = self._query(f"SELECT {RELEASE_FACTS} FROM releases WHERE document_id = ? ORDER BY id", [document_id])
        with reading_values(self.path):
            releases = tuple(
                Release(
                    version=Version.parse(version) if version else None,
                    label=label,
                    date=_date(day),
                    span=Span(start, end),
                    yanked=bool(yanked),
                )
                for version, label, day, start, end, yanked in rows
            )
        if rows:
            stored = self._checksums(
                "SELECT document_id, releases FROM document_checksums WHERE document_id = ?", [document_id]
            )
            self._compare("releases of document", {document_id: rows}, stored)
        return releases

    @cached_property
    def _document_by_id(self) -> dict[int, DocumentSummary]:
        return {document.id: document for document in self.documents}

    def _passage(self, position: int, row: tuple[Any, ...]) -> StoredPassage:
        _, document_id, start, end, version, day, heading, kind, items, symbols, references, versions, boilerplate = row
        return StoredPassage(
            position=position,
            document=self._document_by_id[document_id],
            span=Span(start, end),
            release=version,
            release_date=_date(day),
            heading=_strings(heading),
            kind=Kind(kind),
            items=tuple([Item(Span(int(first), int(last)), bool(taken)) for first, last, taken in json.loads(items)]),
            symbols=_strings(symbols),
            references=_strings(references),
            versions=tuple(map(Version.parse, _strings(versions))),
            boilerplate=bool(boilerplate),
        )

    @cached_property
    def _has_checksums(self) -> bool:
        return bool(self._query(f"SELECT 1 FROM sqlite_master WHERE name IN {CHECKSUM_TABLES}"))

    def _document_checksums(self, part: str) -> dict[int, int]:
        return self._checksums(f"SELECT document_id, {part} FROM document_checksums")

    def _checksums(self, sql: str, parameters: Sequence[object] = ()) -> dict[int, int]:
        return dict(self._query(sql, parameters)) if self._has_checksums else {}

    def _compare(self, kind: str, rows: Mapping[int, Any], stored: Mapping[int, int]) -> None:
        """See that rows, by their ids, are what was stored; those of an index without checksums are believed."""
        if not self._has_checksums:
            return
        for number, row in rows.items():
            if checksum(row) != stored.get(number):
                raise corrupt(self.path, f"{kind} {number} isn't what was stored")

    def part_faults(self) -> tuple[tuple[str, str], ...]:
        """The parts of the database that are neither documents nor of one and aren't what was stored, a line each."""
        return self._faults(part_faults)

    def row_faults(self) -> tuple[str, ...]:
        """The documents and passages that aren't what was stored, a line each; every byte of them is read."""
        return self._faults(row_faults)

    def _faults(self, find: Callable[[sqlite3.Connection], Iterable[Fault]]) -> tuple[Fault, ...]:
        if not self._has_checksums:
            return ()
        with self._lock:
            try:
                return tuple(find(self._connection))
            except sqlite3.DatabaseError as error:
                raise unavailable(self.path, error) from error

    def check_database(self) -> tuple[str, ...]:
        """What SQLite's own check finds wrong with the database, a line each; empty when nothing is.

        Damage that stops the check itself is one line.
        """
        try:
            rows = self._query("PRAGMA integrity_check")
            versions = self._file_versions()
        except IndexCorrupt as error:
            return (str(error),)
        except OSError as error:
            return (f"{DATABASE_NAME} can't be read ({error.strerror})",)
        lines = [line for row in rows for line in str(row[0]).splitlines()]
        if not set(versions) <= _FILE_VERSIONS:
            # With another one SQLite reads on, and takes the file for one that may not be written to.
            lines.append(f"the file is said to be of the versions {versions}")
        return tuple(line for line in lines if line != "ok" and not line.startswith("***"))

    def _file_versions(self) -> tuple[int, ...]:
        with (self.path / DATABASE_NAME).open("rb") as file:
            return tuple(file.read(_FILE_VERSIONS_AT.stop)[_FILE_VERSIONS_AT])

    def _rows(self, sql: str) -> Iterator[tuple[Any, ...]]:
        """The rows of a query, a few at a time; nobody else may read meanwhile."""
        with self._lock:
            try:
                yield from self._connection.execute(sql)
            except sqlite3.DatabaseError as error:
                raise unavailable(self.path, error) from error

    def _query(self, sql: str, parameters: Sequence[object] = ()) -> list[tuple[Any, ...]]:
        with self._lock:
            try:
                return self._connection.execute(sql, parameters).fetchall()
            except sqlite3.DatabaseError as error:
                raise unavailable(self.path, error) from error


def open_snapshot(path: Path, *, model: ModelStamp | None) -> tuple[sqlite3.Connection, Manifest]:
    """A connection that stays on the newest committed state, and that state's manifest.

    Raises:
        IndexNotFound, IndexMismatch, IndexCorrupt: as for `TableReader.open`.
    """
    connection = connect(path)
    try:
        connection.execute("BEGIN")
        manifest = read_manifest(connection, path)
        if model and model.digest != manifest.model_digest:
            raise IndexMismatch(
                f"Cannot open index {str(path)!r}: built with model {manifest.model_id!r} "
                f"({manifest.dimensions} dimensions, {manifest.model_digest[:12]}), configured is "
                f"{model.model_id!r} ({model.dimensions} dimensions, {model.digest[:12]}). "
                "Rebuild with `relnotes ingest --rebuild SOURCE...` "
                f"or set RELNOTES_MODEL={shlex.quote(manifest.model_id)}."
            )
    except sqlite3.DatabaseError as error:
        connection.close()
        raise unavailable(path, error) from error
    except BaseException:
        connection.close()
        raise
    return connection, manifest


def _date(value: object) -> date | None:
    return date.fromisoformat(str(value)) if value else None


@lru_cache(maxsize=8192)
def _strings(written: str) -> tuple[str, ...]:
    """A column's list of strings; headings and empty lists are the same in many rows."""
    strings = json.loads(written)
    if not isinstance(strings, list) or not all(isinstance(one, str) for one in strings):
        raise ValueError(f"must be a list of strings, got {written!r}")
    return tuple(strings)
