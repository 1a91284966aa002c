"""The trial: every project with hand-checked releases or passages, over a fresh reading of its documents."""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from evals.releases.reading import ReadDocument, read_folder
from evals.releases.scoring import ReadingScore, score
from evals.releases.truth_set import TruePassage, TrueRelease, load_passages, load_releases
from evals.suites import CORPORA, SEEDS, Suite

_FOLDER = Path(__file__).parent
_SUITES = (CORPORA, SEEDS)


@dataclass(frozen=True, slots=True)
class ProjectResult:
    """What ingest finds in a project's documents, and how that compares with the truth."""

    project: str
    """The first folder of its paths; the suite's name for documents that lie in none."""
    documents: int
    releases: int
    """Parts of documents with a release's heading, or about one version as a whole."""
    dated: int
    entries: int
    score: ReadingScore


def absent_suites() -> tuple[Suite, ...]:
    """The suites whose documents aren't on this machine."""
    return tuple(suite for suite in _SUITES if not suite.documents.is_dir())


def load_truth() -> tuple[tuple[TrueRelease, ...], tuple[TruePassage, ...]]:
    """Every hand-checked release and passage.

    Raises:
        UsageError: a file of them has faults.
    """
    releases = [release for file in sorted(_FOLDER.glob("truth/*.jsonl")) for release in load_releases(file)]
    passages = [passage for file in sorted(_FOLDER.glob("passages-*.jsonl")) for passage in load_passages(file)]
    return tuple(releases), tuple(passages)


def run_trial() -> tuple[ProjectResult, ...]:
    """Read all documents afresh, and score them project by project.

    Raises:
        RelnotesError: a document can't be read or has changed, or the truth has faults.
    """
    releases, passages = load_truth()
    return tuple(result for suite in _SUITES for result in _run_suite(suite, releases, passages))


def _run_suite(
    suite: Suite, releases: Sequence[TrueRelease], passages: Sequence[TruePassage]
) -> Iterator[ProjectResult]:
    documents = {document.path: document for document in read_folder(suite.documents)}
    grouped: defaultdict[str, dict[str, ReadDocument]] = defaultdict(dict)
    for path, document in documents.items():
        grouped[_project(path, suite)][path] = document
    for project, own in grouped.items():
        found = [release for document in own.values() for release in document.releases if release.label]
        yield ProjectResult(
            project=project,
            documents=len(own),
            releases=len(found),
            dated=sum(release.date is not None for release in found),
            entries=sum(len(document.entries) for document in own.values()),
            score=score(
                documents,
                [release for release in releases if release.first.path in own],
                [passage for passage in passages if passage.place.path in own],
            ),
        )


def _project(path: str, suite: Suite) -> str:
    folder, slash, _ = path.partition("/")
    return folder if slash else suite.name
