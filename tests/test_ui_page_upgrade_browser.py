"""The Upgrade tab in the browser: from the form to the marked quote, filters, an address that shows it again."""

from typing import TYPE_CHECKING
from urllib.parse import parse_qs, unquote, urlsplit

import pytest
from page_browser import visit

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

pytestmark = [pytest.mark.browser, pytest.mark.slow]

LINK = "?tab=upgrade&product=widget&from=1.5&to=2.0.0"


def shown_changes(page: "Page") -> list[str]:
    """The summaries of the changes that can be seen."""
    return [words.inner_text() for words in page.locator("[data-change]:not([hidden]) .rn-words").all()]


def test_from_the_form_to_the_marked_quote_with_the_keyboard_alone(browser: "Browser", page_address: str) -> None:
    with visit(browser, page_address) as page:
        page.get_by_role("tab", name="Upgrade").focus()
        page.keyboard.press("Enter")
        # The form fills itself when the page has loaded.
        page.wait_for_function("document.querySelector('#rn-upgrade-to input')?.value")
        product = page.get_by_label("Product", exact=True).last
        product.click()
        product.fill("widget")
        page.get_by_role("option", name="widget").first.wait_for()
        page.keyboard.press("Enter")
        page.wait_for_function("document.querySelector('#rn-upgrade-to input')?.value === '2.0.0'")
        assert page.locator("#rn-upgrade-from input").input_value() == "1.5.0"
        page.get_by_role("button", name="Show changes").focus()
        page.keyboard.press("Enter")
        page.get_by_role("heading", name="widget 1.5.0 → 2.0.0").wait_for()
        assert (
            page.locator(".rn-summary").inner_text()
            == "2 changes to mind in 1 release: 1 new requirement, 1 deprecation."
        )
        page.wait_for_function("location.search.includes('product=widget')")
        assert parse_qs(urlsplit(page.url).query) == {
            "tab": ["upgrade"],
            "product": ["widget"],
            "from": ["1.5.0"],
            "to": ["2.0.0"],
        }
        page.locator(".rn-evidence summary").last.focus()
        page.keyboard.press("Enter")
        assert page.locator(".rn-evidence mark").last.inner_text() == (
            "widget.spin is deprecated. Use widget.turn instead."
        )
        assert page.locator(".rn-evidence mark").last.is_visible()
        assert page.locator("body > [role=status]").inner_text().startswith("widget 1.5.0 → 2.0.0. 2 changes to mind")


def test_an_address_lists_again_and_filters_narrow(browser: "Browser", page_address: str) -> None:
    with visit(browser, f"{page_address}/{LINK}") as page:
        page.locator(".rn-upgrade").wait_for()
        assert page.get_by_role("tab", name="Upgrade").get_attribute("aria-selected") == "true"
        assert page.locator("#rn-upgrade-product input").input_value() == "widget"
        assert page.locator("#rn-upgrade-from input").input_value() == "1.5"
        assert len(shown_changes(page)) == 2
        page.get_by_label("Deprecated 1").focus()
        page.keyboard.press("Space")
        assert shown_changes(page) == ["widget.spin is deprecated. Use widget.turn instead."]
        assert page.locator("[data-shown]").inner_text() == "1 of 2 entries shown"
        assert page.get_by_role("heading", name="Requirements 1").is_hidden()
        page.keyboard.press("Space")
        page.get_by_label("Containing").fill("PYTHON 3.7")
        assert len(shown_changes(page)) == 1
        page.get_by_label("Containing").fill("nothing like it")
        assert shown_changes(page) == []
        page.get_by_label("Containing").fill("")
        assert page.locator("[data-shown]").inner_text() == "All 2 entries shown"


def test_what_is_copied_is_what_is_downloaded(browser: "Browser", page_address: str) -> None:
    permissions = ["clipboard-read", "clipboard-write"]
    with visit(browser, f"{page_address}/{LINK}", permissions=permissions) as page:
        page.get_by_role("button", name="Copy as Markdown").click()
        page.get_by_role("button", name="Copied").wait_for()
        copied = page.evaluate("navigator.clipboard.readText()")
        assert copied.startswith("# Upgrade of widget 1.5 → 2.0.0\n")
        link = page.get_by_role("link", name="Download")
        assert link.get_attribute("download") == "widget-1.5-2.0.0.md"
        assert unquote((link.get_attribute("href") or "").partition(",")[2]) == copied
        with page.expect_download() as download:
            link.click()
        assert download.value.path().read_text(encoding="utf-8") == copied


def test_wrong_requests_are_told_with_the_next_step(browser: "Browser", page_address: str) -> None:
    with visit(browser, f"{page_address}/?tab=upgrade&product=nowhere&from=1&to=2") as page:
        failure = page.locator("#rn-upgrade-result .rn-failure")
        failure.wait_for()
        assert "Unknown product: 'nowhere' isn't in the index." in failure.inner_text()
    with visit(browser, f"{page_address}/?tab=upgrade&product=widget&from=2.0.0&to=1.5.0") as page:
        failure = page.locator("#rn-upgrade-result .rn-failure")
        failure.wait_for()
        assert "Not an upgrade: '2.0.0' is newer than '1.5.0'" in failure.inner_text()
        version = page.locator("#rn-upgrade-from input")
        version.fill("1.4.9")
        version.press("Enter")
        page.locator("#rn-upgrade-to input").fill("latest")
        page.locator("#rn-upgrade-to input").press("Enter")
        page.get_by_role("button", name="Show changes").click()
        page.get_by_role("heading", name="widget 1.4.9 → 2.0.0").wait_for()
