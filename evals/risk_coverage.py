"""What the threshold of the decision to answer costs: `python -m evals.risk_coverage`.

Asks every question three times: as the product answers, with the door open (threshold 0: how confident it is, and
whether its answer is right) and shut (what is answered whatever the confidence: the catalogue, what is new). From that
follow coverage, risk, false answers and over-abstention at every threshold, exactly. Writes `results/RISK-COVERAGE.md`;
development and test halves apart.
"""

import sys
from collections.abc import Iterator, Sequence
from dataclasses import astuple, dataclass
from statistics import fmean

from evals.command import RESULTS, render_table, run_command, write_page
from evals.metrics import share
from evals.suite_index import ask_suite, asker, open_suite
from evals.suites import FULL_SUITES, Suite, load_suite, require_suites
from ingest.progress import BarProgress
from retrieval.evidence import load_calibration

OPEN, SHUT = 0.0, 1.01
HALVES = ("dev", "test")
_STEPS = tuple(step / 20 for step in range(20))
_INTRODUCTION = """# Risk and coverage

`python -m evals.risk_coverage` writes this page. At each threshold: the share of all questions that are
answered (coverage), the share of these answers that is wrong (risk: a key fact is missing, or there is none), the share
of the unanswerable questions that are answered (false answers), and of the answerable ones that are not
(over-abstention). The threshold in use when this page was made is in bold; `make train` chose it, by right answers of
the training set and of the development halves (evals/training/judgement_fit.py). The signals were chosen by both halves
(docs/decisions/0005)."""


@dataclass(frozen=True, slots=True)
class JudgedQuestion:
    """One question with the door open: how confident its answer would be, and whether it would be right.

    `confidence` is None where no answer can be drafted at all, and infinite where one is given at any threshold.
    """

    suite: str
    split: str
    answerable: bool
    confidence: float | None
    correct: bool

    def is_answered(self, threshold: float) -> bool:
        """Whether an answer is given at a threshold."""
        return self.confidence is not None and self.confidence >= threshold


@dataclass(frozen=True, slots=True)
class OperatingPoint:
    """What one threshold does; shares, 0 to 1, and 0 where there is nothing to share."""

    threshold: float
    coverage: float
    risk: float
    false_answers: float
    over_abstention: float


def operate(judgements: Sequence[JudgedQuestion], threshold: float) -> OperatingPoint:
    """Answer what is at least as confident as the threshold."""
    told = [(one, one.is_answered(threshold)) for one in judgements]
    return OperatingPoint(
        threshold=threshold,
        coverage=share([is_answered for _, is_answered in told]) or 0.0,
        risk=share([not one.correct for one, is_answered in told if is_answered]) or 0.0,
        false_answers=share([is_answered for one, is_answered in told if not one.answerable]) or 0.0,
        over_abstention=share([not is_answered for one, is_answered in told if one.answerable]) or 0.0,
    )


def area_under_risk(judgements: Sequence[JudgedQuestion]) -> float:
    """AURC: the mean, over all answers that can be given, of the risk when nothing less confident is answered.

    0 to 1, lower is better; 0 without answers. Answers of one confidence share the risk of all of them.

    Source: Geifman, Uziel, El-Yaniv, Bias-Reduced Uncertainty Estimation for Deep Neural Classifiers (ICLR 2019).
    """
    risks = [operate(judgements, one.confidence).risk for one in judgements if one.confidence is not None]
    return fmean(risks) if risks else 0.0


def judge(suite: Suite) -> Iterator[JudgedQuestion]:
    """Ask a suite's questions with the door open and shut."""
    with BarProgress() as progress, open_suite(suite, progress=progress) as assistant:
        opened, shut = (
            ask_suite(suite, load_suite(suite), asker(assistant.judging(threshold=threshold)), progress)
            for threshold in (OPEN, SHUT)
        )
    for result, strict in zip(opened.results, shut.results, strict=True):
        grade = result.grade
        confidence: float | None = grade.confidence
        if not strict.grade.decision.abstained:
            confidence = float("inf")
        elif grade.decision.abstained:
            confidence = None
        yield JudgedQuestion(
            suite=suite.name,
            split=grade.split,
            answerable=result.question.answerable,
            confidence=confidence,
            correct=grade.correct and not grade.decision.abstained,
        )


def render_page(judgements: Sequence[JudgedQuestion], threshold: float) -> str:
    """The page: one table a half, and the area under each curve."""
    parts = [_INTRODUCTION]
    for half in HALVES:
        chosen = [judgement for judgement in judgements if judgement.split == half]
        parts += [f"## {half} ({len(chosen)} questions)", _operations(chosen, threshold)]
    return "\n\n".join([*parts, "## Area under the risk-coverage curve (AURC)", _areas(judgements)]) + "\n"


def _operations(judgements: Sequence[JudgedQuestion], in_use: float) -> str:
    rows = []
    for threshold in sorted({*_STEPS, in_use}):
        one = operate(judgements, threshold)
        cells = [f"{value:.3f}" for value in astuple(one)]
        rows.append([f"**{cell}**" for cell in cells] if threshold == in_use else cells)
    return render_table(("threshold", "coverage", "risk", "false answers", "over-abstention"), rows)


def _areas(judgements: Sequence[JudgedQuestion]) -> str:
    rows = []
    for suite in (*dict.fromkeys(judgement.suite for judgement in judgements), ""):
        halves = (
            [judgement for judgement in judgements if judgement.split == half and suite in (judgement.suite, "")]
            for half in HALVES
        )
        rows.append((suite or "all", *(f"{area_under_risk(half):.3f}" for half in halves)))
    return render_table(("questions", *HALVES), rows)


def main() -> int:
    """Ask, count, and write the page.

    Raises:
        RelnotesError: ../shared is absent.
    """
    require_suites(FULL_SUITES, purpose="The risk-coverage curve")
    judgements = tuple(one for suite in FULL_SUITES for one in judge(suite))
    threshold = load_calibration().threshold
    page = render_page(judgements, threshold)
    sys.stdout.write(page)
    write_page(RESULTS / "RISK-COVERAGE.md", page)
    return 0


if __name__ == "__main__":
    run_command(main)
