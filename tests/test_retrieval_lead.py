"""The first line answers: yes or no, what became of the thing, where and when; in doubt the quote opens."""

from collections.abc import Callable

import pytest
from case_files import read_rows

from retrieval.assistant import Assistant


@pytest.fixture
def merlin(library: Callable[[str], Assistant]) -> Assistant:
    return library("lead")


@pytest.mark.parametrize(("question", "first"), read_rows("retrieval-the-first-line-answers"))
def test_the_first_line_answers(merlin: Assistant, question: str, first: str) -> None:
    assert merlin.ask(question).answer.startswith(first)


@pytest.mark.parametrize(("question", "words"), read_rows("retrieval-nothing-is-said-before-what-does-not-tell-it-of"))
def test_nothing_is_said_before_what_does_not_tell_it_of_the_thing(
    merlin: Assistant, question: str, words: str
) -> None:
    answer = merlin.ask(question).answer
    assert words in answer.replace("`", "")
    assert answer.startswith(("**merlin", "Not found")), answer


@pytest.mark.parametrize(("question", "first"), read_rows("retrieval-a-heading-tells-more"))
def test_a_heading_that_tells_more_than_what_is_below_it_is_told(
    library: Callable[[str], Assistant], question: str, first: str
) -> None:
    answer = library("titled").ask(question)
    assert first in answer.answer.splitlines()[0]
    assert answer.citations
