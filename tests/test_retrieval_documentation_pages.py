"""Documentation that stands in the library once a release: which page there is, since when."""

from collections.abc import Callable

import pytest

from retrieval.assistant import Assistant


@pytest.fixture
def kettle(library: Callable[[str], Assistant]) -> Assistant:
    return library("kettle-pages")


@pytest.mark.parametrize(
    ("question", "held"),
    [
        ("which versions of kettle have a page about handles?", ["3.0.0"]),
        ("for which kettle releases do you have the spouts page", ["2.0.0", "3.0.0"]),
    ],
)
def test_the_releases_that_have_a_page(kettle: Assistant, question: str, held: list[str]) -> None:
    answer = kettle.ask(question)
    assert sorted(str(citation.version) for citation in answer.citations) == held
    assert all(f"**kettle {version}**" in answer.answer for version in held)


def test_no_page_is_named_by_what_all_documents_are(kettle: Assistant) -> None:
    assert "5 documents of kettle" in kettle.ask("which pages of kettle are in the library?").answer
    assert "2 of 5 documents of kettle" in kettle.ask("which documents of kettle are about spouts?").answer


def test_since_when_is_told_by_a_mark_that_stands_above_what_was_added(kettle: Assistant) -> None:
    assert "1.4" in kettle.ask("since when does kettle have pour_angle?").answer
    assert "1.6" in kettle.ask("since when does a spring shut the flap of kettle's spout?").answer
