"""The decision to answer: it learns what tells a right answer, refuses few of them, and says how reliable it is."""

import json

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from evals.question_set import parse_question
from evals.training.examples import Example
from evals.training.judgement_fit import MAX_REFUSED_SHARE, SIGNALS, choose_threshold, confidences, fit_decision
from evals.training.train import expected_error, reliability

NONE = np.zeros(0)


def example(*, right: bool, strength: float) -> Example:
    line = {"id": "1", "kind": "fact", "question": "?", "answerable": False, "project": "attrs"}
    return Example(
        question=parse_question(json.dumps(line)),
        items=NONE,
        holds=NONE.astype(np.bool_),
        evidence=np.full(len(SIGNALS), strength),
        right=right,
    )


@given(st.lists(st.floats(0, 1), min_size=1, max_size=80))
def test_the_threshold_is_the_highest_that_refuses_few_enough(drawn: list[float]) -> None:
    threshold = choose_threshold(drawn)
    assert sum(one < threshold for one in drawn) <= MAX_REFUSED_SHARE * len(drawn)
    higher = [one for one in drawn if one > threshold + 1e-4]
    if higher:
        assert sum(one < min(higher) for one in drawn) > MAX_REFUSED_SHARE * len(drawn)


@pytest.fixture(scope="module")
def examples() -> tuple[Example, ...]:
    """Forty right answers with strong signals, forty wrong ones with weak ones."""
    random = np.random.default_rng(3)
    good = [example(right=True, strength=float(random.uniform(0.55, 1))) for _ in range(40)]
    bad = [example(right=False, strength=float(random.uniform(0, 0.45))) for _ in range(40)]
    return (*good, *bad)


def test_the_fit_tells_right_answers_from_others(examples: tuple[Example, ...]) -> None:
    calibration = fit_decision(examples)
    answered = confidences(examples, calibration) >= calibration.threshold
    assert answered[:40].sum() == 40 - int(MAX_REFUSED_SHARE * 40)
    assert not answered[40:].any()


def test_the_calibration_error_is_the_mean_distance_of_confidence_and_truth() -> None:
    bins = reliability(np.array([True, False, True, True]), np.array([0.125, 0.375, 0.875, 1.0]))
    assert bins == [(1, 0.125, 1.0), (1, 0.375, 0.0), (1, 0.875, 1.0), (1, 1.0, 1.0)]
    assert expected_error(bins) == pytest.approx((0.875 + 0.375 + 0.125 + 0.0) / 4)
