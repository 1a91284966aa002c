"""The tables of an index as readers see them, whatever became of the derived files."""

import json
from array import array
from collections.abc import Iterator, Sequence
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from corpus.index.document_tables import DocumentTables
from corpus.index.faults import reading_values
from corpus.index.layout import open_snapshot
from corpus.index.row_checksums import PASSAGE_FACTS
from corpus.index.stored import ModelStamp, PassageTable, StoredPassage, parse_date, parse_strings, parse_versions
from corpus.model import Item, Kind, Span
from corpus.versions import Version

_IDS_AT_ONCE = 10_000
"""SQLite takes 32,766 parameters."""
_EVERYWHERE = Span(-(2**63), 2**63 - 1)


class TableReader(DocumentTables):
    """One committed state of an index's tables; safe to share between threads."""

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

    @cached_property
    def passages(self) -> PassageTable:
        """The columns of every passage, in row order."""
        return self.read_columns()

    def read_columns(self) -> PassageTable:
        """The columns of every passage as the tables have them, read row by row."""
        with reading_values(self.path):
            places = self._product_places
            products = {document.id: places[document.product.casefold()] for document in self.documents}
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
            lengths = np.array(counts, np.int64)
            return PassageTable(
                ids=np.array(ids, np.int64),
                products=np.array([products[owner] for owner in owners], np.int32),
                distinct_versions=parse_versions(code_of),
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
        rows = {
            row[0]: row
            for row in self._query_ids(
                f"SELECT {PASSAGE_FACTS} FROM passages p JOIN releases r ON r.id = p.release_id WHERE p.id", ids
            )
        }
        with reading_values(self.path):
            passages = tuple(
                self._passage(position, rows[passage_id]) for position, passage_id in zip(positions, ids, strict=True)
            )
        stored = dict(self._query_ids("SELECT passage_id, facts FROM passage_checksums WHERE passage_id", ids))
        self._compare("passage", rows, stored)
        return passages

    def load_vectors(self, positions: Sequence[int]) -> list[NDArray[np.float32]]:
        """The vectors of passages' items as they were computed: one (items, dimensions) matrix a passage."""
        ids = [int(self.passages.ids[position]) for position in positions]
        blobs = dict(self._query_ids("SELECT id, vectors FROM passages WHERE id", ids))
        stored = dict(self._query_ids("SELECT passage_id, vectors FROM passage_checksums WHERE passage_id", ids))
        self._compare("vectors of passage", blobs, stored)
        with reading_values(self.path):
            return [np.frombuffer(blobs[known], np.float32).reshape(-1, self.manifest.dimensions) for known in ids]

    def _query_ids(self, sql: str, ids: Sequence[int]) -> Iterator[tuple[Any, ...]]:
        """The rows of a query that ends in the column that must be one of `ids`."""
        for first in range(0, len(ids), _IDS_AT_ONCE):
            some = ids[first : first + _IDS_AT_ONCE]
            yield from self._query(f"{sql} IN ({','.join('?' * len(some))})", some)

    def passage_spans(self, document_id: int) -> tuple[Span, ...]:
        """The ranges of a document's passages in the order of its text; none where there is no such document."""
        rows = self._query("SELECT start, end FROM passages WHERE document_id = ? ORDER BY start, end", [document_id])
        return tuple(Span(start, end) for start, end in rows)

    def document_passages(self, document_id: int, *, within: Span = _EVERYWHERE) -> tuple[StoredPassage, ...]:
        """A document's passages in the order of its text; those that begin in `within`."""
        ids = self._query(
            "SELECT id FROM passages WHERE document_id = ? AND start >= ? AND start < ? ORDER BY start, end",
            [document_id, within.start, within.end],
        )
        return self.load_passages([int(np.searchsorted(self.passages.ids, row[0])) for row in ids])

    def text_of(self, passage: StoredPassage) -> str:
        """The text of a passage's document, which the offsets of the passage count in.

        Raises:
            IndexCorrupt: it isn't the text that was stored.
        """
        return self.document_text(passage.document.id)

    def _passage(self, position: int, row: tuple[Any, ...]) -> StoredPassage:
        _, document_id, start, end, version, day, heading, kind, items, symbols, references, versions, boilerplate = row
        return StoredPassage(
            position=position,
            document=self._document_by_id[document_id],
            span=Span(start, end),
            release=version,
            release_date=parse_date(day),
            heading=parse_strings(heading),
            kind=Kind(kind),
            items=tuple([Item.of_stored(*values) for values in json.loads(items)]),
            symbols=parse_strings(symbols),
            references=parse_strings(references),
            versions=tuple(map(Version.parse, parse_strings(versions))),
            boilerplate=bool(boilerplate),
        )
