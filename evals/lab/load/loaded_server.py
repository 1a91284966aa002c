"""A real `relnotes serve` to be loaded, beside a stand-in for Slack whose messages are counted as they come."""

import threading
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from multiprocessing.connection import Connection
from pathlib import Path

import aiohttp

from corpus.catalogue import CatalogueProduct
from corpus.index.tables import TableReader
from evals.lab.load.entrances import Topics
from evals.lab.load.slack_stand_in import slack_stand_in
from evals.lab.questions import varied_questions
from evals.lab.serving import Server, serve_command, started
from evals.suites import CORPORA, CORPUS, load_suite

_DEFECT = "Something went wrong"
_ASKED = 300
_REVIEWED = 12


class SlackThreads:
    """What the bot has posted, by thread; filled by a thread of its own."""

    def __init__(self, replies: Connection) -> None:
        self._replies = replies
        self._posted: Counter[str] = Counter()
        self._defects = 0
        self._lock = threading.Lock()
        threading.Thread(target=self._read, name="slack threads", daemon=True).start()

    @property
    def posted(self) -> Counter[str]:
        """How many messages each thread has."""
        with self._lock:
            return self._posted.copy()

    @property
    def defects(self) -> int:
        """Messages that say that something went wrong."""
        with self._lock:
            return self._defects

    def wait_for(self, threads: set[str], *, seconds: float) -> set[str]:
        """Those of `threads` that are still without a message once all have one, or time is up."""
        deadline = time.monotonic() + seconds
        while (left := threads - self.posted.keys()) and time.monotonic() < deadline:
            time.sleep(0.2)
        return left

    def _read(self) -> None:
        while True:
            try:
                thread, text = self._replies.recv()
            except (EOFError, OSError):
                return
            with self._lock:
                self._posted[thread] += 1
                self._defects += text.startswith(_DEFECT)


@contextmanager
def loaded_servers(index: Path, count: int, **environment: str) -> Iterator[tuple[tuple[Server, ...], SlackThreads]]:
    """Servers over one index for a `with` block, with Slack turned on; what their bots post is counted together."""
    with slack_stand_in() as (slack, replies), ExitStack() as stack:
        threads = SlackThreads(replies)
        servers = [stack.enter_context(started(serve_command(index), **slack, **environment)) for _ in range(count)]
        yield tuple(servers), threads


def topics_of(index: Path, documents: Path) -> Topics:
    """What a server over `index` is asked: the questions of our sets, and bumps of the products that it holds."""
    with TableReader.open(index) as tables:
        numbered = tuple((document.id, len(tables.document_text(document.id))) for document in tables.documents)
        bumps = tuple(_bump(product) for product in tables.products if len(product.releases) > 1)[:_REVIEWED]
    ours = documents.resolve() == CORPUS.documents.resolve()
    questions = tuple(one.question for one in load_suite(CORPUS)) if ours else varied_questions(_ASKED)
    return Topics(questions, bumps, numbered)


def default_documents() -> Path:
    """Real projects' notes where they are beside the checkout, else our own."""
    return CORPORA.documents if CORPORA.is_available else CORPUS.documents


def describe_index(index: Path) -> str:
    """What an index holds, in a sentence."""
    with TableReader.open(index) as tables:
        held = tables.manifest
        return (
            f"The index holds {held.passages:,} passages of {held.documents:,} documents about "
            f"{len(tables.products):,} products."
        )


def _bump(product: CatalogueProduct) -> str:
    newest, older = product.releases[0].version.label, product.releases[min(2, len(product.releases) - 1)].version.label
    return (
        "--- a/requirements.txt\n+++ b/requirements.txt\n@@ -1 +1 @@\n"
        f"-{product.name}=={older}\n+{product.name}=={newest}\n"
    )


def open_session(address: str, *, timeout_s: float = 120.0) -> aiohttp.ClientSession:
    """Connections to a server, as many as are needed; to be used as a context manager."""
    return aiohttp.ClientSession(
        address,
        connector=aiohttp.TCPConnector(limit=0, keepalive_timeout=30),
        timeout=aiohttp.ClientTimeout(total=timeout_s),
        read_bufsize=2**22,
    )
