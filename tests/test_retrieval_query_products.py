"""Products as questions name them: aliases, spellings, slips, ordinary words, and products that aren't indexed."""

import pytest
from asked_catalogue import CATALOGUE, product, understand, versions_of
from case_files import read_rows

from retrieval.question.query import parse_query


@pytest.mark.parametrize(("question", "products", "expected"), read_rows("retrieval-names-as-people-type-them"))
def test_names_as_people_type_them(question: str, products: tuple[str, ...], expected: str | None) -> None:
    query = understand(question)
    assert (query.products, versions_of(query), query.unknown_products) == (products, expected, ())


@pytest.mark.parametrize(("question", "unknown"), read_rows("retrieval-a-product-that-is-not-indexed-is-named"))
def test_a_product_that_is_not_indexed_is_named(question: str, unknown: tuple[str, ...]) -> None:
    query = understand(question)
    assert (query.unknown_products, query.products, query.constraint) == (unknown, (), None)
    assert not query.product_stated


@pytest.mark.parametrize("question", read_rows("retrieval-names-of-parts-and-platforms-are-no-unknown"))
def test_names_of_parts_and_platforms_are_no_unknown_products(question: str) -> None:
    assert understand(question).unknown_products == ()


@pytest.mark.parametrize(("question", "unknown"), read_rows("retrieval-mentioned-products-that-are-unknown"))
def test_what_notes_mention_is_an_unknown_product_where_a_question_is_about_its_release(
    question: str, unknown: tuple[str, ...]
) -> None:
    assert parse_query(question, catalogue=CATALOGUE).unknown_products == unknown


@pytest.mark.parametrize(("question", "products"), read_rows("retrieval-products-called-by-their-first-word"))
def test_a_name_of_several_words_is_called_by_its_first_where_that_is_its_own(
    question: str, products: tuple[str, ...]
) -> None:
    names = ("opentelemetry-collector", "sentry-python", "spring-kafka", "pytest-asyncio", "apollo-client")
    known = tuple(product(name, (), "0.103 1.45 2.0 3.2") for name in names)
    assert parse_query(question, catalogue=known).products == products


@pytest.mark.parametrize(
    ("question", "products", "expected"), read_rows("retrieval-a-product-is-known-by-its-namespace-and-its-paths")
)
def test_a_product_is_known_by_its_namespace_and_its_paths(
    question: str, products: tuple[str, ...], expected: str | None
) -> None:
    known = (
        product("doctrine-dbal", (), "3.8 4.0"),
        product("rollup", (), "3.0 4.1"),
        product("sentry-python", (), "2.7"),
    )
    query = parse_query(question, catalogue=known)
    assert (query.products, versions_of(query)) == (products, expected)
