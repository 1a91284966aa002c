"""From comparisons to a verdict on one assertion.

Evidence that bears all of it outweighs evidence that says otherwise, because notes speak of many things in nearly the
same words; only a source of more authority that says otherwise of just that sentence turns a verdict.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import product

from retrieval.claims.aspects import Aspect
from retrieval.claims.assertion import Assertion, name_class
from retrieval.claims.cautions import is_withheld, names_another, release_of_its_own
from retrieval.claims.comparison import Comparison
from retrieval.claims.differences import Difference, Facet
from retrieval.claims.evidence import Evidence
from retrieval.claims.model import Verdict
from retrieval.disagreement import Saying, Scope, find_disagreement
from retrieval.verification.status_words import MAY

MIN_BORNE = 0.72
"""The share of an assertion's telling words that evidence must hold to bear it."""
_MIN_REFUTED = 0.7
_MIN_REFUTED_BY_NAME = 0.66
_MIN_SHARED = 2
_MIN_SHARED_BY_NAME = 3
_MARKED = frozenset(("code", "flag"))
"""Classes of names of which a sentence seldom has two that have nothing to do with each other."""
_ALL_BUT_NAME = 0.85
_MOST_DIFFERENCES = 2
_MIN_GRIP = 0.5
_MARGIN = 0.1
_WEIGHED = 4
_MIN_TOLD = 0.34
_SAME_IN_OTHER_WORDS = 0.8
_TOLD_EXPRESSLY = frozenset(("removed", "deprecated", "renamed"))
"""What nobody may conclude from silence."""
_COME_AND_GO = frozenset(("removed", "supported"))
"""Of two numbers that is no contradiction: 3.9 is dropped where 3.13 is supported."""
_SUPPOSED = re.compile(r"\b(?:could|might|theoretically|perhaps)\b", re.IGNORECASE)
_NEARLY_ALL = 0.85
_FAR, _CLOSE = 0.35, 0.8
_MEANING_SHARE = 0.3


@dataclass(frozen=True, slots=True)
class _Least:
    """What evidence must reach to deny the one thing that it lacks."""

    rest: float
    likeness: float
    shared: int


_ALL_BUT_ONE = _Least(rest=0.78, likeness=0.6, shared=3)
_ALL_BUT_FIGURE = _Least(rest=0.7, likeness=0.5, shared=2)


@dataclass(frozen=True, slots=True)
class Decision:
    """The verdict on one assertion, with the evidence that decides it first."""

    assertion: Assertion
    verdict: Verdict
    """`partly` where what is denied is joined by "and" to what is borne."""
    evidence: tuple[Comparison, ...]
    against: Comparison | None = None
    """A source of another authority that says otherwise of the same."""


def decide(assertion: Assertion, comparisons: Sequence[Comparison]) -> Decision:
    """Decide on an assertion by all evidence that was found for it."""
    bearing = sorted((one for one in comparisons if _bears(one, assertion)), key=_rank)
    if elsewhere := [told for one in bearing if (told := _put_elsewhere(one, assertion))]:
        return Decision(assertion, Verdict.CONTRADICTED, tuple(elsewhere))
    refuting = sorted((one for one in comparisons if _refutes(one, assertion)), key=_rank)
    if bearing and not (refuting and _is_nearer(refuting[0], bearing[0])):
        return _weighed(assertion, bearing, refuting)
    if refuting:
        return Decision(assertion, Verdict.CONTRADICTED, tuple(refuting))
    return _decide_by_rest(assertion, comparisons)


def _put_elsewhere(one: Comparison, assertion: Assertion) -> Comparison | None:
    """What tells all of the assertion, but of another release than the one that it speaks of; None for all else."""
    releases = release_of_its_own(one.statement.text, assertion.text)
    if releases is None:
        return None
    claimed, told = releases
    return replace(one, differences=(Difference(Facet.VERSION, claimed, told),))


def _decide_by_rest(assertion: Assertion, comparisons: Sequence[Comparison]) -> Decision:
    """What is told in nearly all of the assertion's words but for one name or number denies just that."""
    near = [one for one in comparisons if _holds_all_but_one(one, assertion)]
    if not near:
        return Decision(assertion, Verdict.NOT_FOUND, ())
    best = max(near, key=lambda one: one.rest + one.evidence.scored.likeness)
    (lacked,) = best.lacking
    is_figure = any(lacked == figure.text for figure in assertion.figures)
    difference = Difference(Facet.NUMBER if is_figure else Facet.NAME, lacked, "")
    told = replace(best, differences=(difference,))
    joined = re.search(rf"(?:\band|\bor|\bplus|\bwith|,)\s+[`'\"]?{re.escape(lacked)}(?!\w)", assertion.text)
    return Decision(assertion, Verdict.PARTLY if joined else Verdict.CONTRADICTED, (told,))


def _holds_all_but_one(one: Comparison, assertion: Assertion) -> bool:
    if len(one.lacking) != 1 or one.lacking != one.missing or one.fit.is_other or one.is_planned:
        return False
    figures = any(one.lacking[0] == figure.text for figure in assertion.figures)
    names = any(one.lacking[0] == name.text for name in assertion.names)
    least = _ALL_BUT_FIGURE if figures else _ALL_BUT_ONE
    is_like = one.rest >= least.rest and one.evidence.scored.likeness >= least.likeness
    return (figures or names) and is_like and one.shared >= least.shared


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


def _bears(one: Comparison, assertion: Assertion) -> bool:
    if _TOLD_EXPRESSLY & assertion.aspects.get(Aspect.LIFE, frozenset()) and not (
        one.tells_status and (one.is_about_coming or assertion.words)
    ):
        return False
    # Of a claim that says no status, the ordinary words are what it claims.
    is_told = one.told_words >= _MIN_TOLD or min(one.cosine, one.evidence.scored.likeness) >= _SAME_IN_OTHER_WORDS
    if not is_told and not (one.claims_status and one.tells_status):
        return False
    holds = about(one) >= MIN_BORNE and one.grip >= _MIN_GRIP and one.shared > 0
    if not holds or one.missing or one.differences or one.is_planned or one.is_turned or one.fit.is_other:
        return False
    evidence = one.evidence
    around = f"{evidence.near_text} {evidence.above_text}"
    released = [evidence.release.label] if evidence.release else []
    return not (
        is_withheld(one.statement.text, assertion.text) or names_another(assertion.text, around, releases=released)
    )


def _products(assertion: Assertion, one: Comparison) -> tuple[str, ...]:
    """The products that a release number is one of; without any it says nothing about others' releases."""
    document = one.evidence.scored.hit.passage.document
    named = assertion.query.products
    return (*named, document.product) if set(named) & {document.product, *document.aliases} else named


def _is_named_enough(one: Comparison) -> bool:
    """Whether so much is shared that another name in the same place stands for the claimed one."""
    if one.shared >= _MIN_SHARED and all(name_class(other.claimed) in _MARKED for other in one.differences):
        return True
    return (one.grip >= _ALL_BUT_NAME and one.tells_status and (one.shared >= _MIN_SHARED or one.shared_names > 0)) or (
        one.shared >= _MIN_SHARED_BY_NAME
    )


def about(one: Comparison) -> float:
    """How surely evidence speaks of what an assertion says, 0 to 1: by its words, and by their meaning."""
    return _about(one.coverage, one)


def _about_refuted(one: Comparison) -> float:
    return _about(one.grip, one)


def _about(share: float, one: Comparison) -> float:
    return (1 - _MEANING_SHARE) * share + _MEANING_SHARE * _meaning(one)


def _meaning(one: Comparison) -> float:
    return min(1.0, max(0.0, (one.cosine - _FAR) / (_CLOSE - _FAR)))


def _refutes(one: Comparison, assertion: Assertion) -> bool:
    if not one.differences or len(one.differences) > _MOST_DIFFERENCES:
        return False
    facets = {difference.facet for difference in one.differences}
    # A number or name in place of another is refuted in other words of status too: "improves by 5%" for "25% faster".
    statuses = frozenset().union(*assertion.aspects.values()) if facets <= {Facet.NUMBER, Facet.NAME} else frozenset()
    if set(one.lacking) - statuses and _about_refuted(one) < _NEARLY_ALL:
        return False
    if Facet.VERSION in facets and (len(facets) > 1 or not one.tells_status_itself):
        # Another release's words about something else.
        return False
    if one.fit.is_other and Facet.VERSION not in facets:
        return False
    if Facet.VERSION in facets and one.evidence.scored.hit.passage.document.product not in _products(assertion, one):
        return False
    if Facet.VERSION in facets and (not one.is_about_coming or assertion.reading.count(MAY)):
        return False
    if Facet.VERSION in facets and _SUPPOSED.search(one.statement.text):
        return False
    if Facet.NAME in facets and len(facets) > 1:
        return False
    if Facet.VERSION in facets and one.shared < _MIN_SHARED and not assertion.aspects.get(Aspect.LIFE):
        return False
    if Facet.NUMBER in facets and any({told.claimed, told.told} == _COME_AND_GO for told in one.differences):
        return False
    if Facet.NAME in facets:
        return _about_refuted(one) >= _MIN_REFUTED_BY_NAME and _is_named_enough(one)
    if facets == {Facet.NUMBER} and one.shared >= _MIN_SHARED_BY_NAME:
        return _about(one.rest, one) >= _MIN_REFUTED
    enough = 1 if assertion.names else min(_MIN_SHARED, len(assertion.words))
    return _about_refuted(one) >= _MIN_REFUTED and one.shared >= enough


def _is_nearer(refuting: Comparison, bearing: Comparison) -> bool:
    """Whether what says otherwise speaks of the same more surely than what bears it, with no less authority."""
    if refuting.evidence.authority_weight < bearing.evidence.authority_weight:
        return False
    if refuting.tells_status and not bearing.tells_status:
        return True
    same_place = refuting.evidence.scored.hit.passage.position == bearing.evidence.scored.hit.passage.position
    return _about_refuted(refuting) > _about_refuted(bearing) + (0.0 if same_place else _MARGIN)


def _rank(one: Comparison) -> tuple[float, float, float]:
    return (
        len(one.differences),
        -round(one.grip + 0.5 * one.coverage + 0.2 * one.tells_status, 2) - 0.02 * one.evidence.authority_weight,
        -one.evidence.scored.likeness,
    )
