"""Calibration: the threshold refuses no more than it may, and the fit learns what tells."""

import json
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from evals.calibrate import MAX_OVER_ABSTENTION, Example, calibrate, choose_threshold, confidences, summarise
from evals.question_set import parse_question
from retrieval.evidence import Evidence, confidence


def example(number: int, *, answerable: bool, strength: float, kind: str = "fact", split: str = "dev") -> Example:
    evidence = Evidence(*[strength] * len(Evidence.__slots__))
    gold = [{"path": "a.md", "quote": "b"}] if answerable else []
    line = {"id": str(number), "kind": kind, "question": "?", "answerable": answerable, "gold": gold, "split": split}
    question = parse_question(json.dumps(line))
    return Example("corpus" if number % 2 else "seeds", question, evidence, retrieved=answerable)


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
    calibration = calibrate(development)
    answered = [confidence(one.evidence, calibration) >= calibration.threshold for one in development]
    answerable = [one.question.answerable for one in development]
    assert sum(answered) == 40 - int(MAX_OVER_ABSTENTION * 40)
    assert all(possible for said, possible in zip(answered, answerable, strict=True) if said)


def test_the_fit_is_the_same_again(development: tuple[Example, ...]) -> None:
    assert calibrate(development) == calibrate(development)


def test_a_question_whose_gold_is_not_retrieved_teaches_nothing(development: tuple[Example, ...]) -> None:
    lost = Example("corpus", development[0].question, development[-1].evidence, retrieved=False)
    before, after = calibrate(development), calibrate((*development, lost))
    assert (after.weights, after.bias) == (before.weights, before.bias)


def test_the_summary_has_a_line_for_each_suite_and_split(development: tuple[Example, ...]) -> None:
    test_half = tuple(replace(one, question=replace(one.question, split="test")) for one in development)
    both = (*development, *test_half)
    calibration = calibrate(development)
    lines = summarise(both, confidences(both, calibration), calibration.threshold).splitlines()
    assert [line.split()[:2] for line in lines] == [
        [suite, split] for suite in ("corpus", "seeds") for split in ("dev", "test")
    ]
    assert all("AUROC 1.000" in line for line in lines)
