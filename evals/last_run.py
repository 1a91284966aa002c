"""The last run, question by question with the questions themselves: averages with intervals, and what wasn't answered.

Reads the files that the gate wrote (`evals/results/`) and the question files; it asks nothing.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import fmean

from evals.command import RESULTS
from evals.comparison import QuestionScores
from evals.question_set import Question, load_questions
from evals.run_log import load_scores
from evals.suites import FULL_SUITES, GATE_SUITES

_QUANTILE = 1.96
"""Of the normal distribution, for 95 %."""


@dataclass(frozen=True, slots=True)
class AskedQuestion:
    """A question of a suite with its figures in the last run."""

    question: Question
    scores: QuestionScores

    @property
    def suite(self) -> str:
        """The suite's name."""
        return self.scores.suite

    @property
    def lacks_answer(self) -> bool:
        """Whether the documents answer it and the run didn't."""
        return self.question.answerable and self.scores.score("over_abstention_rate") == 1.0


@dataclass(frozen=True, slots=True)
class Mean:
    """An average over some questions with its 95 % interval."""

    name: str
    questions: int
    value: float
    low: float
    high: float


def load_last_run(folder: Path = RESULTS) -> tuple[AskedQuestion, ...]:
    """The questions of every suite with their last figures, in the suites' order; nothing where no run is kept.

    The gate's run comes first; of the full one, the suites that the gate doesn't ask. A question that has left its
    file since is left out.

    Raises:
        UsageError: a file of runs or of questions is malformed.
    """
    asked: list[AskedQuestion] = []
    for name, suites in (("gate.jsonl", GATE_SUITES), ("full.jsonl", FULL_SUITES)):
        known = {one.suite for one in asked}
        files = {suite.name: suite.questions for suite in suites if suite.questions.is_file()}
        scores = [one for one in load_scores(folder / name) if one.suite in files and one.suite not in known]
        questions = {
            (suite, question.id): question
            for suite in dict.fromkeys(one.suite for one in scores)
            for question in load_questions(files[suite])
        }
        asked += [
            AskedQuestion(questions[one.suite, one.question_id], one)
            for one in scores
            if (one.suite, one.question_id) in questions
        ]
    return tuple(asked)


def mean_of(name: str, asked: Sequence[AskedQuestion], metric: str) -> Mean | None:
    """The average over those that have the metric, each 0 to 1; None where none has.

    Source: Wilson, Probable Inference, the Law of Succession, and Statistical Inference (JASA 1927). It is made for
    figures that are 0 or 1; for those between, whose variance is less, it is wider than it need be.
    """
    values = [value for one in asked if (value := one.scores.score(metric)) is not None]
    if not values:
        return None
    size, mean = len(values), fmean(values)
    weight = _QUANTILE**2 / size
    centre = (mean + weight / 2) / (1 + weight)
    half = _QUANTILE * math.sqrt(mean * (1 - mean) / size + weight / (4 * size)) / (1 + weight)
    return Mean(name, size, mean, max(0.0, centre - half), min(1.0, centre + half))


def distinct(asked: Sequence[AskedQuestion]) -> tuple[AskedQuestion, ...]:
    """Each question once, from the first suite that asked it: some suites are parts of others."""
    found: dict[tuple[str, str], AskedQuestion] = {}
    for one in asked:
        found.setdefault((one.question.id, one.question.question), one)
    return tuple(found.values())


def means_by_kind(asked: Sequence[AskedQuestion], metric: str) -> tuple[Mean, ...]:
    """The averages of the kinds that have the metric, by name."""
    kinds = sorted({one.question.kind for one in asked})
    means = (mean_of(kind, [one for one in asked if one.question.kind == kind], metric) for kind in kinds)
    return tuple(mean for mean in means if mean is not None)
