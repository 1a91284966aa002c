"""From comparisons to a verdict on one assertion.

Evidence that bears all of it outweighs evidence that says otherwise, because notes speak of many things in nearly the
same words; only a source of more authority that says otherwise of just that sentence turns a verdict.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import product

from retrieval.claims.assertion import Assertion
from retrieval.claims.comparison import Comparison, Facet
from retrieval.claims.evidence import Evidence
from retrieval.claims.model import Verdict
from retrieval.disagreement import Saying, Scope, find_disagreement

MIN_BORNE = 0.72
"""The share of an assertion's telling words that evidence must hold to bear it."""
_MIN_REFUTED = 0.75
_MIN_REFUTED_BY_NAME = 0.8
_MIN_SHARED = 2
_MIN_SHARED_BY_NAME = 3
_MOST_DIFFERENCES = 2
_MIN_GRIP = 0.5
_MARGIN = 0.1
_WEIGHED = 4


@dataclass(frozen=True, slots=True)
class Decision:
    """The verdict on one assertion, with the evidence that decides it first."""

    assertion: Assertion
    verdict: Verdict
    """Never `partly`: that is for a claim of several assertions."""
    evidence: tuple[Comparison, ...]
    against: Comparison | None = None
    """A source of another authority that says otherwise of the same."""


def decide(assertion: Assertion, comparisons: Sequence[Comparison]) -> Decision:
    """Decide on an assertion by all evidence that was found for it."""
    bearing = sorted((one for one in comparisons if _bears(one)), key=_rank)
    refuting = sorted((one for one in comparisons if _refutes(one, assertion)), key=_rank)
    if bearing and not (refuting and _is_nearer(refuting[0], bearing[0])):
        return _weighed(assertion, bearing, refuting)
    if refuting:
        return Decision(assertion, Verdict.CONTRADICTED, tuple(refuting))
    return Decision(assertion, Verdict.NOT_FOUND, ())


def _weighed(assertion: Assertion, bearing: Sequence[Comparison], refuting: Sequence[Comparison]) -> Decision:
    """What bears it, unless a source of more authority disagrees with just that."""
    for borne, refuted in product(bearing[:_WEIGHED], refuting[:_WEIGHED]):
        one, other = borne.evidence, refuted.evidence
        if one.authority_weight != other.authority_weight and find_disagreement(_saying(one), _saying(other)):
            if max(all_of.evidence.authority_weight for all_of in bearing) < other.authority_weight:
                return Decision(assertion, Verdict.CONTRADICTED, tuple(refuting), against=borne)
            return Decision(assertion, Verdict.SUPPORTED, tuple(bearing), against=refuted)
    return Decision(assertion, Verdict.SUPPORTED, tuple(bearing))


def _saying(evidence: Evidence) -> Saying:
    document = evidence.scored.hit.passage.document
    names = frozenset(map(str.casefold, (document.product, *document.aliases)))
    return Saying(evidence.own_text, Scope(names, evidence.release))


def _bears(one: Comparison) -> bool:
    holds = one.coverage >= MIN_BORNE and one.grip >= _MIN_GRIP and one.shared > 0
    return holds and not (one.missing or one.differences or one.is_planned)


def _refutes(one: Comparison, assertion: Assertion) -> bool:
    if not one.differences or one.lacking or len(one.differences) > _MOST_DIFFERENCES:
        return False
    facets = {difference.facet for difference in one.differences}
    if Facet.VERSION in facets and not one.tells_status:
        return False
    if Facet.NAME in facets:
        return one.grip >= _MIN_REFUTED_BY_NAME and one.shared >= _MIN_SHARED_BY_NAME
    return one.grip >= _MIN_REFUTED and one.shared >= min(_MIN_SHARED, len(assertion.words) + len(assertion.names))


def _is_nearer(refuting: Comparison, bearing: Comparison) -> bool:
    """Whether what says otherwise speaks of the same more surely than what bears the assertion."""
    if refuting.tells_status and not bearing.tells_status:
        return True
    return refuting.grip > bearing.grip + _MARGIN


def _rank(one: Comparison) -> tuple[float, float, float]:
    return (
        len(one.differences),
        -round(one.grip + 0.5 * one.coverage + 0.2 * one.tells_status, 2) - 0.02 * one.evidence.authority_weight,
        -one.evidence.scored.score,
    )
