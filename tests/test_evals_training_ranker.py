"""Fitting the rankers: from pairs of passages of one question to points of the fused score, and the order of items."""

import json

import numpy as np
import pytest

from evals.question_set import parse_question
from evals.training.examples import Example
from evals.training.item_fit import BY_COSINE, answer_places, fit_items
from evals.training.ranker_fit import LEARNED_FEATURES, fit_ranker, reciprocal_ranks
from retrieval.search.item_ranker import FEATURES as ITEM_FEATURES
from retrieval.search.ranker import FEATURES, Ranker

PAIRS = FEATURES.index("pairs")
NAMES, COSINE = ITEM_FEATURES.index("names_told"), ITEM_FEATURES.index("cosine")


def example(
    *,
    scores: list[float] | None = None,
    pairs: list[float] | None = None,
    relevance: list[int] | None = None,
    cosines: list[float] | None = None,
    names: list[float] | None = None,
    holds: list[bool] | None = None,
    answerable: bool = True,
    split: str = "",
) -> Example:
    """A question whose hits differ in their fused scores and one feature, and whose items in two."""
    features = np.zeros((len(scores or []), len(FEATURES)))
    features[:, PAIRS] = pairs or []
    items = np.zeros((len(cosines or []), len(ITEM_FEATURES)))
    items[:, COSINE], items[:, NAMES] = cosines or [], names or []
    gold = [{"path": "a.md", "quote": "b"}] if answerable else []
    line = {"id": "1", "kind": "fact", "question": "?", "answerable": answerable, "gold": gold, "split": split}
    return Example(
        question=parse_question(json.dumps(line)),
        features=features,
        scores=np.array(scores or []),
        relevance=np.array(relevance or [], dtype=np.int64),
        items=items,
        holds=np.array(holds or [], dtype=np.bool_),
        evidence=None,
        right=False,
    )


@pytest.fixture(scope="module")
def ranked() -> list[Example]:
    """What answers has a slightly lower score in half of the questions, and the feature in nearly all."""
    chance = np.random.default_rng(4)
    found = []
    for _ in range(80):
        gap = float(chance.normal(0.1, 0.2))
        has = float(chance.random() < 0.9)
        found.append(example(scores=[0.5 + gap, 0.5], pairs=[has, 0.2], relevance=[2, 0]))
    return found


def test_a_feature_that_tells_gets_points_in_units_of_the_score(ranked: list[Example]) -> None:
    ranker = fit_ranker(ranked, names=["pairs", "fix"], strength=1.0)
    assert ranker.weights["pairs"] > 0.05
    assert ranker.weights["fix"] == 0.0, "a feature that never differs says nothing"
    before, after = (reciprocal_ranks(ranked, one, depth=10).mean() for one in (Ranker({}), ranker))
    assert after > before


def test_the_stronger_the_penalty_the_nearer_to_the_search(ranked: list[Example]) -> None:
    weights = [fit_ranker(ranked, names=["pairs"], strength=strength).weights["pairs"] for strength in (1e-6, 1e-3, 1)]
    assert weights == sorted(weights)
    assert weights[0] == pytest.approx(0.0, abs=1e-3)


def test_the_fit_is_the_same_again(ranked: list[Example]) -> None:
    assert fit_ranker(ranked, names=["pairs"]) == fit_ranker(ranked, names=["pairs"])


def test_natural_questions_and_the_development_halves_have_half_of_the_say_each(ranked: list[Example]) -> None:
    """Many natural questions are for the feature, a few of the others against it."""
    against = [example(scores=[0.5, 0.5], pairs=[0.2, 1.0], relevance=[2, 0], split="dev") for _ in range(4)]
    alone, both = (fit_ranker(chosen, names=["pairs"], strength=1.0) for chosen in (ranked, [*ranked, *against]))
    assert both.weights["pairs"] < 0.5 * alone.weights["pairs"]


def test_questions_that_have_nothing_to_compare_teach_nothing(ranked: list[Example]) -> None:
    alike = example(scores=[0.9, 0.1], pairs=[0.0, 1.0], relevance=[2, 2])
    overlapping = example(scores=[0.9, 0.1], pairs=[0.0, 1.0], relevance=[1, 1])
    plain, more = (
        fit_ranker(chosen, names=["pairs"], strength=1.0)
        for chosen in (ranked, [*ranked, alike, overlapping, example()])
    )
    assert more == plain


def test_the_reciprocal_rank_is_of_the_first_passage_that_answers() -> None:
    one = example(scores=[0.9, 0.8, 0.7], pairs=[0.0, 0.0, 1.0], relevance=[0, 1, 2])
    assert reciprocal_ranks([one, example()], Ranker({}), depth=10).tolist() == pytest.approx([1 / 3, 0.0])
    assert reciprocal_ranks([one], Ranker({"pairs": 1.0}), depth=10).tolist() == [1.0]
    assert reciprocal_ranks([one], Ranker({}), depth=2).tolist() == [0.0], "an overlap is no answer"


def test_what_is_learned_is_a_feature() -> None:
    assert set(LEARNED_FEATURES) <= set(FEATURES)


@pytest.fixture(scope="module")
def read() -> list[Example]:
    """The item that answers holds the names; the nearest one doesn't answer in half of the questions."""
    chance = np.random.default_rng(4)
    return [
        example(cosines=chance.random(3).tolist(), names=[1.0, 0.2, 0.0], holds=[True, False, False]) for _ in range(60)
    ]


def test_the_order_of_items_learns_what_tells_more_than_nearness(read: list[Example]) -> None:
    ranker = fit_items(read)
    assert (answer_places(read, ranker) == 1).all()
    assert (answer_places(read, BY_COSINE) == 1).mean() < 0.6


def test_an_item_is_compared_with_those_of_its_own_question() -> None:
    """Beside the differences between questions, what tells the answer in each is small."""
    chance = np.random.default_rng(4)
    read = []
    for _ in range(60):
        level, names = 10 * chance.random(), chance.random(3).tolist()
        read.append(example(cosines=[level + 0.2, level, level], names=names, holds=[True, False, False]))
    assert (answer_places(read, fit_items(read)) == 1).all()


def test_near_misses_teach_that_near_items_are_no_answer(read: list[Example]) -> None:
    misses = [example(cosines=[0.9, 0.8], names=[0.0, 0.0], holds=[False, False], answerable=False) for _ in range(60)]
    alone, both = (fit_items(chosen).weights[COSINE] for chosen in (read, [*read, *misses]))
    assert both < alone


def test_questions_none_of_whose_items_answers_teach_nothing_of_items(read: list[Example]) -> None:
    lost = example(cosines=[0.9, 0.8], names=[0.0, 0.0], holds=[False, False])
    assert fit_items([*read, lost, example(), example(answerable=False)]) == fit_items(read)


def test_an_answer_that_was_not_read_has_no_place() -> None:
    lost = example(cosines=[0.9], names=[0.0], holds=[False])
    second = example(cosines=[0.9, 0.8], names=[0.0, 0.0], holds=[False, True])
    assert answer_places([lost, second, example()], BY_COSINE).tolist() == [float("inf"), 2.0, float("inf")]
