"""Requirement lines: what is due for the products that are pinned, and nothing else taken for such a list."""

from pathlib import Path

import pytest
from answer_contract import faults
from asked_catalogue import product
from ui_small_index import open_notes

from corpus.embedding import Embedder
from retrieval.assistant import Assistant
from retrieval.model import Form, Status
from retrieval.products.known import KnownProducts
from retrieval.products.pins import read_pins


@pytest.mark.parametrize(
    "question",
    [
        pytest.param("lamp 1.2.0, desk 3.1.0", id="names and releases"),
        pytest.param("lamp==1.2.0\ndesk==3.1.0\nhatstand==2.31.0", id="a requirements file"),
        pytest.param('"dependencies": {\n "lamp": "^1.2.0",\n "desk": "~3.1.0"\n}', id="a package file"),
        pytest.param("[dependencies]\nlamp = 1.2.0\ndesk = 3.1.0", id="a table"),
        pytest.param('lamp = "1.2.0"\ndesk = "~3.1.0"', id="quoted"),
        pytest.param("lamp==1.2.0\ndesk==3.1.0\nhat-hatstand==1.0.0", id="a name of two that isn't indexed"),
        pytest.param("lamp[bulb]==1.2.0 # ok\ndesk>=3.1.0,<4; python_version >= '3.8'", id="extras and markers"),
        pytest.param("-r base.txt\nlamp==1.2.0\nsocks\ndesk==3.1.0", id="options, names alone"),
        pytest.param('{"dependencies": {"lamp": "^1.2.0", "desk": "3.1.0", "hat-hatstand": "1.0.0"}}', id="one line"),
    ],
)
def test_each_pinned_product_is_told_what_came_after(handmade: Assistant, question: str) -> None:
    answer = handmade.ask(question)
    assert answer.status is Status.ANSWERED
    first = answer.answer.partition("\n")[0]
    assert all(name in first for name in ("**lamp ", "**desk 3.2.0**"))
    assert {one.product for one in answer.citations} == {"lamp", "desk"}
    assert ("hatstand are in the library." in first) is ("hatstand" in question)
    assert all(line.startswith(("• **lamp", "• **desk", "- **lamp", "- **desk")) for line in _bullets(answer.answer))
    assert answer.interpretation.intent == Form.SHOULD_UPGRADE.intent
    assert faults(answer, handmade) == ()


def _bullets(text: str) -> list[str]:
    return [line for line in text.split("\n") if line.startswith(("•", "-"))]


def test_one_pinned_product_is_answered_as_an_upgrade_of_it(handmade: Assistant) -> None:
    pinned, asked = handmade.ask("lamp==1.2.0"), handmade.ask("Should I upgrade lamp from 1.2.0 to the newest?")
    assert pinned.answer.partition("\n")[0].startswith("Upgrade, for its security fixes: **lamp 1.3.0** to ")
    assert pinned.citations[0].quote == asked.citations[0].quote


def test_many_names_are_counted_and_missing_releases_untold(handmade: Assistant) -> None:
    unknown = "".join(f"\nhat{n}==1.0" for n in range(200))
    answer = handmade.ask(f"lamp==1.2.0\nlamp==1.0.7\ndesk==3.1.0{unknown}")
    first = answer.answer.partition("\n")[0]
    assert "No notes of hat0, hat1, hat2 and 197 more are in the library." in first
    assert "Nothing found" not in first
    assert answer.status is Status.ANSWERED


def test_a_pin_of_the_newest_release_has_nothing_due(handmade: Assistant) -> None:
    answer = handmade.ask("desk==3.2.0")
    assert answer.answer == "**desk 3.2.0**, 2024-07-01, is the newest stable release in the notes. [1]"
    assert faults(answer, handmade) == ()


@pytest.mark.parametrize(
    "question",
    [
        "lamp 1.2.0",
        "lamp 1.2.0 vs desk 3.1.0",
        "desk==3.2.0 wobbles",
        "lamp, desk 3.1",
        "from 3.1, desk 3.2",
        '{"lamp": "is broken"}',
        "hatstand==1.0",
    ],
)
def test_what_says_anything_else_is_no_list_of_pins(question: str) -> None:
    known = KnownProducts.of((product("lamp", (), "1.2.0"), product("desk", (), "3.1.0 3.2.0")))
    assert read_pins(question, known) == ()


def test_a_filter_leaves_a_list_of_pins_to_the_one_product(handmade: Assistant) -> None:
    assert handmade.ask("lamp==1.2.0\ndesk==3.1.0", product="desk").interpretation.products == ("desk",)


def test_nothing_urgent_without_a_heading_to_quote_is_not_found(tmp_path: Path, default_embedder: Embedder) -> None:
    notes = "# Gizmo\n\n## 2.0\n\n- ok\n\n## 1.0\n\n- The first release works.\n"
    with open_notes(tmp_path, default_embedder, gizmo=notes) as assistant:
        answer = assistant.ask("gizmo==1.0")
        assert answer.status is Status.NOT_FOUND
        assert faults(answer, assistant) == ()
