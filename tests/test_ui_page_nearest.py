"""What is nearest to a question that has no answer."""

import pytest

from retrieval.assistant import Assistant
from retrieval.model import Status
from ui.server.live_assistant import LiveAssistant
from ui.web.ask.asking import nearest_passages
from ui.web.ask.conversation import Asking


def test_the_three_nearest_passages_are_verified_quotes(bundled: Assistant) -> None:
    asking = Asking("Does linalg.eigh support complex numbers on Windows 95?")
    assert bundled.ask(asking.question).status is Status.NOT_FOUND
    found = nearest_passages(bundled, asking)
    assert [cited.n for cited in found] == [1, 2, 3]
    assert "linalg.eigh" in found[0].quote
    for cited in found:
        assert bundled.index.document_text(cited.document_id)[cited.start : cited.end] == cited.quote


def test_another_release_may_have_what_the_asked_one_lacks(live: LiveAssistant) -> None:
    with live.borrow() as assistant:
        asking = Asking("Does widget 1.5.0 need Python 3.8?", product="widget")
        assert [cited.version for cited in nearest_passages(assistant, asking)][:1] == ["2.0.0"]


NOTHING_NEAR = {
    "another subject": "How do I bake sourdough bread?",
    "no words": "xyzzy frobnicate",
    "no question": "hello",
    "a product that isn't covered": "What is new in Kubernetes 1.30?",
}


@pytest.mark.parametrize("question", NOTHING_NEAR.values(), ids=NOTHING_NEAR.keys())
def test_where_nothing_is_near_there_is_nothing(bundled: Assistant, question: str) -> None:
    assert nearest_passages(bundled, Asking(question)) == ()


def test_passages_of_the_asked_product_come_first(live: LiveAssistant) -> None:
    with live.borrow() as assistant:
        found = nearest_passages(assistant, Asking("Where does widget keep the cache of rotated templates?"))
    products = [cited.product for cited in found]
    assert products == sorted(products, key=lambda product: product != "widget")
