"""The chunking benchmark's figures as Markdown and JSON; pure."""

import json
from collections.abc import Sequence
from dataclasses import dataclass

from evals.lab.chunking.metric import RangeScore
from evals.lab.chunking.runner import CutRow


@dataclass(frozen=True, slots=True)
class PublishedRow:
    """A row of the published table for all-MiniLM-L6-v2, in percent."""

    cut: str
    recall: float
    precision: float
    precision_omega: float
    iou: float


PUBLISHED = (
    PublishedRow("TokenText 250/125", 82.4, 3.6, 11.4, 3.5),
    PublishedRow("Recursive 250/125", 78.7, 4.9, 21.9, 4.9),
    PublishedRow("Recursive 250/0", 78.5, 5.4, 26.7, 5.4),
    PublishedRow("Recursive 200/0", 75.7, 6.5, 31.2, 6.5),
    PublishedRow("Cluster 250", 77.3, 6.1, 28.6, 6.0),
    PublishedRow("Cluster 200", 75.2, 7.2, 33.6, 7.2),
)
TARGET = RangeScore(recall=0.83, precision=0.072, iou=0.072)
"""What the product must reach together; the published rows have either."""

_INTRODUCTION = """# Chunking benchmark

Written by `python -m evals.lab.chunking`. Five passages are retrieved for each question from one collection of five
corpora ("Evaluating Chunking Strategies for Retrieval": 472 questions, all-MiniLM-L6-v2); all figures are percents of
characters, averaged over the questions.

- `relnotes search` is the product as it is, over an index that `relnotes ingest` made of the corpora. The target is
  its row's: recall 83, precision and IoU 7.2, together. Two corpora open with what reads as a version ("6.0+", a DOI),
  so ingest takes them for release notes and keeps their passages of 1,000 characters.
- The other rows cut each corpus as flat prose about no release, and read nothing from a question but its words.
  "+ BM25" is the product's fusion; the published tables are dense only, so the rows without it compare with them.
- Length and prices of the cut were chosen by the development half; the weight of the fusion is that of release notes.
- The recursive splitter is our reading of the published one. It counts word pieces where that counts another model's
  tokens, so its rows come near the published ones, no more.
"""


def meets_target(score: RangeScore) -> bool:
    """Whether recall, precision and IoU all reach `TARGET`."""
    return score.recall >= TARGET.recall and score.precision >= TARGET.precision and score.iou >= TARGET.iou


def render_markdown(rows: Sequence[CutRow], *, questions: int) -> str:
    """The whole report: our rows, then the published ones."""
    header = ("cut", "ranking", "recall", "precision", "IoU", "precision-omega", "characters", "development", "test")
    ours = (
        (
            row.cut,
            row.ranking,
            *_percents(row.overall),
            f"{100 * row.precision_omega:.1f}",
            f"{row.retrieved_characters:,.0f}",
            " / ".join(_percents(row.development)),
            " / ".join(_percents(row.test)),
        )
        for row in rows
    )
    published = (
        (one.cut, f"{one.recall:.1f}", f"{one.precision:.1f}", f"{one.iou:.1f}", f"{one.precision_omega:.1f}")
        for one in PUBLISHED
    )
    return "\n".join(
        (
            _INTRODUCTION,
            f"## Measured, {questions} questions\n",
            "The halves are by a hash of the question, and show recall / precision / IoU.\n",
            _table(header, tuple(ours), words=2),
            "\n## Published\n",
            _table(("cut", "recall", "precision", "IoU", "precision-omega"), tuple(published), words=1),
            "",
        )
    )


def render_json(rows: Sequence[CutRow], *, questions: int) -> str:
    """One JSON document: `questions`, `meets_target` of the product's row (the last), and `rows` in fractions."""
    shape = {
        "questions": questions,
        "meets_target": meets_target(rows[-1].overall),
        "rows": [
            {
                "cut": row.cut,
                "ranking": row.ranking,
                **_fields(row.overall),
                "precision_omega": row.precision_omega,
                "retrieved_characters": row.retrieved_characters,
                "development": _fields(row.development),
                "test": _fields(row.test),
            }
            for row in rows
        ],
    }
    return json.dumps(shape, indent=2) + "\n"


def _fields(score: RangeScore) -> dict[str, float]:
    return {"recall": score.recall, "precision": score.precision, "iou": score.iou}


def _percents(score: RangeScore) -> tuple[str, str, str]:
    return f"{100 * score.recall:.1f}", f"{100 * score.precision:.2f}", f"{100 * score.iou:.2f}"


def _table(header: Sequence[str], rows: Sequence[Sequence[str]], *, words: int) -> str:
    """A Markdown table; the first `words` columns are words, the others numbers."""
    rule = ["---"] * words + ["---:"] * (len(header) - words)
    return "\n".join(f"| {' | '.join(cells)} |" for cells in (header, rule, *rows))
