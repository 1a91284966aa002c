"""What a question is about beside its products, its releases and the words of change."""

import pytest
from asked_catalogue import product

from retrieval.question.query import parse_query
from retrieval.question.subject import has_no_subject

CATALOGUE = (product("Tern", ("tern-js",), "3.0 2.9 2.8"),)


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("What is new in Tern 2.9?", True),
        ("what's new in 3.0", True),
        ("What breaks when I upgrade Tern from 2.8 to 3.0?", True),
        ("breaking changes in 2.9", True),
        ("Highlights of 2.9?", True),
        ("What is new in Tern?", True),
        ("What is new in Tern 2.9 for Windows?", False),
        ("What breaks in the parser from 2.8 to 2.9?", False),
        ("Does upgrading to 3.0 break `tern.load`?", False),
        ("Which release dropped Python 2?", False),
    ],
)
def test_a_question_about_nothing_but_releases_has_no_subject(question: str, expected: bool) -> None:
    assert has_no_subject(parse_query(question, catalogue=CATALOGUE), CATALOGUE) is expected
