"""The page on judgement: every group of questions has its row, and what is held out was learned from elsewhere."""

import json
from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pytest

from evals.question_set import parse_question
from evals.training import judgement_report
from evals.training.decision_fit import SIGNALS, fit_decision
from evals.training.examples import Example
from evals.training.folds import fold_of
from evals.training.held_out import HeldOut, held_out_confidences
from evals.training.judgement_report import render_judgement, render_reliability
from evals.training.learning import MANY, ONE, LearningSet, fold_of_example
from evals.training.ranker_fit import LEARNED_FEATURES, fit_ranker
from retrieval.ranker import FEATURES

PROJECTS = ("attrs", "cargo", "curl", "django", "flask", "git", "httpx", "numpy", "pip", "trio", "xarray", "black")


def examples(suite: str, *, count: int, split: str = "", projects: Sequence[str] = PROJECTS) -> tuple[Example, ...]:
    """Questions about the projects in turn; every third has no answer, and what answers tends to have the features."""
    chance = np.random.default_rng(len(suite) + count)
    found = []
    for number in range(count):
        answerable = number % 3 != 0
        relevance = np.array([2, 0, 0, 1] if answerable else [0, 0, 0, 0])
        features = chance.random((4, len(FEATURES))) + (relevance == 2)[:, None] * 0.3
        evidence = np.clip(chance.random(len(SIGNALS)) * 0.5 + 0.4 * answerable, 0, 1)
        line = {
            "id": f"{suite}-{number}", "kind": "number" if answerable else "wrong_detail", "question": "?",
            "answerable": answerable, "gold": [{"path": f"{projects[number % len(projects)]}/a.md", "quote": "b"}],
            "split": split, "project": projects[number % len(projects)],
        }  # fmt: skip
        question = parse_question(json.dumps(line))
        scores = np.sort(chance.random(4))[::-1]
        found.append(Example(suite, question, features, scores, relevance, evidence, retrieved=answerable))
    return tuple(found)


@pytest.fixture(scope="module")
def learning_set() -> LearningSet:
    return LearningSet(
        many=examples(MANY, count=120),
        one=examples(ONE, count=60),
        development=(*examples("corpora", count=60, split="dev"), *examples("seeds", count=30, split="dev")),
        test=(
            *examples("corpora", count=60, split="test"),
            *examples("seeds", count=30, split="test", projects=["000"]),
        ),
        practice=examples("practice seeds", count=30, projects=["000"]),
    )


def test_the_page_has_a_row_for_every_group_of_questions(
    learning_set: LearningSet, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(judgement_report, "SIZES", (50,))
    monkeypatch.setattr(judgement_report, "RESAMPLES", 50)
    ranker = fit_ranker(learning_set.many, learning_set.development, names=LEARNED_FEATURES, strength=1.0)
    calibration = fit_decision((*learning_set.many, *learning_set.one), learning_set.development)
    held_out = held_out_confidences(learning_set, (*learning_set.many, *learning_set.one))
    page = render_judgement(learning_set, learning_set, held_out, ranker=ranker, calibration=calibration)
    groups = [
        "natural, many products",
        "natural, one product",
        "corpora dev",
        "seeds dev",
        "corpora test",
        "seeds test",
    ]
    for name in (*groups, "practice seeds"):
        assert page.count(f"\n| {name} |") == 2, "one row of ranks, one of decisions"
    assert f"\n| {len(learning_set.many)} | " in page, "the learning curve ends with all of them"
    assert "| wrong_detail | no | 40 |" in page
    assert all(f"\n| {signal} |" in page for signal in SIGNALS)
    assert "nan" not in page
    assert render_reliability(learning_set, held_out).startswith("<svg")


def test_what_is_held_out_has_seen_nothing_of_its_project(learning_set: LearningSet) -> None:
    def learn(rest: list[Example], development: list[Example]):  # type: ignore[no-untyped-def]
        seen = {one.question.project for one in (*rest, *development)}
        return lambda chosen: np.array([float(one.question.project in seen) for one in chosen])

    held_out = HeldOut(learning_set, learning_set.many, learn)
    assert not held_out.of(learning_set.many).any()
    assert not held_out.of(learning_set.development[:60]).any()
    assert not held_out.of(learning_set.test[:60]).any()


def test_a_question_is_in_the_fold_of_its_project_by_name_or_by_gold() -> None:
    (named,) = examples("a", count=1, projects=["attrs"])
    unnamed = replace(named, question=replace(named.question, project=""))
    assert fold_of_example(named) == fold_of_example(unnamed) == fold_of("attrs")
