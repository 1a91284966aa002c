"""Whether one run is better than another: the paired bootstrap."""

import random
from dataclasses import dataclass

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


def compare_runs(before: EvalRun, after: EvalRun, metric: str, *, seed: int, resamples: int) -> Difference | None:
    """Resample the differences of the questions for which both runs have that metric; None where there are none.

    Works for the metrics that are means over questions: not for abstention precision and F1 or the medians.
    The same seed gives the same interval.

    Source: Efron, Tibshirani, An Introduction to the Bootstrap (1993); on paired questions, Sakai, Evaluating
    Evaluation Metrics Based on the Bootstrap (SIGIR 2006).
    """
    earlier = {result.question.id: result.grade.score(metric) for result in before.results}
    differences: list[float] = []
    for result in after.results:
        old, new = earlier.get(result.question.id), result.grade.score(metric)
        if old is not None and new is not None:
            differences.append(new - old)
    if not differences:
        return None
    size = len(differences)
    chance = random.Random(seed)  # noqa: S311 -- resampling, not secrets
    means = sorted(sum(chance.choices(differences, k=size)) / size for _ in range(resamples))
    low, high = means[int(0.025 * resamples)], means[int(0.975 * resamples) - 1]
    return Difference(metric, sum(differences) / size, low, high, size)
