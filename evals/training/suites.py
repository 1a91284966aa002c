"""The training questions as suites: over the documents of ../shared, and over those that were fetched."""

from pathlib import Path

from corpus.cache_folder import cache_folder
from evals.suites import CORPORA, Suite
from evals.training.sources import load_sources
from evals.training.training_set import QUESTIONS

TRAINING_CORPORA = Suite(
    "training-corpora",
    QUESTIONS,
    CORPORA.documents,
    (
        "attrs", "cargo", "cpython", "curl", "django", "fastapi", "git", "httpx", "numpy", "pip", "pydantic", "pytest",
        "pytorch", "sqlalchemy", "sqlite-utils", "vite",
    ),
)  # fmt: skip


def fetched_folder() -> Path:
    """Where documents are fetched to, if nothing else is said: in the cache."""
    return cache_folder() / "training" / "documents"


def fetched_suite(documents: Path | None = None) -> Suite:
    """The questions about the projects of sources.toml, whose documents were fetched to a folder; none: the cache's."""
    projects = tuple(source.project for source in load_sources())
    return Suite("training-fetched", QUESTIONS, documents or fetched_folder(), projects)
