"""Builds an index of each suite's documents, cached between runs, and opens an assistant over it."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from hashlib import sha256

from corpus.cache_folder import cache_folder
from corpus.embedding import open_embedder
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
    """Update the suite's index and open an assistant over it; only changes since the last run are embedded.

    Raises:
        RelnotesError: a document of the suite can't be ingested, or the model can't be loaded.
    """
    cache = cache_folder()
    embedder = open_embedder(cache_dir=cache)
    # One index for each checkout and choice of projects, because an index keeps all roots ever ingested into it.
    parts = (suite, *suite.beside)
    roots = "\n".join(name for part in parts for name in (str(part.documents.resolve()), *part.projects))
    # And one for each format, because an index of another format can't be opened.
    key = sha256(f"{FORMAT_VERSION}\n{roots}".encode()).hexdigest()[:12]
    folder = cache / "evals" / f"{suite.documents.name}-{key}"
    report = build_index(
        [str(stage_documents(part, folder / "documents")) for part in parts],
        index=folder / "index",
        embedder=embedder,
        progress=progress,
    )
    if report.failed:
        first = report.failed[0]
        raise RelnotesError(f"Suite {suite.name!r}: {first.source} {first.error}")
    with Assistant.open(folder / "index", embedder=embedder) as assistant:
        yield assistant


def asker(assistant: Assistant) -> Callable[[Question], Answer]:
    """Return a function that asks a question of a set with its history and filters."""

    def ask(question: Question) -> Answer:
        return assistant.ask(
            question.question, history=question.history, product=question.product, version=question.version
        )

    return ask


def ask_suite(
    suite: Suite, questions: Sequence[Question], ask: Callable[[Question], Answer], progress: BarProgress
) -> EvalRun:
    """Ask and grade a suite's questions, showing the progress."""
    progress.phase(f"Asking {suite.name}", len(questions))
    return run_questions(questions, ask, texts=suite.texts, name=suite.name, progress=progress.advance)
