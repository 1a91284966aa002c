"""The index as readers see it: its tables, and the derived files that rank what they hold.

`IndexReader.open` answers everything that retrieval and the entrances ask. How an index changes is in `index_commit`;
what this module doesn't do: parse, embed or rank.
"""

import sqlite3
from pathlib import Path

import faiss

from corpus.derived import DerivedFile, LexicalIndex, load_vectors
from corpus.errors import IndexCorrupt, IndexNotFound
from corpus.index_errors import derived_corrupt
from corpus.index_layout import Manifest, connect, read_manifest
from corpus.index_tables import TableReader, open_snapshot
from corpus.item_search import ItemSearch
from corpus.stored import DocumentSummary, ModelStamp

_OPEN_ATTEMPTS = 5


class IndexReader(TableReader):
    """One committed state of an index, unchanged however often others commit; safe to share between threads."""

    def __init__(
        self,
        path: Path,
        connection: sqlite3.Connection,
        manifest: Manifest,
        vectors: faiss.IndexFlatIP,
        lexical: LexicalIndex,
    ) -> None:
        super().__init__(path, connection, manifest)
        self.vectors = vectors
        self.item_search = ItemSearch(vectors)
        self.lexical = lexical

    @classmethod
    def open(cls, path: Path, *, model: ModelStamp | None = None) -> "IndexReader":
        """Open the newest committed state.

        Raises:
            IndexNotFound: there is no index at `path`.
            IndexMismatch: it was built with another format version, or with another model than `model`.
            IndexCorrupt: a checksum doesn't hold.
        """
        for _ in range(_OPEN_ATTEMPTS - 1):
            manifest = _newest_manifest(path)
            try:
                return cls._open_once(path, model=model)
            except IndexCorrupt:
                # A writer may have committed and swept the files between our reading of its manifest and of them.
                if _newest_manifest(path) == manifest:
                    raise
        return cls._open_once(path, model=model)

    @classmethod
    def _open_once(cls, path: Path, *, model: ModelStamp | None) -> "IndexReader":
        connection, manifest = open_snapshot(path, model=model)
        try:
            vectors = load_vectors(path, DerivedFile(manifest.vectors_file, manifest.vectors_sha256))
            lexical = LexicalIndex.load(
                path, DerivedFile(manifest.lexical_folder, manifest.lexical_sha256), passages=manifest.passages
            )
            if vectors.ntotal != manifest.items:
                raise derived_corrupt(path, f"{vectors.ntotal} vectors for {manifest.items} items")
        except BaseException:
            connection.close()
            raise
        return cls(path, connection, manifest, vectors, lexical)


def stored_documents(path: Path, *, model: ModelStamp) -> tuple[DocumentSummary, ...]:
    """The documents of the index at `path`; none where there is no index yet.

    Raises:
        IndexMismatch, IndexCorrupt: as for `TableReader.open`.
    """
    try:
        with TableReader.open(path, model=model) as reader:
            return reader.documents
    except IndexNotFound:
        return ()


def _newest_manifest(path: Path) -> Manifest:
    connection = connect(path)
    try:
        return read_manifest(connection, path)
    finally:
        connection.close()
