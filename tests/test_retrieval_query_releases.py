"""Releases as questions name them: by number and range, by their place among the others, by when they came out."""

from datetime import date

import pytest
from asked_catalogue import CATALOGUE, TODAY, product, understand, versions_of
from case_files import read_rows
from hypothesis import given
from hypothesis import strategies as st

from retrieval.question.periods import find_period
from retrieval.question.query import parse_query


@pytest.mark.parametrize(("question", "products", "expected"), read_rows("retrieval-releases-as-people-name-them"))
def test_releases_as_people_name_them(question: str, products: tuple[str, ...], expected: str | None) -> None:
    query = understand(question)
    assert (query.products, versions_of(query)) == (products, expected)


@pytest.mark.parametrize(("question", "start", "end"), read_rows("retrieval-periods"))
def test_periods(question: str, start: str | None, end: str | None) -> None:
    period = find_period(question, today=TODAY)
    assert (str(period.start) if period else None, str(period.end) if period else None) == (start, end)


@given(st.text(max_size=60), st.dates(min_value=date(2023, 1, 1)))
def test_a_period_has_days_and_the_words_of_the_question(text: str, today: date) -> None:
    period = find_period(f"{text} releases in 2024", today=today)
    assert period is not None
    assert period.start < period.end
    assert period.words
    before = find_period("what was removed last month", today=today)
    assert before is not None
    assert before.start < before.end == today.replace(day=1)


def test_many_releases_of_a_period_are_one_interval_where_nothing_else_lies_between() -> None:
    days = " ".join(f"0.{n}=2024-01-{n:02}" for n in range(1, 20))
    one_line = parse_query("what changed in 2024?", catalogue=(product("a", (), days + " 0.20=2025-01-01"),))
    assert str(one_line.constraint) == "0.1 ≤ version ≤ 0.19"
    two_lines = parse_query("what changed in 2024?", catalogue=(product("a", (), days + " 0.5.1=2025-01-01"),))
    assert two_lines.constraint is not None
    assert len(two_lines.constraint.versions) == 19
    assert versions_of(two_lines) == "in 2024: 19 releases from 0.1 to 0.19"


def test_a_version_filter_wins_over_a_period() -> None:
    query = parse_query("what changed in 2025?", catalogue=CATALOGUE, product="torch", version="2.9", today=TODAY)
    assert versions_of(query) == "2.9"


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
