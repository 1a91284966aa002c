"""Train the order of items and the decision to answer: `python -m evals.training.train`.

Learns from the training set and the development halves of our questions. The readers (`evals.training.readers`), whose
forms and acts are among the figures, and the judge (`evals.training.answers`) must be trained before; `make train` does
all. Rewrites `item_ranker.json`, `answer_weights.json` and `calibration.json` of `retrieval/`, and reports in
results/JUDGEMENT.md their quality on unseen projects. The decision is learned from the findings of the new order, each
project's questions ranked by an order that hasn't seen it. `--typed` adds questions on other documents.
"""

import argparse
import json
import sys
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.metrics import roc_auc_score

import retrieval
from evals.command import RESULTS, render_table, run_command, write_page
from evals.suites import CORPORA, FULL_SUITES, Suite, require_suites
from evals.training.cross_encoder import HELD
from evals.training.examples import Example, Figures, collect, typed_suites
from evals.training.fetch import TRAINING_CORPORA, fetched_suite
from evals.training.judgement_fit import (
    SIGNALS,
    confidences,
    fit_answers,
    fit_decision,
    fit_items,
)
from evals.training.training_set import FOLDS, held_out, outside
from retrieval.answers.evidence import Calibration
from retrieval.assistant import Assistant
from retrieval.judge.answers import AnswerWeights
from retrieval.search.item_ranker import FEATURES, load_item_ranker

_RETRIEVAL = Path(retrieval.__file__).parent
_REPORT = RESULTS / "JUDGEMENT.md"
_INTRODUCTION = """# Judgement

`make train` writes this page. The order of items and the decision to answer are learned from the questions of
[the training set](../training/DATASHEET.md), here called natural, typed ones of panels where `--typed` names them (as
for what ships), and the development halves of our questions, each half with half the weight of all natural ones.
Language models wrote all of them. The figures are by cross-validation over projects: what is fitted here
judged a question without those about its project; the judge of answers had learned from other questions about some.
An answer counts as right where one of the three best items that may answer overlaps the gold.
What users see of it is in [RESULTS-full.md](RESULTS-full.md), whose development halves are learned from here."""

_BINS = 10


def main() -> int:
    """Collect examples, fit the models, write them and the report.

    Raises:
        RelnotesError: documents are absent.
    """
    parser = argparse.ArgumentParser(description="Train the order of items and the decision to answer; takes minutes.")
    parser.add_argument(
        "--documents", metavar="FOLDER", type=Path, help="where documents were fetched to; default: in the cache folder"
    )
    parser.add_argument(
        "--typed",
        metavar=("QUESTIONS", "DOCUMENTS"),
        type=Path,
        nargs=2,
        action="append",
        default=[],
        help="learn also from a question file, put as people type, and its folder of documents; may be repeated",
    )
    parser.add_argument(
        "--keeps-order",
        action="store_true",
        help="leave the order of items as it is, and fit only what the judge counts beside it and the decision",
    )
    arguments = parser.parse_args()
    fetched = fetched_suite(arguments.documents)
    # (suite to open, suite to ask)
    many = ((CORPORA, TRAINING_CORPORA), (fetched, fetched), *typed_suites(arguments.typed))
    require_suites(
        [*(opened for opened, _ in many), *FULL_SUITES],
        purpose="Training (after `python -m evals.training.fetch`, which brings notes)",
    )
    halves = [(suite, suite) for suite in FULL_SUITES]
    items = load_item_ranker()
    unseen = [items] * FOLDS
    if not arguments.keeps_order:
        learned = [*collect(many, _as_they_are), *_development(collect(halves, _as_they_are))]
        items = fit_items(learned)
        unseen = [fit_items(outside(learned, fold)) for fold in range(FOLDS)]

    def ask(places: Sequence[tuple[Suite, Suite]], answers: AnswerWeights) -> list[Example]:
        """Return examples of projects the judge hasn't learned from, each by an order that hasn't seen its project."""
        return collect(
            places,
            lambda assistant: [assistant.judging(item_ranker=ranker, answer_weights=answers) for ranker in unseen],
            only=HELD,
        )

    answers = fit_answers(ask(many, AnswerWeights(1.0, 0.0, 0.0)))
    judged = {"natural and typed": ask(many, answers), "development halves": _development(ask(halves, answers))}
    calibration = fit_decision([example for group in judged.values() for example in group])
    _write("search/item_ranker", {"weights": dict(zip(FEATURES, items.weights, strict=True)), "bias": items.bias})
    _write("judge/answer_weights", asdict(answers))
    _write(
        "calibration",
        {
            "weights": dict(zip(SIGNALS, calibration.weights, strict=True)),
            "bias": calibration.bias,
            "threshold": calibration.threshold,
            "typical": dict(zip(SIGNALS, calibration.typical, strict=True)),
        },
    )
    page = render_judgement(judged, calibration)
    write_page(_REPORT, page)
    sys.stdout.write(page)
    return 0


def _development(examples: Sequence[Example]) -> list[Example]:
    return [example for example in examples if example.question.split == "dev"]


def _as_they_are(assistant: Assistant) -> list[Assistant]:
    return [assistant] * FOLDS


def _write(name: str, content: Mapping[str, Any]) -> None:
    (_RETRIEVAL / f"{name}.json").write_text(json.dumps(content, indent=2) + "\n", encoding="utf-8")


def render_judgement(judged: Mapping[str, Sequence[Example]], calibration: Calibration) -> str:
    """Return the page. The decision is measured on the groups of `judged`, by name."""
    everything = [example for group in judged.values() for example in group]
    certainties = held_out(everything, lambda learned, tested: confidences(tested, fit_decision(learned)))
    bins = reliability(np.array([example.right for example in everything]), certainties)
    parts = (
        _INTRODUCTION,
        "## The decision to answer",
        "AUROC: how often what is answered right is more certain than what isn't. Refused and answered: by the "
        f"confidence alone, at the threshold that ships, {calibration.threshold}.",
        _decision_table(judged, certainties, calibration.threshold),
        "## Reliability",
        f"How often an answer is right at a stated confidence. Expected calibration error: {expected_error(bins):.3f}.",
        render_table(
            ("questions", "confidence", "right"),
            [(str(count), f"{confidence:.3f}", f"{right:.3f}") for count, confidence, right in bins],
        ),
    )
    return "\n\n".join(parts) + "\n"


def _decision_table(judged: Mapping[str, Sequence[Example]], certainties: Figures, threshold: float) -> str:
    rows, start = [], 0
    for name, examples in judged.items():
        certain = certainties[start : start + len(examples)]
        start += len(examples)
        right = np.array([example.right for example in examples])
        answerable = np.array([example.question.answerable for example in examples])
        answered = certain >= threshold
        figures = (
            right.mean(),
            roc_auc_score(right, certain),
            roc_auc_score(answerable, certain),
            1 - answered[right].mean(),
            1 - answered[answerable].mean(),
            answered[~answerable].mean(),
            right[answered].mean(),
        )
        rows.append((name, str(len(examples)), *(f"{figure:.3f}" for figure in figures)))
    header = (
        "questions", "n", "right", "AUROC", "AUROC, answerable", "right and refused", "answerable and refused",
        "unanswerable and answered", "right of those answered",
    )  # fmt: skip
    return render_table(header, rows)


def reliability(is_right: NDArray[np.bool_], certainties: Figures) -> list[tuple[int, float, float]]:
    """Return (examples, mean confidence, share right) for each non-empty one of ten equal bins, least certain first."""
    places = np.minimum((certainties * _BINS).astype(int), _BINS - 1)
    return [
        (int(chosen.sum()), float(certainties[chosen].mean()), float(is_right[chosen].mean()))
        for place in range(_BINS)
        if (chosen := places == place).any()
    ]


def expected_error(bins: Sequence[tuple[int, float, float]]) -> float:
    """Return the expected calibration error, 0 to 1: the mean distance of confidence from the share that is right.

    Source: Naeini, Cooper, Hauskrecht, Obtaining Well Calibrated Probabilities Using Bayesian Binning (AAAI 2015).
    """
    counted = sum(count for count, _, _ in bins)
    return sum(count * abs(confidence - right) for count, confidence, right in bins) / counted


if __name__ == "__main__":
    run_command(main)
