"""How sure the judge of claims must be, chosen by claims about projects kept aside."""

import pytest

from evals.training.verdicts import Leaning, choose_threshold, fit
from retrieval.claims.model import Verdict
from retrieval.judge.claims import load_thresholds

S, C = Verdict.SUPPORTED, Verdict.CONTRADICTED


def leanings(*right: tuple[float, bool]) -> list[Leaning]:
    """Forty claims at each level of sureness, about four projects."""
    return [
        Leaning(f"project {number % 4}", S, sureness, S if is_right else C)
        for sureness, is_right in right
        for number in range(40)
    ]


@pytest.mark.parametrize(
    ("right", "threshold"),
    [
        (((0.9, True), (0.6, False)), 0.61),
        (((0.9, True), (0.6, True)), 0.3),
        (((0.9, False), (0.6, True)), 0.91),
    ],
    ids=["as low as it is right", "always right", "wrong where it is surest"],
)
def test_a_threshold_is_as_low_as_the_verdict_is_right_above(
    right: tuple[tuple[float, bool], ...], threshold: float
) -> None:
    told = leanings(*right)
    assert choose_threshold(told, S) == threshold
    assert fit(told, S)["precision"] in (0.0, 1.0)


def test_the_shipped_thresholds_are_fitted() -> None:
    shipped = load_thresholds()
    assert 0.5 < shipped.supported < 1
    assert 0.5 < shipped.contradicted < 1
