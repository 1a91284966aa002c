"""What was encoded elsewhere and isn't committed yet, kept in the index's folder: a killed ingest resumes there."""

import shutil
from pathlib import Path

from corpus.embedding import Embedder
from corpus.index.commit import EncodedDocument, fingerprint
from corpus.index.packed_documents import unpack_document
from ingest.encoding import ChangedSource

_FOLDER = "spool"
_DRAFT = "draft"


class Spool:
    """The spool of an index, for one model."""

    def __init__(self, index: Path, embedder: Embedder) -> None:
        """Open the spool, which is made where there is none.

        Raises:
            OSError: it can't be made.
        """
        self._folder = index / _FOLDER
        self._folder.mkdir(mode=0o700, exist_ok=True)
        self._digest = embedder.digest
        self._dimensions = embedder.dimensions

    def name(self, changed: ChangedSource) -> str:
        """What a document is kept by, as long as it is made the same way."""
        return fingerprint(self._digest, *changed.key, changed.sha256, changed.permalink or "")

    def holds(self, changed: ChangedSource) -> bool:
        """Whether a document is there, whole, and the one that it is named as: any program may have put it there."""
        try:
            encoded = unpack_document((self._folder / self.name(changed)).read_bytes())
        except (FileNotFoundError, ValueError):
            return False
        document = encoded.parsed.document
        widths = {matrix.shape[1] for matrix in encoded.vectors if len(matrix)}
        told = (document.root, document.source, document.sha256)
        return told == (*changed.key, changed.sha256) and widths <= {self._dimensions}

    def keep(self, name: str, packed: bytes) -> None:
        """Keep a document of `pack_document`.

        Raises:
            OSError: the disk doesn't take it.
        """
        draft = self._folder / _DRAFT
        draft.write_bytes(packed)
        draft.replace(self._folder / name)

    def load(self, name: str) -> EncodedDocument:
        """A document that is there.

        Raises:
            OSError: it isn't any more, or is another one.
        """
        try:
            return unpack_document((self._folder / name).read_bytes())
        except ValueError as error:
            raise OSError(f"a document in its folder {_FOLDER!r} {error}") from error


def sweep_spool(index: Path) -> None:
    """Remove the spool of an index, if there is one."""
    shutil.rmtree(index / _FOLDER, ignore_errors=True)
