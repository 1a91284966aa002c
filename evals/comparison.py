"""Whether one run is better than another: the paired bootstrap."""

import random
from collections.abc import Sequence
from dataclasses import dataclass, replace

from evals.grading import Score
from evals.runner import EvalRun


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
    scores: tuple[Score, ...]

    def score(self, metric: str) -> float | None:
        """The figure of that name, or None where it doesn't apply."""
        return next((score.value for score in self.scores if score.metric == metric), None)


def run_scores(run: EvalRun) -> tuple[QuestionScores, ...]:
    """The figures of a run, question by question."""
    return tuple(
        QuestionScores(run.name, result.question.id, result.question.split, result.grade.scores)
        for result in run.results
    )


def compare_runs(before: EvalRun, after: EvalRun, metric: str, *, seed: int, resamples: int) -> Difference | None:
    """The difference between two runs over the same questions, whatever the runs are called; as `compare_scores`."""
    earlier = tuple(replace(score, suite=after.name) for score in run_scores(before))
    return compare_scores(earlier, run_scores(after), metric, seed=seed, resamples=resamples)


def compare_scores(
    before: Sequence[QuestionScores], after: Sequence[QuestionScores], metric: str, *, seed: int, resamples: int
) -> Difference | None:
    """Resample the differences of the questions for which both have that metric; None where there are none.

    Works for the metrics that are means over questions: not for abstention precision and F1 or the medians.
    The same seed gives the same interval.

    Source: Efron, Tibshirani, An Introduction to the Bootstrap (1993); on paired questions, Sakai, Evaluating
    Evaluation Metrics Based on the Bootstrap (SIGIR 2006).
    """
    earlier = {(one.suite, one.question_id): one.score(metric) for one in before}
    differences: list[float] = []
    for one in after:
        old, new = earlier.get((one.suite, one.question_id)), one.score(metric)
        if old is not None and new is not None:
            differences.append(new - old)
    if not differences:
        return None
    size = len(differences)
    chance = random.Random(seed)  # noqa: S311 -- resampling, not secrets
    means = sorted(sum(chance.choices(differences, k=size)) / size for _ in range(resamples))
    low, high = means[int(0.025 * resamples)], means[int(0.975 * resamples) - 1]
    return Difference(metric, sum(differences) / size, low, high, size)
