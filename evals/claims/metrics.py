"""The measures of claim checking, from graded claims: per verdict, over all, and of the evidence.

No documents and no citations here: only what `evals.claims.grading` found of each claim.
"""

from collections.abc import Callable, Sequence
from statistics import fmean, median

from evals.claims.grading import ClaimGrade
from evals.grading import Score
from evals.metrics import harmonic_mean
from evals.runner import Group
from retrieval.claims.model import Verdict

MAX_CITATIONS = 3
"""A claim has at most three citations (docs/contract.md)."""


def verdict_precision(grades: Sequence[ClaimGrade], verdict: Verdict) -> float | None:
    """Share of the claims given this verdict that deserve it, 0 if none is given; None where none deserves it.

    Source: van Rijsbergen, Information Retrieval (1979), chapter 7, one verdict taken as the positive class.
    """
    if all(grade.expected.verdict is not verdict for grade in grades):
        return None
    given = [grade for grade in grades if grade.given is verdict]
    return sum(grade.is_right for grade in given) / len(given) if given else 0.0


def verdict_recall(grades: Sequence[ClaimGrade], verdict: Verdict) -> float | None:
    """Share of the claims that deserve this verdict that are given it; None where none deserves it.

    Source: as `verdict_precision`.
    """
    deserving = [grade for grade in grades if grade.expected.verdict is verdict]
    return sum(grade.is_right for grade in deserving) / len(deserving) if deserving else None


def verdict_f1(grades: Sequence[ClaimGrade], verdict: Verdict) -> float | None:
    """Harmonic mean of a verdict's precision and recall, 0 if both are 0; None where no claim deserves it.

    Source: as `verdict_precision`.
    """
    return harmonic_mean(verdict_precision(grades, verdict), verdict_recall(grades, verdict))


def accuracy(grades: Sequence[ClaimGrade]) -> float | None:
    """Share of the claims with the right verdict; None without claims."""
    return fmean(grade.is_right for grade in grades) if grades else None


def macro_f1(grades: Sequence[ClaimGrade]) -> float | None:
    """Mean of the F1 of the verdicts that some claim deserves; None without claims.

    Source: Thorne et al., FEVER (NAACL 2018) report accuracy by label; its macro mean weighs rare verdicts alike.
    """
    scores = [score for verdict in Verdict if (score := verdict_f1(grades, verdict)) is not None]
    return fmean(scores) if scores else None


def evidence_precision(grades: Sequence[ClaimGrade]) -> float | None:
    """Share of the citations that overlap the gold, over claims that have gold; None without such citations.

    Source: Thorne et al. (NAACL 2018), with overlap of passages in place of sentence ids.
    """
    overlaps = [overlap for grade in grades if grade.covered is not None for overlap in grade.overlaps]
    return fmean(overlaps) if overlaps else None


def evidence_recall(grades: Sequence[ClaimGrade]) -> float | None:
    """Share of the claims with gold whose citations cover it; None where no claim has gold.

    Source: as `evidence_precision`.
    """
    covered = [grade.covered for grade in grades if grade.covered is not None]
    return fmean(covered) if covered else None


def quote_verbatim(grades: Sequence[ClaimGrade]) -> float | None:
    """Share of the quotes that stand word for word in the document they name; None without citations."""
    verbatim = [one for grade in grades for one in grade.verbatim]
    return fmean(verbatim) if verbatim else None


def citations_in_limit(grades: Sequence[ClaimGrade]) -> float | None:
    """Share of the claims with at most `MAX_CITATIONS` citations; None without claims."""
    return fmean(grade.most_citations <= MAX_CITATIONS for grade in grades) if grades else None


def median_ms(grades: Sequence[ClaimGrade]) -> float | None:
    """Milliseconds that half of the claims took at most; None without claims."""
    return float(median(grade.elapsed_ms for grade in grades)) if grades else None


_MEASURES: tuple[tuple[str, Callable[[Sequence[ClaimGrade]], float | None]], ...] = (
    ("accuracy", accuracy),
    ("macro_f1", macro_f1),
    ("evidence_precision", evidence_precision),
    ("evidence_recall", evidence_recall),
    ("quote_verbatim", quote_verbatim),
    ("citations_in_limit", citations_in_limit),
    ("median_ms", median_ms),
)
_VERDICT_MEASURES: tuple[tuple[str, Callable[[Sequence[ClaimGrade], Verdict], float | None]], ...] = (
    ("precision", verdict_precision),
    ("recall", verdict_recall),
    ("f1", verdict_f1),
)
CLAIM_METRIC_NAMES = (
    *(name for name, _ in _MEASURES),
    *(f"{verdict}_{name}" for verdict in Verdict for name, _ in _VERDICT_MEASURES),
)


def measure_claims(name: str, grades: Sequence[ClaimGrade]) -> Group:
    """Every figure of these claims, in the order of `CLAIM_METRIC_NAMES`, without what can't be measured."""
    figures = [(metric, measure(grades)) for metric, measure in _MEASURES]
    for verdict in Verdict:
        figures.extend((f"{verdict}_{metric}", measure(grades, verdict)) for metric, measure in _VERDICT_MEASURES)
    return Group(name, len(grades), tuple(Score(metric, value) for metric, value in figures if value is not None))
