"""From what each item makes of a part of a claim to the verdict on it."""

from collections.abc import Sequence
from dataclasses import dataclass

from retrieval.claims.evidence import ClaimEvidence
from retrieval.claims.model import Verdict

_SAID = 0.3
"""What the deciding item must say of a claim, either way, or the notes don't tell."""
_OUTWEIGHS = 0.8
"""What bears a claim decides where it is nearly as sure as what refutes it: of a thing's life each release tells a step
that refutes the others."""
_SURE = 0.5
_AS_SURE = 0.95
"""Of what says as much as the surest, that decides which the search found nearest."""
_ALSO = 0.8
"""What says nearly as much as the first is cited beside it."""


@dataclass(frozen=True, slots=True)
class PartVerdict:
    """The verdict on one part of a claim, with the evidence that decides it, what decides first."""

    text: str
    verdict: Verdict
    evidence: tuple[ClaimEvidence, ...]
    against: ClaimEvidence | None = None
    """A source of another authority that says otherwise."""


def decide(text: str, evidence: Sequence[ClaimEvidence]) -> PartVerdict:
    """Decide on a part by the item that says most of it, of `evidence` in the order of the search; where one of more
    authority surely says the opposite, by that."""
    if not evidence:
        return PartVerdict(text, Verdict.NOT_FOUND, ())
    bearing = max(evidence, key=lambda item: item.judgement.supported)
    refuting = max(evidence, key=lambda item: item.judgement.contradicted)
    bears = bearing.judgement.supported >= _OUTWEIGHS * refuting.judgement.contradicted
    surest = bearing if bears else refuting
    if surest.judgement.said < _SAID:
        return PartVerdict(text, Verdict.NOT_FOUND, ())
    enough = _AS_SURE * _says(surest, bears=bears)
    first = next(item for item in evidence if _says(item, bears=bears) >= enough)
    against = _most_of(evidence, bears=not bears, other_than=first.authority)
    if against and against.authority > first.authority:
        bears, first, against = not bears, against, first
    also = sorted(
        (
            item
            for item in evidence
            if item is not first and _says(item, bears=bears) >= _ALSO * _says(first, bears=bears)
        ),
        key=lambda item: -_says(item, bears=bears),
    )
    return PartVerdict(text, Verdict.SUPPORTED if bears else Verdict.CONTRADICTED, (first, *also), against)


def _most_of(evidence: Sequence[ClaimEvidence], *, bears: bool, other_than: int) -> ClaimEvidence | None:
    """What surely says so from sources of another authority."""
    sure = [item for item in evidence if item.authority != other_than and _says(item, bears=bears) >= _SURE]
    return max(sure, key=lambda item: _says(item, bears=bears), default=None)


def _says(item: ClaimEvidence, *, bears: bool) -> float:
    return item.judgement.supported if bears else item.judgement.contradicted
