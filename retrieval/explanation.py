"""What counted for the decision to answer, and for the order of the passages, as sums of named figures."""

from dataclasses import astuple, fields

from retrieval.evidence import Calibration, Evidence, confidence
from retrieval.findings import Findings
from retrieval.model import Contribution, Decision, PassagePoints, SignalPoints, Status
from retrieval.search.hits import Hit
from retrieval.search.rank_features import contributions
from retrieval.search.weights import SearchWeights

EXPLAINED_PASSAGES = 5
SMALLEST_POINTS = 0.005
"""Contributions of less don't count for an order that people see."""
LACKS = {
    "item": "No statement in the notes answers it.",
    "margin": "Several statements come equally close, and none clearly answers it.",
    "cosine": "Nothing in the notes is close in meaning to the question.",
    "score_gap": "Nothing in the notes stands out as the answer.",
    "release_match": "What comes closest is about another release than the one asked about.",
    "names_together": "The names in the question don't appear together anywhere in the notes.",
    "value_found": "What comes closest doesn't state the kind of value that was asked for.",
    "said_here": "Another release says more about it than the one asked about.",
    "symbols_known": "A name in the question appears nowhere in the notes.",
    "trouble": "Notes tell more often what was fixed than what somebody wishes for.",
}
"""What it means for people that a signal is low; one for each field of `Evidence`."""
_FULL = 1.0
"""The typical value of a signal where the calibration doesn't tell it: what nothing is lacking of."""
_DIGITS = 4
_SCORE_DIGITS = 6


def weigh_signals(evidence: Evidence, calibration: Calibration) -> tuple[SignalPoints, ...]:
    """What each signal did, in the order of the fields."""
    values = astuple(evidence)
    typical = calibration.typical or (_FULL,) * len(values)
    return tuple(
        # Adding 0 turns the -0.0 of a trifle into 0.
        SignalPoints(field.name, round(value, _DIGITS), usual, round(weight * (value - usual), _DIGITS) + 0.0)
        for field, value, usual, weight in zip(fields(evidence), values, typical, calibration.weights, strict=True)
    )


def name_lack(evidence: Evidence | None, calibration: Calibration) -> str | None:
    """What spoke most against an answer, as a sentence; None where nothing did, or nothing was found."""
    if evidence is None:
        return None
    weakest = min(weigh_signals(evidence, calibration), key=lambda signal: signal.points)
    return LACKS[weakest.signal] if weakest.points < 0 else None


def explain_decision(
    evidence: Evidence | None, calibration: Calibration, *, status: Status, by_confidence: bool
) -> Decision:
    """What counted for the decision to answer."""
    weighed = weigh_signals(evidence, calibration) if evidence is not None else ()
    return Decision(
        probability=round(confidence(evidence, calibration), _DIGITS),
        threshold=calibration.threshold,
        status=status,
        by_confidence=by_confidence,
        signals=tuple(sorted(weighed, key=lambda signal: signal.points)),
    )


def explain_ranking(findings: Findings, weights: SearchWeights, *, limit: int) -> tuple[PassagePoints, ...]:
    """What counted for the first hits, at most `limit` and `EXPLAINED_PASSAGES` of them."""
    shown = findings.outcome.hits[: min(limit, EXPLAINED_PASSAGES)]
    return tuple(_explain_passage(place, hit, weights) for place, hit in enumerate(shown, start=1))


def _explain_passage(place: int, hit: Hit, weights: SearchWeights) -> PassagePoints:
    counted = (one for one in contributions(hit.features, weights) if round(abs(one.points), 3) >= SMALLEST_POINTS)
    return PassagePoints(
        place=place,
        product=hit.passage.document.product,
        release=hit.passage.release,
        search_score=round(hit.score, _SCORE_DIGITS),
        contributions=tuple(
            Contribution(one.feature, round(one.value, _DIGITS), round(one.points, _DIGITS))
            for one in sorted(counted, key=lambda one: (-abs(one.points), one.feature))
        ),
    )
