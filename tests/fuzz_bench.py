"""The server that fuzz targets ask: all of its entrances over a small index, without a socket."""

import logging
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx
from fastapi.testclient import TestClient
from slack_workspace import SIGNING_SECRET
from small_corpus import HashedEmbedder
from ui_small_index import ingest, unconnected_library, write_documents

from corpus.embedding import Embedder
from retrieval.assistant import Assistant
from ui.http.api import create_app
from ui.http.library import add_library_paths
from ui.library.uploads import Uploads
from ui.mcp.endpoint import mount_mcp
from ui.server.binding import LOOPBACK_NAMES
from ui.server.live_assistant import LiveAssistant
from ui.server.question_desk import QuestionDesk
from ui.settings import load_server_settings
from ui.slack.bot import add_slack_events
from ui.slack.service import open_service


class LightEmbedder(HashedEmbedder):
    """Forgets what it embedded: a fuzzer embeds for hours."""

    def embed(self, texts: Any, *, progress: Any = None) -> Any:
        """See `corpus.embedding.Embedder`."""
        vectors = super().embed(texts, progress=progress)
        self.embedded.clear()
        return vectors


LIGHT = LightEmbedder()


class _Faults(logging.Handler):
    """What the product logs as a fault of its own, which a client sees only as "an error it didn't expect"."""

    def __init__(self) -> None:
        super().__init__(logging.ERROR)
        self.seen: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        self.seen.append(logging.Formatter().format(record))


@dataclass(frozen=True, slots=True)
class Bench:
    """A server over a small index with everything mounted, asked without a socket."""

    client: TestClient
    assistant: Assistant
    assistants: LiveAssistant
    uploads: Uploads
    faults: _Faults

    def sent(self, method: str, path: str, content: bytes, headers: Mapping[str, str]) -> httpx.Response:
        """Send one request; what the server answered, which is never a fault of its own."""
        self.faults.seen.clear()
        answered: httpx.Response = self.client.request(method, path, content=content, headers=dict(headers))
        assert answered.status_code < 500, (answered.status_code, answered.text[:500])
        assert not self.faults.seen, self.faults.seen[0]
        return answered


@contextmanager
def open_bench() -> Iterator[Bench]:
    """The server's app with the API, MCP and Slack, its index of two documents in a folder of its own."""
    embedder: Embedder = LightEmbedder()
    log = _Faults()
    logging.getLogger().addHandler(log)
    with tempfile.TemporaryDirectory(prefix="fuzz-") as made:
        folder = Path(made)
        assert not ingest(write_documents(folder / "documents"), index=folder / "index", embedder=embedder).failed
        assistants = LiveAssistant(folder / "index", open_embedder=lambda: embedder)
        desk = QuestionDesk(max_questions=4, timeout_s=60)
        app = create_app(assistants, desk, token=None, hosts=LOOPBACK_NAMES)
        settings = load_server_settings(
            index=folder / "index",
            slack_bot_token="xoxb-fuzz",
            slack_signing_secret=SIGNING_SECRET,
            slack_api_url="http://127.0.0.1:9/",
        )
        library = unconnected_library(folder / "index", embedder)
        add_library_paths(app, library, settings)
        mount_mcp(app, assistants, desk, hosts=LOOPBACK_NAMES)
        service = open_service(settings, main=assistants)
        add_slack_events(app, service.app, signing_secret=SIGNING_SECRET)
        try:
            with (
                TestClient(app, base_url="http://localhost:7860") as client,
                Assistant.open(folder / "index", embedder=embedder) as assistant,
            ):
                yield Bench(client, assistant, assistants, library.uploads, log)
        finally:
            assistants.close()
            logging.getLogger().removeHandler(log)
