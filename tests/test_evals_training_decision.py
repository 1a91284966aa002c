"""Calibration: the threshold refuses no more than it may, and the fit learns what tells."""

import json
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from evals.question_set import parse_question
from evals.training.decision_fit import (
    MAX_OVER_ABSTENTION,
    SIGNALS,
    area_under_curve,
    choose_threshold,
    confidences,
    fit_decision,
    typical_signals,
)
from evals.training.examples import Example


def example(number: int, *, answerable: bool, strength: float, kind: str = "fact", split: str = "dev") -> Example:
    evidence = np.full(len(SIGNALS), strength)
    gold = [{"path": "a.md", "quote": "b"}] if answerable else []
    line = {"id": str(number), "kind": kind, "question": "?", "answerable": answerable, "gold": gold, "split": split}
    question = parse_question(json.dumps(line))
    none = np.zeros(0)
    suite = "corpus" if number % 2 else "seeds"
    return Example(suite, question, none, none, none.astype(np.int64), evidence, retrieved=answerable)


@given(
    st.lists(st.tuples(st.booleans(), st.floats(0, 1)), min_size=1, max_size=80).filter(
        lambda drawn: any(answerable for answerable, _ in drawn)
    )
)
def test_the_threshold_is_the_highest_that_refuses_few_enough(drawn: list[tuple[bool, float]]) -> None:
    examples = tuple(example(i, answerable=answerable, strength=0.5) for i, (answerable, _) in enumerate(drawn))
    certainties = np.array([certainty for _, certainty in drawn])
    threshold = choose_threshold(examples, certainties)
    positive = [certainty for answerable, certainty in drawn if answerable]
    assert sum(one < threshold for one in positive) <= MAX_OVER_ABSTENTION * len(positive)
    higher = [one for one in positive if one > threshold]
    if higher:
        assert sum(one < min(higher) for one in positive) > MAX_OVER_ABSTENTION * len(positive)


@pytest.fixture(scope="module")
def development() -> tuple[Example, ...]:
    """Forty answerable questions with strong signals, twenty off-topic and twenty near misses with weak ones."""
    random = np.random.default_rng(3)
    good = [example(i, answerable=True, strength=float(random.uniform(0.55, 1))) for i in range(40)]
    bad = [
        example(40 + i, answerable=False, strength=float(random.uniform(0, 0.45)), kind=kind)
        for i, kind in enumerate(["negative_offtopic", "negative_near"] * 20)
    ]
    return (*good, *bad)


def test_the_fit_tells_answerable_questions_from_others(development: tuple[Example, ...]) -> None:
    calibration = fit_decision((), development)
    answered = confidences(development, calibration) >= calibration.threshold
    answerable = [one.question.answerable for one in development]
    assert answered.sum() == 40 - int(MAX_OVER_ABSTENTION * 40)
    assert all(possible for said, possible in zip(answered, answerable, strict=True) if said)
    assert area_under_curve(development, confidences(development, calibration)) == 1.0


def test_natural_questions_have_a_say_and_the_development_halves_choose_the_threshold(
    development: tuple[Example, ...],
) -> None:
    chance = np.random.default_rng(5)
    natural = [example(i, answerable=i % 2 == 0, strength=0.9 - 0.7 * (i % 2)) for i in range(60)]
    natural = [replace(one, evidence=np.array([chance.random(), *one.evidence[1:]])) for one in natural]
    alone, both = fit_decision((), development), fit_decision(natural, development)
    assert both.weights[0] < alone.weights[0], "the first signal tells nothing of natural questions"
    certainties = confidences(development, both)
    assert both.threshold == pytest.approx(choose_threshold(development, certainties), abs=1e-4)


def test_the_fit_is_the_same_again(development: tuple[Example, ...]) -> None:
    assert fit_decision((), development) == fit_decision((), development)


def test_a_question_whose_gold_is_not_retrieved_teaches_nothing(development: tuple[Example, ...]) -> None:
    lost = replace(development[0], evidence=development[-1].evidence, retrieved=False)
    before, after = fit_decision((), development), fit_decision((), (*development, lost))
    assert (after.weights, after.bias) == (before.weights, before.bias)


def test_no_signal_counts_against_an_answer(development: tuple[Example, ...]) -> None:
    """The first signal is higher where there is no answer: it is left out, and the others do without it."""
    evidence = [np.array([1 - one.evidence[0], *one.evidence[1:]]) for one in development if one.evidence is not None]
    misled = [replace(one, evidence=signals) for one, signals in zip(development, evidence, strict=True)]
    weights = fit_decision((), misled).weights
    assert weights[0] == 0.0
    assert all(weight > 0 for weight in weights[1:])


def test_the_typical_signals_are_those_of_questions_that_were_answered() -> None:
    answered = [example(i, answerable=True, strength=strength) for i, strength in enumerate((0.6, 0.8))]
    assert typical_signals([*answered, example(2, answerable=False, strength=0.1)]) == (0.7,) * len(SIGNALS)


def test_the_area_counts_ties_for_a_half() -> None:
    examples = [example(i, answerable=i < 2, strength=0.5) for i in range(4)]
    assert area_under_curve(examples, np.array([0.9, 0.5, 0.5, 0.1])) == pytest.approx(3.5 / 4)


def test_where_nothing_was_found_there_is_no_confidence(development: tuple[Example, ...]) -> None:
    nothing = replace(development[0], evidence=None)
    assert confidences([nothing], fit_decision((), development)).tolist() == [0.0]
