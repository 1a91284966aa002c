"""The page for whoever comes: impatient, or just as the index goes."""

from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from page_browser import visit

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

pytestmark = [pytest.mark.browser, pytest.mark.slow]

ASKED, UNKNOWN = "What replaces widget.spin?", "Does Photoshop 9 print?"


def _ask(page: "Page", question: str) -> None:
    page.locator("#rn-question").fill(question)
    page.keyboard.press("Enter")


def _asked(page: "Page", *questions: str) -> None:
    """Wait until just these have been asked."""
    page.locator(f"#rn-turn-{len(questions)} .rn-tools").wait_for()
    assert page.locator(".rn-asked").all_inner_texts() == list(questions)


def test_a_question_that_comes_too_early_waits(browser: "Browser", own_address: str) -> None:
    with visit(browser, own_address) as page:
        _ask(page, UNKNOWN)
        _ask(page, ASKED)
        _asked(page, UNKNOWN, ASKED)
        assert page.locator("#rn-question").input_value() == ""


def test_a_second_enter_asks_nothing_twice(browser: "Browser", own_address: str) -> None:
    with visit(browser, own_address) as page:
        page.locator("#rn-question").fill(ASKED)
        # In one go: an answer that came between two keys would end what the second one must wait for.
        enter = "new KeyboardEvent('keydown', { key: 'Enter', bubbles: true, cancelable: true })"
        page.locator("#rn-question").evaluate(f"box => [1, 2].forEach(() => box.dispatchEvent({enter}))")
        _asked(page, ASKED)
        assert page.locator("#rn-said").inner_text() == ""


def test_an_index_that_goes_is_told_on_every_page_without_its_place(
    browser: "Browser", own_address: str, own_index: Path
) -> None:
    with visit(browser, own_address) as page:
        page.locator("#rn-start button").first.wait_for()
        away = own_index.rename(own_index.with_name("away"))
        try:
            _ask(page, ASKED)
            page.locator("#rn-answer .rn-failure").wait_for()
            assert "No index can be served" in page.locator("#rn-answer").inner_text()
            for path in ("/", "/upgrade", "/review", "/p/widget", "/documents/1"):
                response = page.request.get(f"{own_address}{path}")
                assert "No index can be served" in response.text(), path
                assert str(own_index) not in response.text(), path
        finally:
            away.rename(own_index)
        page.get_by_role("button", name="Try again").click()
        page.locator("#rn-answer .rn-marker").first.wait_for()
