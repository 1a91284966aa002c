"""How a question goes on while it is typed: products, releases and names of code."""

import pytest

from retrieval.assistant import Assistant
from ui.server.live_assistant import LiveAssistant
from ui.web.ask.completion import Completion, CompletionKind, complete

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
        assert complete(assistant, "widg")[0] == Completion(
            CompletionKind.PRODUCT, "widget", "1.5.0 and 2.0.0", "widget"
        )
        assert complete(assistant, "widget 2") == (
            Completion(CompletionKind.VERSION, "widget 2.0.0", "released 1 May 2024", "widget 2.0.0"),
        )
        assert complete(assistant, "in widget: tur") == (
            Completion(CompletionKind.SYMBOL, "widget.turn", "widget · 2.0.0", "in widget: widget.turn"),
        )


def test_names_of_code_are_of_the_product_that_is_named(live: LiveAssistant) -> None:
    with live.borrow() as assistant:
        assert complete(assistant, "Does gadget have spi") == ()


def test_frequent_names_come_before_parts_of_names(bundled: Assistant) -> None:
    found = [completion.shown for completion in complete(bundled, "torch.exp", most=20)]
    assert found[0].startswith("torch.exp")
    assert len({shown.casefold() for shown in found}) == len(found)


def test_no_more_than_wanted(bundled: Assistant) -> None:
    assert len(complete(bundled, "Is torch.", most=3)) == 3
