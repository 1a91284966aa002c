"""The index of a server as people change it over the page: add, read again, remove."""

from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from typing import TYPE_CHECKING

from corpus.errors import NotIndexed, UsageError
from corpus.index.commit import remove_documents
from corpus.index.tables import TableReader
from ingest.releases.identity import Hints
from ui.library.apart import Runner
from ui.library.ingest_desk import IngestDesk, IngestJob, IngestOutcome, IngestTools
from ui.library.requests import AddedSources, check_address
from ui.library.uploads import Uploads
from ui.rendering.words import counted

if TYPE_CHECKING:
    from ingest.pipeline import IngestProgress
    from ui.library.ingesting import Ingest


class Library:
    """The index of a server as people change it over the page; each method raises IndexBusy while an ingest is under
    way, and UsageError for what the page may not have read."""

    def __init__(self, tools: IngestTools, *, open_runner: Callable[[], AbstractContextManager[Runner]]) -> None:
        """Each ingest has a runner of its own; `tools` must be what that one takes."""
        self._tools = tools
        self._open_runner = open_runner
        self._added = AddedSources(tools.index)
        self.uploads = Uploads(tools.index)
        self.desk = IngestDesk()

    def add_files(self, keys: Sequence[str], hints: Hints) -> IngestJob:
        """Ingest uploads by their keys; where all are lists of dependencies, the notes of what they list."""
        return self._start(counted(len(keys), "file"), lambda ingest: ingest.add_files(keys, hints))

    def add_address(self, address: str, hints: Hints) -> IngestJob:
        plain = check_address(address)
        return self._start(plain, lambda ingest: ingest.add_address(plain, hints))

    def sync(self) -> IngestJob:
        """Bring the index up to date with what was added over the page: the uploaded files, and the addresses."""
        if not self.uploads.files and self._added.is_empty:
            raise UsageError(
                "Nothing was added on this page yet. What the server was set up with is brought up to date there, by "
                "whoever runs it."
            )
        return self._start("what was added", lambda ingest: ingest.sync())

    def _start(self, subject: str, do: "Callable[[Ingest], IngestOutcome]") -> IngestJob:
        def work(progress: "IngestProgress") -> IngestOutcome:
            # Imported when an ingest is asked for: a server that only answers starts sooner.
            from ui.library.ingesting import Ingest

            with self._open_runner() as run:
                return do(Ingest(self._tools, self.uploads, self._added, run, progress))

        return self.desk.start(subject, work)

    def remove(self, document_id: int) -> str:
        """Remove a document from the index, and its file where it was uploaded; returns what it was called.

        Raises:
            NotIndexed: the index has no such document.
            IndexUnavailable: the index is being written to, or there is none.
            OSError: it isn't in the index any more, but its file can't be removed.
        """
        self.desk.check_free()
        with TableReader.open(self._tools.index) as reader:
            found = next((document for document in reader.documents if document.id == document_id), None)
            of_root = sum(document.root == found.root for document in reader.documents) if found else 0
        if found is None:
            raise NotIndexed("There is no such document any more. Reload the list.")
        remove_documents(self._tools.index, ids=(document_id,))
        if self.uploads.holds(found.root):
            self.uploads.remove(found.source)
        elif of_root == 1 and not self._added.is_empty:
            self._added.remove(found.root, connectors=self._tools.open_connectors())
        return found.source
