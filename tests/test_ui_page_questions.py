"""Questions that the page offers: to begin with, to go on with, while one types."""

from collections.abc import Callable, Iterator
from datetime import date
from pathlib import Path
from typing import Any

import pytest
from page_app import page_app
from page_html import PageHtml, main_of
from ui_small_index import index_notes

from corpus.embedding import Embedder
from retrieval.assistant import Assistant
from retrieval.model import Answer, Status
from ui.server.live_assistant import LiveAssistant
from ui.web.ask.completion import complete
from ui.web.ask.conversation import Asking
from ui.web.ask.questions import follow_ups, newest_releases, proven_questions

TODAY = date(2026, 1, 1)


@pytest.fixture(scope="module")
def lamps(library: Callable[[str], Assistant]) -> Assistant:
    """Answers from made-up notes that tell of everything that is offered."""
    return library("offers")


@pytest.fixture
def small(live: LiveAssistant) -> Iterator[Assistant]:
    """Answers from the small index."""
    with live.borrow() as assistant:
        yield assistant


def test_the_newest_release_of_each_product_comes_with_what_it_brings(small: Assistant) -> None:
    found = newest_releases(small, today=TODAY)
    assert [(release.product, release.version, release.date) for release in found] == [
        ("widget", "2.0.0", date(2024, 5, 1)),
        ("Gadget", "3.1", date(2024, 2, 10)),
    ]
    assert [release.highlight.words.text[:19] for release in found] == ["Support for Python ", "The cache of Gadget"]


NEWEST = {
    # Undated above dated, dates the wrong way, a candidate above, and one that is still to come.
    "Quern": ("## 2.12.0\n\n- x\n\n## 2.9.0 (2025-02-01)\n\n- y\n", "2.12.0", "undated"),
    "Lathe": ("## 2.10 (2019-01-01)\n\n- x\n\n## 2.9 (2025-02-01)\n\n- y\n", "2.10", "1 January 2019"),
    "Winch": ("## 3.0.0rc1\n\n- x\n\n## 2.9.0 (2025-02-01)\n\n- y\n", "2.9.0", "1 February 2025"),
    "Mallet": ("## 3.0.0 (unreleased)\n\n- x\n\n## 2.9.1\n\n- y\n", "2.9.1", "undated"),
}


def test_the_newest_is_by_version_on_every_page(tmp_path: Path, default_embedder: Embedder) -> None:
    notes = {f"{name}/changes.md": f"# {name}\n\n{text}" for name, (text, *_) in NEWEST.items()}
    with page_app(index_notes(tmp_path, default_embedder, notes), default_embedder) as client:

        def words(path: str) -> str:
            text = client.get(path).text
            return " ".join(PageHtml(main_of(text) if "<main" in text else text).text.split())

        documents = [words(f"/documents/{n}") for n in range(1, len(NEWEST) + 1)]
        for name, (_, version, day) in NEWEST.items():
            assert f"{name} {version} · {day}" in words("/page/start")
            assert f"{name}2{version} {day}" in words("/library")
            assert f"to {version}, from" in words(f"/p/{name}")
            assert f"Date{day}" in next(shown for shown in documents if f"Product{name}" in shown)


def test_a_release_to_come_is_not_new(small: Assistant) -> None:
    found = newest_releases(small, today=date(2024, 1, 1))
    assert [(release.product, release.version) for release in found] == [("widget", "1.5.0")]


def test_each_question_has_an_answer(bundled: Assistant) -> None:
    asked = proven_questions(bundled)
    assert 2 <= len(asked) == len(set(asked)) <= 6
    assert {bundled.ask(question).status for question in asked} == {Status.ANSWERED}


def test_a_product_of_which_nothing_is_told_in_time_takes_no_other_from_the_start(
    small: Assistant, monkeypatch: pytest.MonkeyPatch
) -> None:
    ask = Assistant.ask

    def ask_slowly(assistant: Assistant, question: str, **choices: Any) -> Answer:
        if "widget" in question:
            raise TimeoutError
        return ask(assistant, question, **choices)

    monkeypatch.setattr(Assistant, "ask", ask_slowly)
    assert [release.product for release in newest_releases(small, today=TODAY)] == ["Gadget"]
    assert all("Gadget" in question for question in proven_questions(small))


# To go on with.


def offered(assistant: Assistant, asking: Asking) -> tuple[str, ...]:
    return follow_ups(assistant, asking, assistant.ask(asking.question, **asking.choices))


ASKED = (
    Asking("What is new in lamp 2.1.0?"),
    Asking("What breaks when I upgrade lamp from 2.0.0 to 2.1.0?"),
    Asking("Is lamp.glow deprecated?"),
    Asking("Which vulnerabilities does lamp 2.1.0 fix?"),
    Asking("Since when can shades be painted?"),
    Asking("When was lamp 2.1.0 released?"),
    Asking("Which colours?", history=("Since when can shades of a lamp be painted?",)),
)


@pytest.mark.parametrize("asking", ASKED, ids=lambda asking: asking.question)
def test_each_has_an_answer_in_the_conversation_that_leads_with_something_else(
    lamps: Assistant, asking: Asking
) -> None:
    answer = lamps.ask(asking.question, **asking.choices)
    assert answer.status is not Status.NOT_FOUND
    found = follow_ups(lamps, asking, answer)
    assert len(set(found)) == len(found)
    for question in found:
        goes_on = lamps.ask(question, history=(*asking.history, asking.question))
        assert goes_on.status is Status.ANSWERED
        assert goes_on.citations[0].quote != answer.citations[0].quote
        assert {cited.quote for cited in goes_on.citations} - {cited.quote for cited in answer.citations}


def test_a_question_held_to_a_version_isnt_led_to_another(lamps: Assistant) -> None:
    found = offered(lamps, Asking("What is new?", product="lamp", version="2.0.0"))
    assert not any("3.0.0" in question for question in found)


# While one types.

COMPLETED = {
    "a product": ("What is new in wid", "What is new in widget"),
    "a product in any case": ("WID", "widget"),
    "a release of the product that is named": ("What is new in widget 1", "What is new in widget 1.5.0"),
    "a release written with a v": ("Is it in widget v2", "Is it in widget 2.0.0"),
    "the newest release after a product": ("What is new in widget ", "What is new in widget 2.0.0"),
}


@pytest.mark.parametrize(("text", "completed"), COMPLETED.values(), ids=COMPLETED.keys())
def test_the_last_words_are_completed(small: Assistant, text: str, completed: str) -> None:
    assert complete(small, text)[0].text == completed
