"""Compares two runs by the paired bootstrap. The figures of the last run, question by question, are stored beside the
reports, for comparison with the next run."""

import json
import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from corpus.errors import UsageError
from corpus.git import GitError, run_git
from evals.runner import EvalRun

LOGGED = (
    "recall@5", "mrr@10", "answer_key", "citation_precision", "citation_recall", "quote_verbatim", "false_answer_rate",
    "over_abstention_rate", "end_to_end",
)  # fmt: skip
_SEED, _RESAMPLES = 20, 2000
_DIGITS = 4
_GIT_SECONDS = 20


@dataclass(frozen=True, slots=True)
class Difference:
    """Mean of (after - before) over `questions` shared questions, with its 95 % interval."""

    metric: str
    mean: float
    low: float
    high: float
    questions: int

    @property
    def is_significant(self) -> bool:
        """Return whether the interval excludes zero."""
        return self.low > 0 or self.high < 0


@dataclass(frozen=True, slots=True)
class QuestionScores:
    """The figures of one question in one run; `scores` has only the metrics that apply to it."""

    suite: str
    question_id: str
    split: str
    scores: Mapping[str, float]


def run_scores(run: EvalRun) -> tuple[QuestionScores, ...]:
    """Return the figures of a run, question by question."""
    return tuple(
        QuestionScores(run.name, result.question.id, result.question.split, result.grade.scores)
        for result in run.results
    )


def compare_scores(before: Sequence[QuestionScores], after: Sequence[QuestionScores], metric: str) -> Difference | None:
    """Resample the differences of the questions for which both runs have the metric; None if there are none.

    Valid for metrics that are means over questions, so not for abstention precision and F1 or the medians.
    Equal differences give equal intervals.

    Source: Efron, Tibshirani, An Introduction to the Bootstrap (1993); on paired questions, Sakai, Evaluating
    Evaluation Metrics Based on the Bootstrap (SIGIR 2006).
    """
    earlier = {(entry.suite, entry.question_id): entry.scores.get(metric) for entry in before}
    differences: list[float] = []
    for entry in after:
        old, new = earlier.get((entry.suite, entry.question_id)), entry.scores.get(metric)
        if old is not None and new is not None:
            differences.append(new - old)
    if not differences:
        return None
    size = len(differences)
    chance = random.Random(_SEED)  # noqa: S311 -- resampling, not secrets
    means = sorted(sum(chance.choices(differences, k=size)) / size for _ in range(_RESAMPLES))
    low, high = means[int(0.025 * _RESAMPLES)], means[int(0.975 * _RESAMPLES) - 1]
    return Difference(metric, sum(differences) / size, low, high, size)


def write_scores(path: Path, scores: Sequence[QuestionScores]) -> None:
    """Write the logged figures of a run; create the folder if it is missing."""
    lines = (
        json.dumps(
            {
                "suite": score.suite,
                "id": score.question_id,
                "split": score.split,
                "scores": {name: _rounded(score.scores[name]) for name in LOGGED if name in score.scores},
            }
        )
        for score in scores
    )
    path.parent.mkdir(exist_ok=True)
    path.write_text("".join(line + "\n" for line in lines), encoding="utf-8")


def read_scores(path: Path) -> tuple[QuestionScores, ...]:
    """Return the run as last committed, or else as in the file on disk; empty if there is neither.

    Raises:
        UsageError: a line isn't of the form that `write_scores` writes.
    """
    text = _committed(path)
    if text is None:
        text = path.read_text(encoding="utf-8") if path.is_file() else ""
    try:
        lines = (json.loads(line) for line in text.splitlines() if line.strip())
        return tuple(
            QuestionScores(
                str(line["suite"]),
                str(line["id"]),
                str(line["split"]),
                {str(name): float(value) for name, value in line["scores"].items()},
            )
            for line in lines
        )
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise UsageError(
            f"Cannot read the last run {str(path)!r}: {error!r}. Delete the file to begin anew; the next run writes it."
        ) from None


def compare_logged(before: Sequence[QuestionScores], after: Sequence[QuestionScores]) -> tuple[Difference, ...]:
    """Compare all logged figures over the questions that both runs have."""
    differences = (compare_scores(before, after, metric) for metric in LOGGED)
    return tuple(difference for difference in differences if difference is not None)


def _rounded(value: float) -> float | int:
    rounded = round(value, _DIGITS)
    return int(rounded) if rounded == int(rounded) else rounded


def _committed(path: Path) -> str | None:
    try:
        return run_git(("show", f"HEAD:./{path.name}"), path.parent, seconds=_GIT_SECONDS).decode()
    except GitError:
        return None
