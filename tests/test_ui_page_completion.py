"""How a question goes on while it is typed: products, releases and names of code."""

from pathlib import Path

import pytest
from ui_small_index import open_notes

from corpus.embedding import Embedder
from retrieval.assistant import Assistant
from ui.server.live_assistant import LiveAssistant
from ui.web.ask.completion import Completion, complete

COMPLETED = {
    "a product": ("What is new in wid", "What is new in widget"),
    "a product in any case": ("WID", "widget"),
    "a release of the product that is named": ("What is new in widget 1", "What is new in widget 1.5.0"),
    "a release written with a v": ("Is it in widget v2", "Is it in widget 2.0.0"),
    "the newest release after a product": ("What is new in widget ", "What is new in widget 2.0.0"),
    "a name of code": ("Since when is there widget.tu", "Since when is there widget.turn"),
    "a name of code in any case": ("Is Widget.Spi", "Is widget.spin"),
    "what stands behind a dot": ("Is `spi", "Is `widget.spin"),
    "a flag": ("What does --dry", "What does --dry-run"),
    "what follows a name with a dotless i": ("Does wıdget have widget.tu", "Does wıdget have widget.turn"),
    "what follows a name with a dotted capital I": ("HAS WİDGET widget.tu", "HAS WİDGET widget.turn"),
}


@pytest.mark.parametrize(("text", "completed"), COMPLETED.values(), ids=COMPLETED.keys())
def test_the_last_words_are_completed(live: LiveAssistant, text: str, completed: str) -> None:
    with live.borrow() as assistant:
        assert complete(assistant, text)[0].text == completed


NOTHING = {
    "an empty text": "",
    "a space": " ",
    "a release without a product": "What is new in 1",
    "an everyday word": "What does the template",
    "a name that nobody knows": "Is frobnicate",
    "what is written out": "What is new in widget 2.0.0",
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
        assert complete(assistant, "in widget: tur") == (
            Completion("widget.turn", "widget · 2.0.0", "in widget: widget.turn"),
        )


def test_names_of_code_are_of_the_product_that_is_named(live: LiveAssistant) -> None:
    with live.borrow() as assistant:
        assert complete(assistant, "Does gadget have spi") == ()


def test_whole_names_come_first_and_once(default_embedder: Embedder, tmp_path: Path) -> None:
    notes = (
        "# Lamp\n\n## 3.0\n\n- `lamp.zorbs` is faster.\n\n## 2.0\n\n- `lamp.zorbs` is slower.\n\n"
        "## 1.0\n\n- `lamp.zorbed` was added.\n\n## 0.9\n\n- `zorb.zorb` was added.\n"
    )
    with open_notes(tmp_path, default_embedder, lamp=notes) as assistant:
        found = [completion.shown for completion in complete(assistant, "Is zorb")]
    # Then the most frequent.
    assert found == ["zorb.zorb", "lamp.zorbs", "lamp.zorbed"]


def test_the_newest_release_is_told_of_a_name_in_several(default_embedder: Embedder, tmp_path: Path) -> None:
    notes = "# Lamp\n\n## 10.0\n\n- `lamp.zorb` is slow.\n\n## 9.0\n\n- `lamp.zorb` was added.\n"
    with open_notes(tmp_path, default_embedder, lamp=notes) as assistant:
        assert [completion.hint for completion in complete(assistant, "Is lamp.zo")] == ["lamp · 10.0"]


def test_notes_without_names_of_code_have_none_to_complete(default_embedder: Embedder, tmp_path: Path) -> None:
    with open_notes(tmp_path, default_embedder, lamp="# Lamp\n\n## 1.0\n\n- It is brighter.\n") as assistant:
        assert complete(assistant, "Is zorb") == ()
        assert complete(assistant, "In lamp is zorb") == ()


def test_no_more_than_eight(bundled: Assistant) -> None:
    assert len(complete(bundled, "Is torch.")) == 8
