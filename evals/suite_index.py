"""An index for each suite's documents, kept in the cache between runs, and the assistant that answers from it."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from hashlib import sha256

from corpus.cache_folder import cache_folder
from corpus.embedding import CachedEmbedder, VectorCache, open_embedder
from corpus.errors import RelnotesError
from corpus.index.layout import FORMAT_VERSION
from evals.question_set import Question
from evals.runner import EvalRun, run_questions
from evals.suites import Suite, stage_documents
from ingest.pipeline import IngestProgress, build_index
from ingest.progress import BarProgress
from retrieval.assistant import Assistant
from retrieval.model import Answer


@contextmanager
def open_suite(suite: Suite, *, progress: IngestProgress) -> Iterator[Assistant]:
    """Bring the suite's index up to date and open it; only what changed since the last run is embedded.

    Raises:
        RelnotesError: a document of the suite can't be ingested, or the model can't be loaded.
    """
    cache = cache_folder()
    embedder = open_embedder(cache_dir=cache)
    # Another checkout's documents are another root, other projects other copies, and an index keeps all its roots.
    parts = (suite, *suite.beside)
    roots = "\n".join(name for part in parts for name in (str(part.documents.resolve()), *part.projects))
    # Nor is an index of another format opened.
    key = sha256(f"{FORMAT_VERSION}\n{roots}".encode()).hexdigest()[:12]
    folder = cache / "evals" / f"{suite.documents.name}-{key}"
    report = build_index(
        [str(stage_documents(part, folder / "documents")) for part in parts],
        index=folder / "index",
        embedder=CachedEmbedder(embedder, VectorCache(cache)),
        progress=progress,
    )
    if report.failed:
        first = report.failed[0]
        raise RelnotesError(f"Suite {suite.name!r}: {first.source} {first.error}")
    with Assistant.open(folder / "index", embedder=embedder) as assistant:
        yield assistant


def asker(assistant: Assistant) -> Callable[[Question], Answer]:
    """Return how a question of a set is put: with its history and its channel's filters."""

    def ask(question: Question) -> Answer:
        return assistant.ask(
            question.question, history=question.history, product=question.product, version=question.version
        )

    return ask


def ask_suite(
    suite: Suite, questions: Sequence[Question], ask: Callable[[Question], Answer], progress: BarProgress
) -> EvalRun:
    """Ask questions of a suite, and show how far it is."""
    progress.phase(f"Asking {suite.name}", len(questions))
    return run_questions(questions, ask, texts=suite.texts, name=suite.name, progress=progress.advance)
