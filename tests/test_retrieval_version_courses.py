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


def test_what_a_page_gained_is_told_before_what_it_says_otherwise(birds: Assistant) -> None:
    answer = birds.ask("What is not in Cormorant 1.2 that is in 2.0?")
    assert answer.answer.startswith("- **Cormorant 2.0** (not in 1.2): Lanes: Jobs run in lanes")


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


def test_a_removal_is_told_whole_and_as_a_removal(birds: Assistant) -> None:
    answer = birds.ask("What did Gannet 3.0.0 remove?").answer
    assert ": Removed: Support for Python 3.8. [1]" in answer.partition("\n")[0]
    assert {line.partition(" [")[0] for line in answer.splitlines() if line.startswith("- ")} == {
        "- Removed: `Store.to_blob()`, deprecated since 2.4.0.",
        "- Removed: The `--old-quotes` option.",
    }


def test_what_is_new_takes_changes_and_fixes_in(birds: Assistant) -> None:
    answer = birds.ask("What's new in Gannet 3.1?").answer
    assert "256 KiB" in answer
    assert "Fixed: A crash when a path holds a comma. [" in answer


@pytest.mark.parametrize(
    ("question", "said", "versions"),
    [
        ("What is the newest Gannet release before 3.0?", "**gannet 2.5.0**, 2024-11-30, yanked", ["2.5.0"]),
        (
            "Which release of Gannet is older, 2.5.0 or 3.0.0?",
            "The older one is 2.5.0, the newer one 3.0.0.",
            ["2.5.0", "3.0.0"],
        ),
        ("Are there docs for Cormorant 1.2?", "Yes.", ["1.2"]),
    ],
)
def test_the_catalogue_says_what_it_knows(birds: Assistant, question: str, said: str, versions: list[str]) -> None:
    answer = birds.ask(question)
    assert answer.interpretation.intent == "catalogue"
    assert said.casefold() in answer.answer.casefold()
    assert cited(answer) == versions
