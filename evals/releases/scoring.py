"""Compares a fresh reading of each project's documents with its labelled releases and passages."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from corpus.errors import SourceError
from corpus.model import Release
from evals.labelled_places import Place, share_half
from evals.releases.reading import ReadDocument, read_folder
from evals.releases.truth_set import ReleaseKind, TruePassage, TrueRelease, load_truth
from evals.suites import BUNDLED, CORPORA, SEEDS, Suite

_SUITES = (CORPORA, SEEDS, BUNDLED)
_STAGES = (
    (ReleaseKind.DEV, ("dev", "snapshot", "nightly")),
    (ReleaseKind.CANDIDATE, ("rc", "c", "candidate", "pre", "preview")),
    (ReleaseKind.BETA, ("beta", "b")),
    (ReleaseKind.ALPHA, ("alpha", "a")),
)
CHECKS = ("version", "date", "kind", "first", "last")
PASSAGE = "passage"


@dataclass(frozen=True, slots=True)
class Miss:
    """A label, and ingest's different `reading` of it; `check` is one of `CHECKS` or `PASSAGE`."""

    path: str
    version: str
    check: str
    reading: str


@dataclass(frozen=True, slots=True)
class ReadingScore:
    """The numbers of releases and passages checked, and the misses."""

    releases: int
    passages: int
    misses: tuple[Miss, ...]

    def right(self, check: str) -> int:
        """Return the number of labels that were read right in one check."""
        checked = self.passages if check == PASSAGE else self.releases
        return checked - sum(miss.check == check for miss in self.misses)

    @property
    def figures(self) -> dict[str, float]:
        """Return the share of labels that were read right, 0 to 1, by check; without those that don't apply."""
        checked = {**dict.fromkeys(CHECKS, self.releases), PASSAGE: self.passages}
        return {check: self.right(check) / count for check, count in checked.items() if count}


def score(
    documents: Mapping[str, ReadDocument], releases: Sequence[TrueRelease], passages: Sequence[TruePassage]
) -> ReadingScore:
    """Compare the documents, by path, with their labels.

    Raises:
        SourceError: a document is absent or has changed, so that it can't be scored fairly.
    """
    misses = [miss for release in releases for miss in _release_misses(release, _document(documents, release.first))]
    misses += [miss for passage in passages for miss in _passage_misses(passage, _document(documents, passage.place))]
    return ReadingScore(len(releases), len(passages), tuple(misses))


def add_up(scores: Iterable[ReadingScore]) -> ReadingScore:
    """Add up scores."""
    listed = tuple(scores)
    return ReadingScore(
        sum(item.releases for item in listed),
        sum(item.passages for item in listed),
        tuple(miss for item in listed for miss in item.misses),
    )


def kind_of(release: Release) -> ReleaseKind | None:
    """Return the kind of a release as ingest reads it; None for text about no release."""
    if release.yanked:
        return ReleaseKind.YANKED
    if release.version is None:
        return ReleaseKind.UNRELEASED if release.label else None
    if not release.version.is_prerelease:
        return ReleaseKind.FINAL
    suffix = release.version.label.casefold()
    return next((kind for kind, words in _STAGES for word in words if word in _letters(suffix)), ReleaseKind.CANDIDATE)


def _release_misses(truth: TrueRelease, document: ReadDocument) -> Iterator[Miss]:
    name = truth.version.label if truth.version else "unreleased"
    release = document.release_at(document.locate(truth.heading or truth.first))
    if release.version != truth.version:
        yield Miss(document.path, name, "version", release.version.label if release.version else "no version")
    if release.date != truth.date:
        yield Miss(document.path, name, "date", release.date.isoformat() if release.date else "no date")
    if (kind := kind_of(release)) is not truth.kind:
        yield Miss(document.path, name, "kind", kind.value if kind else "no release")
    entries = document.entries_of(release)
    for check, place, entry in (("first", truth.first, entries[:1]), ("last", truth.last, entries[-1:])):
        if not entry or not share_half(entry[0], document.locate(place)):
            at = f"characters {entry[0].start} to {entry[0].end}" if entry else "no entry"
            yield Miss(document.path, name, check, at)


def _passage_misses(truth: TruePassage, document: ReadDocument) -> Iterator[Miss]:
    version = document.release_at(document.locate(truth.place)).version
    if version != truth.version:
        name = truth.version.label if truth.version else "no version"
        yield Miss(document.path, name, PASSAGE, version.label if version else "no version")


def _document(documents: Mapping[str, ReadDocument], place: Place) -> ReadDocument:
    document = documents.get(place.path)
    if document is None:
        raise SourceError(f"{place.path!r} is absent")
    return document


def _letters(label: str) -> set[str]:
    return set("".join(character if character.isalpha() else " " for character in label).split())


def absent_suites() -> tuple[Suite, ...]:
    """Return the suites whose documents aren't on this machine."""
    return tuple(suite for suite in _SUITES if not suite.documents.is_dir())


def run_trial() -> dict[str, ReadingScore]:
    """Read all available labelled documents afresh, and return a score for each project.

    A project of the corpora is the first folder of its paths; the documents of another suite count as one project with
    the suite's name.

    Raises:
        RelnotesError: a document can't be read or has changed, or the labels have faults.
    """
    releases, passages = load_truth()
    labelled = {release.first.path for release in releases} | {passage.place.path for passage in passages}
    scores = {}
    for suite in _SUITES:
        if suite in absent_suites():
            continue
        grouped: defaultdict[str, dict[str, ReadDocument]] = defaultdict(dict)
        for document in read_folder(suite.documents, labelled):
            grouped[document.path.partition("/")[0] if suite is CORPORA else suite.name][document.path] = document
        for project, documents in grouped.items():
            scores[project] = score(
                documents,
                [release for release in releases if release.first.path in documents],
                [passage for passage in passages if passage.place.path in documents],
            )
    return scores
