"""What pages of several releases show together: what was before."""

from collections.abc import Callable

import pytest
from case_files import read_rows

from retrieval.assistant import Assistant
from retrieval.model import Answer, Status


@pytest.fixture
def birds(library: Callable[[str], Assistant]) -> Assistant:
    return library("courses")


def cited(answer: Answer) -> list[str | None]:
    return [citation.version for citation in answer.citations]


@pytest.mark.parametrize(("question", "versions", "said"), read_rows("retrieval-pages-tell-when-and-where", list))
def test_pages_tell_when_and_where(birds: Assistant, question: str, versions: list[str], said: str) -> None:
    answer = birds.ask(question)
    assert answer.status is Status.ANSWERED
    assert cited(answer) == versions
    assert said.casefold() in answer.answer.casefold()
