"""What was encoded elsewhere and isn't committed yet, kept in the index's folder: whoever is killed resumes there.

One file a document, named by all that its encoded form depends on. A file is there whole or not at all; one that was
damaged is as good as none. Each ingest sweeps the spool once its documents are committed, or nobody wants them.
"""

import shutil
from pathlib import Path

from corpus.embedding import Embedder
from corpus.index_commit import EncodedDocument, fingerprint
from corpus.packed_documents import is_whole, unpack_document
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
        self._folder.mkdir(exist_ok=True)
        self._digest = embedder.digest

    def name(self, changed: ChangedSource) -> str:
        """What a document is kept by; another one, or the same made otherwise, has another name."""
        return fingerprint(self._digest, *changed.key, changed.sha256, changed.permalink or "")

    def holds(self, name: str) -> bool:
        """Whether a document is there, and whole."""
        try:
            return is_whole((self._folder / name).read_bytes())
        except FileNotFoundError:
            return False

    def keep(self, name: str, packed: bytes) -> None:
        """Keep a document of `pack_document`.

        Raises:
            OSError: the disk doesn't take it.
        """
        draft = self._folder / _DRAFT
        draft.write_bytes(packed)
        draft.replace(self._folder / name)

    def load(self, name: str) -> EncodedDocument:
        """A document that is there."""
        return unpack_document((self._folder / name).read_bytes())


def count_spooled(index: Path) -> int:
    """How many documents the spool of an index holds."""
    try:
        return sum(path.name != _DRAFT for path in (index / _FOLDER).iterdir())
    except FileNotFoundError:
        return 0


def sweep_spool(index: Path) -> None:
    """Remove the spool of an index, if there is one."""
    shutil.rmtree(index / _FOLDER, ignore_errors=True)
