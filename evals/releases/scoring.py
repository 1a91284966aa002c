"""What ingest makes of the releases and passages that were labelled: every project, over a fresh reading of its
documents."""

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
    """Something that ingest reads differently; `check` is one of `CHECKS` or `PASSAGE`."""

    path: str
    version: str
    check: str
    found: str


@dataclass(frozen=True, slots=True)
class ReadingScore:
    """How many releases and passages were checked, and what was read differently."""

    releases: int
    passages: int
    misses: tuple[Miss, ...]

    def right(self, check: str) -> int:
        """Return how many were right in one respect."""
        checked = self.passages if check == PASSAGE else self.releases
        return checked - sum(miss.check == check for miss in self.misses)

    @property
    def figures(self) -> dict[str, float]:
        """The shares that were right, from 0 to 1, of what was checked."""
        checked = {**dict.fromkeys(CHECKS, self.releases), PASSAGE: self.passages}
        return {check: self.right(check) / count for check, count in checked.items() if count}


def score(
    documents: Mapping[str, ReadDocument], releases: Sequence[TrueRelease], passages: Sequence[TruePassage]
) -> ReadingScore:
    """Compare the documents, by path, with the truth.

    Raises:
        SourceError: a document is absent or has changed, so that it can't be scored fairly.
    """
    misses = [miss for release in releases for miss in _release_misses(release, _document(documents, release.first))]
    misses += [miss for passage in passages for miss in _passage_misses(passage, _document(documents, passage.place))]
    return ReadingScore(len(releases), len(passages), tuple(misses))


def add_up(scores: Iterable[ReadingScore]) -> ReadingScore:
    """All that was checked, as one score."""
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
    found = document.release_at(document.locate(truth.heading or truth.first))
    if found.version != truth.version:
        yield Miss(document.path, name, "version", found.version.label if found.version else "no version")
    if found.date != truth.date:
        yield Miss(document.path, name, "date", found.date.isoformat() if found.date else "no date")
    if (kind := kind_of(found)) is not truth.kind:
        yield Miss(document.path, name, "kind", kind.value if kind else "no release")
    entries = document.entries_of(found)
    for check, place, entry in (("first", truth.first, entries[:1]), ("last", truth.last, entries[-1:])):
        if not entry or not share_half(entry[0], document.locate(place)):
            at = f"characters {entry[0].start} to {entry[0].end}" if entry else "no entry"
            yield Miss(document.path, name, check, at)


def _passage_misses(truth: TruePassage, document: ReadDocument) -> Iterator[Miss]:
    found = document.release_at(document.locate(truth.place)).version
    if found != truth.version:
        name = truth.version.label if truth.version else "no version"
        yield Miss(document.path, name, PASSAGE, found.label if found else "no version")


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
    """Read all labelled documents that are here afresh, and score them project by project.

    A project of the corpora is the first folder of its paths; the documents of another suite are scored together, by
    its name.

    Raises:
        RelnotesError: a document can't be read or has changed, or the truth has faults.
    """
    releases, passages = load_truth()
    labelled = {one.first.path for one in releases} | {one.place.path for one in passages}
    scores = {}
    for suite in _SUITES:
        if suite in absent_suites():
            continue
        grouped: defaultdict[str, dict[str, ReadDocument]] = defaultdict(dict)
        for document in read_folder(suite.documents, labelled):
            grouped[document.path.partition("/")[0] if suite is CORPORA else suite.name][document.path] = document
        for project, own in grouped.items():
            scores[project] = score(
                own,
                [release for release in releases if release.first.path in own],
                [passage for passage in passages if passage.place.path in own],
            )
    return scores
