"""Grades the verdict and the evidence of checked claims, and computes the metrics over all."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from statistics import fmean, median

from corpus.model import Span
from evals.claims.claim_set import ExpectedClaim
from evals.grading import MIN_COVERED_SHARE, gold_shares, place_gold
from evals.metrics import harmonic_mean, share
from evals.pages import Pages
from evals.runner import Group
from retrieval.claims.model import ClaimCheck, Verdict

MAX_CITATIONS = 3
"""A claim has at most three citations (docs/contract.md)."""
CLAIM_METRIC_NAMES = (
    "accuracy", "macro_f1", "evidence_precision", "evidence_recall", "quote_verbatim", "citations_in_limit",
    "median_ms", *(f"{verdict}_{name}" for verdict in Verdict for name in ("precision", "recall", "f1")),
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class ClaimGrade:
    """The grade of the check of one claim.

    `overlaps` has for each citation whether it overlaps a gold passage, `verbatim` whether the document contains its
    quote word for word. `covered`: the citations cover the evidence that the claim needs; None if it has no gold.
    """

    expected: ExpectedClaim
    given: Verdict
    because: str
    overlaps: tuple[bool, ...]
    verbatim: tuple[bool, ...]
    covered: bool | None
    most_citations: int
    """The most citations of any claim that the sentence was split into."""
    elapsed_ms: float

    @property
    def is_right(self) -> bool:
        """Return whether the verdict is the expected one."""
        return self.given is self.expected.verdict


def combine_verdicts(verdicts: Sequence[Verdict]) -> Verdict:
    """Combine the verdicts of a sentence's parts; no parts, when the sentence was skipped, are NOT_FOUND.

    A part that isn't found leaves a contradiction as it is, but makes a support partial.
    """
    distinct = set(verdicts) or {Verdict.NOT_FOUND}
    if len(distinct) == 1:
        return distinct.pop()
    if Verdict.UNSURE in distinct:
        return Verdict.UNSURE
    return Verdict.CONTRADICTED if distinct == {Verdict.CONTRADICTED, Verdict.NOT_FOUND} else Verdict.PARTLY


def grade_claim(expected: ExpectedClaim, check: ClaimCheck, pages: Pages) -> ClaimGrade:
    """Grade the check of a single claim.

    Raises:
        SourceError: a gold document is absent or has changed.
    """
    gold = place_gold(expected.gold, pages)
    citations = [citation for part in check.claims for citation in part.citations]
    shares = [gold_shares(c.source, c.quote, Span(c.start, c.end), gold, pages=pages) for c in citations]
    covered = [any(gold_share_row[i] >= MIN_COVERED_SHARE for gold_share_row in shares) for i in range(len(gold))]
    enough = any(covered) if expected.any_of else all(covered)
    return ClaimGrade(
        expected=expected,
        given=combine_verdicts([part.verdict for part in check.claims]),
        because=" ".join(part.because.text for part in check.claims),
        overlaps=tuple(any(value > 0 for value in gold_share_row) for gold_share_row in shares),
        verbatim=tuple(pages.hold_verbatim(citation.source, citation.quote) for citation in citations),
        covered=enough if gold else None,
        most_citations=max((len(part.citations) for part in check.claims), default=0),
        elapsed_ms=check.elapsed_ms,
    )


def measure_claims(name: str, grades: Sequence[ClaimGrade]) -> Group:
    """Compute the metrics of these claims, in the order of `CLAIM_METRIC_NAMES`, without those that don't apply. The
    macro mean of F1 is over the verdicts that some claim should get, each with equal weight."""
    figures = {
        "accuracy": accuracy(grades),
        **_evidence(grades),
        "quote_verbatim": share([flag for grade in grades for flag in grade.verbatim]),
        "citations_in_limit": share([grade.most_citations <= MAX_CITATIONS for grade in grades]),
        "median_ms": float(median(grade.elapsed_ms for grade in grades)) if grades else None,
    }
    for verdict in Verdict:
        figures |= {f"{verdict}_{measure}": figure for measure, figure in _verdict_scores(grades, verdict)}
    scores = [f1 for verdict in Verdict if (f1 := figures[f"{verdict}_f1"]) is not None]
    figures["macro_f1"] = fmean(scores) if scores else None
    measured = ((metric, figures[metric]) for metric in CLAIM_METRIC_NAMES)
    return Group(name, len(grades), {metric: value for metric, value in measured if value is not None})


def accuracy(grades: Sequence[ClaimGrade]) -> float | None:
    """Return the share of the claims with the right verdict; None without claims."""
    return share([grade.is_right for grade in grades])


def _evidence(grades: Sequence[ClaimGrade]) -> dict[str, float | None]:
    """Return, over claims with gold, the share of citations that overlap it, and of claims whose citations cover it.

    Source: Thorne et al., FEVER (NAACL 2018), with overlap of passages in place of sentence ids.
    """
    with_gold = [grade for grade in grades if grade.covered is not None]
    return {
        "evidence_precision": share([overlap for grade in with_gold for overlap in grade.overlaps]),
        "evidence_recall": share([bool(grade.covered) for grade in with_gold]),
    }


def _verdict_scores(grades: Sequence[ClaimGrade], verdict: Verdict) -> Iterator[tuple[str, float | None]]:
    """Yield precision (0 if the verdict is never given), recall and F1 with this verdict as the positive class; None if
    no claim should get it.

    Source: van Rijsbergen, Information Retrieval (1979), chapter 7.
    """
    expected = [grade.is_right for grade in grades if grade.expected.verdict is verdict]
    given = [grade.is_right for grade in grades if grade.given is verdict]
    precision = (share(given) or 0.0) if expected else None
    recall = share(expected)
    yield from (("precision", precision), ("recall", recall), ("f1", harmonic_mean(precision, recall)))
