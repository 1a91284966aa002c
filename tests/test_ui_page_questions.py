"""Questions that the page offers, to begin with and to go on with; and which release is the newest."""

from collections.abc import Callable, Iterator
from datetime import date
from pathlib import Path

import pytest
from page_app import page_app
from page_html import PageHtml, main_of
from ui_small_index import index_notes

from corpus.embedding import Embedder
from retrieval.assistant import Assistant
from retrieval.model import Status
from ui.server.live_assistant import LiveAssistant
from ui.web.ask.conversation import Asking
from ui.web.ask.questions import follow_ups, newest_first, start_questions

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
            assert f"{name} {version} · {day}" in words("/")
            assert f"{name}2{version} {day}" in words("/library")
            assert f"to {version}, from" in words(f"/p/{name}")
            assert f"Date{day}" in next(shown for shown in documents if f"Product{name}" in shown)


def test_a_release_to_come_is_not_new_and_the_last_one_comes_first(small: Assistant) -> None:
    for today, newest in ((date(2024, 1, 1), "widget 1.5.0"), (TODAY, "widget 2.0.0, Gadget 3.1")):
        found = newest_first(small.catalogue(), today=today)
        assert ", ".join(f"{product.name} {one.version}" for product, one in found if one) == newest


def test_what_is_offered_can_be_answered(bundled: Assistant, lamps: Assistant, small: Assistant) -> None:
    for assistant in (bundled, lamps, small):
        asked = start_questions(assistant.catalogue())
        assert 2 <= len(asked) == len(set(asked)) <= 6
        assert {assistant.ask(question).status for question in asked} == {Status.ANSWERED}


# To go on with.

ASKED = (
    Asking("What is new in lamp 2.1.0?"),
    Asking("What breaks when I upgrade lamp from 2.0.0 to 3.0.0?"),
    Asking("Is lamp.glow deprecated?"),
    Asking("When was lamp 2.1.0 released?"),
    Asking("Which colours?", history=("Since when can shades of a lamp be painted?",)),
)


def offered(assistant: Assistant, asking: Asking) -> tuple[str, ...]:
    answer = assistant.ask(asking.question, **asking.choices)
    return follow_ups(assistant.catalogue(), asking, answer.interpretation)


@pytest.mark.parametrize("asking", ASKED, ids=lambda asking: asking.question)
def test_each_has_an_answer_in_the_conversation_and_wasnt_asked(lamps: Assistant, asking: Asking) -> None:
    found = offered(lamps, asking)
    assert 1 <= len(set(found)) == len(found) <= 3
    for question in found:
        assert question not in (*asking.history, asking.question)
        assert lamps.ask(question, history=(*asking.history, asking.question)).status is Status.ANSWERED


def test_a_question_held_to_a_version_isnt_led_to_another(lamps: Assistant) -> None:
    assert offered(lamps, Asking("What is new?", product="lamp", version="2.0.0")) == ()
    assert offered(lamps, Asking("What is new?", product="lamp"))
