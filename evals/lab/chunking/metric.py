"""The chunking benchmark's metric: how much of the characters that answer is retrieved, and how much else.

Source: Smith and Troynikov, "Evaluating Chunking Strategies for Retrieval", Chroma technical report, 2024. Everything
is counted in characters, in fractions from 0 to 1; the tables of the report show percents.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from corpus.model import Span


@dataclass(frozen=True, slots=True)
class RangeScore:
    """What one question's retrieved passages are worth."""

    recall: float
    """Share of the references that the passages cover."""
    precision: float
    """Covered characters over the sum of the passages' lengths, overlaps counted as often as they are retrieved."""
    iou: float
    """Covered characters over that sum and the references' characters that aren't covered."""


def score_ranges(references: Sequence[Span], retrieved: Sequence[Span], *, foreign_characters: int = 0) -> RangeScore:
    """Score passages of the question's own corpus; those of other corpora count by their length only.

    `references`: at least one, disjoint. Nothing retrieved scores 0 throughout.
    """
    covered = covered_characters(_intersections(references, retrieved))
    wanted = covered_characters(references)
    shown = sum(map(len, retrieved)) + foreign_characters
    return RangeScore(
        recall=covered / wanted, precision=covered / shown if shown else 0.0, iou=covered / (shown + wanted - covered)
    )


def precision_omega(references: Sequence[Span], passages: Sequence[Span]) -> float:
    """The precision of a perfect search: of all passages that hold a reference's character, the share that they do.

    `passages`: all that the question's corpus was cut into. 0 where none of them meets a reference.
    """
    met = [one for one in passages if any(map(one.meets, references))]
    whole = covered_characters(met)
    return covered_characters(_intersections(references, met)) / whole if whole else 0.0


def covered_characters(spans: Sequence[Span]) -> int:
    """How many characters lie in at least one of `spans`."""
    count = end = 0
    for span in sorted(spans, key=lambda one: one.start):
        count += max(0, span.end - max(end, span.start))
        end = max(end, span.end)
    return count


def _intersections(references: Sequence[Span], passages: Sequence[Span]) -> list[Span]:
    return [
        Span(max(reference.start, passage.start), min(reference.end, passage.end))
        for passage in passages
        for reference in references
        if reference.meets(passage)
    ]
