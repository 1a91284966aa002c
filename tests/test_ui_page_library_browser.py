"""The Library in the browser: add, watch, ask, stop; and a quote in its document."""

from typing import TYPE_CHECKING, Any

import pytest
from page_browser import WIDTHS, visit
from ui_small_index import WIDGET

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

pytestmark = [pytest.mark.browser, pytest.mark.slow]
NEWS = "# Sprocket changelog\n\n## 4.1.0 (2026-10-02)\n\n- The teeth of Sprocket are hardened in argon.\n"


def _file(name: str, text: str) -> Any:
    return {"name": name, "mimeType": "text/markdown", "buffer": text.encode()}


def _told(page: "Page") -> str:
    """What came of all that was added, once nothing is pending and the page has come again."""
    page.locator("#rn-ingests .rn-note").first.wait_for()
    page.locator("[data-pending]").first.wait_for(state="detached")
    page.wait_for_load_state()
    return page.locator("#rn-ingests").inner_text()


def test_an_added_file_is_watched_and_asked_about(browser: "Browser", own_address: str) -> None:
    with visit(browser, own_address + "/library") as page:
        page.get_by_label("Files").set_input_files([_file("CHANGELOG.md", NEWS)])
        page.get_by_role("button", name="Add", exact=True).click()
        assert "1 document added, 0 updated, 0 unchanged." in _told(page)
        page.locator("#rn-library-coverage", has_text="Sprocket").wait_for()
        page.get_by_label("Search documents").fill("sprocket")
        assert page.locator("#rn-documents tbody tr:visible").count() == 1
        assert page.locator("[data-count-of]").inner_text() == "1 of 3 documents"
        page.get_by_role("link", name="Ask about it").click()
        page.get_by_text("hardened in argon").first.wait_for()


def test_a_quote_is_marked_in_its_document_and_in_sight(browser: "Browser", page_address: str) -> None:
    quote = "`widget.turn` rotates a widget"
    start = WIDGET.index(quote)
    from playwright.sync_api import expect

    with visit(browser, page_address + "/library", viewport={"width": 1440, "height": 400}) as page:
        link = page.locator("#rn-documents a", has_text="widget/changes.md").get_attribute("href")
        for width in WIDTHS.values():
            page.set_viewport_size({"width": width, "height": 400})
            page.goto(f"{page_address}{link}?start={start}&end={start + len(quote)}#quote")
            assert page.locator("mark#quote").inner_text() == quote.replace("`", "")
            expect(page.locator("mark#quote")).to_be_in_viewport(ratio=1)
            assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
