"""Train the ranker and the decision to answer: `make train`, or `python -m evals.training.train [--documents FOLDER]`.

Learns from the training set and the development halves of our questions, rewrites `retrieval/ranker.json` and
`retrieval/calibration.json`, and reports in evals/JUDGEMENT.md what both are worth on projects that they have not seen,
on the test halves and on the practice questions, from which nothing is learned.
"""

import argparse
import json
import sys
from pathlib import Path

import retrieval
from evals.command import run_command
from evals.suites import require_suites
from evals.training.decision_fit import SIGNALS, fit_decision, typical_signals
from evals.training.held_out import held_out_confidences
from evals.training.judgement_report import render_judgement, render_reliability
from evals.training.learning import collect_learning_set, learning_suites
from evals.training.ranker_fit import LEARNED_FEATURES, STRENGTH, fit_ranker
from retrieval.evidence import Calibration
from retrieval.ranker import Ranker

_RETRIEVAL = Path(retrieval.__file__).parent
_REPORT = Path(__file__).parents[1] / "JUDGEMENT.md"


def main() -> int:
    """Collect, fit, report and write.

    Raises:
        RelnotesError: documents are absent.
    """
    parser = argparse.ArgumentParser(description="Train the ranker and the decision to answer; minutes on two cores.")
    parser.add_argument(
        "--documents", metavar="FOLDER", type=Path, help="where documents were fetched to; default: in the cache folder"
    )
    documents: Path | None = parser.parse_args().documents
    require_suites(
        learning_suites(documents), purpose="Training (after `python -m evals.training.fetch`, which brings notes)"
    )
    plain = collect_learning_set(Ranker({}), documents, with_single=False)
    ranker = fit_ranker(plain.many, plain.development, names=LEARNED_FEATURES, strength=STRENGTH)
    ranked = collect_learning_set(ranker, documents)
    natural = (*ranked.many, *ranked.one)
    calibration = fit_decision(natural, ranked.development)
    typical = typical_signals((*natural, *ranked.development))
    _write_ranker(ranker)
    _write_calibration(calibration, typical)
    held_out = held_out_confidences(ranked, natural)
    page = render_judgement(plain, ranked, held_out, ranker=ranker, calibration=calibration)
    _REPORT.write_text(page, encoding="utf-8")
    _REPORT.with_name("reliability.svg").write_text(render_reliability(ranked, held_out), encoding="utf-8")
    sys.stdout.write(page)
    return 0


def _write_ranker(ranker: Ranker) -> None:
    content = {"weights": dict(ranker.weights)}
    (_RETRIEVAL / "ranker.json").write_text(json.dumps(content, indent=2) + "\n", encoding="utf-8")


def _write_calibration(calibration: Calibration, typical: tuple[float, ...]) -> None:
    content = {
        "weights": dict(zip(SIGNALS, calibration.weights, strict=True)),
        "bias": calibration.bias,
        "threshold": calibration.threshold,
        "typical": dict(zip(SIGNALS, typical, strict=True)),
    }
    (_RETRIEVAL / "calibration.json").write_text(json.dumps(content, indent=2) + "\n", encoding="utf-8")


if __name__ == "__main__":
    run_command(main)
