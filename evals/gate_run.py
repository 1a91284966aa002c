"""The gate as a command: `python -m evals.gate_run [--full]`."""

import argparse
import sys
import tomllib
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from evals.claims.claim_set import CLAIM_FULL_SUITES, CLAIM_GATE_SUITES
from evals.claims.runner import measure_suite
from evals.command import run_command, write_page
from evals.comparison import QuestionScores, compare_logged, read_scores, run_scores, write_scores
from evals.metrics import check_limits
from evals.releases.__main__ import main as measure_releases
from evals.report import render_comparison, render_figure, render_results
from evals.runner import EvalReport, EvalRun, evaluate
from evals.suite_index import ask_suite, asker, open_suite
from evals.suites import FULL_SUITES, GATE_SUITES, Suite, load_suite
from evals.upgrades.__main__ import main as measure_upgrades
from ingest.progress import BarProgress

_FOLDER = Path(__file__).parent
_SHOWN = (
    "recall@5", "mrr@10", "answer_key", "citation_precision", "quote_verbatim", "false_answer_rate",
    "over_abstention_rate", "median_answer_chars",
)  # fmt: skip
_SHOWN_CLAIM_METRICS = (
    "accuracy", "macro_f1", "contradicted_f1", "evidence_precision", "evidence_recall", "quote_verbatim",
)  # fmt: skip
_PREFACE = """\
Language models wrote these questions. What ships was learned from the development halves of bundled, seeds and corpora
too, and search, refusals and quotes were chosen by figures over both halves (docs/decisions, 3, 5 and 6): this is
practice, which guards against regressions. What is known of questions that nobody had seen is in
[quality.md](../../docs/quality.md)."""


def measure(suite: Suite) -> EvalRun:
    """Ask a suite's questions over its own index.

    Raises:
        RelnotesError: the suite's documents can't be ingested, or its questions are malformed.
    """
    with BarProgress() as progress, open_suite(suite, progress=progress) as assistant:
        return ask_suite(suite, load_suite(suite), asker(assistant), progress)


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure, compare, report; return 1 if a limit is missed, or nothing can be measured.

    Without ../shared beside the checkout, the suites that need it are reported as skipped; every suite with documents
    must be measured.
    """
    parser = argparse.ArgumentParser(description="Run the question sets and compare them with evals/minimums.toml.")
    parser.add_argument("--full", action="store_true", help="over all of ../shared/corpora; minutes at first")
    full = parser.parse_args(arguments).full
    suites = FULL_SUITES if full else GATE_SUITES
    absent = [suite.name for suite in suites if not suite.is_available]
    minimums = tomllib.loads((_FOLDER / "minimums.toml").read_text(encoding="utf-8"))
    last_run = _FOLDER / "results" / ("full.jsonl" if full else "gate.jsonl")
    last = read_scores(last_run)
    reports: list[EvalReport] = []
    scores: list[QuestionScores] = []
    missed = len(absent) == len(suites)
    if missed:
        sys.stdout.write("MISSED: no set of questions is beside this checkout.\n")
    for suite in suites:
        if suite.name in absent:
            sys.stdout.write(f"{suite.name}: skipped, its documents are not beside this checkout\n")
            continue
        run = measure(suite)
        report = evaluate(run)
        reports.append(report)
        scores.extend(run_scores(run))
        measured = report.overall.figures
        figures = "  ".join(f"{metric} {render_figure(report.overall, metric)}" for metric in _SHOWN)
        sys.stdout.write(f"{suite.name} ({report.overall.questions} questions): {figures}\n")
        missed |= _misses(suite.name, measured, minimums)
        sys.stdout.writelines(
            f"not asked in {suite.name}: {question}: {reason}\n" for question, reason in report.skipped.items()
        )
        differences = compare_logged(last, run_scores(run))
        if differences:
            sys.stdout.write(f"\n{suite.name} against the last committed run:\n{render_comparison(differences)}\n\n")
    if not absent:
        write_scores(last_run, scores)
        target = _FOLDER / "results" / ("RESULTS-full.md" if full else "RESULTS.md")
        write_page(target, render_results(reports, preface=_PREFACE))
    for claim_suite in CLAIM_FULL_SUITES if full else CLAIM_GATE_SUITES:
        missed |= _misses_claims(claim_suite, minimums)
    missed |= measure_upgrades([] if full else ["--gate"]) != 0
    missed |= measure_releases() != 0
    return 1 if missed else 0


def _misses(suite: str, figures: Mapping[str, float], minimums: Mapping[str, Mapping[str, Any]]) -> bool:
    misses = check_limits(figures, minimums.get(suite, {})) if figures else ["nothing was measured"]
    sys.stdout.writelines(f"MISSED in {suite}: {miss}\n" for miss in misses)
    return bool(misses)


def _misses_claims(suite: Suite, minimums: Mapping[str, Mapping[str, Any]]) -> bool:
    if not suite.is_available:
        sys.stdout.write(f"{suite.name}: skipped, its documents are not beside this checkout\n")
        return False
    run = measure_suite(suite)
    figures = "  ".join(f"{metric} {run.overall.figures.get(metric, 0):.3f}" for metric in _SHOWN_CLAIM_METRICS)
    sys.stdout.write(f"{suite.name} ({len(run.grades)} claims): {figures}\n")
    return _misses(suite.name, run.overall.figures, minimums)


if __name__ == "__main__":
    run_command(main)
