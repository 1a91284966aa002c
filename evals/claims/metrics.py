"""The measures of claim checking, from graded claims: per verdict, over all, and of the evidence.

No documents and no citations here: only what `evals.claims.grading` found of each claim.
"""

from collections.abc import Iterator, Sequence
from statistics import fmean, median

from evals.claims.grading import ClaimGrade
from evals.metrics import harmonic_mean
from evals.runner import Group
from retrieval.claims.model import Verdict

MAX_CITATIONS = 3
"""A claim has at most three citations (docs/contract.md)."""
CLAIM_METRIC_NAMES = (
    "accuracy", "macro_f1", "evidence_precision", "evidence_recall", "quote_verbatim", "citations_in_limit",
    "median_ms", *(f"{verdict}_{name}" for verdict in Verdict for name in ("precision", "recall", "f1")),
)  # fmt: skip


def measure_claims(name: str, grades: Sequence[ClaimGrade]) -> Group:
    """Every figure of these claims, in the order of `CLAIM_METRIC_NAMES`, without what can't be measured. The macro
    mean of F1 is over the verdicts that some claim deserves, and weighs rare ones alike."""
    figures = {
        "accuracy": accuracy(grades),
        **_evidence(grades),
        "quote_verbatim": _mean([one for grade in grades for one in grade.verbatim]),
        "citations_in_limit": _mean([grade.most_citations <= MAX_CITATIONS for grade in grades]),
        "median_ms": float(median(grade.elapsed_ms for grade in grades)) if grades else None,
    }
    for verdict in Verdict:
        figures |= {f"{verdict}_{measure}": figure for measure, figure in _of_verdict(grades, verdict)}
    figures["macro_f1"] = _mean([f1 for verdict in Verdict if (f1 := figures[f"{verdict}_f1"]) is not None])
    measured = ((metric, figures[metric]) for metric in CLAIM_METRIC_NAMES)
    return Group(name, len(grades), {metric: value for metric, value in measured if value is not None})


def accuracy(grades: Sequence[ClaimGrade]) -> float | None:
    """Share of the claims with the right verdict; None without claims."""
    return _mean([grade.is_right for grade in grades])


def _evidence(grades: Sequence[ClaimGrade]) -> dict[str, float | None]:
    """Over claims that have gold: the share of their citations that overlap it, and of the claims whose citations
    cover it.

    Source: Thorne et al., FEVER (NAACL 2018), with overlap of passages in place of sentence ids.
    """
    proven = [grade for grade in grades if grade.covered is not None]
    return {
        "evidence_precision": _mean([overlap for grade in proven for overlap in grade.overlaps]),
        "evidence_recall": _mean([bool(grade.covered) for grade in proven]),
    }


def _of_verdict(grades: Sequence[ClaimGrade], verdict: Verdict) -> Iterator[tuple[str, float | None]]:
    """Precision (0 where the verdict is never given), recall and F1, this verdict taken as the positive class; None
    where no claim deserves it.

    Source: van Rijsbergen, Information Retrieval (1979), chapter 7.
    """
    deserving = [grade.is_right for grade in grades if grade.expected.verdict is verdict]
    given = [grade.is_right for grade in grades if grade.given is verdict]
    precision = (_mean(given) or 0.0) if deserving else None
    recall = _mean(deserving)
    yield from (("precision", precision), ("recall", recall), ("f1", harmonic_mean(precision, recall)))


def _mean(flags: Sequence[float]) -> float | None:
    return fmean(flags) if flags else None
