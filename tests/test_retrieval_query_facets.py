"""A facet that a person takes back isn't read: what is searched is what it would be had nobody known it."""

import pytest
from test_retrieval_query import CATALOGUE, constraint_of

from retrieval.model import Facet, Form, Query
from retrieval.question.query import parse_query

Told = tuple[tuple[str, ...], str | None, Form]


def told(query: Query) -> Told:
    return query.products, constraint_of(query), query.form


@pytest.mark.parametrize(
    ("question", "without", "expected"),
    [
        ("What was deprecated in Django 5.0?", Facet.PRODUCT, ((), "5.0", Form.WHATS_NEW)),
        ("What was deprecated in Django 5.0?", Facet.VERSION, (("Django",), None, Form.WHATS_NEW)),
        ("What was deprecated in Django 5.0?", Facet.INTENT, (("Django",), "5.0", Form.FACT)),
        ("What breaks from Django 4.2 to 5.1?", Facet.VERSION, (("Django",), None, Form.BREAKS)),
        ("Django 4.2 to 5.1", Facet.VERSION, (("Django",), None, Form.BREAKS)),
        ("What is new in the latest Django?", Facet.VERSION, (("Django",), None, Form.WHATS_NEW)),
        ("What is new in the latest Django?", Facet.PRODUCT, ((), None, Form.WHATS_NEW)),
        ("Does torch.cond take a list?", Facet.PRODUCT, ((), None, Form.YES_NO)),
        ("When was Rails 7.1 released?", Facet.PRODUCT, ((), "7.1", Form.EXISTS)),
    ],
    ids=lambda value: str(value) if isinstance(value, str) else "",
)
def test_one_facet_is_taken_back(question: str, without: Facet, expected: Told) -> None:
    query = parse_query(question, catalogue=CATALOGUE, without=(without,))
    assert told(query) == expected
    assert query.search_text == question
    assert query.unknown_products == ()


def test_all_of_them_leave_the_words() -> None:
    query = parse_query("What was deprecated in Django 5.0?", catalogue=CATALOGUE, without=tuple(Facet))
    assert told(query) == ((), None, Form.FACT)
    assert not query.product_stated


@pytest.mark.parametrize(
    ("question", "without", "expected"),
    [
        ("and 4.2?", Facet.VERSION, (("Django",), None, Form.WHATS_NEW)),
        ("and 4.2?", Facet.PRODUCT, ((), "4.2", Form.WHATS_NEW)),
        ("What replaces it?", Facet.VERSION, (("Django",), None, Form.MIGRATE)),
        ("What replaces it?", Facet.PRODUCT, ((), "5.0", Form.MIGRATE)),
        ("and in the release before?", Facet.INTENT, (("Django",), "4.2", Form.FACT)),
    ],
)
def test_a_follow_up_carries_no_facet_that_is_taken_back(question: str, without: Facet, expected: Told) -> None:
    history = ("What was deprecated in Django 5.0?",)
    assert told(parse_query(question, history=history, catalogue=CATALOGUE, without=(without,))) == expected
