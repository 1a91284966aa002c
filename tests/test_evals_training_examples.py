"""What is learned from: what the order and the decision see of a question, and whether it holds the gold."""

import json
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from ui_small_index import write_documents

from corpus.embedding import Embedder
from evals.pages import FolderTexts, Pages
from evals.question_set import Question, parse_question
from evals.training.examples import Example, Figures, ask_all
from evals.training.judgement_fit import SIGNALS
from evals.training.training_set import FOLDS, fold_of, held_out
from retrieval.assistant import Assistant
from retrieval.judge.answers import AnswerWeights
from retrieval.search.item_ranker import FEATURES, ItemRanker, feature_row

PROJECTS = ("attrs", "cargo", "curl", "django", "flask", "git", "httpx", "numpy", "pip", "trio")
NEEDS = "needs Python 3.8"


def question(text: str, *quotes: str, path: str = "widget/changes.md", project: str = "widget") -> Question:
    gold = [{"path": path, "quote": quote} for quote in quotes]
    line = {"id": "1", "kind": "fact", "question": text, "project": project, "answerable": bool(gold), "gold": gold}
    return parse_question(json.dumps(line))


@pytest.fixture(scope="module")
def pages(tmp_path_factory: pytest.TempPathFactory) -> Pages:
    return Pages(FolderTexts(write_documents(tmp_path_factory.mktemp("pages") / "documents")))


@pytest.fixture(scope="module")
def assistant(small_index: Path, default_embedder: Embedder) -> Iterator[Assistant]:
    with Assistant.open(small_index, embedder=default_embedder) as opened:
        yield opened


def test_an_example_tells_which_passages_and_items_hold_the_gold(assistant: Assistant, pages: Pages) -> None:
    asked = question("Which Python does Widget 2.0 need?", NEEDS)
    (found,) = ask_all([asked], [assistant] * FOLDS, pages)
    scored = assistant.find(assistant.understand(asked.question), limit=10).scored
    texts = [scored_item.item.span.slice(assistant.index.text_of(scored_item.hit.passage)) for scored_item in scored]
    assert found.holds.tolist() == [NEEDS in text for text in texts]
    assert found.holds.sum() == 1
    assert found.items.tolist() == [feature_row(scored_item.features) for scored_item in scored if scored_item.features]
    assert found.evidence is not None
    assert found.right


def test_each_question_is_judged_by_the_order_of_its_fold(assistant: Assistant, pages: Pages) -> None:
    unjudged = AnswerWeights(1.0, 0.0, 0.0)
    doubtful = assistant.judging(item_ranker=ItemRanker((0.0,) * len(FEATURES), bias=-3.0), answer_weights=unjudged)
    judges = [doubtful if fold == fold_of("widget") else assistant for fold in range(FOLDS)]
    elsewhere = next(name for name in PROJECTS if fold_of(name) != fold_of("widget"))
    asked = question("Which Python does Widget 2.0 need?", NEEDS)
    here, there = ask_all([asked, replace(asked, project=elsewhere)], judges, pages)
    assert here.evidence is not None
    assert there.evidence is not None
    item = SIGNALS.index("item")
    assert here.evidence[item] == pytest.approx(-0.3), "log-odds over 10"
    assert there.evidence[item] > -0.3


def test_what_is_held_out_has_seen_nothing_of_its_fold() -> None:
    def predict(others: Sequence[Example], asked: Sequence[Example]) -> Figures:
        seen = {fold_of(other.project) for other in others}
        return np.array(
            [float(fold_of(one.project) in seen) + one.evidence[0] for one in asked if one.evidence is not None]
        )

    none = np.zeros((0, 0))
    examples = [
        Example(
            question=question("?", project=project),
            items=none,
            holds=none.astype(np.bool_),
            evidence=np.array([float(number)]),
            right=False,
        )
        for number, project in enumerate(PROJECTS)
    ]
    assert held_out(examples, predict).tolist() == list(range(len(PROJECTS))), "in the examples' own order"
