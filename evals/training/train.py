"""Train the order of items, what the judge counts beside it, and the decision to answer: `python -m
evals.training.train`.

Learns from the training set and the development halves of our questions, after the readers
(`evals.training.readers`), whose forms and acts are among the figures, and the judge (`evals.training.judge`); `make
train` does all. Rewrites `item_ranker.json`, `answer_weights.json` and `calibration.json` of `retrieval/`, and reports
in results/JUDGEMENT.md what they are worth on projects that they have not seen. What the judge counts and the decision
are learned from questions about projects that neither the judge nor the order has seen; those that were typed about
documents which the set can't bring count as such and are learned from with `--typed`.
"""

import argparse
import json
import math
import sys
from collections.abc import Mapping
from dataclasses import asdict
from pathlib import Path
from typing import Any

import retrieval
from evals.command import RESULTS, run_command
from evals.suites import FULL_SUITES, require_suites
from evals.training.decision_fit import SIGNALS, fit_decision
from evals.training.examples import collect, many_products, typed_suites
from evals.training.item_fit import fit_answers, fit_items
from evals.training.judge import HELD
from evals.training.judgement_report import render_judgement
from retrieval.judge.answers import AnswerWeights
from retrieval.search.item_ranker import FEATURES

_RETRIEVAL = Path(retrieval.__file__).parent
_REPORT = RESULTS / "JUDGEMENT.md"


def main() -> int:
    """Collect, fit, write and report.

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
    arguments = parser.parse_args()
    many = (*many_products(arguments.documents), *typed_suites(arguments.typed))
    require_suites(
        [*(opened for opened, _ in many), *FULL_SUITES],
        purpose="Training (after `python -m evals.training.fetch`, which brings notes)",
    )
    halves = collect([(suite, suite) for suite in FULL_SUITES])
    searched = collect(many)
    learned = [*searched, *(example for example in halves if example.question.split == "dev")]
    items = fit_items(learned)
    unseen = fit_items([example for example in learned if example.question.project not in HELD])
    # Of those near the first alone, what the order counts couldn't be told.
    judging_all = AnswerWeights(1.0, 0.0, 0.0, behind=math.inf)
    answers = fit_answers(
        collect(
            many,
            lambda assistant: assistant.judging(item_ranker=unseen, answer_weights=judging_all),
            only=HELD,
            is_judged=True,
        )
    )
    asked = [*many, *((suite, suite) for suite in FULL_SUITES)]
    judged = collect(
        asked,
        lambda assistant: assistant.judging(item_ranker=unseen, answer_weights=answers),
        only=HELD,
        is_judged=True,
    )
    judged = [example for example in judged if example.question.split != "test"]
    calibration = fit_decision(judged)
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
    page = render_judgement(searched, judged, items=items, answers=answers, calibration=calibration)
    _REPORT.write_text(page, encoding="utf-8")
    sys.stdout.write(page)
    return 0


def _write(name: str, content: Mapping[str, Any]) -> None:
    (_RETRIEVAL / f"{name}.json").write_text(json.dumps(content, indent=2) + "\n", encoding="utf-8")


if __name__ == "__main__":
    run_command(main)
