"""A real `relnotes serve` to be loaded, beside a stand-in for Slack, and what it is asked."""

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

import aiohttp

from corpus.catalogue import CatalogueProduct
from corpus.index.tables import TableReader
from evals.lab.load.slack_stand_in import SlackThreads, slack_stand_in
from evals.lab.load.traffic import Topics
from evals.lab.questions import varied_questions
from evals.lab.serving import Server, serve_command, started
from evals.suites import CORPORA, CORPUS, load_suite

_ASKED = 300
_REVIEWED = 12


@contextmanager
def loaded_servers(index: Path, count: int, **environment: str) -> Iterator[tuple[tuple[Server, ...], SlackThreads]]:
    """Servers over one index for a `with` block, with Slack turned on; what their bots post is counted together."""
    with slack_stand_in() as (slack, threads), ExitStack() as stack:
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
