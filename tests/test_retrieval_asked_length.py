"""How many statements a question has room for."""

import pytest

from retrieval.question.query import asked_statements


@pytest.mark.parametrize(
    ("question", "count"),
    [
        ("what's new in siskin, 2 or 3 bullets", 3),
        ("one line on the newest siskin please", 1),
        ("a two-line summary of siskin 3.1", 2),
        ("the newest siskin, short please", 3),
        ("newest of the 2.5 line", None),
    ],
)
def test_how_many_statements_are_asked_for(question: str, count: int | None) -> None:
    assert asked_statements(question) == count
