"""Questions that the page offers, to begin with and to go on with; and which release is the newest."""

from collections.abc import Callable, Iterator

import pytest

from retrieval.assistant import Assistant
from retrieval.model import Status
from ui.server.live_assistant import LiveAssistant
from ui.web.ask.conversation import Asking
from ui.web.ask.questions import follow_ups, start_questions


@pytest.fixture(scope="module")
def lamps(library: Callable[[str], Assistant]) -> Assistant:
    """Answers from made-up notes that tell of everything that is offered."""
    return library("offers")


@pytest.fixture
def small(live: LiveAssistant) -> Iterator[Assistant]:
    """Answers from the small index."""
    with live.borrow() as assistant:
        yield assistant


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
