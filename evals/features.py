"""Log what search knows of every hit: `python -m evals.features RUN.jsonl`, for learning to rank.

One JSON line for each question and hit: suite, question id, kind and half, where the passage stands, its rank and
score, every rank feature and reading feature by name, and its graded relevance. No question's text is written.
"""

import argparse
import json
import sys
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

from corpus.errors import UsageError
from evals.command import run_command
from evals.comparison import QuestionScores
from evals.gold import MIN_COVERED_SHARE
from evals.grading import Score
from evals.metrics import Hits, recall_at, reciprocal_rank
from evals.question_set import Question
from evals.retrieval_trial import METRICS, Trial, open_trials
from evals.suites import FULL_SUITES, PRACTICE_SUITES
from retrieval.hits import Hit
from retrieval.reading_features import ReadingFeatures, read_features

POOL = 50
"""Hits a question: nearly every gold passage is among them, so that a ranker has something to find."""
RETRIEVES, OVERLAPS, IRRELEVANT = 2, 1, 0


@dataclass(frozen=True, slots=True)
class FeatureRow:
    """One hit of one question; `shares` has the covered share, 0 to 1, of each gold passage."""

    rank: int
    hit: Hit
    reading: ReadingFeatures
    shares: tuple[float, ...]

    @property
    def relevance(self) -> int:
        """2 where the hit retrieves a gold passage, 1 where it overlaps with one, else 0."""
        best = max(self.shares, default=0.0)
        return RETRIEVES if best >= MIN_COVERED_SHARE else OVERLAPS if best > 0 else IRRELEVANT


@dataclass(frozen=True, slots=True)
class RankedQuestion:
    """A question with the features of its hits, best first."""

    suite: str
    question: Question
    rows: tuple[FeatureRow, ...]


def collect(trial: Trial) -> Iterator[RankedQuestion]:
    """Search for every question of a trial and read the first `POOL` hits."""
    for asked in trial.asked():
        outcome = trial.search(asked.query, limit=POOL)
        readings = read_features(asked.query, outcome, trial.index)
        rows = tuple(
            FeatureRow(rank, hit, reading, trial.shares(asked, hit.passage))
            for rank, (hit, reading) in enumerate(zip(outcome.hits, readings, strict=True), start=1)
        )
        yield RankedQuestion(trial.suite, asked.question, rows)


def rerank_scores(ranked: RankedQuestion, feature: str, weight: float) -> QuestionScores:
    """What the question's ranking is worth with `weight` times a reading feature added to each hit's score."""
    moved = sorted(ranked.rows, key=lambda row: (-row.hit.score - weight * getattr(row.reading, feature), row.rank))
    hits: Hits = tuple(tuple(share >= MIN_COVERED_SHARE for share in row.shares) for row in moved)
    figures = (reciprocal_rank(hits), recall_at(hits, 5, any_of=ranked.question.any_of))
    return QuestionScores(ranked.suite, ranked.question.id, ranked.question.split, tuple(map(Score, METRICS, figures)))


def render_rows(ranked: RankedQuestion) -> Iterator[str]:
    """The JSON lines of one question."""
    question = ranked.question
    for row in ranked.rows:
        passage = row.hit.passage
        content = {
            "suite": ranked.suite,
            "id": question.id,
            "kind": question.kind,
            "split": question.split,
            "source": passage.document.source,
            "start": passage.span.start,
            "end": passage.span.end,
            "rank": row.rank,
            "score": round(row.hit.score, 6),
            "features": {
                name: round(value, 6) for name, value in (asdict(row.hit.features) | asdict(row.reading)).items()
            },
            "relevance": row.relevance,
        }
        yield json.dumps(content)


def main(arguments: Sequence[str] | None = None) -> int:
    """Write the features of every suite on this machine."""
    parser = argparse.ArgumentParser(description="Write the features and the relevance of every hit as JSON lines.")
    parser.add_argument("output", type=Path, metavar="RUN.jsonl")
    target: Path = parser.parse_args(arguments).output
    lines = 0
    try:
        sink = target.open("w", encoding="utf-8")
    except OSError as error:
        raise UsageError(f"Cannot write the features to {str(target)!r}: {error.strerror}. Check the path.") from None
    with sink, open_trials((*FULL_SUITES, *PRACTICE_SUITES)) as trials:
        for trial in trials:
            for ranked in collect(trial):
                for line in render_rows(ranked):
                    sink.write(line + "\n")
                    lines += 1
    sys.stdout.write(f"{lines} hits written to {target}\n")
    return 0


if __name__ == "__main__":
    run_command(main)
