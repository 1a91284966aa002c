"""The page on judgement: every kind and figure has its row."""

import json

import numpy as np

from evals.question_set import parse_question
from evals.training.examples import Example
from evals.training.judgement_fit import SIGNALS, fit_decision, fit_items
from evals.training.train import render_judgement
from retrieval.judge.answers import AnswerWeights
from retrieval.search.item_ranker import FEATURES as ITEM_FEATURES

PROJECTS = ("attrs", "cargo", "curl", "django", "flask", "git", "httpx", "numpy", "pip", "trio", "xarray", "black")


def examples(count: int) -> list[Example]:
    """Questions about the projects in turn; every third has no answer, and what answers tends to have the features."""
    chance = np.random.default_rng(count)
    found = []
    for number in range(count):
        answerable = number % 3 != 0
        relevance = np.array([2, 0, 0, 1] if answerable else [0, 0, 0, 0])
        line = {
            "id": str(number), "kind": "number" if answerable else "wrong_detail", "question": "?",
            "answerable": answerable, "gold": [{"path": "a.md", "quote": "b"}] if answerable else [],
            "project": PROJECTS[number % len(PROJECTS)],
        }  # fmt: skip
        found.append(
            Example(
                question=parse_question(json.dumps(line)),
                items=chance.random((4, len(ITEM_FEATURES))) + (relevance == 2)[:, None] * 0.3,
                holds=relevance > 0,
                evidence=np.clip(chance.random(len(SIGNALS)) * 0.5 + 0.4 * answerable, 0, 1),
                right=answerable,
                judged=np.array([[1.0, 2.0], [0.0, 3.0]]),
                judged_holds=np.array([answerable, False]),
            )
        )
    return found


def test_the_page_has_a_row_for_every_group_kind_and_weight() -> None:
    many, one = examples(120), examples(60)
    calibration = fit_decision([*many, *one])
    page = render_judgement(
        many,
        {"many products": many, "one product": one},
        items=fit_items(many),
        answers=AnswerWeights(1.0, 0.5, 0.0),
        calibration=calibration,
    )
    assert "\n| many products | 120 | 0.667 |" in page
    assert "\n| one product | 60 | 0.667 |" in page
    assert "\n| one product | 40 | 1.000 | 0.000 | 1.000 |" in page, "the order, the judge and both"
    assert "\n| wrong_detail | no | 60 | 0.00 |" in page
    assert all(f"\n| {name} |" in page for name in (*SIGNALS, *ITEM_FEATURES))
    assert f"the threshold that ships, {calibration.threshold}" in page
    assert "| nan |" not in page
