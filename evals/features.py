"""What the ranker sees of every hit: `python -m evals.features RUN.jsonl` logs it, to be looked at.

One JSON line for each question and hit: suite, question id, kind and half, where the passage stands, its rank and
score, every feature by name, and its graded relevance. No question's text is written.
"""

import argparse
import json
import sys
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

from corpus.errors import UsageError
from evals.command import run_command
from evals.gold import MIN_COVERED_SHARE
from evals.question_set import Question
from evals.retrieval_trial import RetrievalTrial, open_trials
from evals.suites import FULL_SUITES, PRACTICE_SUITES
from retrieval.search.hits import Hit
from retrieval.search.reading_features import ReadingFeatures

RETRIEVES, OVERLAPS, IRRELEVANT = 2, 1, 0


def grade_relevance(shares: Sequence[float]) -> int:
    """2 for a passage that retrieves a gold passage, 1 for one that overlaps with one, else 0; `shares` are its covered
    shares of them, 0 to 1."""
    best = max(shares, default=0.0)
    return RETRIEVES if best >= MIN_COVERED_SHARE else OVERLAPS if best > 0 else IRRELEVANT


@dataclass(frozen=True, slots=True)
class FeatureRow:
    """One hit of one question as search left it; `shares` has the covered share, 0 to 1, of each gold passage."""

    rank: int
    hit: Hit
    reading: ReadingFeatures
    shares: tuple[float, ...]

    @property
    def relevance(self) -> int:
        """2 where the hit retrieves a gold passage, 1 where it overlaps with one, else 0."""
        return grade_relevance(self.shares)


@dataclass(frozen=True, slots=True)
class RankedQuestion:
    """A question with the features of the hits that the ranker sees, best first."""

    suite: str
    question: Question
    rows: tuple[FeatureRow, ...]


def collect(trial: RetrievalTrial) -> Iterator[RankedQuestion]:
    """Search for every answerable question of a trial and read the first hits."""
    for asked in trial.asked():
        ranked = trial.search(asked.query)
        rows = tuple(
            FeatureRow(rank, hit, reading, trial.shares(asked, hit.passage))
            for rank, (hit, reading) in enumerate(zip(ranked.ranked, ranked.features, strict=True), start=1)
        )
        yield RankedQuestion(trial.suite, asked.question, rows)


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
