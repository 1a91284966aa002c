"""One checked claim against what is right: its verdict and its evidence."""

from collections.abc import Sequence
from dataclasses import dataclass

from corpus.model import Span
from evals.claims.claim_set import ExpectedClaim, ExpectedText
from evals.gold import MIN_COVERED_SHARE, GoldPlaces, place_gold
from evals.grading import gold_shares
from evals.pages import Pages
from retrieval.claims.model import CheckedClaim, ClaimCheck, Verdict
from retrieval.model import Citation


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
    """The verdict of a sentence from those of its parts; without parts it was passed over: not found.

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
        parts = [checked for checked in check.claims if _overlap(checked, sentence)]
        surplus = [checked for checked in surplus if checked not in parts]
        sentences.append(_grade(sentence, parts, pages, elapsed_ms=shared_ms * len(parts)))
    return TextGrade(tuple(sentences), len(surplus))


def _grade(expected: ExpectedClaim, parts: Sequence[CheckedClaim], pages: Pages, *, elapsed_ms: float) -> ClaimGrade:
    gold = place_gold(expected.gold, pages)
    citations = [citation for part in parts for citation in part.citations]
    shares = [_shares(citation, gold, pages) for citation in citations]
    covered = [any(share[i] >= MIN_COVERED_SHARE for share in shares) for i in range(len(gold))]
    enough = any(covered) if expected.any_of else all(covered)
    return ClaimGrade(
        expected=expected,
        given=combine_verdicts([part.verdict for part in parts]),
        because=" ".join(part.because for part in parts),
        overlaps=tuple(any(one > 0 for one in share) for share in shares),
        verbatim=tuple(pages.hold_verbatim(citation.source, citation.quote) for citation in citations),
        covered=enough if gold else None,
        most_citations=max((len(part.citations) for part in parts), default=0),
        elapsed_ms=elapsed_ms,
    )


def _shares(citation: Citation, gold: tuple[GoldPlaces, ...], pages: Pages) -> tuple[float, ...]:
    return gold_shares(citation.source, citation.quote, Span(citation.start, citation.end), gold, pages=pages)


def _overlap(checked: CheckedClaim, sentence: ExpectedClaim) -> bool:
    return checked.claim.start < sentence.end and sentence.start < checked.claim.end
