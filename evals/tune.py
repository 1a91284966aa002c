"""Choose the weights of search: `python -m evals.tune` tries others and writes `evals/TUNING.md`.

Coordinate search over a grid, on the development halves of our own questions: one weight at a time, what raises the
mean of MRR@10 and recall@5 most is kept, until nothing does. The test halves and the practice questions are only
reported. The command doesn't change the weights: they stand in `retrieval/search/weights.py`, and a value is worth
adopting when the development interval leaves out zero and the test half doesn't contradict it.
"""

import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from evals.ablation import RESAMPLES, SEED, mean, render_difference
from evals.command import run_command
from evals.comparison import QuestionScores, compare_scores
from evals.grading import Score
from evals.retrieval_trial import METRICS, RetrievalTrial, Variant, open_trials
from evals.suites import FULL_SUITES, PRACTICE_SUITES, require_suites
from evals.tables import render_table
from retrieval.search.ranker import Ranker
from retrieval.search.weights import SearchWeights

GRID: Mapping[str, tuple[float, ...]] = {
    "dense": (0.2, 0.3, 0.35, 0.4, 0.45, 0.5, 0.6),
    "related": (0.0, 0.2, 0.35, 0.5, 0.7),
    "exact_release": (0.1, 0.2, 0.25, 0.3, 0.4, 0.6),
    "series_release": (0.0, 0.08, 0.15, 0.22, 0.3),
    "mention": (0.0, 0.06, 0.12, 0.2),
    "prerelease": (0.0, 0.03, 0.06),
    "reference": (0.25, 0.5, 0.75),
    "kind": (0.0, 0.04, 0.08, 0.12, 0.2),
    "authority": (0.0, 0.005, 0.01, 0.02, 0.04),
}
OBJECTIVE = "objective"
"""The mean of the metrics, as a metric of each question."""
_LEAST_GAIN = 1e-6
_TARGET = Path(__file__).with_name("TUNING.md")
_INTRODUCTION = f"""# Tuning

`python -m evals.tune` writes this page: a coordinate search over the weights of `retrieval/search/weights.py`, on the
development halves of our own questions, before the learned ranker has its say (the objective is the mean of
{" and ".join(METRICS)}). A difference is "that value" minus "the weights of this commit", with its 95 % interval from
the paired bootstrap; a star marks intervals that leave out zero. A value is adopted only where the development interval
leaves out zero and the test half doesn't contradict it."""


@dataclass(frozen=True, slots=True)
class WeightStep:
    """One value of one weight that was better on the development half than those before."""

    weight: str
    value: float
    objective: float


class Tuner:
    """Runs weights over the trials, each set of weights once."""

    def __init__(self, trials: Sequence[RetrievalTrial]) -> None:
        self._trials = tuple(trials)
        self._known: dict[SearchWeights, tuple[QuestionScores, ...]] = {}

    def scores(self, weights: SearchWeights) -> tuple[QuestionScores, ...]:
        """The figures of every question of every trial, the objective among them."""
        if weights not in self._known:
            found = (one for trial in self._trials for one in trial.run(Variant("tried", weights, ranker=Ranker({}))))
            self._known[weights] = tuple(with_objective(one) for one in found)
        return self._known[weights]

    def development(self, weights: SearchWeights) -> float:
        """The mean objective over the development halves."""
        return mean(in_split(self.scores(weights), "dev"), OBJECTIVE)


def with_objective(one: QuestionScores) -> QuestionScores:
    """The same figures and their mean as one more."""
    objective = sum(one.score(metric) or 0.0 for metric in METRICS) / len(METRICS)
    return replace(one, scores=(*one.scores, Score(OBJECTIVE, objective)))


def in_split(scores: Sequence[QuestionScores], split: str) -> tuple[QuestionScores, ...]:
    """The questions of one half; the empty name is for questions of no half."""
    return tuple(one for one in scores if one.split == split)


def climb(tuner: Tuner, start: SearchWeights) -> tuple[SearchWeights, tuple[WeightStep, ...]]:
    """Go through the grid weight by weight, keep what is best on the development half, until a round changes nothing.

    Of equal values the one nearest to where the weight stands is kept.
    """
    best, objective = start, tuner.development(start)
    steps: list[WeightStep] = []
    improved = True
    while improved:
        improved = False
        for name, values in GRID.items():
            stands = getattr(best, name)
            tried = [replace(best, **{name: value}) for value in sorted(values, key=lambda v: (abs(v - stands), v))]
            chosen = max(tried, key=tuner.development)
            gained = tuner.development(chosen)
            if gained > objective + _LEAST_GAIN:
                best, objective, improved = chosen, gained, True
                steps.append(WeightStep(name, getattr(chosen, name), gained))
    return best, tuple(steps)


def render_grid(tuner: Tuner, current: SearchWeights) -> str:
    """A table with a row for each other value of each weight, everything else as it is."""
    before = tuner.scores(current)
    rows = []
    for name, values in GRID.items():
        for value in values:
            if value != getattr(current, name):
                after = tuner.scores(replace(current, **{name: value}))
                rows.append((name, f"{getattr(current, name):g}", f"{value:g}", *compared(before, after, OBJECTIVE)))
    return render_table(("weight", "is", "tried", "development", "test", "practice"), rows)


def compared(before: Sequence[QuestionScores], after: Sequence[QuestionScores], metric: str) -> tuple[str, ...]:
    """The differences on the development half, the test half and the practice questions."""
    return tuple(
        render_difference(
            compare_scores(in_split(before, split), in_split(after, split), metric, seed=SEED, resamples=RESAMPLES)
        )
        for split in ("dev", "test", "")
    )


def render_climb(tuner: Tuner, current: SearchWeights) -> str:
    """Where the coordinate search ends, and what that is worth."""
    best, steps = climb(tuner, current)
    if not steps:
        return "The search ends where it began: no single value is better on the development half."
    taken = render_table(
        ("weight", "value", "development objective"),
        ((step.weight, f"{step.value:g}", f"{step.objective:.4f}") for step in steps),
    )
    metrics = (*METRICS, OBJECTIVE)
    worth = render_table(
        ("metric", "development", "test", "practice"),
        ((metric, *compared(tuner.scores(current), tuner.scores(best), metric)) for metric in metrics),
    )
    return f"The steps that it took:\n\n{taken}\n\nAll of them together:\n\n{worth}"


def render_figures(tuner: Tuner, weights: SearchWeights) -> str:
    """The figures of some weights, by suite and half."""
    scores = tuner.scores(weights)
    groups = dict.fromkeys((one.suite, one.split) for one in scores)
    rows = []
    for suite, split in groups:
        chosen = [one for one in scores if (one.suite, one.split) == (suite, split)]
        figures = (f"{mean(chosen, metric):.3f}" for metric in METRICS)
        rows.append((f"{suite} {split}".strip(), str(len(chosen)), *figures))
    return render_table(("questions", "n", *METRICS), rows)


def main() -> int:
    """Search, compare and write the page.

    Raises:
        RelnotesError: ../shared is absent.
    """
    suites = (*FULL_SUITES, *PRACTICE_SUITES)
    require_suites(suites, purpose="Tuning")
    current = SearchWeights()
    with open_trials(suites) as trials:
        tuner = Tuner(trials)
        parts = (
            _INTRODUCTION,
            "## The weights of this commit",
            render_figures(tuner, current),
            "## One weight at a time",
            render_grid(tuner, current),
            "## The coordinate search",
            render_climb(tuner, current),
        )
    page = "\n\n".join(parts) + "\n"
    sys.stdout.write(page)
    _TARGET.write_text(page, encoding="utf-8")
    return 0


if __name__ == "__main__":
    run_command(main)
