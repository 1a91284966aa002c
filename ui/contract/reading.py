"""Answers and search results from the bodies that a server sent: the inverse of `ui.contract.answer`.

Without pydantic, which takes longer to import than a running server takes to answer.
"""

from collections.abc import Mapping
from datetime import date
from typing import Any

from corpus.model import Authority, Kind
from retrieval.model import (
    Answer,
    Citation,
    Conflict,
    Contribution,
    Decision,
    Explanation,
    Interpretation,
    PassagePoints,
    RankedPassage,
    SearchResult,
    SignalPoints,
    Status,
)

_UNFIT = (KeyError, TypeError, ValueError, AttributeError)


def read_answer(body: Mapping[str, Any]) -> Answer | None:
    """The answer that `body` tells; None where it is none, such as another version's."""
    try:
        return Answer(
            question=body["question"],
            status=Status(body["status"]),
            confidence=body["confidence"],
            answer=body["answer"],
            citations=tuple(_citation(one) for one in body["citations"]),
            passages=tuple(_passage(one) for one in body["passages"]),
            conflicts=tuple(Conflict(one["about"], tuple(one["citations"])) for one in body["conflicts"]),
            interpretation=_interpretation(body["interpretation"]),
            notes=tuple(body["notes"]),
            elapsed_ms=body["timings_ms"]["total"],
            reason=body["reason"],
            explanation=_explanation(body["explanation"]) if "explanation" in body else None,
        )
    except _UNFIT:
        return None


def read_search(body: Mapping[str, Any]) -> SearchResult | None:
    """The search result that `body` tells; None where it is none."""
    try:
        return SearchResult(
            query=body["query"],
            passages=tuple(_passage(one) for one in body["passages"]),
            interpretation=_interpretation(body["interpretation"]),
            elapsed_ms=body["timings_ms"]["total"],
        )
    except _UNFIT:
        return None


def _citation(body: Mapping[str, Any]) -> Citation:
    return Citation(**{**body, **_source_values(body)})


def _passage(body: Mapping[str, Any]) -> RankedPassage:
    return RankedPassage(**{**body, **_source_values(body), "kind": Kind(body["kind"])})


def _source_values(body: Mapping[str, Any]) -> Mapping[str, Any]:
    return {
        "date": date.fromisoformat(body["date"]) if body["date"] is not None else None,
        "authority": Authority(body["authority"]),
        "heading": tuple(body["heading"]),
    }


def _interpretation(body: Mapping[str, Any]) -> Interpretation:
    return Interpretation(
        products=tuple(body["products"]),
        versions=body["versions"],
        symbols=tuple(body["symbols"]),
        intent=body["intent"],
        unknown_products=tuple(body["unknown_products"]),
    )


def _explanation(body: Mapping[str, Any]) -> Explanation:
    decision = body["decision"]
    return Explanation(
        Decision(
            **{
                **decision,
                "status": Status(decision["status"]),
                "signals": tuple(SignalPoints(**one) for one in decision["signals"]),
            }
        ),
        tuple(
            PassagePoints(**{**one, "contributions": tuple(Contribution(**each) for each in one["contributions"])})
            for one in body["passages"]
        ),
    )
