"""Whether one run is better than another: the paired bootstrap. The figures of the last run, question by question, are
kept beside the reports: the next run is compared with them."""

import json
import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
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
        """Whether the interval leaves out zero."""
        return self.low > 0 or self.high < 0


@dataclass(frozen=True, slots=True)
class QuestionScores:
    """The figures of one question in one run; `scores` has only what applies to it."""

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


def compare_runs(before: EvalRun, after: EvalRun, metric: str) -> Difference | None:
    """Return the difference between two runs over the same questions, whatever their names; as `compare_scores`."""
    earlier = tuple(replace(score, suite=after.name) for score in run_scores(before))
    return compare_scores(earlier, run_scores(after), metric)


def compare_scores(before: Sequence[QuestionScores], after: Sequence[QuestionScores], metric: str) -> Difference | None:
    """Resample the differences of the questions for which both have that metric; None where there are none.

    Works for the metrics that are means over questions: not for abstention precision and F1 or the medians.
    The same differences give the same interval.

    Source: Efron, Tibshirani, An Introduction to the Bootstrap (1993); on paired questions, Sakai, Evaluating
    Evaluation Metrics Based on the Bootstrap (SIGIR 2006).
    """
    earlier = {(one.suite, one.question_id): one.scores.get(metric) for one in before}
    differences: list[float] = []
    for one in after:
        old, new = earlier.get((one.suite, one.question_id)), one.scores.get(metric)
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
    """Write the logged figures of a run; the folder is made where it is missing."""
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
    """Return the run as last committed, or as the file is where git doesn't know it; nothing where there is neither.

    Raises:
        UsageError: a line isn't what `write_scores` wrote.
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
    """Return the differences of all logged figures over the questions that both runs have."""
    found = (compare_scores(before, after, metric) for metric in LOGGED)
    return tuple(difference for difference in found if difference is not None)


def _rounded(value: float) -> float | int:
    short = round(value, _DIGITS)
    return int(short) if short == int(short) else short


def _committed(path: Path) -> str | None:
    try:
        return run_git(("show", f"HEAD:./{path.name}"), path.parent, seconds=_GIT_SECONDS).decode()
    except GitError:
        return None
