"""The trial: every labelled bump listed by every engine, over one index of each folder of documents."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial

from corpus.errors import RelnotesError
from corpus.model import Kind
from evals.pages import FolderTexts, Pages
from evals.suite_index import open_suite
from evals.suites import CORPORA, CORPUS, SEEDS, Suite
from evals.upgrades.bump_set import ChangedLine, LabelledBump, load_bumps
from evals.upgrades.places import PlacedChange, Spot, place_changes
from evals.upgrades.scoring import Counts, ListedItem, score
from ingest.pipeline import IngestProgress
from retrieval.assistant import Assistant
from retrieval.upgrades.model import UpgradeItem

UPGRADE, REVIEW = "relnotes upgrade", "relnotes review"


BUMP_SETS = tuple(
    replace(suite, questions=suite.questions.with_name(f"upgrades-{suite.name}.jsonl"))
    for suite in (CORPUS, SEEDS, CORPORA)
)
"""The suites whose documents bumps are labelled in, each with its file of these."""


@dataclass(frozen=True, slots=True)
class Listed:
    """An item as an engine lists it; offsets count in the document as the index keeps it."""

    source: str
    start: int
    end: int
    quote: str
    kind: Kind


@dataclass(frozen=True, slots=True)
class BumpResult:
    """What one engine scored on one bump."""

    engine: str
    bump: LabelledBump
    score: Counts
    missed: tuple[PlacedChange, ...]
    """The changes that it should have listed."""
    wrong: tuple[Listed, ...]
    """The items that tell no change at all."""


Engine = Callable[[LabelledBump], Sequence[Listed]]


def engines_of(assistant: Assistant) -> tuple[tuple[str, Engine], ...]:
    """relnotes' two entrances, each by its name."""
    return (UPGRADE, partial(_by_upgrade, assistant)), (REVIEW, partial(_by_review, assistant))


def run_set(bump_set: Suite, *, only: Sequence[str], progress: IngestProgress) -> tuple[BumpResult, ...]:
    """Score every engine on the bumps of a set, on those in `only` where it names some; reviews need a line to review.

    Raises:
        RelnotesError: the documents can't be ingested, or labels don't fit them.
    """
    bumps = [bump for bump in load_bumps(bump_set.questions) if not only or bump.id in only]
    if not bumps:
        return ()
    pages = Pages(FolderTexts(bump_set.documents))
    placed = {bump.id: place_changes(bump, pages) for bump in bumps}
    with open_suite(bump_set, progress=progress) as assistant:
        engines = engines_of(assistant)
        return tuple(
            judge(name, bump, placed[bump.id], lists(bump), pages)
            for bump in bumps
            for name, lists in engines
            if name != REVIEW or bump.diff is not None
        )


def judge(
    engine: str, bump: LabelledBump, changes: Sequence[PlacedChange], listed: Sequence[Listed], pages: Pages
) -> BumpResult:
    """Score what an engine lists for a bump, and keep what it missed and got wrong."""
    items = [ListedItem(_spot(item, pages), item.kind) for item in listed]
    spots = [item.spot for item in items if item.spot is not None]
    return BumpResult(
        engine,
        bump,
        score(changes, items),
        missed=tuple(
            placed
            for placed in changes
            if not placed.change.optional and not any(placed.is_told_by(spot) for spot in spots)
        ),
        wrong=tuple(
            one
            for one, item in zip(listed, items, strict=True)
            if item.spot is None or not any(placed.is_told_by(item.spot) for placed in changes)
        ),
    )


def one_line_diff(line: ChangedLine) -> str:
    """A bump as a unified diff that changes one line, with what stands around such a line in such a file."""
    above, below = _surroundings(line)
    hunk = [*(f" {one}" for one in above), f"-{line.before}", f"+{line.after}", *(f" {one}" for one in below)]
    lines = len(above) + 1 + len(below)
    return "\n".join([f"--- a/{line.file}", f"+++ b/{line.file}", f"@@ -1,{lines} +1,{lines} @@", *hunk, ""])


def _surroundings(line: ChangedLine) -> tuple[tuple[str, ...], tuple[str, ...]]:
    if line.file == "package.json":
        return ('  "dependencies": {',), ("  }",)
    if line.file == "pyproject.toml" and line.after.lstrip().startswith('"'):
        return ("[project]", "dependencies = ["), ("]",)
    return (("[tool.poetry.dependencies]",), ()) if line.file == "pyproject.toml" else ((), ())


def _by_upgrade(assistant: Assistant, bump: LabelledBump) -> tuple[Listed, ...]:
    upgrade = assistant.upgrade(bump.product, bump.start, bump.end)
    return tuple(_listed(item) for release in upgrade.releases for item in release.items)


def _by_review(assistant: Assistant, bump: LabelledBump) -> tuple[Listed, ...]:
    diff = "" if bump.diff is None else one_line_diff(bump.diff)
    return tuple(_listed(item) for reviewed in assistant.review(diff).bumps for item in reviewed.items)


def _listed(item: UpgradeItem) -> Listed:
    citation = item.citation
    return Listed(citation.source, citation.start, citation.end, citation.quote, item.kind)


def _spot(listed: Listed, pages: Pages) -> Spot | None:
    page = pages.page(listed.source)
    if page is None:
        raise RelnotesError(f"{listed.source!r} is cited and isn't among the documents.")
    span = page.place(listed.quote, start=listed.start, end=listed.end)
    return None if span is None else Spot(listed.source, span)
