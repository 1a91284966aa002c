"""Runs the trial: every engine lists every labelled bump, over one index for each suite."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from corpus.errors import RelnotesError
from corpus.model import Change, Kind
from evals.pages import Pages
from evals.suite_index import open_suite
from evals.suites import BUNDLED, CORPORA, CORPORA_PART, SEEDS, Suite
from evals.upgrades.bump_set import ChangedLine, LabelledBump, load_bumps
from evals.upgrades.scoring import Counts, PlacedChange, Spot, place_changes, score
from ingest.pipeline import IngestProgress
from retrieval.assistant import Assistant
from retrieval.model import Citation
from retrieval.upgrades.model import UpgradeItem

UPGRADE, REVIEW = "relnotes upgrade", "relnotes review"
_BUNDLED, _SEEDS, _CORPORA, _CORPORA_PART = (
    replace(suite, questions=suite.questions.with_name(f"upgrades-{suite.questions.name}"))
    for suite in (BUNDLED, SEEDS, CORPORA, CORPORA_PART)
)
BUMP_SETS = (_BUNDLED, _SEEDS, _CORPORA)
"""The suites with labelled bumps, each with its file of bumps as questions."""
GATE_BUMP_SETS = (_BUNDLED, _SEEDS, _CORPORA_PART)
"""The suites over documents that the gate ingests anyway."""


Listed = tuple[Citation, Kind]
"""An item as an engine lists it; offsets count in the index's text of the document."""


@dataclass(frozen=True, slots=True)
class BumpResult:
    """The score of one engine on one bump."""

    engine: str
    bump: LabelledBump
    score: Counts
    missed: tuple[PlacedChange, ...]
    """The changes that the engine should have listed."""
    wrong: tuple[Citation, ...]
    """The items that report no labelled change."""


def bumps_of(bump_set: Suite) -> tuple[LabelledBump, ...]:
    """Return the labelled bumps of a set; if it names projects, only theirs.

    Raises:
        UsageError: as for `load_bumps`.
    """
    bumps = load_bumps(bump_set.questions)
    return tuple(bump for bump in bumps if not bump_set.projects or bump.product in bump_set.projects)


def run_set(bump_set: Suite, *, only: Sequence[str], progress: IngestProgress) -> tuple[BumpResult, ...]:
    """Score every engine on the bumps of a set, or on those in `only` if it isn't empty; reviews need a bump's `diff`.

    Raises:
        RelnotesError: the documents can't be ingested, or labels don't match them.
    """
    bumps = [bump for bump in bumps_of(bump_set) if not only or bump.id in only]
    if not bumps:
        return ()
    pages = Pages(bump_set.texts)
    placed = {bump.id: place_changes(bump, pages) for bump in bumps}
    with open_suite(bump_set, progress=progress) as assistant:
        return tuple(
            judge(
                engine,
                bump,
                placed[bump.id],
                [(item.citation, Kind(item.kind)) for item in items if item.change is not Change.BEHAVIOUR],
                pages,
            )
            for bump in bumps
            for engine, items in _listings(assistant, bump)
        )


def _listings(assistant: Assistant, bump: LabelledBump) -> Iterator[tuple[str, Iterator[UpgradeItem]]]:
    """Yield `(engine, items)` for each of relnotes' two entrances that can list a bump."""
    releases = assistant.upgrade(bump.product, bump.start, bump.end).releases
    yield UPGRADE, (item for release in releases for item in release.items)
    if bump.diff is not None:
        bumps = assistant.review(one_line_diff(bump.diff)).bumps
        yield REVIEW, (item for reviewed in bumps for item in reviewed.items)


def judge(
    engine: str, bump: LabelledBump, changes: Sequence[PlacedChange], listed: Sequence[Listed], pages: Pages
) -> BumpResult:
    """Score an engine's list for a bump, with the missed changes and the wrong items."""
    spots = [_spot(citation, pages) for citation, _ in listed]
    return BumpResult(
        engine,
        bump,
        score(changes, [(spot, kind) for spot, (_, kind) in zip(spots, listed, strict=True)]),
        missed=tuple(p for p in changes if not p.change.optional and not any(map(p.is_found_by, spots))),
        wrong=tuple(
            citation
            for spot, (citation, _) in zip(spots, listed, strict=True)
            if not any(placed.is_found_by(spot) for placed in changes)
        ),
    )


def one_line_diff(line: ChangedLine) -> str:
    """Return a bump as a unified diff of one line, with the context that such a file has around it."""
    above, below = _surroundings(line)
    hunk = [*(f" {text}" for text in above), f"-{line.before}", f"+{line.after}", *(f" {text}" for text in below)]
    lines = len(above) + 1 + len(below)
    return "\n".join([f"--- a/{line.file}", f"+++ b/{line.file}", f"@@ -1,{lines} +1,{lines} @@", *hunk, ""])


def _surroundings(line: ChangedLine) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return the lines above and below a changed line that such a file has."""
    if line.file == "package.json":
        return ('  "dependencies": {',), ("  }",)
    if line.file == "pyproject.toml" and line.after.lstrip().startswith('"'):
        return ("[project]", "dependencies = ["), ("]",)
    return (("[tool.poetry.dependencies]",), ()) if line.file == "pyproject.toml" else ((), ())


def _spot(citation: Citation, pages: Pages) -> Spot | None:
    """Return the place of a citation on its page; None if the page lacks the quote."""
    page = pages.page(citation.source)
    if page is None:
        raise RelnotesError(f"{citation.source!r} is cited and isn't among the documents.")
    span = page.place(citation.quote, start=citation.start, end=citation.end)
    return None if span is None else (citation.source, span)
