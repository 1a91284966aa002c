"""Upgrade in the browser: an example, one's own list, files that mark it, an address that shows it again."""

from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import parse_qs, unquote, urlsplit

import pytest
from page_browser import WIDTHS, visit

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

pytestmark = [pytest.mark.browser, pytest.mark.slow]

LINK = "/upgrade?product=widget&from=1.5&to=2.0.0"
FILES = {"app.py": "import widget\n\n\nwidget.spin(90)\n", "requirements.txt": "# ours\nwidget==1.6.2\ntorch==2.8.0\n"}


@pytest.fixture
def own_files(tmp_path: Path) -> list[Path]:
    """Code that uses what 2.0.0 deprecates, and the requirements beside it."""
    for name, text in FILES.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    return [tmp_path / name for name in FILES]


def headings(page: "Page") -> list[str]:
    """The kinds that can be seen, with their counts."""
    return [" ".join(heading.inner_text().split()) for heading in page.locator(".rn-kind:not([hidden]) h3").all()]


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
        assert page.locator(".rn-evidence mark").last.inner_text().startswith("Support for Python 3.7 was removed")


def test_a_box_narrows_the_list(browser: "Browser", page_address: str) -> None:
    with visit(browser, f"{page_address}{LINK}") as page:
        page.get_by_label("Show only entries with").fill("python")
        assert headings(page) == ["Requirements 1"]
        assert page.locator("[data-shown]").inner_text() == "1 of 2 entries shown"
        page.get_by_label("Show only entries with").fill("")
        assert page.locator("[data-change]:not([hidden]) .rn-words").count() == 2


def test_files_bring_all_that_they_name_and_what_they_use_first(
    browser: "Browser", page_address: str, own_files: list[Path]
) -> None:
    with visit(browser, f"{page_address}/upgrade") as page:
        page.locator("#rn-own-files").set_input_files(own_files)
        page.get_by_text("Your files have older releases of 2 products.").wait_for()
        page.wait_for_load_state()
        names = [" ".join(heading.split()[:1]) for heading in page.locator(".rn-upgrade h2").all_inner_texts()]
        assert sorted(names) == ["PyTorch", "widget"]
        used = page.locator(".rn-of-file", has_text="widget 1.6.2").locator(".rn-uses").first
        assert used.inner_text() == "Used in your code: app.py:4"


def test_what_is_taken_along_is_markdown(browser: "Browser", page_address: str) -> None:
    with visit(browser, f"{page_address}{LINK}", permissions=["clipboard-read", "clipboard-write"]) as page:
        page.get_by_role("button", name="Copy as Markdown").click()
        page.get_by_role("button", name="Copied").wait_for()
        copied = str(page.evaluate("navigator.clipboard.readText()"))
        address = str(page.locator("[data-markdown]").get_attribute("href"))
        assert copied == unquote(address.partition(",")[2])
        assert "widget.spin" in copied


@pytest.mark.parametrize("width", WIDTHS.values(), ids=WIDTHS)
def test_nothing_jumps_and_nothing_is_wider_than_the_screen(browser: "Browser", page_address: str, width: int) -> None:
    watch = "window.shift = 0; new PerformanceObserver((list) => { for (const one of list.getEntries()) "
    watch += "window.shift += one.hadRecentInput ? 0 : one.value; }).observe({ type: 'layout-shift', buffered: true });"
    with visit(browser, page_address, viewport={"width": width, "height": 900}) as page:
        page.add_init_script(watch)
        page.goto(f"{page_address}{LINK}")
        with page.expect_navigation():
            page.get_by_role("button", name="Show changes").click()
        page.locator(".rn-evidence summary").first.click()
        page.wait_for_timeout(300)
        assert page.evaluate("window.shift") <= 0.05
        assert page.evaluate("document.documentElement.scrollWidth") <= width
