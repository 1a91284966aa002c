"""Upgrade in the browser: one's own list, files that mark it, an address that shows it again."""

from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import parse_qs, urlsplit

import pytest
from page_browser import visit

if TYPE_CHECKING:
    from playwright.sync_api import Browser

pytestmark = [pytest.mark.browser, pytest.mark.slow]

FILES = {"app.py": "import widget\n\n\nwidget.spin(90)\n", "requirements.txt": "# ours\nwidget==1.6.2\ntorch==2.8.0\n"}


@pytest.fixture
def own_files(tmp_path: Path) -> list[Path]:
    """Code that uses what 2.0.0 deprecates, and the requirements beside it."""
    for name, text in FILES.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    return [tmp_path / name for name in FILES]


def test_from_the_form_to_the_marked_quote_with_the_keyboard_alone(browser: "Browser", page_address: str) -> None:
    from playwright.sync_api import expect

    with visit(browser, f"{page_address}/upgrade") as page:
        page.locator("#rn-upgrade-product").focus()
        page.keyboard.type("widget")
        expect(page.locator("#rn-upgrade-to")).to_have_value("2.0.0")
        assert page.locator("#rn-upgrade-from").input_value() == "1.5.0"
        page.get_by_role("button", name="Show changes").focus()
        page.keyboard.press("Enter")
        said = "widget 1.5.0 → 2.0.0. 1 deprecation and 1 new requirement."
        page.locator("body > [role=status]", has_text=said).wait_for(state="attached")
        assert page.locator(".rn-summary").inner_text() == "2 changes in 1 release: 2.0.0 (1 May 2024)."
        query = {"product": ["widget"], "from": ["1.5.0"], "to": ["2.0.0"]}
        assert parse_qs(urlsplit(page.url).query) == query
        page.get_by_role("link", name="Requirements 1").focus()
        page.keyboard.press("Enter")
        page.keyboard.press("Tab")
        page.keyboard.press("Enter")
        assert page.locator(".rn-evidence mark").last.is_visible()
        assert page.locator(".rn-evidence mark").last.inner_text().startswith("- Support for Python 3.7 was removed")


def test_files_bring_all_that_they_name_and_what_they_use_first(
    browser: "Browser", page_address: str, own_files: list[Path]
) -> None:
    with visit(browser, f"{page_address}/upgrade") as page:
        page.locator("#rn-own-files").set_input_files(own_files)
        page.get_by_text("Your files have older releases of 2 products.").wait_for()
        page.wait_for_load_state()
        folded, rows = page.locator(".rn-of-file"), page.locator("tbody th")
        assert [heading.split()[0] for heading in folded.locator("h2").all_inner_texts()] == ["widget", "PyTorch"]
        assert folded.first.locator(".rn-uses").first.inner_text() == "Used in your code: app.py:4"
        assert not folded.last.locator(".rn-summary").is_visible()
        # The most used first; sorted without the server; a row leads into its folded list.
        assert rows.all_inner_texts() == ["widget", "PyTorch"]
        page.get_by_role("button", name="Product").press("Enter")
        assert rows.all_inner_texts() == ["PyTorch", "widget"]
        assert page.locator("[aria-sort=ascending]").inner_text() == "Product"
        rows.first.locator("a").press("Enter")
        assert folded.last.locator(".rn-summary").is_visible()
        page.get_by_role("link", name="Library", exact=True).first.click()
        page.wait_for_url("**/library")
        page.go_back()
        assert [heading.split()[0] for heading in folded.locator("h2").all_inner_texts()] == ["widget", "PyTorch"]
