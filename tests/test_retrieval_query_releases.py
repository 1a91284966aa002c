"""Releases as questions name them: by number and range, and by their place among the others."""

import pytest
from asked_catalogue import product, understand, versions_of
from case_files import read_rows

from retrieval.question.query import parse_query


@pytest.mark.parametrize(("question", "products", "expected"), read_rows("retrieval-releases-as-people-name-them"))
def test_releases_as_people_name_them(question: str, products: tuple[str, ...], expected: str | None) -> None:
    query = understand(question)
    assert (query.products, versions_of(query)) == (products, expected)


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("is 20240203-110809 safe", "20240203-110809"),
        ("what fixed the backup 20240105-101010", None),
        ("order 20241231-0001 broke", None),
    ],
)
def test_a_day_and_a_time_is_a_release_where_there_is_such(question: str, expected: str | None) -> None:
    stamped = (product("wezterm", (), "20230712-072601-f4abf8fd 20240203-110809-5046fc22"),)
    constraint = parse_query(question, catalogue=stamped).constraint
    assert (None if constraint is None else str(constraint)) == expected
