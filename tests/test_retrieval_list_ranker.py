"""The learned order of lists: what is weighed for which form, and where a change stands among the others."""

from collections.abc import Callable

import pytest

from retrieval.answers.list_ranker import FORMS, ListRanker, load_list_ranker
from retrieval.answers.news import list_news
from retrieval.assistant import Assistant
from retrieval.model import Form

RANKER = ListRanker({Form.WHATS_NEW: {"headline": 2.0}, Form.BREAKS: {"breaking": 3.0}, Form.SHOULD_UPGRADE: {}})


@pytest.mark.parametrize(
    ("form", "score"), [(Form.WHATS_NEW, 1.0), (Form.BREAKS, 0.75), (Form.SHOULD_UPGRADE, 0.0), (Form.COMPARE, 1.0)]
)
def test_a_form_has_its_own_weights_and_one_without_those_of_what_is_new(form: Form, score: float) -> None:
    assert RANKER.score({"headline": 0.5, "breaking": 0.25, "nobody weighs this": 9.0}, form) == score


def test_all_figures_of_a_list_are_weighed_and_it_is_ordered_by_them(library: Callable[[str], Assistant]) -> None:
    birds = library("news")
    listed = list_news(birds.find(birds.understand("What is new in Pelican 3.2?"), limit=5))
    assert listed is not None
    ranker = load_list_ranker()
    scores = [ranker.score(item.figures, Form.WHATS_NEW) for item in listed.items]
    assert scores == sorted(scores, reverse=True)
    figures = {name for item in listed.items for name in item.figures if not name.startswith(("told", "listed"))}
    assert all(figures <= ranker.weights[form].keys() for form in FORMS)
    assert sum(item.figures["first"] for item in listed.items) == 1
    assert len({item.figures["place"] for item in listed.items}) == len(listed.items)
    assert max(item.figures["place in section"] for item in listed.items) < max(
        item.figures["place"] for item in listed.items
    )
