"""Checked claims against what is right: verdict and evidence of each, and the measures of all."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from statistics import fmean, median

from corpus.model import Span
from evals.claims.claim_set import ExpectedClaim, ExpectedText
from evals.grading import MIN_COVERED_SHARE, gold_shares, place_gold
from evals.metrics import harmonic_mean, share
from evals.pages import Pages
from evals.runner import Group
from retrieval.claims.model import CheckedClaim, ClaimCheck, Verdict

MAX_CITATIONS = 3
"""A claim has at most three citations (docs/contract.md)."""
CLAIM_METRIC_NAMES = (
    "accuracy", "macro_f1", "evidence_precision", "evidence_recall", "quote_verbatim", "citations_in_limit",
    "median_ms", *(f"{verdict}_{name}" for verdict in Verdict for name in ("precision", "recall", "f1")),
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class ClaimGrade:
    """What the check of one claim is worth.

    `overlaps` tells for each citation whether it overlaps a gold passage, `verbatim` whether its quote stands word for
    word in the document. `covered`: the citations cover the evidence that the claim needs; None where it has none.
    """

    expected: ExpectedClaim
    given: Verdict
    because: str
    overlaps: tuple[bool, ...]
    verbatim: tuple[bool, ...]
    covered: bool | None
    most_citations: int
    """Of any one claim that the sentence was split into."""
    elapsed_ms: float

    @property
    def is_right(self) -> bool:
        """Whether the verdict is the expected one."""
        return self.given is self.expected.verdict


@dataclass(frozen=True, slots=True)
class TextGrade:
    """A text's sentences, and how many other parts of it got a verdict although there is nothing to check."""

    sentences: tuple[ClaimGrade, ...]
    surplus: int


def combine_verdicts(verdicts: Sequence[Verdict]) -> Verdict:
    """Return the verdict of a sentence from those of its parts; without parts it was passed over: not found.

    A part that the notes don't mention takes nothing from a refutation, but makes a support partial.
    """
    distinct = set(verdicts) or {Verdict.NOT_FOUND}
    if len(distinct) == 1:
        return distinct.pop()
    if Verdict.UNSURE in distinct:
        return Verdict.UNSURE
    return Verdict.CONTRADICTED if distinct == {Verdict.CONTRADICTED, Verdict.NOT_FOUND} else Verdict.PARTLY


def grade_claim(expected: ExpectedClaim, check: ClaimCheck, pages: Pages) -> ClaimGrade:
    """Grade the check of a claim that stands alone.

    Raises:
        SourceError: a gold document is absent or has changed.
    """
    return _grade(expected, check.claims, pages, elapsed_ms=check.elapsed_ms)


def grade_text(expected: ExpectedText, check: ClaimCheck, pages: Pages) -> TextGrade:
    """Grade the check of a text: a sentence has the verdict of the checked claims that overlap it.

    Raises:
        SourceError: a gold document is absent or has changed.
    """
    shared_ms = check.elapsed_ms / max(len(check.claims), 1)
    sentences: list[ClaimGrade] = []
    surplus = [checked for checked in check.claims if checked.verdict is not Verdict.NOT_FOUND]
    for sentence in expected.claims:
        parts = [
            checked
            for checked in check.claims
            if checked.claim.start < sentence.end and sentence.start < checked.claim.end
        ]
        surplus = [checked for checked in surplus if checked not in parts]
        sentences.append(_grade(sentence, parts, pages, elapsed_ms=shared_ms * len(parts)))
    return TextGrade(tuple(sentences), len(surplus))


def _grade(expected: ExpectedClaim, parts: Sequence[CheckedClaim], pages: Pages, *, elapsed_ms: float) -> ClaimGrade:
    gold = place_gold(expected.gold, pages)
    citations = [citation for part in parts for citation in part.citations]
    shares = [gold_shares(one.source, one.quote, Span(one.start, one.end), gold, pages=pages) for one in citations]
    covered = [any(covers[i] >= MIN_COVERED_SHARE for covers in shares) for i in range(len(gold))]
    enough = any(covered) if expected.any_of else all(covered)
    return ClaimGrade(
        expected=expected,
        given=combine_verdicts([part.verdict for part in parts]),
        because=" ".join(part.because.text for part in parts),
        overlaps=tuple(any(one > 0 for one in covers) for covers in shares),
        verbatim=tuple(pages.hold_verbatim(citation.source, citation.quote) for citation in citations),
        covered=enough if gold else None,
        most_citations=max((len(part.citations) for part in parts), default=0),
        elapsed_ms=elapsed_ms,
    )


def measure_claims(name: str, grades: Sequence[ClaimGrade]) -> Group:
    """Every figure of these claims, in the order of `CLAIM_METRIC_NAMES`, without what can't be measured. The macro
    mean of F1 is over the verdicts that some claim deserves, and weighs rare ones alike."""
    figures = {
        "accuracy": accuracy(grades),
        **_evidence(grades),
        "quote_verbatim": share([one for grade in grades for one in grade.verbatim]),
        "citations_in_limit": share([grade.most_citations <= MAX_CITATIONS for grade in grades]),
        "median_ms": float(median(grade.elapsed_ms for grade in grades)) if grades else None,
    }
    for verdict in Verdict:
        figures |= {f"{verdict}_{measure}": figure for measure, figure in _of_verdict(grades, verdict)}
    scores = [f1 for verdict in Verdict if (f1 := figures[f"{verdict}_f1"]) is not None]
    figures["macro_f1"] = fmean(scores) if scores else None
    measured = ((metric, figures[metric]) for metric in CLAIM_METRIC_NAMES)
    return Group(name, len(grades), {metric: value for metric, value in measured if value is not None})


def accuracy(grades: Sequence[ClaimGrade]) -> float | None:
    """Share of the claims with the right verdict; None without claims."""
    return share([grade.is_right for grade in grades])


def _evidence(grades: Sequence[ClaimGrade]) -> dict[str, float | None]:
    """Over claims that have gold: the share of their citations that overlap it, and of the claims whose citations
    cover it.

    Source: Thorne et al., FEVER (NAACL 2018), with overlap of passages in place of sentence ids.
    """
    proven = [grade for grade in grades if grade.covered is not None]
    return {
        "evidence_precision": share([overlap for grade in proven for overlap in grade.overlaps]),
        "evidence_recall": share([bool(grade.covered) for grade in proven]),
    }


def _of_verdict(grades: Sequence[ClaimGrade], verdict: Verdict) -> Iterator[tuple[str, float | None]]:
    """Precision (0 where the verdict is never given), recall and F1, this verdict taken as the positive class; None
    where no claim deserves it.

    Source: van Rijsbergen, Information Retrieval (1979), chapter 7.
    """
    deserving = [grade.is_right for grade in grades if grade.expected.verdict is verdict]
    given = [grade.is_right for grade in grades if grade.given is verdict]
    precision = (share(given) or 0.0) if deserving else None
    recall = share(deserving)
    yield from (("precision", precision), ("recall", recall), ("f1", harmonic_mean(precision, recall)))
