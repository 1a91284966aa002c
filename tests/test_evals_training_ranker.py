"""Fitting the ranker: from pairs of passages of one question to points of the fused score."""

import json

import numpy as np
import pytest

from evals.question_set import parse_question
from evals.training.examples import Example
from evals.training.ranker_fit import LEARNED_FEATURES, fit_ranker, reciprocal_ranks
from retrieval.ranker import FEATURES, Ranker

PAIRS = FEATURES.index("pairs")


def example(number: int, *, scores: list[float], pairs: list[float], relevance: list[int], suite: str = "a") -> Example:
    """A question whose hits differ in their fused scores and one feature."""
    features = np.zeros((len(scores), len(FEATURES)))
    features[:, PAIRS] = pairs
    gold = [{"path": "a.md", "quote": "b"}]
    line = {"id": str(number), "kind": "fact", "question": "?", "answerable": True, "gold": gold}
    question = parse_question(json.dumps(line))
    return Example(suite, question, features, np.array(scores), np.array(relevance), None, retrieved=True)


@pytest.fixture(scope="module")
def examples() -> list[Example]:
    """What answers has a slightly lower score in half of the questions, and the feature in nearly all."""
    chance = np.random.default_rng(4)
    found = []
    for number in range(80):
        gap = float(chance.normal(0.1, 0.2))
        has = float(chance.random() < 0.9)
        found.append(example(number, scores=[0.5 + gap, 0.5], pairs=[has, 0.2], relevance=[2, 0]))
    return found


def test_a_feature_that_tells_gets_points_in_units_of_the_score(examples: list[Example]) -> None:
    ranker = fit_ranker(examples, (), names=["pairs", "fix"], strength=1.0)
    assert ranker.weights["pairs"] > 0.05
    assert ranker.weights["fix"] == 0.0, "a feature that never differs says nothing"
    before, after = (reciprocal_ranks(examples, one, depth=10).mean() for one in (Ranker({}), ranker))
    assert after > before


def test_the_stronger_the_penalty_the_nearer_to_the_search(examples: list[Example]) -> None:
    weights = [
        fit_ranker(examples, (), names=["pairs"], strength=strength).weights["pairs"] for strength in (1e-6, 1e-3, 1)
    ]
    assert weights == sorted(weights)
    assert weights[0] == pytest.approx(0.0, abs=1e-3)


def test_the_fit_is_the_same_again(examples: list[Example]) -> None:
    assert fit_ranker(examples, (), names=["pairs"], strength=1.0) == fit_ranker(
        examples, (), names=["pairs"], strength=1.0
    )


def test_natural_questions_and_the_development_halves_have_half_of_the_say_each(examples: list[Example]) -> None:
    """Many natural questions are for the feature, a few of the others against it."""
    against = [example(100 + i, scores=[0.5, 0.5], pairs=[0.2, 1.0], relevance=[2, 0], suite="b") for i in range(4)]
    alone, both = (fit_ranker(examples, half, names=["pairs"], strength=1.0) for half in ((), against))
    assert both.weights["pairs"] < 0.5 * alone.weights["pairs"]


def test_questions_that_have_nothing_to_compare_teach_nothing(examples: list[Example]) -> None:
    alike = example(90, scores=[0.9, 0.1], pairs=[0.0, 1.0], relevance=[2, 2])
    overlapping = example(91, scores=[0.9, 0.1], pairs=[0.0, 1.0], relevance=[1, 1])
    nothing = example(92, scores=[], pairs=[], relevance=[])
    plain, more = (
        fit_ranker(chosen, (), names=["pairs"], strength=1.0)
        for chosen in (examples, [*examples, alike, overlapping, nothing])
    )
    assert more == plain


def test_the_reciprocal_rank_is_of_the_first_passage_that_answers() -> None:
    one = example(1, scores=[0.9, 0.8, 0.7], pairs=[0.0, 0.0, 1.0], relevance=[0, 1, 2])
    none = example(2, scores=[], pairs=[], relevance=[])
    assert reciprocal_ranks([one, none], Ranker({}), depth=10).tolist() == pytest.approx([1 / 3, 0.0])
    assert reciprocal_ranks([one], Ranker({"pairs": 1.0}), depth=10).tolist() == [1.0]
    assert reciprocal_ranks([one], Ranker({}), depth=2).tolist() == [0.0], "an overlap is no answer"


def test_what_is_learned_is_a_feature() -> None:
    assert set(LEARNED_FEATURES) <= set(FEATURES)
