"""Fitting the order of items."""

import json

import numpy as np
import pytest

from evals.question_set import parse_question
from evals.training.examples import Example
from evals.training.judgement_fit import BY_COSINE, answer_places, fit_items
from retrieval.search.item_ranker import FEATURES as ITEM_FEATURES

NAMES, COSINE = ITEM_FEATURES.index("names_told"), ITEM_FEATURES.index("cosine")


def example(
    *,
    cosines: list[float] | None = None,
    names: list[float] | None = None,
    holds: list[bool] | None = None,
    answerable: bool = True,
) -> Example:
    """A question whose items differ in two features."""
    items = np.zeros((len(cosines or []), len(ITEM_FEATURES)))
    items[:, COSINE], items[:, NAMES] = cosines or [], names or []
    gold = [{"path": "a.md", "quote": "b"}] if answerable else []
    line = {"id": "1", "kind": "fact", "question": "?", "answerable": answerable, "gold": gold}
    return Example(
        question=parse_question(json.dumps(line)),
        items=items,
        holds=np.array(holds or [], dtype=np.bool_),
        evidence=None,
        right=False,
    )


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
