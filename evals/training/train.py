"""Train the order of items and the decision to answer: `python -m evals.training.train`.

Learns from the training set and the development halves of our questions, after the readers
(`evals.training.readers`), whose forms and acts are among the figures; `make train` does both. Rewrites
`item_ranker.json` and `calibration.json` of `retrieval/`, and reports in results/JUDGEMENT.md what they are worth on
projects that they have not seen. The decision is learned from what the new order finds, each project's questions judged
by an order of items that hasn't seen it. Questions that were typed about documents which the set can't bring are
learned from with `--typed`.
"""

import argparse
import json
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import retrieval
from evals.command import RESULTS, run_command
from evals.suites import CORPORA, FULL_SUITES, require_suites
from evals.training.examples import Example, collect, typed_suites
from evals.training.fetch import TRAINING_CORPORA, fetched_suite
from evals.training.judgement_fit import SIGNALS, fit_decision, fit_items
from evals.training.judgement_report import render_judgement
from evals.training.training_set import FOLDS, outside
from retrieval.assistant import Assistant
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
    fetched = fetched_suite(arguments.documents)
    # What is opened, and what is asked of it.
    many = ((CORPORA, TRAINING_CORPORA), (fetched, fetched), *typed_suites(arguments.typed))
    require_suites(
        [*(opened for opened, _ in many), *FULL_SUITES],
        purpose="Training (after `python -m evals.training.fetch`, which brings notes)",
    )
    halves = [(suite, suite) for suite in FULL_SUITES]
    development = _development(collect(halves, _as_they_are))
    searched = collect(many, _as_they_are)
    learned = [*searched, *development]
    items = fit_items(learned)
    unseen = [fit_items(outside(learned, fold)) for fold in range(FOLDS)]
    judged = {
        name: collect(places, lambda assistant: [assistant.judging(item_ranker=one) for one in unseen])
        for name, places in (("natural", many), ("development halves", halves))
    }
    judged["development halves"] = _development(judged["development halves"])
    calibration = fit_decision([one for group in judged.values() for one in group])
    _write("search/item_ranker", {"weights": dict(zip(FEATURES, items.weights, strict=True)), "bias": items.bias})
    _write(
        "calibration",
        {
            "weights": dict(zip(SIGNALS, calibration.weights, strict=True)),
            "bias": calibration.bias,
            "threshold": calibration.threshold,
            "typical": dict(zip(SIGNALS, calibration.typical, strict=True)),
        },
    )
    page = render_judgement(searched, judged, items=items, calibration=calibration)
    _REPORT.write_text(page, encoding="utf-8")
    sys.stdout.write(page)
    return 0


def _development(examples: Sequence[Example]) -> list[Example]:
    return [example for example in examples if example.question.split == "dev"]


def _as_they_are(assistant: Assistant) -> list[Assistant]:
    return [assistant] * FOLDS


def _write(name: str, content: Mapping[str, Any]) -> None:
    (_RETRIEVAL / f"{name}.json").write_text(json.dumps(content, indent=2) + "\n", encoding="utf-8")


if __name__ == "__main__":
    run_command(main)
