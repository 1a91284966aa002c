"""What pages of several releases show together: when a thing came or went, which releases have it, what was before."""

from collections.abc import Callable

import pytest

from retrieval.assistant import Assistant
from retrieval.model import Answer, Status


@pytest.fixture
def birds(library: Callable[[str], Assistant]) -> Assistant:
    return library("courses")


def cited(answer: Answer) -> list[str | None]:
    return [citation.version for citation in answer.citations]


@pytest.mark.parametrize(
    ("question", "versions", "said"),
    [
        ("Since which version does Cormorant speak to Kafka?", ["1.2"], "**Cormorant 1.2** is the first"),
        ("Since when does Cormorant speak to Pulsar?", ["2.0"], "**Cormorant 2.0** is the first"),
        ("When did Cormorant drop Kafka?", ["2.0"], "**Cormorant 2.0** is the last"),
        ("Until which version does Cormorant speak to Kafka?", ["2.0"], "**Cormorant 2.0** is the last"),
        ("What was the default prefetch before Cormorant 2.0?", ["1.2", "2.0"], "the default is 4. [1]"),
        (
            "What's the default prefetch of Cormorant now, and what was it in 1.0?",
            ["1.0", "2.1"],
            "the default is 1. [2]",
        ),
        (
            "How does shutting down differ between Cormorant 1.2 and 2.0?",
            ["1.2", "2.0"],
            "stops at once on SIGTERM. [1]",
        ),
        ("What was the default block size before Gannet 3.1.0?", ["3.1.0"], "64 KiB"),
    ],
)
def test_pages_tell_when_and_where(birds: Assistant, question: str, versions: list[str], said: str) -> None:
    answer = birds.ask(question)
    assert answer.status is Status.ANSWERED
    assert cited(answer) == versions
    assert said.casefold() in answer.answer.casefold()


@pytest.mark.parametrize(
    ("question", "name", "holding"),
    [
        ("Does Cormorant 2.1 speak to Kafka?", "Kafka", "1.2, 2.0 do"),
        ("Does Cormorant 1.0 have lanes?", "lanes", "2.0, 2.1 do"),
    ],
)
def test_what_only_other_releases_name_is_placed(birds: Assistant, question: str, name: str, holding: str) -> None:
    answer = birds.ask(question)
    assert answer.status is Status.NOT_FOUND
    assert f"mentions `{name}`; of the releases in the library, {holding}" in answer.answer
