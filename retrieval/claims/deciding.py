"""From what each item makes of a part of a claim to the verdict on it."""

from collections.abc import Sequence
from dataclasses import dataclass

from retrieval.claims.evidence import ClaimEvidence
from retrieval.claims.model import Verdict

_SURE_SUPPORTED = 0.3
_SURE_CONTRADICTED = 0.5
_ALSO = 0.8
"""What is nearly as sure as the first is cited beside it."""


@dataclass(frozen=True, slots=True)
class PartVerdict:
    """The verdict on one part of a claim, with the evidence that decides it, the surest first."""

    text: str
    verdict: Verdict
    evidence: tuple[ClaimEvidence, ...]
    against: ClaimEvidence | None = None
    """A source of another authority that says otherwise."""


def decide(text: str, evidence: Sequence[ClaimEvidence]) -> PartVerdict:
    """Decide on a part by the surest evidence; of sources that disagree the one of more authority decides."""
    bearing = sorted(evidence, key=lambda one: -one.judgement.supported)
    refuting = sorted(evidence, key=lambda one: -one.judgement.contradicted)
    bears = bool(bearing) and bearing[0].judgement.supported >= _SURE_SUPPORTED
    refutes = bool(refuting) and refuting[0].judgement.contradicted >= _SURE_CONTRADICTED
    if bears and not (refutes and _outweighs(refuting[0], bearing[0])):
        against = refuting[0] if refutes and refuting[0].authority != bearing[0].authority else None
        also = [one for one in bearing if one.judgement.supported >= _ALSO * bearing[0].judgement.supported]
        return PartVerdict(text, Verdict.SUPPORTED, tuple(also), against)
    if refutes:
        against = bearing[0] if bears and refuting[0].authority != bearing[0].authority else None
        also = [one for one in refuting if one.judgement.contradicted >= _ALSO * refuting[0].judgement.contradicted]
        return PartVerdict(text, Verdict.CONTRADICTED, tuple(also), against)
    return PartVerdict(text, Verdict.NOT_FOUND, ())


def _outweighs(refuting: ClaimEvidence, bearing: ClaimEvidence) -> bool:
    if refuting.authority != bearing.authority:
        return refuting.authority > bearing.authority
    return refuting.judgement.contradicted > bearing.judgement.supported
