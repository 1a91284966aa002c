"""The index as readers see it: its tables, and the derived files with which they are searched."""

import sqlite3
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from corpus.errors import IndexCorrupt, StoreUnavailable
from corpus.index.derived import check_derived, manifest_files, open_derived
from corpus.index.faults import derived_corrupt, reading_values
from corpus.index.layout import newest_manifest, open_snapshot
from corpus.index.tables import TableReader
from corpus.manifest import Manifest, ModelStamp
from corpus.stores.choice import StoreChoice
from corpus.stores.lexical_index import LexicalIndex
from corpus.stores.passage_table import PassageTable
from corpus.stores.protocol import EmbeddedStore, PassageFilter, PassageStore
from corpus.stores.vector_index import is_one_file, open_item_vectors

_OPEN_ATTEMPTS = 5


class IndexReader(TableReader):
    """One committed state of an index, unchanged by later commits; safe to share between threads."""

    def __init__(self, path: Path, connection: sqlite3.Connection, manifest: Manifest, passages: PassageTable) -> None:
        super().__init__(path, connection, manifest)
        self.passages = passages
        self.store: PassageStore

    def close(self) -> None:
        """Close the snapshot, the store and the mapped files; the reader can't be used afterwards."""
        super().close()
        if store := vars(self).pop("store", None):
            store.close()
        vars(self).pop("passages", None)

    @property
    def lexical(self) -> LexicalIndex:
        """The BM25 index of all passages."""
        return self.store.lexical

    def passages_holding(self, tokens: Iterable[str], *, products: Iterable[str]) -> NDArray[np.int64]:
        """Return the rows, ascending, of the products' passages with one of `tokens`, without boilerplate."""
        passage_filter = PassageFilter(self.product_places(products))
        return self.store.lexical_scores(dict.fromkeys(tokens, 1.0), passage_filter).positions

    @contextmanager
    def naming_damage(self) -> Iterator[None]:
        """Report an error in a `with` block as damage if a derived file isn't what was written; opening checks none,
        because that reads them whole.

        Raises:
            IndexCorrupt: the block failed, and a file doesn't match the digest in its name.
        """
        try:
            yield
        except (ValueError, TypeError, LookupError, ArithmeticError, MemoryError) as error:
            for fault in filter(None, (check_derived(self.path, file) for file in manifest_files(self.manifest))):
                raise derived_corrupt(self.path, fault) from error
            raise

    @classmethod
    def open(cls, path: Path, *, model: ModelStamp | None = None) -> "IndexReader":
        """Open the newest committed state.

        Raises:
            IndexNotFound: there is no index at `path`.
            IndexMismatch: it was built with another format version, or with another model than `model`.
            IndexCorrupt: a checksum of the tables is wrong, or a derived file can't be read.
            StoreUnavailable: the server that searches it doesn't answer.
        """
        for _ in range(_OPEN_ATTEMPTS - 1):
            manifest = newest_manifest(path)
            try:
                return cls._open_once(path, model=model)
            except (IndexCorrupt, StoreUnavailable):
                # A writer may have committed and swept the files between our reading of its manifest and of them.
                if newest_manifest(path) == manifest:
                    raise
        return cls._open_once(path, model=model)

    @classmethod
    def _open_once(cls, path: Path, *, model: ModelStamp | None) -> "IndexReader":
        connection, manifest = open_snapshot(path, model=model)
        try:
            reader = cls(path, connection, manifest, open_derived(path, manifest.columns_folder, PassageTable.open))
            reader.store = reader._open_store()
        except BaseException:
            connection.close()
            raise
        return reader

    def _open_store(self) -> PassageStore:
        """Open the store that the manifest names: the embedded one, or Milvus."""
        manifest, table = self.manifest, self.passages
        with reading_values(self.path):
            choice = StoreChoice.parse(manifest.store)
        lexical = open_derived(
            self.path,
            manifest.lexical_folder,
            lambda folder: LexicalIndex.open(folder, passages=manifest.passages),
        )
        if not choice.is_embedded:
            from corpus.stores.milvus.searching import MilvusStore

            return MilvusStore.open(choice, manifest.store_generation, table=table, lexical=lexical)
        if manifest.vectors_file and is_one_file(manifest.items) != manifest.vectors_file.endswith(".faiss"):
            raise derived_corrupt(self.path, "its vectors are kept as an earlier relnotes kept so many")
        vectors = open_derived(self.path, manifest.vectors_file, open_item_vectors)
        if (vectors.searched.ntotal, vectors.searched.d) != (manifest.items, manifest.dimensions):
            raise derived_corrupt(self.path, f"{manifest.vectors_file} holds other vectors than were written")
        return EmbeddedStore(vectors, lexical, table)
