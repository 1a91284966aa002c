"""The index of a server as people change it over the page: add, read again, remove; each told at the desk.

What an ingest needs is imported when one is asked for: a server that only answers starts sooner.
"""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from corpus.errors import IndexBusy, UsageError
from corpus.index_commit import remove_documents
from corpus.index_tables import TableReader
from ui.ingest_desk import IngestDesk, IngestJob, IngestOutcome
from ui.library_requests import AddHints, check_address
from ui.uploads import Uploads

if TYPE_CHECKING:
    from corpus.embedding import Embedder
    from ingest.pipeline import IngestProgress


class Library:
    """The index of a server as people change it over the page."""

    def __init__(self, index: Path, *, open_embedder: Callable[[], "Embedder"]) -> None:
        self._index = index
        self._open_embedder = open_embedder
        self.uploads = Uploads(index)
        self.desk = IngestDesk()

    def add_files(self, keys: Sequence[str], hints: AddHints) -> IngestJob:
        """Ingest uploads by their keys.

        Raises:
            IndexBusy: another ingest is under way.
        """
        subject = f"{len(keys)} {'file' if len(keys) == 1 else 'files'}"

        def work(progress: "IngestProgress") -> IngestOutcome:
            from ui.library_ingest import ingest_files

            return ingest_files(
                keys, hints, uploads=self.uploads, index=self._index, embedder=self._open_embedder(), progress=progress
            )

        return self.desk.start(subject, work)

    def add_address(self, address: str, hints: AddHints) -> IngestJob:
        """Ingest what is at an address.

        Raises:
            UsageError: it isn't one that the page may have read.
            IndexBusy: another ingest is under way.
        """
        plain = check_address(address)

        def work(progress: "IngestProgress") -> IngestOutcome:
            from ui.library_ingest import ingest_source

            return IngestOutcome(
                ingest_source(plain, hints, index=self._index, embedder=self._open_embedder(), progress=progress)
            )

        return self.desk.start(plain, work)

    def resync(self) -> IngestJob:
        """Read every uploaded file again: all that a new version of relnotes reads otherwise is brought up to date.

        Raises:
            UsageError: there are no uploads.
            IndexBusy: another ingest is under way.
        """
        if not self.uploads.files:
            raise UsageError(
                "No uploaded files to read again. What was ingested on the server is read again by `relnotes ingest`."
            )

        def work(progress: "IngestProgress") -> IngestOutcome:
            from ui.library_ingest import ingest_uploads

            self.uploads.describe(())
            return IngestOutcome(
                ingest_uploads(self.uploads, index=self._index, embedder=self._open_embedder(), progress=progress)
            )

        return self.desk.start("uploaded files", work)

    def remove(self, document_id: int) -> str:
        """Remove a document from the index, and its file where it was uploaded; returns what it was called.

        Raises:
            UsageError: the index has no such document.
            IndexUnavailable: the index is being written to, or there is none.
        """
        self._check_free()
        with TableReader.open(self._index) as reader:
            found = next((one for one in reader.documents if one.id == document_id), None)
        if found is None:
            raise UsageError("The index holds no such document any more. Load the list again.")
        remove_documents(self._index, ids=(document_id,))
        if self.uploads.holds(found.root):
            self.uploads.remove(found.source)
        return found.source

    def _check_free(self) -> None:
        if (running := self.desk.running) is not None:
            raise IndexBusy(f"Another ingest is running ({running.state.subject}). Wait until it is done.")
