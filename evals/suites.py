"""The question sets of this project and the documents that each one asks about."""

import shutil
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from corpus.errors import RelnotesError
from evals.command import ROOT
from evals.pages import FolderTexts
from evals.question_set import Question, load_questions

_QUESTIONS = Path(__file__).parent / "questions"
_SHARED = ROOT.parent / "shared"


@dataclass(frozen=True, slots=True)
class Suite:
    """A question file, or a folder of them, and the folder of documents that their gold paths are relative to.

    `projects` restricts both to some first-level folders of `documents`; empty means everything. `beside` are suites
    whose documents, of other products, are in the same index without questions about them.
    """

    name: str
    questions: Path
    documents: Path
    projects: tuple[str, ...] = ()
    beside: "tuple[Suite, ...]" = ()

    @property
    def texts(self) -> FolderTexts:
        """Return a reader of the index's documents as they are in their files."""
        return FolderTexts(self.documents, *(suite.documents for suite in self.beside))

    @property
    def is_available(self) -> bool:
        """Return whether questions and documents are on this machine; ../shared is beside some checkouts only."""
        folders = [self.documents / project for project in self.projects] or [self.documents]
        return self.questions.exists() and all(folder.is_dir() for folder in folders)


BUNDLED = Suite("bundled", _QUESTIONS / "corpus.jsonl", ROOT / "corpus" / "documents")
"""All digests that come with the product, as `make run` ingests them; all questions are about PyTorch's."""
SEEDS = Suite(
    "seeds",
    _QUESTIONS / "seeds.jsonl",
    _SHARED / "seeds",
    beside=(replace(BUNDLED, projects=("django", "numpy", "pip", "pytest", "vite")),),
)
"""Five raw documents about PyTorch, in an index with those of other products, as a user's would be."""
CORPORA = Suite("corpora", _QUESTIONS / "corpora.jsonl", _SHARED / "corpora")
CORPORA_PART = Suite(
    "corpora-part", CORPORA.questions, CORPORA.documents, ("attrs", "curl", "httpx", "pytorch", "sqlite-utils")
)
FRESH = Suite("fresh", _QUESTIONS / "review-diffs.jsonl", _SHARED / "fresh")
"""Notes of other projects, for reviews of diffs, without questions."""
PRACTICE_SEEDS = Suite("practice seeds", _SHARED / "questions" / "seeds.jsonl", SEEDS.documents)
PRACTICE_CORPORA = Suite("practice corpora", _SHARED / "questions" / "corpora.jsonl", CORPORA.documents)

VERSIONS = Suite("versions", _QUESTIONS / "versions.jsonl", _QUESTIONS / "version_pages")
"""Questions about versions, over documentation of invented products in several releases."""

TYPED = Suite("fresh", _SHARED / "questions" / "fresh.jsonl", _SHARED / "fresh")
"""Questions as people type them, written by others; completions of language models are recorded for them."""

GATE_SUITES = (BUNDLED, SEEDS, CORPORA_PART, VERSIONS)
"""The suites that CI runs, in minutes on two cores."""
FULL_SUITES = (BUNDLED, SEEDS, CORPORA)
PRACTICE_SUITES = (PRACTICE_SEEDS, PRACTICE_CORPORA)
"""Questions that others wrote. Fusion, abstention and quotes were chosen by them and by both halves of ours (decisions
3, 5 and 6), so their figures on those parts prove nothing."""


def require_suites(suites: Sequence[Suite], *, purpose: str) -> None:
    """Check that all of the suites are on this machine.

    Raises:
        RelnotesError: questions or documents are absent; the message begins with `purpose`.
    """
    if not all(suite.is_available for suite in suites):
        raise RelnotesError(f"{purpose} needs ../shared beside the checkout; nothing was changed.")


def load_suite(suite: Suite) -> tuple[Question, ...]:
    """Load the suite's questions; if it names projects, only those about them.

    Raises:
        UsageError: as for `load_questions`.
    """
    files = sorted(suite.questions.glob("*.jsonl")) if suite.questions.is_dir() else [suite.questions]
    questions = (question for file in files for question in load_questions(file))
    return tuple(question for question in questions if not suite.projects or question.project in suite.projects)


def stage_documents(suite: Suite, folder: Path) -> Path:
    """Return a folder to ingest: the suite's own, or `folder` with copies of the documents of its projects.

    Copies keep the gold paths: ingesting a project's folder itself would drop the first part of each path.
    """
    if not suite.projects:
        return suite.documents
    for project in suite.projects:
        shutil.copytree(suite.documents / project, folder / project, dirs_exist_ok=True)
    return folder
