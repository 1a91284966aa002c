"""A facet that a person takes back isn't read: what is searched is what it would be had nobody known it."""

import pytest
from test_retrieval_query import CATALOGUE, ONE_PRODUCT, constraint_of

from retrieval.assistant import Assistant
from retrieval.model import Facet, Form, Query, Status
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


def test_a_filter_stays_whatever_is_not_read() -> None:
    query = parse_query(
        "What was deprecated in NumPy 2.1?", catalogue=CATALOGUE, product="dj", version="5.0", without=tuple(Facet)
    )
    assert told(query) == (("Django",), "5.0", Form.FACT)
    assert query.versions_set_aside is None


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


def test_the_question_before_is_read_without_the_facet_too() -> None:
    query = parse_query(
        "why?", history=("What was deprecated in Django 5.0?",), catalogue=CATALOGUE, without=(Facet.VERSION,)
    )
    assert query.before is not None
    assert told(query.before) == (("Django",), None, Form.WHATS_NEW)


def test_another_product_is_asked_about_whatever_is_taken_back() -> None:
    history = ("What was deprecated in Django 5.0?", "and 4.2?")
    assert told(parse_query("and in NumPy?", history=history, catalogue=CATALOGUE, without=(Facet.INTENT,))) == (
        ("NumPy",),
        None,
        Form.FACT,
    )


def test_the_only_product_stays() -> None:
    assert parse_query("What is new?", catalogue=ONE_PRODUCT, without=(Facet.VERSION,)).products == ("PyTorch",)


def test_an_answer_without_the_version_is_about_all_releases(handmade: Assistant) -> None:
    product = handmade.catalogue()[0]
    question = f"What is new in {product.name} {product.releases[0].version}?"
    with_version = handmade.ask(question)
    without = handmade.ask(question, without=(Facet.VERSION,))
    assert with_version.interpretation.versions is not None
    assert without.interpretation.versions is None
    assert without.interpretation.products == with_version.interpretation.products
    assert Status.ANSWERED in (with_version.status, without.status)
