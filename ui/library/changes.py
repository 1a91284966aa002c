"""The index of a server as people change it over the page: add, read again, remove; each told at the desk.

What an ingest needs is imported when one is asked for: a server that only answers starts sooner.
"""

from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from typing import TYPE_CHECKING

from corpus.errors import IndexBusy, UsageError
from corpus.index.commit import remove_documents
from corpus.index.tables import TableReader
from ui.library.added_sources import AddedSources
from ui.library.apart import Runner
from ui.library.ingest_desk import IngestDesk, IngestJob, IngestOutcome
from ui.library.ingest_tools import IngestTools
from ui.library.requests import AddHints, check_address
from ui.library.uploads import Uploads

if TYPE_CHECKING:
    from ingest.pipeline import IngestProgress


class Library:
    """The index of a server as people change it over the page."""

    def __init__(self, tools: IngestTools, *, open_runner: Callable[[], AbstractContextManager[Runner]]) -> None:
        """Each ingest has a runner of its own; `tools` must be what that one takes."""
        self._index = tools.index
        self._tools = tools
        self._open_runner = open_runner
        self._added = AddedSources(tools.index)
        self.uploads = Uploads(tools.index)
        self.uploads.sweep()
        self.desk = IngestDesk()

    def add_files(self, keys: Sequence[str], hints: AddHints) -> IngestJob:
        """Ingest uploads by their keys; where all are lists of dependencies, the notes of what they list.

        Raises:
            IndexBusy: another ingest is under way.
        """
        subject = f"{len(keys)} {'file' if len(keys) == 1 else 'files'}"

        def work(progress: "IngestProgress") -> IngestOutcome:
            from ui.library.ingesting import ingest_files
            from ui.library.lists import are_lists

            with self._open_runner() as run:
                if are_lists(self.uploads.names(keys)):
                    return self._ingest_lists(keys, hints, run, progress)
                return ingest_files(keys, hints, uploads=self.uploads, tools=self._tools, run=run, progress=progress)

        return self.desk.start(subject, work)

    def _ingest_lists(
        self, keys: Sequence[str], hints: AddHints, run: Runner, progress: "IngestProgress"
    ) -> IngestOutcome:
        from ui.library.lists import ingest_lists

        report = ingest_lists(keys, hints, uploads=self.uploads, tools=self._tools, run=run, progress=progress)
        connectors = self._tools.open_connectors()
        for one in report.sources:
            if one.documents:
                self._added.add(one.source, AddHints(), connectors=connectors)
        return IngestOutcome(report)

    def add_address(self, address: str, hints: AddHints) -> IngestJob:
        """Ingest what is at an address.

        Raises:
            UsageError: it isn't one that the page may have read.
            IndexBusy: another ingest is under way.
        """
        plain = check_address(address)

        def work(progress: "IngestProgress") -> IngestOutcome:
            from ui.library.ingesting import ingest_source

            with self._open_runner() as run:
                report = ingest_source(plain, hints, tools=self._tools, run=run, progress=progress)
            if report.succeeded:
                connectors = self._tools.open_connectors()
                self._added.add(connectors.name(plain) or plain, hints, connectors=connectors)
            return IngestOutcome(report)

        return self.desk.start(plain, work)

    def sync(self) -> IngestJob:
        """Bring the index up to date with what was added over the page: the uploaded files, and the addresses.

        Raises:
            UsageError: nothing was added.
            IndexBusy: another ingest is under way.
        """
        if not self.uploads.files and self._added.is_empty:
            raise UsageError(
                "Nothing was added over the page. What was ingested on the server is brought up to date there, by "
                "`relnotes ingest` or `relnotes sync`."
            )

        def work(progress: "IngestProgress") -> IngestOutcome:
            from ui.library.ingesting import sync_sources

            with self._open_runner() as run:
                return IngestOutcome(
                    sync_sources(self._added, self.uploads, tools=self._tools, run=run, progress=progress)
                )

        return self.desk.start("what was added", work)

    def remove(self, document_id: int) -> str:
        """Remove a document from the index, and its file where it was uploaded; returns what it was called.

        Raises:
            UsageError: the index has no such document.
            IndexUnavailable: the index is being written to, or there is none.
            OSError: it isn't in the index any more, but its file can't be removed.
        """
        self._check_free()
        with TableReader.open(self._index) as reader:
            found = next((one for one in reader.documents if one.id == document_id), None)
            of_root = sum(one.root == found.root for one in reader.documents) if found else 0
        if found is None:
            raise UsageError("The index holds no such document any more. Load the list again.")
        remove_documents(self._index, ids=(document_id,))
        if self.uploads.holds(found.root):
            self.uploads.remove(found.source)
        elif of_root == 1 and not self._added.is_empty:
            self._added.remove(found.root, connectors=self._tools.open_connectors())
        return found.source

    def _check_free(self) -> None:
        if (running := self.desk.running) is not None:
            raise IndexBusy(f"Another ingest is running ({running.state.subject}). Wait until it is done.")
