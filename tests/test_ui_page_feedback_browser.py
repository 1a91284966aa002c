"""Thumbs below an answer in the browser: what is sent with them is said, and kept."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from page_browser import running_page, visit
from ui_small_index import ingest, write_documents

from corpus.embedding import Embedder

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Locator, Page

pytestmark = [pytest.mark.browser, pytest.mark.slow]


def ask(page: "Page", question: str, *, turn: int) -> "Locator":
    """Type a question, press Enter, and wait for its turn's answer."""
    page.wait_for_selector(".rn-age")
    page.locator("textarea").first.fill(question)
    page.keyboard.press("Enter")
    found = page.locator(f"#rn-turn-{turn}")
    found.locator(".rn-answer").wait_for()
    return found


@pytest.fixture(scope="module")
def own_index(default_embedder: Embedder, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An index that may be written to."""
    folder = tmp_path_factory.mktemp("feedback")
    ingest(write_documents(folder / "documents"), index=folder / "index", embedder=default_embedder)
    return folder / "index"


@pytest.fixture(scope="module")
def own_address(own_index: Path) -> Iterator[str]:
    with running_page(own_index) as address:
        yield address


def test_feedback_is_kept_with_its_reason(browser: "Browser", own_address: str, own_index: Path) -> None:
    with visit(browser, own_address) as page:
        turn = ask(page, "Is widget.spin deprecated?", turn=1)
        bad = turn.get_by_role("button", name="Bad answer")
        bad.click()
        assert bad.get_attribute("aria-expanded") == "true"
        assert page.evaluate("document.activeElement.name") == "reason"
        page.keyboard.press("Escape")
        assert turn.locator(".rn-feedback").is_hidden()
        turn.get_by_role("button", name="Good answer").click()
        turn.get_by_label("Why? (optional)").fill("it names the successor")
        assert "keeps your question" in turn.locator(".rn-kept").inner_text()
        turn.get_by_role("button", name="Send feedback").click()
        turn.locator(".rn-thanks").wait_for()
        assert turn.get_by_role("button", name="Bad answer").count() == 0
        ask(page, "and turn?", turn=2)
        assert page.locator("#rn-turn-1 .rn-thanks").count() == 1
    (line,) = (own_index / "feedback.jsonl").read_text(encoding="utf-8").splitlines()
    kept: dict[str, Any] = json.loads(line)
    assert (kept["verdict"], kept["question"], kept["reason"]) == (
        "good",
        "Is widget.spin deprecated?",
        "it names the successor",
    )
    assert kept["cited"][0]["path"].endswith("changes.md")
