"""The decision to answer: it learns what tells a right answer, refuses few of them, and says how reliable it is."""

import json
from dataclasses import replace

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


def test_an_answerable_question_with_a_wrong_answer_teaches_to_refuse(examples: tuple[Example, ...]) -> None:
    answerable = [replace(one, question=replace(one.question, answerable=True)) for one in examples]
    assert fit_decision(answerable) == fit_decision(examples)


def test_the_fit_is_the_same_again(examples: tuple[Example, ...]) -> None:
    assert fit_decision(examples) == fit_decision(examples)


def test_no_signal_counts_against_an_answer(examples: tuple[Example, ...]) -> None:
    """The first signal is higher where the answer is wrong: it is left out, and the others do without it."""
    evidence = [np.array([1 - one.evidence[0], *one.evidence[1:]]) for one in examples if one.evidence is not None]
    misled = [replace(one, evidence=signals) for one, signals in zip(examples, evidence, strict=True)]
    weights = fit_decision(misled).weights
    assert weights[0] == 0.0
    assert all(weight > 0 for weight in weights[1:])


def test_the_typical_signals_are_those_of_right_answers() -> None:
    right = [example(right=True, strength=strength) for strength in (0.6, 0.8)]
    assert fit_decision([*right, example(right=False, strength=0.1)]).typical == (0.7,) * len(SIGNALS)


def test_where_nothing_was_found_there_is_no_confidence_and_nothing_to_learn(examples: tuple[Example, ...]) -> None:
    nothing = replace(examples[0], evidence=None, right=False)
    calibration = fit_decision(examples)
    assert confidences([nothing], calibration).tolist() == [0.0]
    assert fit_decision((*examples, nothing)) == calibration


def test_the_calibration_error_is_the_mean_distance_of_confidence_and_truth() -> None:
    bins = reliability(np.array([True, False, True, True]), np.array([0.125, 0.375, 0.875, 1.0]))
    assert bins == [(1, 0.125, 1.0), (1, 0.375, 0.0), (1, 0.875, 1.0), (1, 1.0, 1.0)]
    assert expected_error(bins) == pytest.approx((0.875 + 0.375 + 0.125 + 0.0) / 4)


def test_confidences_of_one_tenth_share_a_bin() -> None:
    assert reliability(np.array([True, False]), np.array([0.5, 0.5625])) == [(2, 0.53125, 0.5)]
