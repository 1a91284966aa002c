"""Fit the decision to answer: `python -m evals.calibrate` rewrites `retrieval/calibration.json`.

A logistic regression over the signals of `retrieval.evidence`, on the development halves of our own questions only. An
answerable question whose gold isn't among the first five passages is left out: refusing it is right, answering it
isn't what the weights should learn. The threshold is the one with the fewest false answers among those that refuse at
most 4 % of the answerable questions of the development half.
"""

import json
import math
import sys
from dataclasses import astuple, dataclass, fields, replace
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from sklearn.linear_model import LogisticRegression

import retrieval
from corpus.errors import UsageError
from evals.command import run_command
from evals.gold import find_gold
from evals.grading import grade_answer
from evals.pages import FolderTexts, Pages
from evals.progress import TerminalProgress
from evals.question_set import Question
from evals.suite_index import asker, open_suite
from evals.suites import FULL_SUITES, Suite, load_suite, require_suites
from retrieval.assistant import Assistant
from retrieval.evidence import (
    Calibration,
    Evidence,
    confidence,
    gather_evidence,
)

MAX_OVER_ABSTENTION = 0.04
_REGULARISATION = 0.3


@dataclass(frozen=True, slots=True)
class Example:
    """A question with its signals; `retrieved` says whether its gold is among the first five passages."""

    suite: str
    question: Question
    evidence: Evidence
    retrieved: bool


def collect_examples(suite: Suite) -> tuple[Example, ...]:
    """The signals of every question of a suite that finds anything."""
    with TerminalProgress() as progress, open_suite(suite, progress=progress) as assistant:
        pages = Pages(FolderTexts(suite.documents))
        found = (_example(suite, question, assistant, pages) for question in load_suite(suite))
        return tuple(example for example in found if example is not None)


def calibrate(development: tuple[Example, ...]) -> Calibration:
    """Fit the regression of "answerable" on the signals, every suite weighing the same, and choose the threshold."""
    usable = tuple(one for one in development if one.retrieved or not one.question.answerable)
    signals = np.array([astuple(one.evidence) for one in usable])
    labels = np.array([one.question.answerable for one in usable])
    suites = [one.suite for one in usable]
    shares = np.array([len(suites) / len(set(suites)) / suites.count(name) for name in suites])
    centre, scale = signals.mean(axis=0), signals.std(axis=0) + 1e-9
    model = LogisticRegression(C=_REGULARISATION, max_iter=5000)
    model.fit((signals - centre) / scale, labels, sample_weight=shares)
    weights = model.coef_[0] / scale
    bias = float(model.intercept_[0] - weights @ centre)
    open_door = Calibration(tuple(round(float(weight), 4) for weight in weights), round(bias, 4), 0.0)
    threshold = choose_threshold(development, confidences(development, open_door))
    return replace(open_door, threshold=math.floor(threshold * 1e4) / 1e4)


def confidences(examples: tuple[Example, ...], calibration: Calibration) -> NDArray[np.float64]:
    """The confidence of each example, shape (examples,)."""
    return np.array([confidence(one.evidence, calibration) for one in examples])


def choose_threshold(examples: tuple[Example, ...], certainties: NDArray[np.float64]) -> float:
    """The highest threshold that refuses at most `MAX_OVER_ABSTENTION` of the answerable questions."""
    answerable = np.array([one.question.answerable for one in examples])
    ranked = np.sort(certainties[answerable])
    return float(ranked[int(MAX_OVER_ABSTENTION * len(ranked))])


def summarise(examples: tuple[Example, ...], certainties: NDArray[np.float64], threshold: float) -> str:
    """False answers and over-abstention of each suite and split at a threshold, one a line."""
    lines = []
    for suite in sorted({one.suite for one in examples}):
        for split in ("dev", "test"):
            chosen = [i for i, one in enumerate(examples) if one.suite == suite and one.question.split == split]
            positive = [certainties[i] for i in chosen if examples[i].question.answerable]
            negative = [certainties[i] for i in chosen if not examples[i].question.answerable]
            over = np.mean([value < threshold for value in positive])
            false = np.mean([value >= threshold for value in negative])
            auc = np.mean([[float(p > n) for n in negative] for p in positive])
            lines.append(f"{suite:8} {split:4} false answers {false:.3f}  over-abstention {over:.3f}  AUROC {auc:.3f}")
    return "\n".join(lines)


def _example(suite: Suite, question: Question, assistant: Assistant, pages: Pages) -> Example | None:
    try:
        query = assistant.understand(
            question.question, history=question.history, product=question.product, version=question.version
        )
    except UsageError:
        return None
    evidence = gather_evidence(assistant.find(query, limit=10))
    if evidence is None:
        return None
    grade = grade_answer(question, asker(assistant)(question), find_gold(question, pages), pages=pages)
    return Example(suite.name, question, evidence, retrieved=bool(grade.score("recall@5")))


def main() -> int:
    """Collect, fit, choose, report and write.

    Raises:
        RelnotesError: ../shared is absent.
    """
    require_suites(FULL_SUITES, purpose="Calibration")
    examples = tuple(example for suite in FULL_SUITES for example in collect_examples(suite))
    development = tuple(one for one in examples if one.question.split == "dev")
    calibration = calibrate(development)
    sys.stdout.write(summarise(examples, confidences(examples, calibration), calibration.threshold) + "\n")
    names = [field.name for field in fields(Evidence)]
    content = {
        "weights": dict(zip(names, calibration.weights, strict=True)),
        "bias": calibration.bias,
        "threshold": calibration.threshold,
    }
    path = Path(retrieval.__file__).with_name("calibration.json")
    path.write_text(json.dumps(content, indent=2) + "\n", encoding="utf-8")
    return 0


if __name__ == "__main__":
    run_command(main)
