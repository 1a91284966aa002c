"""The Library in the browser: documents are searched for; and a quote in its document."""

from typing import TYPE_CHECKING

import pytest
from page_browser import WIDTHS, visit
from ui_small_index import WIDGET

if TYPE_CHECKING:
    from playwright.sync_api import Browser

pytestmark = [pytest.mark.browser, pytest.mark.slow]


def test_documents_are_searched_for(browser: "Browser", page_address: str) -> None:
    with visit(browser, page_address + "/library") as page:
        page.get_by_label("Search documents").fill("widget")
        assert page.locator("#rn-documents tbody tr:visible").count() == 1
        assert page.locator("[data-count-of]").inner_text().startswith("1 of ")


def test_a_quote_is_marked_in_its_document_and_in_sight(browser: "Browser", page_address: str) -> None:
    quote = "`widget.turn` rotates a widget"
    start = WIDGET.index(quote)
    from playwright.sync_api import expect

    with visit(browser, page_address + "/library", viewport={"width": 1440, "height": 400}) as page:
        link = page.locator("#rn-documents a", has_text="widget/changes.md").get_attribute("href")
        for width in WIDTHS.values():
            page.set_viewport_size({"width": width, "height": 400})
            page.goto(f"{page_address}{link}?start={start}&end={start + len(quote)}#quote")
            assert page.locator("mark#quote").inner_text() == quote
            expect(page.locator("mark#quote")).to_be_in_viewport(ratio=1)
            assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
