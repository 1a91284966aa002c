"""Requirement lines: what is due for the products that are pinned, and nothing else taken for such a list."""

import pytest

from retrieval.assistant import Assistant
from retrieval.model import Status


@pytest.mark.parametrize(
    "question",
    [
        pytest.param("lamp 1.2.0, desk 3.1.0", id="names and releases"),
        pytest.param("lamp==1.2.0\ndesk==3.1.0\nhatstand==2.31.0", id="a requirements file"),
        pytest.param('"dependencies": {\n "lamp": "^1.2.0",\n "desk": "~3.1.0"\n}', id="a package file"),
        pytest.param("[dependencies]\nlamp = 1.2.0\ndesk = 3.1.0", id="a table"),
    ],
)
def test_each_pinned_product_is_told_what_came_after(handmade: Assistant, question: str) -> None:
    answer = handmade.ask(question)
    assert answer.status is Status.ANSWERED
    first = answer.answer.partition("\n")[0]
    assert all(name in first for name in ("**lamp ", "**desk 3.2.0**"))
    assert {one.product for one in answer.citations} == {"lamp", "desk"}
    assert ("No notes of hatstand are indexed." in first) is ("hatstand" in question)


def test_a_pin_of_the_newest_release_has_nothing_due(handmade: Assistant) -> None:
    assert handmade.ask("desk==3.2.0").answer == "No stable release after **desk 3.2.0** is indexed."


@pytest.mark.parametrize(
    "question", ["lamp 1.2.0", "lamp 1.2.0 vs desk 3.1.0", "desk==3.2.0 wobbles", "lamp, desk 3.1"]
)
def test_what_says_anything_else_is_no_list_of_pins(handmade: Assistant, question: str) -> None:
    assert "stable release after" not in handmade.ask(question).answer
    assert "**desk 3.2.0** tells of" not in handmade.ask(question).answer
