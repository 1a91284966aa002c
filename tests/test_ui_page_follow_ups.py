"""Questions to go on with after an answer: short, about what was told, and each with something new to tell."""

from collections.abc import Iterator

import pytest
from ui_small_index import open_notes

from corpus.embedding import Embedder
from retrieval.assistant import Assistant
from retrieval.model import Answer, Status
from ui.web.ask.conversation import Asking
from ui.web.ask.questions import follow_ups

LAMP = """\
# Lamp release notes

## 3.0.0 (2025-06-01)

### Changed

- Lamps are cool by default, which breaks programs that expect warm light.
- The wall switch is polled twice a second.

## 2.1.0 (2025-02-01)

### Security

- CVE-2025-1234: a crafted lamp file no longer runs commands when it is opened.

### Deprecated

- The function `lamp.glow` is deprecated.

### Removed

- The function `lamp.flicker` was removed, so programs that call it fail.

### Added

- Shades can be painted in any colour.

## 2.0.0 (2024-02-01)

### Added

- The new `lamp.shine` should be used instead of `lamp.glow`, which blinks.
- The new function `lamp.flicker` makes a lamp flicker.
"""


@pytest.fixture(scope="module")
def lamps(default_embedder: Embedder, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Assistant]:
    """Answers from made-up notes of three releases."""
    with open_notes(tmp_path_factory.mktemp("lamps"), default_embedder, lamp=LAMP) as assistant:
        yield assistant


def answered(assistant: Assistant, asking: Asking) -> Answer:
    answer = assistant.ask(asking.question, history=asking.history, product=asking.product, version=asking.version)
    assert answer.status is not Status.NOT_FOUND
    return answer


def offered(assistant: Assistant, asking: Asking) -> tuple[str, ...]:
    return follow_ups(assistant, asking, answered(assistant, asking))


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
    answer = answered(lamps, asking)
    found = follow_ups(lamps, asking, answer)
    assert len(set(found)) == len(found)
    for question in found:
        goes_on = lamps.ask(question, history=(*asking.history, asking.question))
        assert goes_on.status is Status.ANSWERED
        assert goes_on.citations[0].quote != answer.citations[0].quote
        assert {cited.quote for cited in goes_on.citations} - {cited.quote for cited in answer.citations}


def test_the_newest_release_is_offered_after_an_older_one(lamps: Assistant) -> None:
    assert "What does the newest release bring?" in offered(lamps, Asking("What is new in lamp 2.0.0?"))
    assert "What does the newest release bring?" not in offered(lamps, Asking("What is new in lamp 3.0.0?"))


def test_a_deprecation_leads_to_what_to_use_instead(lamps: Assistant) -> None:
    assert offered(lamps, Asking("Is lamp.glow deprecated?"))[:1] == ("What should I use instead?",)


def test_a_question_held_to_a_version_isnt_led_to_another(lamps: Assistant) -> None:
    found = offered(lamps, Asking("What is new?", product="lamp", version="2.0.0"))
    assert not any("newest" in question for question in found)


def test_what_was_asked_before_isnt_offered_again(lamps: Assistant) -> None:
    asking = Asking("What is new in lamp 2.0.0?")
    first = offered(lamps, asking)[0]
    again = Asking(asking.question, history=(first,))
    assert first not in offered(lamps, again)


def test_no_more_than_three(lamps: Assistant) -> None:
    assert len(offered(lamps, Asking("When was lamp 2.1.0 released?"))) == 3


def test_nothing_goes_on_from_no_answer(lamps: Assistant) -> None:
    asking = Asking("How do I bake sourdough bread?")
    assert follow_ups(lamps, asking, lamps.ask(asking.question)) == ()
