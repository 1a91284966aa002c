"""How a question goes on while it is typed: products and releases."""

from pathlib import Path

import pytest
from ui_small_index import open_notes

from corpus.embedding import Embedder
from ui.server.live_assistant import LiveAssistant
from ui.web.ask.completion import Completion, complete

COMPLETED = {
    "a product": ("What is new in wid", "What is new in widget"),
    "a product in any case": ("WID", "widget"),
    "a release of the product that is named": ("What is new in widget 1", "What is new in widget 1.5.0"),
    "a release written with a v": ("Is it in widget v2", "Is it in widget 2.0.0"),
    "the newest release after a product": ("What is new in widget ", "What is new in widget 2.0.0"),
}


@pytest.mark.parametrize(("text", "completed"), COMPLETED.values(), ids=COMPLETED.keys())
def test_the_last_words_are_completed(live: LiveAssistant, text: str, completed: str) -> None:
    with live.borrow() as assistant:
        assert complete(assistant, text)[0].text == completed


NOTHING = {
    "an empty text": "",
    "a space": " ",
    "a release without a product": "What is new in 1",
    "a name that nobody knows": "Is frobnicate",
    "what is written out": "What is new in widget 2.0.0",
    "what follows a name with a dotless i": "Is wıdget 1",
    "what follows a name with a dotted capital I": "IS WİDGET 1",
    "a release of another product": "What is new in gadget 1",
}


@pytest.mark.parametrize("text", NOTHING.values(), ids=NOTHING.keys())
def test_nothing_is_completed(live: LiveAssistant, text: str) -> None:
    with live.borrow() as assistant:
        assert complete(assistant, text) == ()


def test_a_completion_says_what_it_is(live: LiveAssistant) -> None:
    with live.borrow() as assistant:
        assert complete(assistant, "widg")[0] == Completion("widget", "1.5.0 and 2.0.0", "widget")
        assert complete(assistant, "widget 2") == (Completion("widget 2.0.0", "released 1 May 2024", "widget 2.0.0"),)


def test_no_more_than_eight(default_embedder: Embedder, tmp_path: Path) -> None:
    notes = "# Lamp\n\n" + "".join(f"## {minor}.0\n\n- It is brighter.\n\n" for minor in range(1, 12))
    with open_notes(tmp_path, default_embedder, lamp=notes) as assistant:
        found = [completion.shown for completion in complete(assistant, "What is new in lamp ")]
    assert found == [f"lamp {major}.0" for major in range(11, 3, -1)]
