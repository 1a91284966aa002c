"""An index, a small embedder and a local server, for tests of what fetches."""

from pathlib import Path
from types import TracebackType

from notes_server import NotesServer
from small_corpus import HashedEmbedder

from corpus.index.reader import IndexReader
from corpus.index.source_records import SourceRecord
from corpus.index.stored import DocumentSummary
from ingest.pipeline import IngestReport, update_index
from ingest.releases.identity import Hints
from ingest.report import Unwatched
from ingest.sources.connectors import Connectors, ConnectorSettings
from ingest.sources.requests import Request
from ingest.sources.web import WebSettings


class ConnectorPlace:
    """A server that may be reached, and an index to fetch into."""

    def __init__(self, root: Path, *, environment: dict[str, str] | None = None, token: str = "") -> None:
        self.root = root
        self.index = root / "index"
        self.embedder = HashedEmbedder()
        self.server = NotesServer()
        self.environment = environment or {}
        self.allowed_hosts: tuple[str, ...] = (self.server.host,)
        self.token = token

    def __enter__(self) -> "ConnectorPlace":
        self.server.__enter__()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.server.__exit__(kind, error, trace)

    def connectors(self) -> Connectors:
        return Connectors(
            ConnectorSettings(
                web=WebSettings(allowed_hosts=self.allowed_hosts, environment=self.environment, seconds=20),
                github_api_url=self.server.url("/api/v3"),
                github_token=self.token,
            )
        )

    def ingest(self, *arguments: str | Path, product: str | None = None, rebuild: bool = False) -> IngestReport:
        self.embedder.embedded.clear()
        return update_index(
            [Request(str(argument), Hints(product=product)) for argument in arguments],
            index=self.index,
            embedder=self.embedder,
            rebuild=rebuild,
            connectors=self.connectors(),
            progress=Unwatched(),
        )

    def documents(self) -> tuple[DocumentSummary, ...]:
        with IndexReader.open(self.index) as reader:
            return reader.documents

    def records(self) -> tuple[SourceRecord, ...]:
        with IndexReader.open(self.index) as reader:
            return reader.source_records

    def text(self, source: str) -> str:
        with IndexReader.open(self.index) as reader:
            return next(reader.document_text(document.id) for document in reader.documents if document.source == source)
